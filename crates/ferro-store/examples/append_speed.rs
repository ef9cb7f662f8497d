//! How many echo runs a second the store takes: each is one `append_run` with the run, its events, two messages and the
//! end. `cargo run --release -p ferro-store --example append_speed -- [callers] [seconds] [folder or postgres address]`

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement that a person starts and reads"
)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use ferro_store::{
    Address, Append, DocumentHash, EventChunk, FlowId, Lease, MessageId, MessageRecord, NewRun, NewUser,
    Principal, Role, RunDocument, RunId, RunStatus, RunUpdate, Store, Timestamp, UserId, WorkerId,
};

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let callers: usize = arguments.next().map_or(32, |text| text.parse().unwrap());
    let seconds: u64 = arguments.next().map_or(5, |text| text.parse().unwrap());
    let place = arguments.next().unwrap_or_else(|| ".".to_owned());
    let folder = tempfile::tempdir_in(if place.contains("://") { "." } else { &place }).unwrap();
    let address = if place.contains("://") {
        Address::parse(&place).unwrap()
    } else {
        Address::Sqlite(folder.path().join("speed.db"))
    };
    let store = Store::open(&address).await.unwrap();
    let new = NewUser {
        username: format!("speed-{}", RunId::new()),
        password_hash: None,
        role: Role::User,
        is_active: true,
    };
    let user = store.create_user(&Principal::System, new).await.unwrap();
    let by = user.principal();

    let over = Arc::new(AtomicBool::new(false));
    let began = Instant::now();
    let before = store.write_counts();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (store, over, flow) = (store.clone(), over.clone(), FlowId::new());
            tokio::spawn(async move {
                let mut took = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    let append = echo(user.id, flow, caller);
                    let from = Instant::now();
                    store.append_run(&by, append).await.unwrap();
                    took.push(from.elapsed());
                }
                took
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    over.store(true, Ordering::Relaxed);
    let mut took = Vec::new();
    for task in tasks {
        took.extend(task.await.unwrap());
    }
    let elapsed = began.elapsed().as_secs_f64();
    took.sort();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    println!(
        "{callers} callers: {:.0} runs/s, p50 {:?}, p99 {:?}, {} runs",
        took.len() as f64 / elapsed,
        at(0.5),
        at(0.99),
        took.len(),
    );
    if let (Some((changes, commits)), Some((changes_before, commits_before))) = (store.write_counts(), before)
    {
        let commits = commits - commits_before;
        println!(
            "{commits} commits, {:.1} runs each",
            (changes - changes_before) as f64 / commits as f64
        );
    }
}

/// What Chat Input → Chat Output leaves behind.
fn echo(owner: UserId, flow_id: FlowId, caller: usize) -> Append {
    let run_id = RunId::new();
    let session_id = format!("session-{caller}");
    let events: Vec<_> = (1..=10)
        .map(|seq| {
            format!(
                r#"{{"seq":{seq},"id":"01J{run_id}","at":1700000000000000,"type":"node_finished","node":"ChatInput-{seq}","result":{{"values":{{"message":{{"text":"hello"}}}},"duration_us":12}}}}"#
            )
        })
        .collect();
    let message = |sender: &str, name: &str| {
        MessageRecord {
        id: MessageId::new(),
        flow_id,
        session_id: session_id.clone(),
        context_id: None,
        run_id: Some(run_id),
        timestamp: Timestamp::now(),
        sender: sender.to_owned(),
        sender_name: name.to_owned(),
        text: "hello".to_owned(),
        files: "[]".to_owned(),
        error: false,
        edit: false,
        properties: r#"{"text_color":"","background_color":"","edited":false,"source":{"id":null,"display_name":null,"source":null},"icon":"","allow_markdown":false,"state":"complete","targets":[]}"#.to_owned(),
        category: "message".to_owned(),
        content_blocks: "[]".to_owned(),
        session_metadata: None,
        is_output: sender == "Machine",
        duration_ms: Some(1),
    }
    };
    let document = RunDocument {
        hash: DocumentHash([7; 32]),
        text: r#"{"nodes":[],"edges":[]}"#.into(),
    };
    let mut append = Append::new(run_id, owner, Append::FIRST_EPOCH);
    append.create = Some(NewRun {
        flow_id,
        flow_name: "Echo".to_owned(),
        kind: "api".to_owned(),
        session_id: session_id.clone(),
        document,
        request: r#"{"input_value":"hello","input_type":"chat","output_type":"chat"}"#.to_owned(),
        lease: Some(Lease {
            worker: WorkerId(owner.0),
            lasts: Duration::from_secs(30),
        }),
        parent: None,
        idempotency_key: None,
    });
    append.chunk = Some(EventChunk {
        first_seq: 1,
        last_seq: 10,
        text: format!("[{}]", events.join(",")),
    });
    append.update = RunUpdate {
        status: Some(RunStatus::Completed),
        output: Some(r#"{"text":"hello"}"#.to_owned()),
        ..RunUpdate::default()
    };
    append.messages = vec![message("User", "User"), message("Machine", "AI")];
    append
}
