//! A server for one test, on a loopback port, and a table of names for DNS.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferro_net::{Addresses, Lookup};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub enum Step {
    Send(Vec<u8>),
    Wait(Duration),
}

/// A whole answer that closes its connection.
pub fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<Step> {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    vec![Step::Send([head.as_bytes(), body].concat())]
}

pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub async fn start(respond: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            requests: Arc::default(),
        };
        let (requests, respond) = (Arc::clone(&server.requests), Arc::new(respond));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (requests, respond) = (Arc::clone(&requests), Arc::clone(&respond));
                tokio::spawn(async move { serve(stream, &requests, &*respond).await });
            }
        });
        server
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What it was asked, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    requests: &Mutex<Vec<String>>,
    respond: &(impl Fn(&str) -> Vec<Step> + Sync),
) {
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => received.extend_from_slice(&buffer[..read]),
        }
        let text = String::from_utf8_lossy(&received).to_string();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                requests.lock().unwrap().push(text.clone());
                for step in respond(&text) {
                    match step {
                        Step::Send(bytes) if stream.write_all(&bytes).await.is_err() => return,
                        Step::Send(_) => {}
                        Step::Wait(time) => tokio::time::sleep(time).await,
                    }
                }
                return;
            }
        }
    }
}

/// Answers from a table.
pub struct Names(HashMap<String, Vec<std::net::IpAddr>>);

impl Names {
    pub fn new(table: &[(&str, &[&str])]) -> Self {
        let parse = |addresses: &[&str]| addresses.iter().map(|address| address.parse().unwrap()).collect();
        Self(
            table
                .iter()
                .map(|(name, addresses)| ((*name).to_owned(), parse(addresses)))
                .collect(),
        )
    }
}

impl Lookup for Names {
    fn lookup<'a>(&'a self, host: &'a str) -> Addresses<'a> {
        let found = self.0.get(host.trim_end_matches('.')).cloned();
        Box::pin(async move { found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)) })
    }
}
