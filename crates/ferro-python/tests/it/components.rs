//! The ordinary components of `tests/components`: what they must be and do, under every interpreter.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ferro_python::analysis::{self, Severity};
use ferro_python::workers::Answer;
use ferro_python::{Host, Refusal, Settings, Trouble, Workers};
use libtest_mimic::Trial;
use serde_json::{Value as Json, json};

use crate::matching::{differs, events_differ, merge, short, with_base64};
use crate::workers::{machine_python, settings};

const AT_LEAST: usize = 60;

pub fn list(trials: &mut Vec<Trial>) {
    trials.push(crate::trial(
        "components::are_found_good_without_running",
        found_good,
    ));
    trials.push(crate::trial("components::built_in", async || {
        all(settings()).await
    }));
    trials.push(crate::trial("components::external", async || {
        let mut settings = settings();
        settings.python = Some(machine_python());
        all(settings).await
    }));
}

struct Sample {
    name: String,
    code: String,
    spec: Json,
}

fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/components");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "py" || end == "json"));
    paths.sort();
    assert!(paths.len() >= 2 * AT_LEAST, "only {}", paths.len());
    // Sorted, a `.json` comes right before its `.py`.
    let pairs = paths.chunks(2).map(|pair| {
        assert!(
            pair.len() == 2 && pair[0].with_extension("py") == pair[1],
            "{pair:?}: one of the two is missing"
        );
        let text = std::fs::read_to_string(&pair[0]).unwrap();
        Sample {
            name: pair[1].file_stem().unwrap().to_string_lossy().into_owned(),
            code: std::fs::read_to_string(&pair[1]).unwrap(),
            spec: serde_json::from_str(&text).unwrap_or_else(|error| panic!("{:?}: {error}", pair[0])),
        }
    });
    pairs.collect()
}

