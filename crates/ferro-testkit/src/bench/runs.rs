//! Runs: what running a flow costs over doing nothing, and how that grows.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    Error,
    cases::{Session, bench_folder, ms},
    load::{self, Connection, Request},
    report::{Aim, Table},
    servers::Server,
};

const TIME: Duration = Duration::from_secs(3);
const BODY: &str = r#"{"input_value":"How are you today?","session_id":"bench"}"#;

/// The product with a key: programs have one, and so are these figures.
pub struct Bench {
    pub server: Server,
    key: String,
    nodes: Value,
}

pub fn keyed(key: &str, method: &str, path: &str, body: &str) -> Request {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    Request::new(method, path, &headers, body.as_bytes())
}

impl Bench {
    async fn open(dir: &std::path::Path) -> Result<Self, Error> {
        Self::open_with(dir, &[]).await
    }

    pub async fn open_with(dir: &std::path::Path, options: &[String]) -> Result<Self, Error> {
        let server = Server::ferroflow_with(dir, options)?;
        let session = Session::open(&server).await?;
        let mut connection = Connection::open(server.port).await?;
        let made = connection
            .ask(
                &session.send("POST", "/api/v1/api_key", r#"{"name":"bench"}"#),
                true,
            )
            .await?;
        let made: Value = serde_json::from_slice(&made.body)?;
        let key = made["api_key"].as_str().ok_or("no key was made")?.to_owned();
        let all = connection.ask(&session.get("/api/v1/all"), true).await?;
        let nodes = serde_json::from_slice(&all.body)?;
        Ok(Self { server, key, nodes })
    }

    pub fn request(&self, method: &str, path: &str, body: &str) -> Request {
        keyed(&self.key, method, path, body)
    }

    pub async fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, Error> {
        self.ask_as(&self.key, method, path, body).await
    }

    /// For somebody else.
    pub async fn ask_as(&self, key: &str, method: &str, path: &str, body: &Value) -> Result<Value, Error> {
        let mut connection = Connection::open(self.server.port).await?;
        let request = keyed(key, method, path, &body.to_string());
        let answer = connection.ask(&request, true).await?;
        if answer.status >= 300 {
            return Err(format!(
                "{path}: {} {}",
                answer.status,
                String::from_utf8_lossy(&answer.body)
            )
            .into());
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }

    pub async fn save(&self, flow: &Value) -> Result<String, Error> {
        let made = self.ask("POST", "/api/v1/flows", flow).await?;
        Ok(made["id"].as_str().ok_or("no flow was made")?.to_owned())
    }

    /// A flow of `nodes` (type, id) and `wires` (source, output, target, field).
    pub fn flow(
        &self,
        nodes: &[(&str, String)],
        wires: &[(String, &str, String, &str)],
    ) -> Result<Value, Error> {
        let find = |kind: &str| {
            let categories = self.nodes.as_object()?.values();
            categories
                .into_iter()
                .find_map(|category| category.get(kind))
                .cloned()
        };
        let mut document = Vec::new();
        for (kind, id) in nodes {
            let node = find(kind).ok_or_else(|| format!("no component {kind}"))?;
            document.push(json!({
                "id": id, "type": "genericNode", "position": { "x": 0, "y": 0 },
                "data": { "id": id, "type": kind, "node": node },
            }));
        }
        let edges: Vec<Value> = wires
            .iter()
            .map(|(source, output, target, field)| {
                json!({
                    "id": format!("{source}{output}{target}{field}"), "source": source, "target": target,
                    "data": {
                        "sourceHandle": { "dataType": "", "id": source, "name": output, "output_types": [] },
                        "targetHandle": { "fieldName": field, "id": target, "inputTypes": [], "type": "str" },
                    },
                })
            })
            .collect();
        Ok(json!({ "name": "Bench", "data": { "nodes": document, "edges": edges } }))
    }

    /// Chat Input, so many texts one after the other, Chat Output.
    pub fn chain(&self, length: usize) -> Result<Value, Error> {
        let mut nodes = vec![("ChatInput", "ChatInput-1".to_owned())];
        let mut wires = Vec::new();
        let (mut last, mut output) = ("ChatInput-1".to_owned(), "message");
        for n in 0..length.saturating_sub(2) {
            let id = format!("CombineText-{n}");
            wires.push((last, output, id.clone(), "text1"));
            nodes.push(("CombineText", id.clone()));
            (last, output) = (id, "combined_text");
        }
        nodes.push(("ChatOutput", "ChatOutput-1".to_owned()));
        wires.push((last, output, "ChatOutput-1".to_owned(), "input_value"));
        self.flow(&nodes, &wires)
    }

    /// Chat Input to so many nodes side by side, which join again.
    fn fan(&self, width: usize) -> Result<Value, Error> {
        let mut nodes = vec![("ChatInput", "ChatInput-1".to_owned())];
        let mut wires = Vec::new();
        for n in 0..width {
            let id = format!("MessagetoData-{n}");
            wires.push(("ChatInput-1".to_owned(), "message", id.clone(), "message"));
            wires.push((
                id.clone(),
                "data",
                "MergeDataComponent-1".to_owned(),
                "data_inputs",
            ));
            nodes.push(("MessagetoData", id));
        }
        nodes.push(("MergeDataComponent", "MergeDataComponent-1".to_owned()));
        nodes.push(("ChatOutput", "ChatOutput-1".to_owned()));
        wires.push((
            "MergeDataComponent-1".to_owned(),
            "combined_data",
            "ChatOutput-1".to_owned(),
            "input_value",
        ));
        self.flow(&nodes, &wires)
    }

    pub fn run(&self, flow: &str, query: &str) -> Request {
        self.request("POST", &format!("/api/v1/run/{flow}{query}"), BODY)
    }
}

/// Echo flows, chains and fans beside a bare axum echo of the same request.
pub async fn runs() -> Result<Table, Error> {
    let mut table = Table::new(
        "runs",
        "POST /run of small flows, beside a bare axum echo of the same body",
    );
    let dir = tempfile::tempdir_in(bench_folder())?;
    let bench = Bench::open(dir.path()).await?;
    let bare = Server::bare()?;
    let (echo, chain, fan) = (
        bench.save(&bench.chain(2)?).await?,
        bench.save(&bench.chain(20)?).await?,
        bench.save(&bench.fan(10)?).await?,
    );
    let cases = [
        ("throw-away echo", bench.run(&echo, "?durable=false")),
        ("durable echo with messages", bench.run(&echo, "")),
        ("throw-away chain of 20", bench.run(&chain, "?durable=false")),
        ("durable chain of 20", bench.run(&chain, "")),
        ("throw-away fan of 10", bench.run(&fan, "?durable=false")),
    ];
    for concurrency in [1, 8, 32, 128] {
        let plain = load::run(
            bare.port,
            vec![bench.request("POST", "/", BODY); concurrency],
            TIME,
        )
        .await?;
        table.add(
            format!("bare echo, {concurrency} at once"),
            plain.per_second,
            "/s",
        );
        for (name, request) in &cases {
            let before = bench.server.processor()?;
            let ours = load::run(bench.server.port, vec![request.clone(); concurrency], TIME).await?;
            let spent = bench.server.processor()? - before;
            let ratio = ours.per_second / plain.per_second;
            table.add(format!("{name}, {concurrency} at once"), ours.per_second, "/s");
            let share = format!("{name}, {concurrency} at once, share of bare");
            match (*name, concurrency) {
                ("throw-away echo", 32) => table.add_with_aim(share, ratio, "ratio", Aim::AtLeast(0.5)),
                ("durable echo with messages", 32) => {
                    table.add_with_aim(share, ratio, "ratio", Aim::AtLeast(0.15))
                }
                _ => table.add(share, ratio, "ratio"),
            }
            table.add(format!("{name}, {concurrency} at once, p50"), ms(ours.p50), "ms");
            let p99 = format!("{name}, {concurrency} at once, p99");
            if concurrency == 32 {
                table.add_with_aim(p99, ms(ours.p99), "ms", Aim::AtMost(10.0));
            } else {
                table.add(p99, ms(ours.p99), "ms");
            }
            let per_run = spent.as_secs_f64() * 1e6 / (ours.per_second * TIME.as_secs_f64() * 1.2);
            table.add(format!("{name}, {concurrency} at once, CPU a run"), per_run, "µs");
        }
    }
    table.add_with_aim("peak memory", bench.server.peak()?, "MB", Aim::AtMost(150.0));
    bench.server.stop()?;
    Ok(table)
}

/// Chains of ever more nodes: the cost of a node must not depend on how many there are.
pub async fn growth() -> Result<Table, Error> {
    let mut table = Table::new("growth", "throw-away chains, one at a time: time for each node");
    let dir = tempfile::tempdir_in(bench_folder())?;
    let bench = Bench::open(dir.path()).await?;
    let empty = bench.save(&bench.chain(2)?).await?;
    let base = load::run(bench.server.port, vec![bench.run(&empty, "?durable=false")], TIME).await?;
    for nodes in [10, 100, 1000, 2000] {
        let flow = bench.save(&bench.chain(nodes)?).await?;
        let measured = load::run(bench.server.port, vec![bench.run(&flow, "?durable=false")], TIME).await?;
        let each = (ms(measured.p50) - ms(base.p50)) * 1000.0 / (nodes - 2) as f64;
        table.add_with_aim(format!("{nodes} nodes, each"), each, "µs", Aim::AtMost(5.0));
    }
    bench.server.stop()?;
    Ok(table)
}

/// Ten thousand people who watch a run that waits.
pub async fn streams() -> Result<Table, Error> {
    const STREAMS: usize = 10_000;
    let mut table = Table::new(
        "streams",
        "GET /runs/{id}/events of a run that waits for a person",
    );
    let dir = tempfile::tempdir_in(bench_folder())?;
    let bench = Bench::open(dir.path()).await?;
    let nodes = [("HumanInput", "HumanInput-1".to_owned())];
    let flow = bench.save(&bench.flow(&nodes, &[])?).await?;
    let body = json!({ "flow_id": flow, "mode": "background" });
    let job = bench.ask("POST", "/api/v2/workflows", &body).await?;
    let job = job["job_id"].as_str().ok_or("no job")?;
    let before = bench.server.resident()?;
    let request = bench.request("GET", &format!("/api/v1/runs/{job}/events"), "");
    let mut open = Vec::new();
    let began = std::time::Instant::now();
    for _ in 0..STREAMS {
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", bench.server.port)).await?;
        stream.write_all(&request.0).await?;
        let mut first = [0_u8; 12];
        stream.read_exact(&mut first).await?;
        if !first.ends_with(b"200") {
            return Err(format!("a stream was refused: {}", String::from_utf8_lossy(&first)).into());
        }
        open.push(stream);
    }
    table.add("time to open them all", began.elapsed().as_secs_f64(), "s");
    let more = bench.server.resident()? - before;
    table.add_with_aim(
        format!("memory for {STREAMS} idle streams"),
        more,
        "MB",
        Aim::AtMost(400.0),
    );
    let before = bench.server.processor()?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let spent = (bench.server.processor()? - before).as_secs_f64() / 5.0;
    table.add("share of a core they keep busy", spent, "ratio");
    let health = bench.request("GET", "/health", "");
    let measured = load::run(bench.server.port, vec![health], Duration::from_secs(1)).await?;
    table.add("p99 of another request meanwhile", ms(measured.p99), "ms");
    drop(open);
    bench.server.stop()?;
    Ok(table)
}

/// Instructions that planning and running take, counted by callgrind: the same whatever else the machine is doing.
pub async fn instructions() -> Result<Table, Error> {
    let mut table = Table::new(
        "instructions",
        "`ferroflow run` of chains, counted by callgrind, over a chain of 2",
    );
    let dir = tempfile::tempdir_in(bench_folder())?;
    let bench = Bench::open(dir.path()).await?;
    let base = count(&bench.chain(2)?, dir.path())?;
    for nodes in [200, 400] {
        let counted = count(&bench.chain(nodes)?, dir.path())? - base;
        table.add(format!("plan and run {nodes} nodes"), counted / 1e6, "million");
        table.add(
            format!("{nodes} nodes, each"),
            counted / 1e3 / (nodes - 2) as f64,
            "thousand",
        );
    }
    bench.server.stop()?;
    Ok(table)
}

fn count(flow: &Value, dir: &std::path::Path) -> Result<f64, Error> {
    let file = dir.join("flow.json");
    std::fs::write(&file, flow.to_string())?;
    let program = std::env::var("FERROFLOW_BIN").unwrap_or_else(|_| "target/release/ferroflow".to_owned());
    let run = std::process::Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            &program,
            "run",
        ])
        .arg(&file)
        .arg("hello")
        .output()
        .map_err(|_| "valgrind is missing; install it to count instructions")?;
    let said = String::from_utf8_lossy(&run.stderr);
    let line = said.lines().find_map(|line| line.split("Collected :").nth(1));
    let line = line.ok_or_else(|| format!("callgrind counted nothing: {said}"))?;
    Ok(line.trim().parse()?)
}
