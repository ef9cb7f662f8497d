//! A refusal must arrive. A client that is still sending when its connection closes sees a broken connection instead
//! of the answer, so what it has left to send is read, and thrown away, for a while.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::header,
    response::Response,
};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;

const PATIENCE: Duration = Duration::from_secs(10);

pub async fn linger<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    // A client that asks before it sends has sent nothing yet, and need not.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return next(request).await;
    }
    let (parts, body) = request.into_parts();
    let mut body = Shared(Arc::new(Mutex::new(body)));
    let response = next(Request::from_parts(parts, Body::new(body.clone()))).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        let drain = async { while let Some(Ok(_)) = body.frame().await {} };
        let _ = tokio::time::timeout(PATIENCE, drain).await;
    }
    response
}

/// A body that outlives the handler it was given to.
#[derive(Clone)]
struct Shared(Arc<Mutex<Body>>);

impl Shared {
    fn body(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl http_body::Body for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.body()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}
