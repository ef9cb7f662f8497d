//! The world outside: an HTTP server on this machine that remembers who called, and answers when it is told to.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

pub struct Outside {
    pub address: SocketAddr,
    calls: Arc<Mutex<Vec<String>>>,
    gate: Arc<Semaphore>,
}

impl Outside {
    /// Answers at once.
    pub async fn open() -> Self {
        Self::start(Semaphore::MAX_PERMITS).await
    }

    /// Answers nobody until `let_through` is called.
    pub async fn closed() -> Self {
        Self::start(0).await
    }

    async fn start(permits: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (calls, gate) = (Arc::default(), Arc::new(Semaphore::new(permits)));
        let outside = Self {
            address,
            calls: Arc::clone(&calls),
            gate: Arc::clone(&gate),
        };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&calls), Arc::clone(&gate)));
            }
        });
        outside
    }

    /// `METHOD /path` of every call that came in, in order.
    pub fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    /// Lets so many more calls be answered.
    pub fn let_through(&self, count: usize) {
        self.gate.add_permits(count);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn serve(mut stream: TcpStream, calls: Arc<Mutex<Vec<String>>>, gate: Arc<Semaphore>) -> Option<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0_u8; 4096];
        let read = stream.read(&mut part).await.ok().filter(|read| *read > 0)?;
        head.extend_from_slice(&part[..read]);
    }
    let line = String::from_utf8_lossy(&head);
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let path = target.split('?').next().unwrap_or(target);
    calls.lock().unwrap().push(format!("{method} {path}"));
    gate.acquire().await.ok()?.forget();
    let body = format!("{{\"path\":\"{path}\"}}");
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await.ok()
}
