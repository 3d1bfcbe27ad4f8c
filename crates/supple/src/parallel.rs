//! The one place that knows whether there are threads. Work is cut into fixed blocks whose results do not depend on
//! each other, so any number of threads gives the same bits.

use std::cmp::Ordering;

/// Does two things, at the same time where there are threads.
pub(crate) fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    {
        rayon::join(one, other)
    }
    #[cfg(not(feature = "parallel"))]
    {
        (one(), other())
    }
}

/// Does many short things one after the other. Each of those that are shared out would otherwise be handed to the threads from
/// outside, which wakes one and waits for it every time.
pub(crate) fn inside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return rayon::scope(|_| work());
    }
    work()
}

/// Sorts by an order in which two things are equal only where they are the same in all they have.
pub(crate) fn sort_by<T: Send>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering + Sync + Send) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if rayon::current_num_threads() > 1 {
            return list.par_sort_unstable_by(order);
        }
    }
    list.sort_unstable_by(order);
}

/// Calls `work(first_index, block)` for consecutive blocks of `out`, on all threads where there are threads.
pub(crate) fn for_each_block<T: Send>(out: &mut [T], block: usize, work: impl Fn(usize, &mut [T]) + Sync + Send) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if out.len() > block && rayon::current_num_threads() > 1 {
            out.par_chunks_mut(block).enumerate().for_each(|(i, chunk)| work(i * block, chunk));
            return;
        }
    }
    for (i, chunk) in out.chunks_mut(block).enumerate() {
        work(i * block, chunk);
    }
}

/// Whether something is true of one of so many places; which one is asked first does not matter.
pub(crate) fn any(places: usize, of: impl Fn(usize) -> bool + Sync + Send) -> bool {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if places > LISTED && rayon::current_num_threads() > 1 {
            return (0..places).into_par_iter().with_min_len(LISTED).any(of);
        }
    }
    (0..places).any(of)
}

/// The same for two slices that go with each other, `block[0]` of one with `block[1]` of the other.
pub(crate) fn for_each_block_of_two<A: Send, B: Send>(
    one: &mut [A],
    other: &mut [B],
    block: [usize; 2],
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if one.len() > block[0] && rayon::current_num_threads() > 1 {
            let both = one.par_chunks_mut(block[0]).zip(other.par_chunks_mut(block[1]));
            both.enumerate().for_each(|(i, (one, other))| work(i * block[0], one, other));
            return;
        }
    }
    for (i, (one, other)) in one.chunks_mut(block[0]).zip(other.chunks_mut(block[1])).enumerate() {
        work(i * block[0], one, other);
    }
}

/// Calls `work(listed, first, part)` for runs of at most `block` places of an ascending list: `part` begins at place `first` of `out`
/// and has all that are listed. Runs are as long as each other, however the places are spread.
pub(crate) fn for_each_run_of<T: Send>(
    list: &[u32],
    out: &mut [T],
    block: usize,
    work: &(impl Fn(&[u32], usize, &mut [T]) + Sync + Send),
) {
    part_list(list, 0, out, block, work);
}

fn part_list<T: Send>(
    list: &[u32],
    first: usize,
    out: &mut [T],
    block: usize,
    work: &(impl Fn(&[u32], usize, &mut [T]) + Sync + Send),
) {
    if list.len() <= block {
        return work(list, first, out);
    }
    let (list, rest) = list.split_at((list.len() / 2).next_multiple_of(block));
    let next = rest.first().map_or(first + out.len(), |&i| i as usize);
    let (out, beyond) = out.split_at_mut(next - first);
    join(|| part_list(list, first, out, block, work), || part_list(rest, next, beyond, block, work));
}

/// Calls `work(i, &mut out[i])` for every place of an ascending list, on all threads where there are threads.
pub(crate) fn for_each_listed<T: Send>(list: &[u32], out: &mut [T], work: impl Fn(usize, &mut T) + Sync + Send) {
    for_each_run_of(list, out, LISTED, &|list, first, out| {
        list.iter().for_each(|&i| work(i as usize, &mut out[i as usize - first]));
    });
}

