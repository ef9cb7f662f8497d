//! The result of a run does not depend on which work ends first.

use std::time::Duration;

use proptest::prelude::*;

use crate::ask::answer;
use crate::resume::result;
use crate::support::random::{blocks, text};
use crate::support::{MemoryLog, World, begin, block_on, idle, prepare};

/// Lets waiting work end in the order that `choices` say.
fn run(text: &str, choices: &[usize]) -> std::collections::BTreeMap<String, Vec<String>> {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(&world, text);
        given.log = Some(log.clone());
        given.limits.run = Duration::from_secs(100_000);
        given.limits.node = Duration::from_secs(100_000);
        let run = begin(&world, given);
        for choice in choices.iter().cycle() {
            idle().await;
            if run.is_over() {
                break;
            }
            let waiting = world.waiting();
            if let Some(node) = waiting.get(choice % waiting.len().max(1)) {
                world.release(node);
                continue;
            }
            for event in log.events() {
                if let ferro_engine::Body::Asked { request_id, .. } = event.body {
                    run.handle.answer(request_id, answer("left"));
                }
            }
        }
        run.end().await;
        result(&log.events())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn any_order_gives_the_same(blocks in blocks(8), choices in prop::collection::vec(any::<usize>(), 1..20)) {
        let text = text(&blocks, "Wait");
        prop_assert_eq!(run(&text, &choices), run(&text, &[0]), "{}", text);
    }
}
