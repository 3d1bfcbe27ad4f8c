/// Disjoint sets of numbers that grow by joining.
#[derive(Debug)]
pub(crate) struct Sets {
    above: Vec<u32>,
}

impl Sets {
    pub fn new(count: usize) -> Self {
        Self { above: (0..count as u32).collect() }
    }

    pub fn top(&mut self, mut i: usize) -> usize {
        while self.above[i] as usize != i {
            self.above[i] = self.above[self.above[i] as usize];
            i = self.above[i] as usize;
        }
        i
    }

    /// The smaller top stays, so that the result does not depend on the order of joining.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.top(a), self.top(b));
        self.above[a.max(b)] = a.min(b) as u32;
    }

    /// The number of the set of each member, counted by first members, and how many sets there are.
    pub fn labels(&mut self) -> (Vec<usize>, usize) {
        let (mut labels, mut count) = (vec![0; self.above.len()], 0);
        for i in 0..labels.len() {
            let top = self.top(i);
            labels[i] = if top == i {
                count += 1;
                count - 1
            } else {
                labels[top]
            };
        }
        (labels, count)
    }
}
