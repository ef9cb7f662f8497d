//! Python components: what a call costs over a native one, what workers cost, and how the built-in interpreter
//! compares with one that is installed on this machine, in the same run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ferro_python::{NoHost, Settings, Workers};
use serde_json::{Value, json};

use crate::{
    Error,
    cases::{bench_folder, ms},
    load,
    report::{Aim, Table},
    runs::Bench,
};

const TIME: Duration = Duration::from_secs(3);
const CALLS: usize = 500;

const UPPER: &str = "\
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Upper(Component):
    inputs = [MessageTextInput(name=\"text\", display_name=\"Text\")]
    outputs = [Output(name=\"result\", display_name=\"Result\", method=\"shout\")]

    def shout(self) -> Message:
        return Message(text=self.text.upper())
";

/// Name and body; each times itself, so that starting the interpreter does not count.
const SMALL: [(&str, &str); 8] = [
    ("sum of a million squares", "sum(i * i for i in range(1_000_000))"),
    ("fib(22)", "fib(22)"),
    ("200,000 dict writes and reads", "dicts()"),
    ("json of 1 MB out and in", "json.loads(json.dumps(rows))"),
    (
        "regular expression over 1 MB",
        "len(re.findall(r'[a-z]+@[a-z]+\\.com', text))",
    ),
    ("sort 100,000 strings", "len(sorted(words))"),
    ("csv of 50,000 rows", "len(list(csv.reader(lines)))"),
    (
        "split, upper, join 100,000 words",
        "len(' '.join(w.upper() for w in line.split()))",
    ),
];

const PRELUDE: &str = "\
import csv, json, re, time
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def dicts():
    d = {}
    for i in range(200_000):
        d[i % 1000] = d.get(i % 1000, 0) + i
    return len(d)
rows = [{'id': i, 'name': 'row %d' % i, 'tags': ['a', 'b', 'c'], 'value': i * 1.5} for i in range(12_000)]
text = ('some words and ann@example.com between them ' * 24_000)[:1_000_000]
words = ['%x' % (i * 7919 % 100_003) for i in range(100_000)]
lines = ['%d,name %d,%f' % (i, i, i / 3) for i in range(50_000)]
line = ' '.join(words)
";

fn program() -> PathBuf {
    std::env::var_os("FERROFLOW_BIN").map_or_else(|| "target/release/ferroflow".into(), PathBuf::from)
}

fn installed() -> Option<PathBuf> {
    let known = ["/usr/bin/python3", "/usr/local/bin/python3"];
    known.into_iter().map(PathBuf::from).find(|path| path.exists())
}

fn workers(python: Option<PathBuf>) -> Workers {
    let mut settings = Settings::new(program());
    settings.python = python;
    Workers::new(settings)
}

fn call() -> Value {
    json!({ "do": "run", "code": UPPER, "fields": { "text": "hello" }, "outputs": null, "context": {} })
}

/// A component of about 200 lines, most of them fields and methods.
fn long_component() -> String {
    let mut code = String::from(
        "from lfx.custom import Component\nfrom lfx.io import MessageTextInput, Output\nfrom lfx.schema import Data\n\n\nclass Long(Component):\n    inputs = [\n",
    );
    for n in 0..40 {
        code += &format!(
            "        MessageTextInput(name=\"field_{n}\", display_name=\"Field {n}\", info=\"Number {n}.\"),\n"
        );
    }
    code += "    ]\n    outputs = [\n";
    for n in 0..20 {
        code +=
            &format!("        Output(name=\"out_{n}\", display_name=\"Out {n}\", method=\"make_{n}\"),\n");
    }
    code += "    ]\n";
    for n in 0..20 {
        code += &format!(
            "\n    def make_{n}(self) -> Data:\n        \"\"\"Gives field {n} twice.\"\"\"\n        value = self.field_{n}\n        return Data(data={{\"value\": value * 2}})\n"
        );
    }
    code
}

pub async fn python() -> Result<Table, Error> {
    let mut table = Table::new(
        "python",
        "Python components in confined workers, beside native ones and beside CPython",
    );
    in_flows(&mut table).await?;
    let own = alone(&mut table, "built-in", None).await?;
    let Some(python) = installed() else {
        return Ok(table);
    };
    let other = alone(&mut table, "CPython", Some(python)).await?;
    for ((name, _), (own, other)) in SMALL.iter().zip(own.into_iter().zip(other)) {
        table.add(format!("{name}, built-in"), own, "ms");
        table.add(format!("{name}, CPython"), other, "ms");
        table.add(
            format!("{name}, built-in over CPython"),
            own / other.max(1e-6),
            "ratio",
        );
    }
    Ok(table)
}

/// Through the server, as people run flows.
async fn in_flows(table: &mut Table) -> Result<(), Error> {
    let dir = tempfile::tempdir_in(bench_folder())?;
    let bench = Bench::open_with(dir.path(), &[]).await?;
    let native = bench.save(&bench.chain(10)?).await?;
    let mut flow = bench.chain(10)?;
    let made = bench
        .ask("POST", "/api/v1/custom_component", &json!({ "code": UPPER }))
        .await?;
    put_in_place(&mut flow, "CombineText-4", &made["data"])?;
    let mixed = bench.save(&flow).await?;
    for concurrency in [1, 8] {
        let run = |flow: &str| vec![bench.run(flow, "?durable=false"); concurrency];
        let plain = load::run(bench.server.port, run(&native), TIME).await?;
        let with = load::run(bench.server.port, run(&mixed), TIME).await?;
        table.add(
            format!("10 native nodes, {concurrency} at once"),
            plain.per_second,
            "/s",
        );
        table.add(
            format!("9 native and 1 Python, {concurrency} at once"),
            with.per_second,
            "/s",
        );
        table.add(
            format!("with Python over without, {concurrency} at once"),
            with.per_second / plain.per_second,
            "ratio",
        );
        table.add(
            format!("a Python node in a new run costs, {concurrency} at once, p50"),
            ms(with.p50) - ms(plain.p50),
            "ms",
        );
    }
    bench.server.stop()?;
    Ok(())
}

fn put_in_place(flow: &mut Value, id: &str, node: &Value) -> Result<(), Error> {
    let nodes = flow["data"]["nodes"].as_array_mut().ok_or("no nodes")?;
    let place = nodes
        .iter_mut()
        .find(|node| node["id"] == id)
        .ok_or("no such node")?;
    place["data"]["node"] = node.clone();
    place["data"]["type"] = "Upper".into();
    for edge in flow["data"]["edges"].as_array_mut().ok_or("no wires")? {
        if edge["target"] == id {
            edge["data"]["targetHandle"]["fieldName"] = "text".into();
        }
        if edge["source"] == id {
            edge["data"]["sourceHandle"]["name"] = "result".into();
        }
    }
    Ok(())
}

/// The workers without a server around them; gives the times of the small programs.
async fn alone(table: &mut Table, name: &str, python: Option<PathBuf>) -> Result<Vec<f64>, Error> {
    let workers = workers(python);
    let begun = Instant::now();
    workers.ask(None, &call(), &NoHost).await?;
    table.add(
        format!("{name}: from nothing to the first answer"),
        ms(begun.elapsed()),
        "ms",
    );

    let mut fresh = Vec::new();
    for _ in 0..30 {
        let begun = Instant::now();
        workers.ask(None, &call(), &NoHost).await?;
        fresh.push(begun.elapsed());
    }
    table.add(
        format!("{name}: first call of a run, p50"),
        ms(median(&mut fresh)),
        "ms",
    );

    let mut warm = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begun = Instant::now();
        workers.ask(Some("bench"), &call(), &NoHost).await?;
        warm.push(begun.elapsed());
    }
    let p50 = ms(median(&mut warm));
    table.add_with_aim(
        format!("{name}: warm call of one line, p50"),
        p50,
        "ms",
        Aim::AtMost(1.0),
    );

    let code = long_component();
    let mut described = Vec::new();
    for _ in 0..15 {
        let begun = Instant::now();
        workers.describe(&code).await?;
        described.push(begun.elapsed());
    }
    table.add(
        format!(
            "{name}: looking at a component of {} lines, p50",
            code.lines().count()
        ),
        ms(median(&mut described)),
        "ms",
    );

    let idle = memory_of_workers()?;
    if !idle.is_empty() {
        table.add(
            format!("{name}: memory of an idle worker (its own and its share of what is shared)"),
            idle.iter().sum::<f64>() / idle.len() as f64,
            "MB",
        );
    }

    let mut times = Vec::new();
    for (what, body) in SMALL {
        let timed = format!(
            "{PRELUDE}\nbest = 1e9\nfor _ in range(3):\n    t = time.perf_counter()\n    {body}\n    best = min(best, time.perf_counter() - t)\nprint(best)"
        );
        let request = json!({ "do": "exec", "code": timed, "imports": [], "context": {} });
        let answer = workers.ask(None, &request, &NoHost).await?;
        let printed = answer["stdout"].as_str().unwrap_or_default().trim().to_owned();
        let seconds: f64 = printed.parse().map_err(|_| format!("{what}: {answer}"))?;
        times.push(seconds * 1000.0);
    }
    workers.stop();
    Ok(times)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Proportional set size of every process of the hidden command that is not the nursery, in MB. Needs leave to look
/// at them; empty without.
fn memory_of_workers() -> Result<Vec<f64>, Error> {
    let own = std::process::id();
    let mut parents = std::collections::HashMap::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parents.extend(parent.map(|parent| (pid, parent)));
    }
    // This program, the first step, the nursery, a worker.
    let is_worker = |pid: u32| {
        let up = |pid: Option<u32>| pid.and_then(|pid| parents.get(&pid).copied());
        up(up(up(Some(pid)))) == Some(own)
    };
    let mut sizes = Vec::new();
    for pid in parents.keys().copied().filter(|pid| is_worker(*pid)) {
        let Ok(rollup) = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
            continue;
        };
        let pss = rollup
            .lines()
            .find_map(|line| line.strip_prefix("Pss:")?.trim().strip_suffix(" kB"));
        sizes.extend(
            pss.and_then(|kb| kb.trim().parse::<f64>().ok())
                .map(|kb| kb / 1024.0),
        );
    }
    Ok(sizes)
}