async fn found_good() {
    let mut wrong = Vec::new();
    for sample in samples() {
        let checked = analysis::check(&sample.code);
        let errors = checked
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        wrong.extend(
            errors.map(|found| format!("{}: line {}: {}", sample.name, found.span.line, found.message)),
        );
        if let Some(class) = sample.spec["describe"]["class_name"].as_str()
            && checked.class_name.as_deref() != Some(class)
        {
            wrong.push(format!(
                "{}: the class is {:?}, not {class}",
                sample.name, checked.class_name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn all(mut settings: Settings) {
    settings.seconds = 20;
    let workers = Workers::new(settings);
    let mut wrong = Vec::new();
    for sample in samples() {
        let found = Trying {
            workers: &workers,
            sample: &sample,
        }
        .all()
        .await;
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", sample.name)));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

struct Trying<'a> {
    workers: &'a Workers,
    sample: &'a Sample,
}

impl Trying<'_> {
    async fn all(&self) -> Vec<String> {
        let (spec, code) = (&self.sample.spec, &self.sample.code);
        let described = match self.workers.describe(code).await {
            Ok(described) => described,
            Err(trouble) => return vec![format!("describe: {}", told(&trouble))],
        };
        let mut wrong: Vec<_> = differs(&spec["describe"], Some(&described), "describe")
            .into_iter()
            .collect();
        for (number, case) in cases(spec, "runs").enumerate() {
            let request = json!({ "do": "run", "code": code, "fields": with_base64(&case["fields"]),
                "outputs": case["outputs"], "context": context(case) });
            wrong.extend(
                self.one(case, &request, "")
                    .await
                    .map(|what| format!("run {number}: {what}")),
            );
        }
        for (number, case) in cases(spec, "updates").enumerate() {
            let request = json!({ "do": "update", "code": code, "node": node(code, &described, &case["node_patch"]),
                "field": case["field"], "value": case["value"], "tool_mode": case["tool_mode"] == true });
            wrong.extend(
                self.one(case, &request, "node")
                    .await
                    .map(|what| format!("update {number}: {what}")),
            );
        }
        for (number, case) in cases(spec, "tools").enumerate() {
            let fields = case.get("fields").map_or_else(|| json!({}), with_base64);
            let request = json!({ "do": "tool", "code": code, "fields": fields, "output": case["output"],
                "tool": case["tool"], "arguments": case["arguments"], "context": context(case) });
            wrong.extend(
                self.one(case, &request, "value")
                    .await
                    .map(|what| format!("tool {number}: {what}")),
            );
        }
        if spec["probe"] != false {
            match self.workers.probe(code).await {
                Ok(probed) => wrong.extend(differs(&json!({ "passed": true }), Some(&probed), "probe")),
                Err(trouble) => wrong.push(format!("probe: {}", told(&trouble))),
            }
        }
        wrong
    }

    /// `part` is the key of the result that is compared; empty for all of it.
    async fn one(&self, case: &Json, request: &Json, part: &str) -> Option<String> {
        let host = Script::new(&case["host"]);
        let reply = self.workers.ask(Some(&self.sample.name), request, &host).await;
        if let Some(what) = host.strange.lock().unwrap().first() {
            return Some(what.clone());
        }
        let different = match (&reply, case.get("error")) {
            (Ok(result), Some(_)) => Some(format!("no error came, but {}", short(result))),
            (Err(trouble), None) => Some(told(trouble)),
            (Err(Trouble::Python(error)), Some(want)) => differs(want, Some(&json!(error)), "error"),
            (Err(other), Some(_)) => Some(other.to_string()),
            (Ok(result), None) => {
                let got = if part.is_empty() {
                    Some(result)
                } else {
                    result.get(part)
                };
                differs(&case["expect"], got, "result")
            }
        };
        let events = case["events"].as_array().map_or(&[][..], Vec::as_slice);
        different
            .or_else(|| host.unused())
            .or_else(|| events_differ(events, &host.events.lock().unwrap()))
    }
}

fn cases<'a>(spec: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    spec[key].as_array().into_iter().flatten()
}

fn context(case: &Json) -> Json {
    case.get("context").cloned().unwrap_or_else(|| {
        json!({ "run_id": "run-1", "flow_id": "flow-1", "flow_name": "Flow", "session_id": "session-1",
            "node_id": "Node-aaaaa", "node_name": "Node" })
    })
}

/// The node as it would be on the canvas.
pub fn node(code: &str, described: &Json, patch: &Json) -> Json {
    let mut template =
        json!({ "_type": "Component", "code": { "name": "code", "type": "code", "value": code } });
    for field in described["fields"].as_array().into_iter().flatten() {
        template[field["name"].as_str().unwrap_or_default()] = field.clone();
    }
    let mut node = json!({ "template": template, "outputs": described["outputs"],
        "display_name": described["display_name"] });
    if patch.is_object() {
        merge(&mut node, patch);
    }
    node
}

fn told(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Python(error) => format!("{} error: {trouble}\n{}", error.kind, error.trace),
        other => other.to_string(),
    }
}

/// Answers what the sample says it will be asked, each answer once.
struct Script {
    entries: Mutex<Vec<(Json, Option<Json>)>>,
    events: Mutex<Vec<Json>>,
    strange: Mutex<Vec<String>>,
}

impl Script {
    fn new(entries: &Json) -> Self {
        let entries = entries.as_array().into_iter().flatten();
        Self {
            entries: Mutex::new(
                entries
                    .map(|entry| (entry["ask"].clone(), Some(with_base64(&entry["answer"]))))
                    .collect(),
            ),
            events: Mutex::default(),
            strange: Mutex::default(),
        }
    }

    fn unused(&self) -> Option<String> {
        let entries = self.entries.lock().unwrap();
        let (ask, _) = entries.iter().find(|(_, answer)| answer.is_some())?;
        Some(format!("was never asked for {ask}"))
    }

    fn answer(&self, ask: &Json) -> Result<Json, Refusal> {
        let mut entries = self.entries.lock().unwrap();
        let fitting = entries
            .iter_mut()
            .find(|(want, answer)| answer.is_some() && differs(want, Some(ask), "ask").is_none());
        let Some(answer) = fitting.and_then(|(_, answer)| answer.take()) else {
            self.strange
                .lock()
                .unwrap()
                .push(format!("asks for {}", short(ask)));
            return Err(Refusal::new("missing", "the sample has no answer to that"));
        };
        if answer["ok"] == true {
            return Ok(answer["result"].clone());
        }
        let known = ["refused", "outside", "limit", "timeout", "missing"];
        let kind = known.into_iter().find(|kind| answer["kind"] == *kind).unwrap();
        Err(Refusal::new(kind, answer["error"].as_str().unwrap()))
    }
}

impl Host for Script {
    fn event(&self, event: Json) {
        self.events.lock().unwrap().push(event);
    }

    fn call<'a>(&'a self, ask: Json) -> Answer<'a> {
        Box::pin(async move { self.answer(&ask) })
    }
}
