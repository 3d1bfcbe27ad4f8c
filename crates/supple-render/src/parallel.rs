//! The one place that knows whether there are threads, as in the library: fixed blocks, any number of threads.

/// Calls `work(index, block)` for consecutive blocks of `out`.
pub(crate) fn for_each_block<T: Send>(out: &mut [T], block: usize, work: impl Fn(usize, &mut [T]) + Sync + Send) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if out.len() > block && rayon::current_num_threads() > 1 {
            out.par_chunks_mut(block).enumerate().for_each(|(i, chunk)| work(i, chunk));
            return;
        }
    }
    for (i, chunk) in out.chunks_mut(block).enumerate() {
        work(i, chunk);
    }
}
