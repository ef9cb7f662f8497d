//! A run that waits for a person.

use std::time::Duration;

use expect_test::expect;
use ferro_engine::{Answer, Body, Event, Handle, Start};
use uuid::Uuid;

use crate::support::{MemoryLog, World, begin, block_on, idle, prepare};

pub fn answer(action: &str) -> Answer {
    Answer {
        action_id: action.to_owned(),
        ..Answer::default()
    }
}

/// Answers the only open question.
pub fn reply(handle: &Handle, events: &[Event], action: &str) {
    let asked = events.iter().rev().find_map(|event| match &event.body {
        Body::Asked { request_id, .. } => Some(*request_id),
        _ => None,
    });
    assert!(handle.answer(asked.expect("something was asked"), answer(action)));
}

const QUESTION: &str = "q Ask in=x; a Add; b Add; o Echo in=free; q.left -> a.in; q.right -> b.in";

fn durable(world: &std::sync::Arc<World>, log: &std::sync::Arc<MemoryLog>, text: &str) -> Start {
    let mut given = prepare(world, text);
    given.log = Some(log.clone());
    given
}

#[test]
fn the_run_waits_and_goes_on_with_the_answer() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(&world, durable(&world, &log, QUESTION));
        run.idle().await;
        assert!(!run.is_over());
        run.handle.answer(Uuid::nil(), answer("left"));
        run.idle().await;
        assert!(!run.is_over(), "an answer to another question is none");
        reply(&run.handle, &log.events(), "left");
        expect![[r#"
            start q
            ask q human_input
            start o
            done o free
            answer left
            start q
            done q x:left | x:left | x:left
            start a
            done a x:lefta
            skip b inactive
            ended completed
        "#]]
        .assert_eq(&run.end().await.trace());
    });
}

#[test]
fn a_question_that_nobody_answers_takes_its_fallback() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(&world, &log, &QUESTION.replace("in=x", "in=x timeout=1000")),
        );
        tokio::time::sleep(Duration::from_secs(999)).await;
        assert!(!run.is_over());
        // Longer than a run may take: waiting for people does not count.
        let past = run.end().await;
        assert_eq!(past.text("b"), "x:rightb");
        assert!(past.trace().ends_with("ended completed\n"), "{}", past.trace());
    });
}

#[test]
fn an_answer_in_time_beats_the_fallback() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(&world, &log, &QUESTION.replace("in=x", "in=x timeout=10")),
        );
        tokio::time::sleep(Duration::from_secs(9)).await;
        reply(&run.handle, &log.events(), "left");
        let past = run.end().await;
        assert_eq!(past.text("a"), "x:lefta");
        assert_eq!(past.trace().matches("answer").count(), 1);
    });
}

#[test]
fn the_time_limit_begins_to_count_again_after_the_answer() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = durable(&world, &log, "q Ask in=x; w Wait; q.left -> w.in");
        given.limits.node = Duration::from_secs(3600);
        let run = begin(&world, given);
        tokio::time::sleep(Duration::from_secs(3600)).await;
        reply(&run.handle, &log.events(), "left");
        tokio::time::sleep(Duration::from_secs(290)).await;
        assert!(!run.is_over());
        assert!(
            run.end()
                .await
                .trace()
                .ends_with("ended timed_out: the run took longer than 300 s\n")
        );
    });
}

#[test]
fn others_go_on_while_one_asks() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(&world, &log, "q Ask in=x; w Wait; a Add; w.out -> a.in"),
        );
        run.idle().await;
        world.release("w");
        run.idle().await;
        assert_eq!(world.count("a"), 1);
        reply(&run.handle, &log.events(), "left");
        assert!(run.end().await.trace().ends_with("ended completed\n"));
    });
}

#[test]
fn a_question_can_be_cancelled() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(&world, durable(&world, &log, QUESTION));
        run.idle().await;
        run.handle.cancel();
        expect![[r#"
            start q
            ask q human_input
            start o
            done o free
            cancel
            fail q Cancelled: the run was stopped
            skip a cancelled
            skip b cancelled
            ended cancelled
        "#]]
        .assert_eq(&run.end().await.trace());
    });
}

#[test]
fn a_question_in_a_loop_is_asked_in_every_round() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(
                &world,
                &log,
                "l Loop data=ab; q Ask; l.item -> q.in; q.out => l.item",
            ),
        );
        for action in ["left", "right"] {
            run.idle().await;
            reply(&run.handle, &log.events(), action);
        }
        let past = run.end().await;
        assert_eq!(past.output("l", "done").unwrap().to_text(), "[a:left b:right]");
    });
}

/// Answers one question after the other.
async fn converse(run: &crate::support::Run, log: &MemoryLog, said: &[&str]) {
    for action in said {
        run.idle().await;
        reply(&run.handle, &log.events(), action);
    }
}

#[test]
fn a_node_may_ask_again_and_remembers() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(&world, &log, "g Gather in=x; a Add; g.out -> a.in"),
        );
        converse(&run, &log, &["1", "2", "."]).await;
        expect![[r#"
            start g
            ask g human_input
            answer 1
            start g
            ask g human_input
            answer 2
            start g
            ask g human_input
            answer .
            start g
            done g x12.
            start a
            done a x12.a
            ended completed
        "#]]
        .assert_eq(&run.end().await.trace());
    });
}

#[test]
fn only_the_last_question_is_remembered() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(&world, durable(&world, &log, "g Gather in=x"));
        converse(&run, &log, &["1", "forget", "2", "."]).await;
        assert_eq!(run.end().await.text("g"), "x2.");
    });
}

#[test]
fn each_round_of_a_loop_has_a_memory_of_its_own() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(
            &world,
            durable(
                &world,
                &log,
                "l Loop data=ab; g Gather; l.item -> g.in; g.out => l.item",
            ),
        );
        converse(&run, &log, &["1", ".", "2", "3", "."]).await;
        let past = run.end().await;
        assert_eq!(past.output("l", "done").unwrap().to_text(), "[a1. b23.]");
    });
}

#[test]
fn too_much_to_remember_fails_the_node() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = durable(&world, &log, "g Gather in=xxxxxxxxxx");
        given.limits.output = 20;
        let trace = begin(&world, given).end().await.trace();
        assert!(trace.contains("it must remember"), "{trace}");
    });
}

#[test]
fn a_question_that_can_never_be_answered_ends_the_run() {
    block_on(async {
        let world = World::new();
        let (handle, run) = ferro_engine::start(prepare(&world, QUESTION));
        drop(handle);
        let ending = run.await;
        assert_eq!(ending.status, ferro_engine::RunStatus::Failed);
        assert!(
            ending
                .failure
                .unwrap()
                .message
                .contains("nobody here can give one")
        );
        idle().await;
    });
}
