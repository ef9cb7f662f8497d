//! A frozen node gives what it gave last time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use ferro_engine::{Host, Outputs};

use crate::support::{World, begin, block_on, prepare};

#[derive(Default)]
struct Ice(Mutex<HashMap<String, Outputs>>);

impl Host for Ice {
    fn frozen(&self, node_id: &str) -> Option<Outputs> {
        self.0.lock().unwrap().get(node_id).cloned()
    }

    fn freeze(&self, node_id: &str, outputs: &Outputs) {
        self.0.lock().unwrap().insert(node_id.to_owned(), outputs.clone());
    }
}

#[test]
fn it_runs_once_and_is_thawed_afterwards() {
    block_on(async {
        let (world, ice) = (World::new(), Arc::new(Ice::default()));
        for turn in 0..2 {
            let mut given = prepare(&world, "a Add in=x frozen; b Add; a.out -> b.in");
            given.host = ice.clone();
            let past = begin(&world, given).end().await;
            assert_eq!(past.text("b"), "xab");
            assert_eq!(past.trace().contains("reuse a xa"), turn == 1);
        }
        assert_eq!((world.count("a"), world.count("b")), (1, 2));
    });
}

#[test]
fn loops_and_living_things_are_not_frozen() {
    block_on(async {
        let (world, ice) = (World::new(), Arc::new(Ice::default()));
        for _ in 0..2 {
            let mut given = prepare(
                &world,
                "l Loop data=ab frozen; b Upper; l.item -> b.in; b.out => l.item; m Model in=x frozen",
            );
            given.host = ice.clone();
            begin(&world, given).end().await;
        }
        assert_eq!((world.count("b"), world.count("m")), (4, 2));
        assert!(ice.0.lock().unwrap().is_empty());
    });
}
