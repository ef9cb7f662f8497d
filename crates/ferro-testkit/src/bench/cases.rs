//! What is measured.

use std::{path::Path, time::Duration};

use crate::{
    Error,
    load::{self, Connection, Request},
    report::{Aim, Table},
    servers::{Server, time_to_health},
};

const TIME: Duration = Duration::from_secs(4);

/// Cold start to the first answer, and memory.
pub async fn start() -> Result<Table, Error> {
    let mut table = Table::new("start", "a new process to its first /health, and its memory");
    let (mut fresh, mut again) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        let dir = tempfile::tempdir()?;
        let (took, server) = time_to_health(dir.path()).await?;
        fresh.push(took);
        server.stop()?;
        let (took, server) = time_to_health(dir.path()).await?;
        again.push(took);
        server.stop()?;
    }
    table.add_with_aim(
        "first start (makes the database)",
        median_ms(&mut fresh),
        "ms",
        Aim::AtMost(100.0),
    );
    table.add_with_aim("later start", median_ms(&mut again), "ms", Aim::AtMost(100.0));
    let dir = tempfile::tempdir()?;
    let (_, server) = time_to_health(dir.path()).await?;
    table.add_with_aim("memory after start", server.resident()?, "MB", Aim::AtMost(60.0));
    let session = Session::open(&server).await?;
    let mut connection = Connection::open(server.port).await?;
    for _ in 0..250 {
        for path in [
            "/api/v1/flows?header_flows=true",
            "/api/v1/projects",
            "/api/v1/config",
            "/",
        ] {
            connection.ask(&session.get(path), false).await?;
        }
    }
    table.add_with_aim(
        "memory after 1,000 requests",
        server.resident()?,
        "MB",
        Aim::AtMost(60.0),
    );
    server.stop()?;
    Ok(table)
}

