//! A load of keep-alive connections, each asking again as soon as it was answered.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::Error;

/// One whole request, as bytes on the wire.
#[derive(Clone)]
pub struct Request(pub Arc<[u8]>);

impl Request {
    pub fn new(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut bytes = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n").into_bytes();
        for (name, value) in headers {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        bytes.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        bytes.extend_from_slice(body);
        Self(bytes.into())
    }
}

pub struct Connection {
    pub stream: TcpStream,
    pub buffer: Vec<u8>,
}

pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Connection {
    pub async fn open(port: u16) -> Result<Self, Error> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(64 << 10),
        })
    }

    /// Sends, and reads the whole answer; the body is kept only if it is wanted.
    pub async fn ask(&mut self, request: &Request, keep_body: bool) -> Result<Answer, Error> {
        self.stream.write_all(&request.0).await?;
        self.buffer.clear();
        let head = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
        };
        let text = String::from_utf8_lossy(&self.buffer[..head]).to_ascii_lowercase();
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .ok_or("no status")?;
        let length: usize = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
            .ok_or("an answer without a length")?;
        let mut body = if keep_body {
            self.buffer[head..].to_vec()
        } else {
            Vec::new()
        };
        let mut missing = (head + length).saturating_sub(self.buffer.len());
        let mut chunk = vec![0; 64 << 10];
        while missing > 0 {
            let room = missing.min(chunk.len());
            let read = self.stream.read(&mut chunk[..room]).await?;
            if read == 0 {
                return Err("the server closed the connection".into());
            }
            if keep_body {
                body.extend_from_slice(&chunk[..read]);
            }
            missing -= read;
        }
        Ok(Answer { status, body })
    }
}

pub fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

pub struct Measured {
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
}

/// Runs one connection per request given, each repeating its own, for `time` after a short warm-up.
pub async fn run(port: u16, requests: Vec<Request>, time: Duration) -> Result<Measured, Error> {
    let warm_up = time / 5;
    let begin = Instant::now();
    let tasks: Vec<_> = requests
        .into_iter()
        .map(|request| {
            tokio::spawn(async move {
                let mut connection = Connection::open(port).await?;
                let mut took = Vec::new();
                loop {
                    let asked = Instant::now();
                    let answer = connection.ask(&request, false).await?;
                    if answer.status >= 300 {
                        return Err(Error::from(format!("status {}", answer.status)));
                    }
                    if asked >= begin + warm_up {
                        took.push(asked.elapsed());
                    }
                    if begin.elapsed() >= warm_up + time {
                        return Ok(took);
                    }
                }
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    let measured = begin.elapsed().saturating_sub(warm_up);
    all.sort_unstable();
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    Ok(Measured {
        per_second: all.len() as f64 / measured.as_secs_f64(),
        p50: at(0.5),
        p99: at(0.99),
    })
}
