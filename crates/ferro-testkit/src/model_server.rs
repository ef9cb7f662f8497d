//! A model provider on this machine: it speaks the wire formats of the providers, says what it was told to say, and
//! misbehaves on request.
//!
//! Written from the providers' documentation and not from our clients, so that each checks the other. It talks HTTP
//! by hand: half of what it is for (a reset in the middle of a chunk, a byte at a time) no HTTP library will do.

mod chat;
mod embeddings;
mod fault;
mod format;
mod gemini;
mod http;
mod lists;
mod messages;
mod ollama;
mod responses;
mod script;
mod turn;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard};

use serde_json::{Value as Json, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

pub use fault::Fault;
use format::Format;
use http::{Asked, Connection, Play};
pub use turn::Turn;

/// Answers model requests until it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

/// A request as it came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    pub method: String,
    /// With its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// Text when it is not JSON, null when there is none.
    pub body: Json,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

#[derive(Default)]
struct Shared {
    script: Mutex<Script>,
    received: Mutex<Vec<Received>>,
    forgets: AtomicBool,
    open: AtomicUsize,
    busy: AtomicUsize,
    asked: AtomicU64,
    turns: AtomicU64,
}

#[derive(Default)]
struct Script {
    queue: VecDeque<Arc<Turn>>,
    always: Option<Arc<Turn>>,
}

impl ModelServer {
    /// On a free port.
    pub async fn start() -> Self {
        Self::listen(0).await
    }

    /// On this port of the loopback address.
    pub async fn listen(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.always(Turn::text("ok"));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self {
            address,
            shared,
            accepting,
        }
    }

    /// Remembers no requests: for the benchmark, which makes millions.
    #[must_use]
    pub fn forgetting(self) -> Self {
        self.shared.forgets.store(true, Ordering::Relaxed);
        self
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next answer, after those that wait already.
    ///
    /// What somebody says goes to the next chat request. Raw bytes, statuses and faults go to the next request of any
    /// kind but a token request; [`Turn::on`] chooses by path instead.
    pub fn push(&self, turn: Turn) {
        self.shared.push(turn);
    }

    /// The answer when none waits; `ok` unless told otherwise.
    pub fn always(&self, turn: Turn) {
        self.shared.always(turn);
    }

    /// Every request so far, in the order they came.
    pub fn requests(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// Turns that nobody has asked for yet.
    pub fn waiting(&self) -> usize {
        lock(&self.shared.script).queue.len()
    }

    /// Connections that are open, in use or not.
    pub fn connections(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    /// Requests that are being answered.
    pub fn busy(&self) -> usize {
        self.shared.busy.load(Ordering::SeqCst)
    }

    /// Where nobody listens: connections are refused.
    pub async fn refusing() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    // Aborting this task drops the set, and with it every connection.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(serve(stream, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let _open = Counted::new(&shared.open);
    let mut connection = Connection::new(stream);
    while let Some(asked) = connection.ask().await {
        let _busy = Counted::new(&shared.busy);
        let play = shared.answer(&asked);
        if !connection.play(play).await {
            return;
        }
    }
}

/// One more while it lives.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    fn number(&self, mut turn: Turn) -> Arc<Turn> {
        turn.number(self.turns.fetch_add(1, Ordering::Relaxed));
        Arc::new(turn)
    }

    fn push(&self, turn: Turn) {
        let turn = self.number(turn);
        lock(&self.script).queue.push_back(turn);
    }

    fn always(&self, turn: Turn) {
        let turn = self.number(turn);
        lock(&self.script).always = Some(turn);
    }

    fn answer(&self, asked: &Asked) -> Play {
        if asked.path.starts_with("/__") {
            return self.control(asked);
        }
        let body = asked.json();
        if !self.forgets.load(Ordering::Relaxed) {
            lock(&self.received).push(Received {
                method: asked.method.clone(),
                path: asked.target(),
                headers: asked.headers.clone(),
                body: body.clone(),
            });
        }
        let format = Format::of(asked, &body);
        if format.is_some() {
            self.asked.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(turn) = self.next(asked, format.is_some()) {
            return turn.play(format.unwrap_or(Format::CHAT));
        }
        lists::answer(asked)
            .or_else(|| embeddings::answer(asked, &body))
            .map_or_else(|| not_found(asked), |answer| Play::json(200, &answer))
    }

    /// The first turn that waits for a request like this.
    fn next(&self, asked: &Asked, is_chat: bool) -> Option<Arc<Turn>> {
        let mut script = lock(&self.script);
        let found = script
            .queue
            .iter()
            .position(|turn| turn.is_for(&asked.path, is_chat));
        match found {
            Some(at) => script.queue.remove(at),
            None if is_chat => script.always.clone(),
            None => None,
        }
    }

    /// For those who cannot call functions: browser tests, and people with a terminal.
    fn control(&self, asked: &Asked) -> Play {
        match (asked.method.as_str(), asked.path.as_str()) {
            ("POST", "/__script") => match script::read(&asked.json()) {
                Ok((turns, always)) => {
                    turns.into_iter().for_each(|turn| self.push(turn));
                    if let Some(turn) = always {
                        self.always(turn);
                    }
                    Play::json(200, &json!({"waiting": lock(&self.script).queue.len()}))
                }
                Err(wrong) => Play::json(400, &json!({"error": wrong})),
            },
            ("DELETE", "/__script") => {
                lock(&self.script).queue.clear();
                lock(&self.received).clear();
                self.always(Turn::text("ok"));
                Play::json(200, &json!({"waiting": 0}))
            }
            // Also of those who forget what they were asked.
            ("GET", "/__asked") => Play::json(200, &json!({"asked": self.asked.load(Ordering::Relaxed)})),
            ("GET", "/__requests") => Play::json(200, &script::show(&lock(&self.received))),
            (_, path) => match path
                .strip_prefix("/__redirects/")
                .and_then(|left| left.parse().ok())
            {
                Some(left) => fault::redirect(left),
                None => not_found(asked),
            },
        }
    }
}

fn not_found(asked: &Asked) -> Play {
    let message = format!("no such address: {} {}", asked.method, asked.path);
    Play::json(
        404,
        &json!({"error": {"message": message, "type": "invalid_request_error"}}),
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}
