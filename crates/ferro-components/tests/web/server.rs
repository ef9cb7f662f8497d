//! A server for one test, on a loopback port.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What a request is answered with.
pub enum Reply {
    Bytes(Vec<u8>),
    /// Nothing, ever, with the connection left open.
    Silence,
}

/// A whole answer. `headers` are full lines.
pub fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    Reply::Bytes([head.as_bytes(), body].concat())
}

pub fn page(body: &str) -> Reply {
    answer("200 OK", "content-type: text/html; charset=utf-8\r\n", body)
}

pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    asked: Arc<Notify>,
}

impl Server {
    /// `respond` is given the path with its query, and the whole request.
    pub async fn start(respond: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            requests: Arc::default(),
            asked: Arc::default(),
        };
        let (requests, asked, respond) = (
            Arc::clone(&server.requests),
            Arc::clone(&server.asked),
            Arc::new(respond),
        );
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (requests, asked, respond) =
                    (Arc::clone(&requests), Arc::clone(&asked), Arc::clone(&respond));
                tokio::spawn(async move { serve(stream, &requests, &asked, &*respond).await });
            }
        });
        server
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it was asked, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The paths it was asked for, sorted.
    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = self
            .requests()
            .iter()
            .map(|request| path(request).to_owned())
            .collect();
        paths.sort();
        paths
    }

    /// Resolves once a request has arrived.
    pub async fn was_asked(&self) {
        self.asked.notified().await;
    }
}

fn path(request: &str) -> &str {
    request.split(' ').nth(1).unwrap_or_default()
}

async fn serve(
    mut stream: TcpStream,
    requests: &Mutex<Vec<String>>,
    asked: &Notify,
    respond: &(impl Fn(&str, &str) -> Reply + Sync),
) {
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => received.extend_from_slice(&buffer[..read]),
        }
        let text = String::from_utf8_lossy(&received).to_string();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() < length.unwrap_or(0) {
            continue;
        }
        requests.lock().unwrap().push(text.clone());
        asked.notify_one();
        match respond(path(&text), &text) {
            Reply::Bytes(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Reply::Silence => std::future::pending().await,
        }
    }
}
