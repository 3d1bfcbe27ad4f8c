/// Things listed by the point they belong to, each list in the order in which they came: what sorting them by point would give,
/// in time that grows with their number alone.
pub(crate) struct ByPoint<T> {
    starts: Vec<u32>,
    list: Vec<T>,
}

impl<T: Copy + Default> ByPoint<T> {
    /// Lists them; they are asked for twice.
    pub fn of<I: Iterator<Item = (u32, T)>>(points: usize, each: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; points + 1];
        each().for_each(|(point, _)| starts[point as usize + 1] += 1);
        (0..points).for_each(|p| starts[p + 1] += starts[p]);
        let mut next = starts.clone();
        let mut list = vec![T::default(); starts[points] as usize];
        for (point, thing) in each() {
            let slot = &mut next[point as usize];
            list[*slot as usize] = thing;
            *slot += 1;
        }
        Self { starts, list }
    }

    /// Puts the list of every point in order, those that are equal as they came.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for range in self.starts.windows(2) {
            self.list[range[0] as usize..range[1] as usize].sort_by_key(&key);
        }
    }

    /// What belongs to a point.
    pub fn at(&self, point: u32) -> &[T] {
        &self.list[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }

    /// The lists of all points, one after the other.
    pub fn lists(&self) -> impl Iterator<Item = (u32, &[T])> + '_ {
        (0..self.starts.len() as u32 - 1).map(|point| (point, self.at(point)))
    }
}
