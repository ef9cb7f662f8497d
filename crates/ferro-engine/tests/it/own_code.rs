//! Nodes with code of their own: which of them run it, and which flows are not run at all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use ferro_engine::{Host, Outputs, Plan, PlanError, Selection};

use crate::support::{MemoryLog, Past, World, begin, block_on, flow, prepare, start_of, trace};

fn plan(world: &Arc<World>, text: &str, selection: &Selection) -> Result<Plan, PlanError> {
    Plan::new(&flow(text), &world.catalog_with_code(), selection)
}

fn run(text: &str) -> (Past, Arc<World>) {
    block_on(async {
        let world = World::new();
        let plan = plan(&world, text, &Selection::Whole).unwrap();
        (begin(&world, start_of(Arc::new(plan))).end().await, world)
    })
}

/// What the node gave, and whether its code ran.
fn gave(text: &str) -> (String, bool) {
    let (past, world) = run(text);
    (past.text("n"), world.count("n.code") == 1)
}

#[test]
fn a_type_nobody_knows_is_its_code() {
    assert_eq!(gave(r#"n Mine code="add !" in=hi"#), ("hi!".to_owned(), true));
    let (past, _) = run(r#"a Echo in=x; n Mine code="add !"; z Upper; a.out -> n.in; n.out -> z.in"#);
    assert_eq!(past.text("z"), "X!");
}

#[test]
fn a_built_in_component_runs_unless_its_code_was_changed() {
    let native = ("HI".to_owned(), false);
    let own = ("hi!".to_owned(), true);
    for (more, expected) in [
        ("", &native),
        ("hash=5", &native),
        ("hash=4", &own),
        ("edited", &own),
        ("hash=5 edited", &own),
    ] {
        assert_eq!(
            gave(&format!(r#"n Upper code="add !" {more} in=hi"#)),
            *expected,
            "{more}"
        );
    }
    assert_eq!(
        gave("n Upper hash=4 in=hi"),
        native,
        "without code there is nothing else"
    );
}

#[test]
fn unsafe_code_stops_the_whole_flow_before_anything_runs() {
    let world = World::new();
    let refused = |text: &str, selection: &Selection| match plan(&world, text, selection) {
        Ok(_) => "planned".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(
        refused(
            r#"e Echo in=x; n Mine code="add bad"; m Other code="worse bad"; e.out -> n.in"#,
            &Selection::Whole
        ),
        "Refused to run: unsafe component code detected — N (n), line 2: bad is not safe; \
         M (m), line 1: worse is not safe; M (m), line 2: bad is not safe"
    );
    // One that would not run, or would run as the built-in component, is looked at as well.
    let beside = r#"e Echo in=x; n Mine code="add bad""#;
    assert!(refused(beside, &Selection::UpTo("e".to_owned())).contains("N (n), line 2"));
    assert!(refused(r#"n Upper code="add bad" in=x"#, &Selection::Whole).contains("N (n), line 2"));
    assert!(refused(r#"n Upper code="add bad" hash=3 in=x"#, &Selection::Whole).contains("N (n), line 2"));
    assert!(
        refused(r#"n Upper code="add bad" hash=7 edited in=x"#, &Selection::Whole).contains("N (n), line 2")
    );
    // Only what is known to be a built-in component's own is not, and that never runs.
    assert_eq!(
        refused(r#"n Upper code="add bad" hash=7 in=x"#, &Selection::Whole),
        "planned"
    );
    // What an unknown type says of its own code proves nothing.
    assert!(refused(r#"n Mine code="add bad" hash=7 in=x"#, &Selection::Whole).contains("N (n), line 2"));
    let many = (0..30)
        .map(|at| format!("n{at} Mine code=bad"))
        .collect::<Vec<_>>()
        .join("; ");
    let said = refused(&many, &Selection::Whole);
    assert!(said.ends_with("; and 10 more"), "{said}");
    assert!(world.ran.lock().unwrap().is_empty());
}

#[test]
fn where_nothing_runs_code_nothing_is_refused_for_it() {
    block_on(async {
        let world = World::new();
        let given = prepare(
            &world,
            r#"n Mine code=bad; u Upper code=bad in=x; e Echo edited code=x"#,
        );
        let past = begin(&world, given).end().await;
        assert_eq!(
            past.output("u", "out").map(|value| value.to_text().into_owned()),
            Some("X".to_owned())
        );
        for node in ["N", "E"] {
            let said = format!("Unavailable: {node} has its own Python code, which cannot run here");
            assert!(past.trace().contains(&said), "{}", past.trace());
        }
    });
}

#[test]
fn code_runs_in_loops_and_as_a_tool() {
    let (past, world) = run(
        r#"l Loop data=abc; n Mine code="add !"; z Add; l.item -> n.in; n.out => l.item; l.done -> z.in"#,
    );
    assert_eq!(world.count("n.code"), 3, "{}", past.trace());
    let (past, world) = run(r#"n Mine code="add !" tool; a UseTools; n.component_as_tool -> a.in"#);
    assert_eq!(past.text("a"), "out=asked!", "{}", past.trace());
    assert_eq!(world.count("n.code"), 1);
    let (past, _) = run(r#"n Mine code="tools ?"; a UseTools; n.out -> a.in"#);
    assert_eq!(past.text("a"), "add=asked?", "{}", past.trace());
}

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
fn code_that_is_frozen_runs_once() {
    block_on(async {
        let (world, ice) = (World::new(), Arc::new(Ice::default()));
        for _ in 0..2 {
            let plan = plan(&world, r#"n Mine code="add !" in=x frozen"#, &Selection::Whole).unwrap();
            let mut given = start_of(Arc::new(plan));
            given.host = ice.clone();
            assert_eq!(begin(&world, given).end().await.text("n"), "x!");
        }
        assert_eq!(world.count("n.code"), 1);
    });
}

/// Tools cannot be written down: whoever made them makes them again.
#[test]
fn tools_of_code_are_made_again_after_a_crash() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let text = r#"n Mine code="tools ?"; w Wait; a UseTools; n.out -> a.in; w ~> a"#;
        let plan = Arc::new(plan(&world, text, &Selection::Whole).unwrap());
        let mut given = start_of(Arc::clone(&plan));
        given.log = Some(log.clone());
        let first = begin(&world, given);
        first.idle().await;
        let history = log.events();
        assert!(trace(&history).contains("done n"), "{}", trace(&history));
        drop(first);
        let mut given = start_of(plan);
        given.history = history;
        given.log = Some(MemoryLog::new());
        let second = begin(&world, given);
        second.idle().await;
        // The first one of that name is of the run that died.
        while !world.waiting().is_empty() {
            world.release("w");
        }
        let past = second.end().await;
        assert_eq!(past.text("a"), "add=asked?", "{}", past.trace());
        assert_eq!(world.count("n.code"), 2);
    });
}