/// A list of 1,000 flows.
pub async fn list() -> Result<Table, Error> {
    let mut table = Table::new("list", "GET /flows with 1,000 flows of 2 kB");
    let dir = tempfile::tempdir()?;
    let server = Server::ferroflow(dir.path())?;
    let session = Session::open(&server).await?;
    let document = document(2_000);
    let mut connection = Connection::open(server.port).await?;
    for batch in 0..10 {
        let flows: Vec<String> = (0..100)
            .map(|n| format!(r#"{{"name":"Flow {batch}-{n}","data":{document}}}"#))
            .collect();
        let body = format!(r#"{{"flows":[{}]}}"#, flows.join(","));
        let answer = connection
            .ask(&session.send("POST", "/api/v1/flows/batch", &body), true)
            .await?;
        if answer.status != 201 {
            return Err(format!(
                "the flows could not be made: {}",
                String::from_utf8_lossy(&answer.body)
            )
            .into());
        }
    }
    for (name, path) in [
        (
            "headers, a page of 50",
            "/api/v1/flows?header_flows=true&page=1&size=50",
        ),
        ("headers, all 1,000", "/api/v1/flows?header_flows=true"),
        ("whole, all 1,000", "/api/v1/flows"),
        (
            "search, a page of 50",
            "/api/v1/flows?header_flows=true&page=1&size=50&search=9-9",
        ),
    ] {
        for concurrency in [1, 8] {
            let measured = load::run(server.port, vec![session.get(path); concurrency], TIME / 2).await?;
            table.add(
                format!("{name}, {concurrency} at once"),
                measured.per_second,
                "/s",
            );
            table.add(
                format!("{name}, {concurrency} at once, p50"),
                ms(measured.p50),
                "ms",
            );
            table.add(
                format!("{name}, {concurrency} at once, p99"),
                ms(measured.p99),
                "ms",
            );
        }
    }
    server.stop()?;
    Ok(table)
}

/// Durable saves beside a bare echo of the same body.
pub async fn save() -> Result<Table, Error> {
    let mut table = Table::new(
        "save",
        "PATCH /flows/{id} with a 200 kB document, each on disk before it is answered, beside a bare axum echo",
    );
    let dir = tempfile::tempdir_in(bench_folder())?;
    let server = Server::ferroflow(dir.path())?;
    let bare = Server::bare()?;
    let session = Session::open(&server).await?;
    let body = format!(r#"{{"data":{}}}"#, document(200_000));
    let mut connection = Connection::open(server.port).await?;
    let mut saves = Vec::new();
    for n in 0..128 {
        let made = connection
            .ask(
                &session.send("POST", "/api/v1/flows", &format!(r#"{{"name":"Flow {n}"}}"#)),
                true,
            )
            .await?;
        let flow: serde_json::Value = serde_json::from_slice(&made.body)?;
        let id = flow["id"].as_str().ok_or("no flow was made")?;
        saves.push(session.send("PATCH", &format!("/api/v1/flows/{id}"), &body));
    }
    let mut at = Vec::new();
    for concurrency in [1, 32, 128] {
        let echo = load::run(
            bare.port,
            vec![session.send("PATCH", "/", &body); concurrency],
            TIME,
        )
        .await?;
        let ours = load::run(server.port, saves[..concurrency].to_vec(), TIME).await?;
        table.add(format!("saves, {concurrency} at once"), ours.per_second, "/s");
        table.add(format!("saves, {concurrency} at once, p50"), ms(ours.p50), "ms");
        table.add(format!("saves, {concurrency} at once, p99"), ms(ours.p99), "ms");
        table.add(format!("bare echo, {concurrency} at once"), echo.per_second, "/s");
        table.add(
            format!("share of the bare echo, {concurrency} at once"),
            ours.per_second / echo.per_second,
            "ratio",
        );
        at.push(ours.per_second);
    }
    table.add_with_aim(
        "128 at once over 1 at once",
        at[2] / at[0],
        "times",
        Aim::AtLeast(10.0),
    );
    table.add("one fsync of 200 kB on this disk", fsync_ms(dir.path())?, "ms");
    table.add("memory after the saves", server.resident()?, "MB");
    for entry in server.stop()? {
        if let (Some(changes), Some(commits)) = (entry["changes"].as_f64(), entry["commits"].as_f64()) {
            table.add(
                "saves that shared a commit, on average",
                changes / commits,
                "saves",
            );
        }
    }
    Ok(table)
}

/// What a browser loads before the first page works.
pub fn bundle() -> Result<Table, Error> {
    let mut table = Table::new("bundle", "the web page, gzip");
    let dist = Path::new("web/dist");
    let page = std::fs::read_to_string(dist.join("index.html"))
        .map_err(|_| "build the web page first: cargo xtask run")?;
    let (mut scripts, mut styles) = (0, 0);
    for piece in page
        .split('"')
        .filter(|piece| piece.starts_with("/assets/") || *piece == "/theme.js")
    {
        let packed = dist.join(format!("{}.gz", piece.trim_start_matches('/')));
        let plain = dist.join(piece.trim_start_matches('/'));
        let size = std::fs::metadata(&packed)
            .or_else(|_| std::fs::metadata(&plain))?
            .len();
        if piece.ends_with(".js") {
            scripts += size;
        } else if piece.ends_with(".css") {
            styles += size;
        }
    }
    table.add_with_aim(
        "first-load JavaScript",
        scripts as f64 / 1000.0,
        "kB",
        Aim::AtMost(250.0),
    );
    table.add("first-load CSS", styles as f64 / 1000.0, "kB");
    Ok(table)
}

pub struct Session {
    bearer: String,
}

impl Session {
    pub async fn open(server: &Server) -> Result<Self, Error> {
        let mut connection = Connection::open(server.port).await?;
        let answer = connection
            .ask(&Request::new("GET", "/api/v1/auto_login", &[], b""), true)
            .await?;
        let tokens: serde_json::Value = serde_json::from_slice(&answer.body)?;
        Ok(Self {
            bearer: format!(
                "Bearer {}",
                tokens["access_token"].as_str().ok_or("not signed in")?
            ),
        })
    }

    pub fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &[("authorization", &self.bearer)], b"")
    }

    pub fn send(&self, method: &str, path: &str, body: &str) -> Request {
        let headers = [
            ("authorization", self.bearer.as_str()),
            ("content-type", "application/json"),
        ];
        Request::new(method, path, &headers, body.as_bytes())
    }
}

/// A flow of about this many bytes that looks like a real one: nodes with a dozen fields each.
fn document(bytes: usize) -> String {
    let mut nodes = Vec::new();
    let mut size = 0;
    while size < bytes.saturating_sub(200) {
        let n = nodes.len();
        let fields: Vec<String> = (0..12)
            .map(|f| {
                format!(
                    r#""field_{f}":{{"name":"field_{f}","display_name":"Field {f}","type":"str","required":false,"show":true,"advanced":{},"input_types":["Message"],"value":"text {n} {f}"}}"#,
                    f > 3
                )
            })
            .take(if bytes < 5_000 { 4 } else { 12 })
            .collect();
        let node = format!(
            r#"{{"id":"Node-{n}","type":"genericNode","position":{{"x":{},"y":{}}},"data":{{"id":"Node-{n}","type":"TextInput","node":{{"display_name":"Node {n}","description":"A node","template":{{"_type":"Component",{}}},"outputs":[{{"name":"text","types":["Message"]}}]}}}}}}"#,
            n * 400,
            (n % 7) * 200,
            fields.join(",")
        );
        size += node.len() + 1;
        nodes.push(node);
    }
    format!(
        r#"{{"nodes":[{}],"edges":[],"viewport":{{"x":0,"y":0,"zoom":1}}}}"#,
        nodes.join(",")
    )
}

/// On the project's own disk, because the system's temporary folder may be memory.
pub fn bench_folder() -> &'static Path {
    let folder = Path::new("target/bench");
    let _ = std::fs::create_dir_all(folder);
    folder
}

fn fsync_ms(dir: &Path) -> Result<f64, Error> {
    use std::io::Write as _;
    let bytes = vec![7_u8; 200_000];
    let mut file = std::fs::File::create(dir.join("fsync"))?;
    let begin = std::time::Instant::now();
    for _ in 0..50 {
        file.write_all(&bytes)?;
        file.sync_data()?;
    }
    Ok(ms(begin.elapsed()) / 50.0)
}

fn median_ms(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    ms(times[times.len() / 2])
}

pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