/// Places that a thread puts something to at a time: sharing out fewer takes longer than the work.
const LISTED: usize = 1024;
/// Places that a thread chooses from at a time.
const CHOSEN: usize = 512;
/// Blocks of those that a thread takes at a time.
const CHOSEN_TOGETHER: usize = 4;
/// Chosen places that a thread puts in their order at a time.
const GATHERED: usize = 8192;

/// The memory to choose from many places on all threads, in their order.
pub(crate) struct Chooser {
    /// What was chosen of each block.
    chosen: Vec<[u32; CHOSEN]>,
    /// How much that is.
    counts: Vec<usize>,
}

impl Chooser {
    /// For so many places.
    pub fn from(places: usize) -> Self {
        let blocks = places.div_ceil(CHOSEN);
        Self { chosen: vec![[0; CHOSEN]; blocks], counts: vec![0; blocks] }
    }

    /// Lists what is chosen of each of so many places.
    pub fn fill(&mut self, list: &mut Vec<u32>, places: usize, choose: impl Fn(usize) -> Option<u32> + Sync + Send) {
        self.choose(places, choose);
        self.list(list, places);
    }

    /// Leaves what is kept of a list.
    pub fn retain(&mut self, list: &mut Vec<u32>, keep: impl Fn(u32) -> bool + Sync + Send) {
        let places = list.len();
        self.choose(places, |k| Some(list[k]).filter(|&i| keep(i)));
        self.list(list, places);
    }

    fn choose(&mut self, places: usize, choose: impl Fn(usize) -> Option<u32> + Sync + Send) {
        let blocks = places.div_ceil(CHOSEN);
        let (chosen, counts) = (&mut self.chosen[..blocks], &mut self.counts[..blocks]);
        for_each_block_of_two(chosen, counts, [CHOSEN_TOGETHER; 2], |first, chosen, counts| {
            for (block, (list, count)) in (first..).zip(chosen.iter_mut().zip(counts)) {
                *count = 0;
                for what in (block * CHOSEN..((block + 1) * CHOSEN).min(places)).filter_map(&choose) {
                    list[*count] = what;
                    *count += 1;
                }
            }
        });
    }

    fn list(&self, list: &mut Vec<u32>, places: usize) {
        let blocks = places.div_ceil(CHOSEN);
        let counts = &self.counts[..blocks];
        list.resize(counts.iter().sum(), 0);
        gather(&self.chosen[..blocks], counts, list);
    }
}

/// Puts what was chosen of blocks one after the other.
fn gather(chosen: &[[u32; CHOSEN]], counts: &[usize], list: &mut [u32]) {
    if list.len() <= GATHERED || chosen.len() == 1 {
        let mut rest = list;
        for (chosen, count) in chosen.iter().zip(counts) {
            let (here, beyond) = rest.split_at_mut(*count);
            here.copy_from_slice(&chosen[..*count]);
            rest = beyond;
        }
        return;
    }
    let half = chosen.len() / 2;
    let (one, other) = list.split_at_mut(counts[..half].iter().sum());
    join(|| gather(&chosen[..half], &counts[..half], one), || gather(&chosen[half..], &counts[half..], other));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_and_put_back_is_in_the_order_of_the_places() {
        for places in [0, 1, CHOSEN, 5 * LISTED + 3] {
            let (mut chooser, mut list) = (Chooser::from(places), Vec::new());
            chooser.fill(&mut list, places, |i| (i % 3 == 1).then_some(i as u32));
            assert!(list.iter().copied().eq((0..places as u32).filter(|i| i % 3 == 1)));
            chooser.retain(&mut list, |i| i % 2 == 0);
            assert!(list.iter().copied().eq((0..places as u32).filter(|i| i % 6 == 4)));
            let mut out = vec![0; places];
            for_each_listed(&list, &mut out, |i, out| *out += i + 1);
            let truth = |i: usize| if i % 6 == 4 { i + 1 } else { 0 };
            assert!(out.iter().copied().eq((0..places).map(truth)));
            for_each_run_of(&list, &mut out, 7, &|list, first, out| {
                assert!(list.len() <= 7);
                list.iter().for_each(|&i| out[i as usize - first] += 1);
            });
            assert!(out.iter().copied().eq((0..places).map(|i| truth(i) + usize::from(i % 6 == 4))));
            assert_eq!(any(places, |i| i + 1 == places), places > 0);
            assert!(!any(places, |i| i == places));
        }
    }
}
