//! Work that takes long. On the desktop it goes to a thread, so that the window stays alive; a browser has no threads
//! to give, so there it runs between two frames.

#[cfg(not(target_family = "wasm"))]
use super::fault;
#[cfg(not(target_family = "wasm"))]
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{future::Future, sync::mpsc};

/// Something that will be there later, or why it will not.
pub struct Task<T>(mpsc::Receiver<Result<T, String>>);

/// How a task stands.
pub enum Poll<T> {
    /// Not yet.
    Running,
    /// Here it is.
    Done(T),
    /// It will never come, and why.
    Lost(String),
}

/// Wakes the window when there is something new to show.
#[derive(Clone)]
pub struct Wake(std::sync::Arc<dyn Fn() + Send + Sync>);

impl Wake {
    /// Around whatever wakes it.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(std::sync::Arc::new(wake))
    }

    /// Nobody to wake.
    pub fn nobody() -> Self {
        Self::new(|| {})
    }

    /// Wakes it.
    pub fn up(&self) {
        (self.0)();
    }
}

impl<T> Task<T> {
    /// How it stands; the result comes once.
    pub fn poll(&self) -> Poll<T> {
        match self.0.try_recv() {
            Ok(Ok(done)) => Poll::Done(done),
            Ok(Err(why)) => Poll::Lost(why),
            Err(mpsc::TryRecvError::Empty) => Poll::Running,
            Err(mpsc::TryRecvError::Disconnected) => Poll::Lost("no thread is to be had for it".to_owned()),
        }
    }
}

/// Starts a piece of work.
#[cfg(not(target_family = "wasm"))]
pub fn spawn<T: Send + 'static, F: Future<Output = T>>(
    wake: &Wake,
    work: impl FnOnce() -> F + Send + 'static,
) -> Task<T> {
    let (sender, receiver) = mpsc::channel();
    let wake = wake.clone();
    let run = move || {
        // A panic is the end of this work alone, and the window is woken to say so.
        let done = catch_unwind(AssertUnwindSafe(|| pollster::block_on(work())));
        let _ = sender.send(done.map_err(|panic| fault::told(&*panic)));
        wake.up();
    };
    // Where no thread is to be had the sender is dropped with the closure, and the task is lost: said by who waits.
    let _ = std::thread::Builder::new().name("work".into()).spawn(run);
    Task(receiver)
}

/// Starts a piece of work.
#[cfg(target_family = "wasm")]
pub fn spawn<T: 'static, F: Future<Output = T> + 'static>(wake: &Wake, work: impl FnOnce() -> F + 'static) -> Task<T> {
    let (sender, receiver) = mpsc::channel();
    let wake = wake.clone();
    wasm_bindgen_futures::spawn_local(async move {
        // The window is drawn once more first, so that it says what is being done.
        crate::web::pause().await;
        let _ = sender.send(Ok(work().await));
        wake.up();
    });
    Task(receiver)
}
