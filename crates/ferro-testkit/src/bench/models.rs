//! Models: what a flow with a prompt and a model adds to asking the model through a bare proxy.
//!
//! One scripted model provider answers both. A proxy passes bytes on; a flow reads each token, makes it an event,
//! and writes it for its reader. `durable` runs put each token on disk before anybody sees it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    Error,
    cases::{bench_folder, ms},
    load::{self, Connection, Request},
    report::{Aim, Table},
    runs::Bench,
    servers::{self, Server},
    spoken::{Speaker, Spoken},
};

const TIME: Duration = Duration::from_secs(3);
const TOKENS: usize = 200;
/// The model's whole vocabulary.
const WORD: &str = "ping";
const BODY: &str = r#"{"input_value":"How are you today?","session_id":"bench"}"#;
const KINDS: [(&str, &str); 2] = [("throw-away", "durable=false"), ("durable", "durable=true")];

/// How the model speaks.
pub enum Pace {
    /// Everything in one piece.
    AtOnce,
    /// Each token in a piece of its own, as fast as they can be written.
    Tokens,
    /// A token every so many milliseconds.
    Every(u64),
}

pub struct Stage {
    pub model: Server,
    proxy: Server,
    pub bench: Bench,
    flow: String,
    dir: tempfile::TempDir,
}

/// What makes a person's OpenAI this model.
fn variables(model: &Server) -> [Value; 2] {
    let url = format!("http://{}/v1", model.address());
    [
        json!({ "name": "OPENAI_API_KEY", "value": "sk-bench", "type": "Credential" }),
        json!({ "name": "OPENAI_BASE_URL", "value": url, "type": "Generic" }),
    ]
}

impl Stage {
    pub async fn open() -> Result<Self, Error> {
        let model = Server::model()?;
        let proxy = Server::proxy(&model.address())?;
        let dir = tempfile::tempdir_in(bench_folder())?;
        let options = ["--egress-allow", &model.address(), "--max-runs", "2000"];
        let bench = Bench::open_with(dir.path(), &options.map(str::to_owned)).await?;
        for variable in variables(&model) {
            bench.ask("POST", "/api/v1/variables", &variable).await?;
        }
        let flow = bench.save(&prompt_and_model(&bench)?).await?;
        Ok(Self {
            model,
            proxy,
            bench,
            flow,
            dir,
        })
    }

    /// Somebody new who has this model: their key.
    pub async fn person(&self, username: &str) -> Result<String, Error> {
        let dir = self.dir.path();
        let create = ["user", "create", "--username", username, "--password-stdin"];
        servers::command(dir, &create, "correct horse battery\n")?;
        let told = servers::command(dir, &["api-key", "create", "--username", username], "")?;
        let key = told.split_whitespace().find(|word| word.starts_with("sk-"));
        let key = key.ok_or_else(|| format!("no key in {told:?}"))?;
        for variable in variables(&self.model) {
            self.bench
                .ask_as(key, "POST", "/api/v1/variables", &variable)
                .await?;
        }
        Ok(key.to_owned())
    }

    pub async fn say(&self, tokens: usize, pace: Pace) -> Result<(), Error> {
        let pace = match pace {
            Pace::AtOnce => 0.0,
            Pace::Tokens => 0.001,
            Pace::Every(milliseconds) => milliseconds as f64,
        };
        let turn = json!({ "always": { "text": WORD, "tokens": tokens, "pace_ms": pace } });
        self.script(&turn).await
    }

    /// What the model says next; see `model_server/script.rs`.
    pub async fn script(&self, script: &Value) -> Result<(), Error> {
        let request = Request::new("POST", "/__script", &[], script.to_string().as_bytes());
        let mut connection = Connection::open(self.model.port).await?;
        let answer = connection.ask(&request, true).await?;
        if answer.status != 200 {
            return Err(String::from_utf8_lossy(&answer.body).into());
        }
        Ok(())
    }

    /// What the flow asks the model, sent to the proxy.
    pub fn asked(&self, stream: bool) -> Request {
        let mut body = json!({
            "model": "gpt-4o", "temperature": 0.1, "stream": stream,
            "messages": [{ "role": "user", "content": "Answer in one sentence: How are you today?" }],
        });
        if stream {
            body["stream_options"] = json!({ "include_usage": true });
        }
        let headers = [
            ("authorization", "Bearer sk-bench"),
            ("content-type", "application/json"),
        ];
        Request::new(
            "POST",
            "/v1/chat/completions",
            &headers,
            body.to_string().as_bytes(),
        )
    }

    fn proxied(&self) -> Speaker {
        Speaker {
            port: self.proxy.port,
            request: self.asked(true),
            marker: b"ping\"",
        }
    }

    fn run(&self, query: &str) -> Request {
        let path = format!("/api/v1/run/{}?{query}", self.flow);
        self.bench.request("POST", &path, BODY)
    }

    pub fn streamed(&self, query: &str) -> Speaker {
        Speaker {
            port: self.bench.server.port,
            request: self.run(&format!("stream=true&{query}")),
            marker: b"{\"event\":\"token\"",
        }
    }

