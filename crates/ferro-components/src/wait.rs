//! Waiting that ends when the run does.

use ferro_engine::{Cause, Context, Failure};

/// What `work` gives, or a failure as soon as the run is stopped.
pub(crate) async fn unless_stopped<T>(
    cx: &Context,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        biased;
        () = cx.cancel.cancelled() => Err(Failure::new(Cause::Cancelled, "The run was stopped")),
        done = work => done,
    }
}

/// Work that keeps a processor busy, on a thread of its own.
pub(crate) async fn busy<T: Send + 'static>(
    cx: &Context,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let task = tokio::task::spawn_blocking(work);
    unless_stopped(cx, async {
        let broke = |error: tokio::task::JoinError| {
            Failure::new(
                Cause::Internal,
                format!("The component stopped unexpectedly: {error}"),
            )
        };
        task.await.map_err(broke)?
    })
    .await
}
