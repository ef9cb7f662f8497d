//! The servers under load, each a process of its own.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::DefaultBodyLimit,
    routing::any,
    serve::ListenerExt as _,
};
use ferro_testkit::{ModelServer, Turn};
use http::StatusCode;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use crate::{
    Error,
    load::{Connection, Request},
};

pub struct Server {
    child: Child,
    pub port: u16,
    log: Option<JoinHandle<VecDeque<String>>>,
}

/// Of a log that may have a line for everything that was asked.
const LAST_LINES: usize = 200;

impl Server {
    /// The product, on a free port.
    pub fn ferroflow(data_dir: &Path) -> Result<Self, Error> {
        Self::ferroflow_with(data_dir, &[])
    }

    pub fn ferroflow_with(data_dir: &Path, options: &[String]) -> Result<Self, Error> {
        let mut child = with_many_files(&program())
            .args(["--port", "0", "--log-format", "json", "--data-dir"])
            .arg(data_dir)
            .args(options)
            .stderr(Stdio::piped())
            .spawn()?;
        let mut log = BufReader::new(child.stderr.take().ok_or("no log")?);
        let mut line = String::new();
        loop {
            line.clear();
            if log.read_line(&mut line)? == 0 {
                return Err("the server did not start".into());
            }
            let entry: serde_json::Value = serde_json::from_str(&line)?;
            if let Some(port) = entry["url"]
                .as_str()
                .and_then(|url| url.rsplit(':').next()?.parse().ok())
            {
                return Ok(Self {
                    child,
                    port,
                    // Read on: a server whose log nobody takes stands still when the pipe is full.
                    log: Some(std::thread::spawn(move || last_lines(log))),
                });
            }
        }
    }

    /// A bare axum server that gives every body back.
    pub fn bare() -> Result<Self, Error> {
        Self::of_ours(&["--echo-server"])
    }

    /// A bare axum server that passes every request on and streams the answer back.
    pub fn proxy(to: &str) -> Result<Self, Error> {
        Self::of_ours(&["--proxy-server", to])
    }

    /// The scripted model provider, which remembers no requests.
    pub fn model() -> Result<Self, Error> {
        Self::of_ours(&["model-server", "--forget"])
    }

    /// Another process of this program, which prints its port or address.
    fn of_ours(args: &[&str]) -> Result<Self, Error> {
        let mut child = with_many_files(&std::env::current_exe()?.to_string_lossy())
            .args(args)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let port = line.trim().rsplit(':').next().unwrap_or_default();
        Ok(Self {
            child,
            port: port.parse()?,
            log: None,
        })
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Megabytes of memory in use.
    pub fn resident(&self) -> Result<f64, Error> {
        self.memory("VmRSS:")
    }

    /// The most there ever were.
    pub fn peak(&self) -> Result<f64, Error> {
        self.memory("VmHWM:")
    }

    /// Processor time it has used.
    pub fn processor(&self) -> Result<Duration, Error> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let after = text.rsplit(')').next().ok_or("no stat")?;
        let ticks = after.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
        let total: u64 = ticks.sum::<Result<u64, _>>()?;
        // The kernel counts hundredths of a second.
        Ok(Duration::from_millis(total * 10))
    }

    fn memory(&self, row: &str) -> Result<f64, Error> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status
            .lines()
            .find(|line| line.starts_with(row))
            .ok_or("no such row")?;
        let kilobytes: f64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
        Ok(kilobytes / 1024.0)
    }

    /// Stops it in good order and gives the end of its log.
    pub fn stop(mut self) -> Result<Vec<serde_json::Value>, Error> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        self.child.wait()?;
        let log = self.log.take().map(JoinHandle::join).transpose();
        let lines = log.map_err(|_| "the log could not be read")?.unwrap_or_default();
        let lines = lines.iter().filter_map(|line| serde_json::from_str(line).ok());
        Ok(lines.collect())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> String {
    std::env::var("FERROFLOW_BIN").unwrap_or_else(|_| "target/release/ferroflow".to_owned())
}

/// A command of the product about this data folder, and what it prints.
pub fn command(data_dir: &Path, args: &[&str], input: &str) -> Result<String, Error> {
    let mut child = Command::new(program())
        .args(args)
        .arg("--data-dir")
        .arg(data_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    child
        .stdin
        .take()
        .ok_or("no input")?
        .write_all(input.as_bytes())?;
    let done = child.wait_with_output()?;
    if !done.status.success() {
        return Err(format!("ferroflow {} failed", args.join(" ")).into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

fn last_lines(log: impl BufRead) -> VecDeque<String> {
    let mut last = VecDeque::new();
    for line in log.lines().map_while(Result::ok) {
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(line);
    }
    last
}

/// Thousands of streams need as many open files as the system gives.
fn with_many_files(program: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -n $(ulimit -H -n); exec \"$0\" \"$@\""])
        .arg(program);
    command
}

/// What streaming through axum costs at least: no parsing, no waiting for the whole of anything.
pub async fn proxy(to: String) -> Result<(), Error> {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build(connector);
    let app = Router::new().fallback(any(move |request: axum::extract::Request| {
        let (client, to) = (client.clone(), to.clone());
        async move {
            let (mut parts, body) = request.into_parts();
            parts.headers.remove(http::header::HOST);
            let uri = format!("http://{to}{}", parts.uri.path()).parse();
            parts.uri = uri.map_err(|_| StatusCode::BAD_REQUEST)?;
            let answer = client.request(http::Request::from_parts(parts, body)).await;
            answer
                .map(|answer| answer.map(Body::new))
                .map_err(|_| StatusCode::BAD_GATEWAY)
        }
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    // Tokens are small and must not wait for each other.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await?;
    Ok(())
}

pub async fn echo() -> Result<(), Error> {
    let app = Router::new()
        .fallback(any(|body: Bytes| async move { body }))
        .layer(DefaultBodyLimit::disable());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    axum::serve(listener, app).await?;
    Ok(())
}

/// A model provider that answers for as long as it runs, for the benchmark, the browser tests and people.
/// `POST /__script` tells it what to say; see `model_server/script.rs`.
pub async fn model(mut args: impl Iterator<Item = String>) -> Result<(), Error> {
    let (mut port, mut text, mut tokens, mut pace) = (0, "Hello from the model server.".to_owned(), None, 0);
    let mut remembers = true;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--port" => port = value()?.parse()?,
            "--text" => text = value()?,
            "--tokens" => tokens = Some(value()?.parse()?),
            "--pace-ms" => pace = value()?.parse()?,
            "--forget" => remembers = false,
            _ => {
                return Err(format!(
                    "no option {arg}; there are --port, --text, --tokens, --pace-ms, --forget"
                )
                .into());
            }
        }
    }
    let mut turn = Turn::text(&text).pace(Duration::from_millis(pace));
    if let Some(count) = tokens {
        turn = turn.tokens(count);
    }
    let mut server = ModelServer::listen(port).await;
    if !remembers {
        server = server.forgetting();
    }
    server.always(turn);
    println!("{}", server.url());
    std::future::pending().await
}

/// From starting the process to the first good answer of `/health`.
pub async fn time_to_health(data_dir: &Path) -> Result<(Duration, Server), Error> {
    let begin = Instant::now();
    let server = Server::ferroflow(data_dir)?;
    let mut connection = Connection::open(server.port).await?;
    let answer = connection
        .ask(&Request::new("GET", "/health", &[], b""), false)
        .await?;
    if answer.status != 200 {
        return Err(format!("/health answered {}", answer.status).into());
    }
    Ok((begin.elapsed(), server))
}