    /// Microseconds of processor time an answer took.
    pub async fn costs<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
        answers: impl Fn(&T) -> f64,
    ) -> Result<(T, f64), Error> {
        let before = self.bench.server.processor()?;
        let done = work.await?;
        let spent = (self.bench.server.processor()? - before).as_secs_f64() * 1e6;
        let each = spent / answers(&done);
        Ok((done, each))
    }
}

/// Chat Input → Prompt Template → Language Model → Chat Output.
pub fn prompt_and_model(bench: &Bench) -> Result<Value, Error> {
    let nodes = [
        ("ChatInput", "ChatInput-1".to_owned()),
        ("Prompt Template", "Prompt-1".to_owned()),
        ("LanguageModelComponent", "Model-1".to_owned()),
        ("ChatOutput", "ChatOutput-1".to_owned()),
    ];
    let wire = |from: &str, output, to: &str, field| (from.to_owned(), output, to.to_owned(), field);
    let wires = [
        wire("ChatInput-1", "message", "Prompt-1", "question"),
        wire("Prompt-1", "prompt", "Model-1", "input_value"),
        wire("Model-1", "text_output", "ChatOutput-1", "input_value"),
    ];
    let mut flow = bench.flow(&nodes, &wires)?;
    let prompt = &mut flow["data"]["nodes"][1]["data"]["node"];
    prompt["template"]["template"]["value"] = "Answer in one sentence: {question}".into();
    prompt["template"]["question"] = json!({
        "name": "question", "display_name": "question", "type": "str", "input_types": ["Message"],
        "multiline": true, "show": true, "value": "",
    });
    prompt["custom_fields"] = json!({ "template": ["question"] });
    let model = &mut flow["data"]["nodes"][2]["data"]["node"]["template"]["model"];
    model["value"] = json!([{ "provider": "OpenAI", "name": "gpt-4o" }]);
    Ok(flow)
}

/// A prompt and a model beside a bare axum proxy to the same model.
pub async fn models() -> Result<Table, Error> {
    let mut table = Table::new(
        "models",
        "a prompt and a model, answers of 200 tokens, beside a bare axum proxy to the same test model server",
    );
    let stage = Stage::open().await?;
    for concurrency in [1, 8, 32, 128] {
        plain(&stage, &mut table, concurrency).await?;
        streaming(&stage, &mut table, concurrency, Pace::Tokens).await?;
    }
    streaming(&stage, &mut table, 128, Pace::AtOnce).await?;
    first_token(&stage, &mut table).await?;
    for concurrency in [1, 32] {
        gaps(&stage, &mut table, concurrency).await?;
    }
    table.add("peak memory", stage.bench.server.peak()?, "MB");
    stage.bench.server.stop()?;
    many(&mut table).await?;
    Ok(table)
}

fn throughput(table: &mut Table, name: &str, measured: [f64; 3]) {
    table.add(name, measured[0], "/s");
    table.add(format!("{name}, p50"), measured[1], "ms");
    table.add(format!("{name}, p99"), measured[2], "ms");
}

fn share(table: &mut Table, name: &str, concurrency: usize, ratio: f64) {
    let name = format!("{name}, share of the bare proxy");
    if concurrency == 128 {
        table.add_with_aim(name, ratio, "ratio", Aim::AtLeast(0.5));
    } else {
        table.add(name, ratio, "ratio");
    }
}

async fn plain(stage: &Stage, table: &mut Table, concurrency: usize) -> Result<(), Error> {
    stage.say(TOKENS, Pace::AtOnce).await?;
    let requests = vec![stage.asked(false); concurrency];
    let bare = load::run(stage.proxy.port, requests, TIME).await?;
    let name = format!("bare proxy, plain, {concurrency} at once");
    throughput(table, &name, [bare.per_second, ms(bare.p50), ms(bare.p99)]);
    // A flow asks for a stream also when its own answer is plain: its model sends this and not the one document.
    let stream = stage.proxied().loaded(concurrency, TOKENS, TIME).await?;
    for (kind, query) in KINDS {
        let requests = vec![stage.run(query); concurrency];
        let work = load::run(stage.bench.server.port, requests, TIME);
        let answers = |done: &load::Measured| done.per_second * TIME.as_secs_f64() * 1.2;
        let (ours, cost) = stage.costs(work, answers).await?;
        let name = format!("{kind}, plain, {concurrency} at once");
        throughput(table, &name, [ours.per_second, ms(ours.p50), ms(ours.p99)]);
        table.add(format!("{name}, CPU a run"), cost, "µs");
        share(table, &name, concurrency, ours.per_second / bare.per_second);
        table.add(
            format!("{name}, share of the bare proxy that passes on the stream"),
            ours.per_second / stream.per_second(),
            "ratio",
        );
    }
    Ok(())
}

