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
