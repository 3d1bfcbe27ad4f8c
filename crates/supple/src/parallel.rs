//! The one place that knows whether there are threads. Work is cut into fixed blocks whose results do not depend on
//! each other, so any number of threads gives the same bits.

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

/// Calls `work(k, &mut out[list[k]])` for every place of an ascending list, on all threads where there are threads.
pub(crate) fn for_each_listed<T: Send>(list: &[u32], out: &mut [T], work: impl Fn(usize, &mut T) + Sync + Send) {
    if list.len() <= LISTED {
        list.iter().enumerate().for_each(|(k, &i)| work(k, &mut out[i as usize]));
        return;
    }
    for_each_block(out, LISTED, |first, block| {
        let (from, places) = (list.partition_point(|&i| (i as usize) < first), block.len());
        let within = list[from..].iter().map(|&i| i as usize - first).take_while(|&i| i < places);
        (from..).zip(within).for_each(|(k, i)| work(k, &mut block[i]));
    });
}

/// Places that a thread puts something to at a time: sharing out fewer takes longer than the work.
const LISTED: usize = 2048;
/// Places that a thread chooses from at a time.
const CHOSEN: usize = 512;

/// The memory to choose from many places on all threads, in their order.
pub(crate) struct Chooser(Vec<Chosen>);

/// What was chosen of a block, and how much that is.
#[derive(Clone)]
struct Chosen {
    list: [u32; CHOSEN],
    count: usize,
}

impl Chooser {
    /// For so many places.
    pub fn from(places: usize) -> Self {
        Self(vec![Chosen { list: [0; CHOSEN], count: 0 }; places.div_ceil(CHOSEN)])
    }

    /// Lists what is chosen of each of so many places.
    pub fn fill(&mut self, list: &mut Vec<u32>, places: usize, choose: impl Fn(usize) -> Option<u32> + Sync + Send) {
        self.choose(places, choose);
        self.list(list);
    }

    /// Leaves what is kept of a list.
    pub fn retain(&mut self, list: &mut Vec<u32>, keep: impl Fn(u32) -> bool + Sync + Send) {
        self.choose(list.len(), |k| Some(list[k]).filter(|&i| keep(i)));
        self.list(list);
    }

    fn choose(&mut self, places: usize, choose: impl Fn(usize) -> Option<u32> + Sync + Send) {
        let (full, rest) = self.0.split_at_mut(places.div_ceil(CHOSEN));
        rest.iter_mut().for_each(|chosen| chosen.count = 0);
        for_each_block(full, 4, |first, blocks| {
            for (block, chosen) in (first..).zip(blocks) {
                chosen.count = 0;
                for what in (block * CHOSEN..((block + 1) * CHOSEN).min(places)).filter_map(&choose) {
                    chosen.list[chosen.count] = what;
                    chosen.count += 1;
                }
            }
        });
    }

    fn list(&self, list: &mut Vec<u32>) {
        list.clear();
        self.0.iter().for_each(|chosen| list.extend_from_slice(&chosen.list[..chosen.count]));
    }
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
            for_each_listed(&list, &mut out, |k, out| *out = k + 1);
            let truth = |i: usize| if i % 6 == 4 { i / 6 + 1 } else { 0 };
            assert!(out.iter().copied().eq((0..places).map(truth)));
            assert_eq!(any(places, |i| i + 1 == places), places > 0);
            assert!(!any(places, |i| i == places));
        }
    }
}