async fn streaming(stage: &Stage, table: &mut Table, concurrency: usize, pace: Pace) -> Result<(), Error> {
    let how = match pace {
        Pace::AtOnce => "streamed, the model all at once",
        _ => "streamed",
    };
    stage.say(TOKENS, pace).await?;
    let mut bare = stage.proxied().loaded(concurrency, TOKENS, TIME).await?;
    let name = format!("bare proxy, {how}, {concurrency} at once");
    throughput(table, &name, [bare.per_second(), bare.took(0.5), bare.took(0.99)]);
    for (kind, query) in KINDS {
        let speaker = stage.streamed(query);
        let work = speaker.loaded(concurrency, TOKENS, TIME);
        let answers = |done: &Spoken| done.per_second() * TIME.as_secs_f64() * 1.2;
        let (mut ours, cost) = stage.costs(work, answers).await?;
        let name = format!("{kind}, {how}, {concurrency} at once");
        throughput(table, &name, [ours.per_second(), ours.took(0.5), ours.took(0.99)]);
        table.add(format!("{name}, CPU a run"), cost, "µs");
        share(table, &name, concurrency, ours.per_second() / bare.per_second());
    }
    Ok(())
}

/// By turns, so that what else the machine does hits all alike.
async fn by_turns(
    stage: &Stage,
    readers: usize,
    tokens: usize,
    time: Duration,
) -> Result<(Spoken, [Spoken; 2]), Error> {
    let (mut bare, mut ours) = (Spoken::default(), [Spoken::default(), Spoken::default()]);
    for _ in 0..3 {
        bare.add(stage.proxied().watched(readers, tokens, time / 3).await?);
        for (place, (_, query)) in ours.iter_mut().zip(KINDS) {
            place.add(stage.streamed(query).watched(readers, tokens, time / 3).await?);
        }
    }
    Ok((bare, ours))
}

async fn first_token(stage: &Stage, table: &mut Table) -> Result<(), Error> {
    // Readers that ask again at once, and a model that is slow enough for the machine to have time left.
    const FEW: usize = 20;
    stage.say(FEW, Pace::Every(5)).await?;
    for readers in [1, 8, 32] {
        let (mut bare, ours) = by_turns(stage, readers, FEW, 2 * TIME).await?;
        let name = format!("first token, {readers} at once");
        table.add(format!("bare proxy, {name}, p50"), bare.first(0.5), "ms");
        for (mut ours, (kind, _)) in ours.into_iter().zip(KINDS) {
            table.add(format!("{kind}, {name}, p50"), ours.first(0.5), "ms");
            table.add(format!("{kind}, {name}, p99"), ours.first(0.99), "ms");
            table.add_with_aim(
                format!("{kind}, {name}, added at p50"),
                ours.first(0.5) - bare.first(0.5),
                "ms",
                Aim::AtMost(2.0),
            );
        }
    }
    Ok(())
}

async fn gaps(stage: &Stage, table: &mut Table, readers: usize) -> Result<(), Error> {
    stage.say(TOKENS, Pace::Every(10)).await?;
    let (mut bare, ours) = by_turns(stage, readers, TOKENS, 2 * TIME).await?;
    let name = format!("a token every 10 ms, {readers} at once");
    table.add(format!("bare proxy, {name}, gap p99"), bare.gap(0.99), "ms");
    for (mut ours, (kind, _)) in ours.into_iter().zip(KINDS) {
        table.add(format!("{kind}, {name}, gap p99"), ours.gap(0.99), "ms");
        table.add_with_aim(
            format!("{kind}, {name}, added per token at p99"),
            ours.gap(0.99) - bare.gap(0.99),
            "ms",
            Aim::AtMost(1.0),
        );
    }
    Ok(())
}

/// A thousand conversations at the speed at which people read.
async fn many(table: &mut Table) -> Result<(), Error> {
    const STREAMS: usize = 1000;
    let about = "1,000 streams of 20 tokens a second";
    for kind in [None, Some(KINDS[0]), Some(KINDS[1])] {
        // Each in a server of its own: the most memory there ever was is never forgotten.
        let stage = Stage::open().await?;
        stage.say(TOKENS, Pace::Every(50)).await?;
        let (name, server, speaker) = match kind {
            None => ("bare proxy", &stage.proxy, stage.proxied()),
            Some((name, query)) => (name, &stage.bench.server, stage.streamed(query)),
        };
        let before = server.processor()?;
        let mut spoken = speaker.watched(STREAMS, TOKENS, Duration::ZERO).await?;
        let spent = server.processor()? - before;
        table.add(
            format!("{name}, {about}, share of a core"),
            spent.as_secs_f64() / spoken.took(1.0) * 1000.0,
            "ratio",
        );
        table.add(
            format!("{name}, {about}, first token p50"),
            spoken.first(0.5),
            "ms",
        );
        table.add(format!("{name}, {about}, gap p50"), spoken.gap(0.5), "ms");
        table.add(format!("{name}, {about}, gap p99"), spoken.gap(0.99), "ms");
        let memory = format!("{name}, {about}, peak memory");
        if kind.is_some() {
            table.add_with_aim(memory, server.peak()?, "MB", Aim::AtMost(1000.0));
        } else {
            table.add(memory, server.peak()?, "MB");
        }
        stage.bench.server.stop()?;
    }
    Ok(())
}
