//! Every order of what can happen to a canvas in one turn.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::json;

use super::*;
use crate::event::FieldEdit;

fn set_flow(number: usize) -> FlowUpdate {
    FlowUpdate::SetFlow {
        flow: json!({ "name": number }),
        auto_apply: false,
    }
}

fn ran() -> FlowUpdate {
    FlowUpdate::FlowRan {
        flow_id: "f".to_owned(),
    }
}

fn add(number: usize) -> FlowUpdate {
    FlowUpdate::AddComponent {
        node: json!({ "id": number }),
    }
}

fn edit(number: usize) -> FlowUpdate {
    FlowUpdate::EditField(FieldEdit {
        id: number.to_string(),
        component_id: String::new(),
        component_type: String::new(),
        field: String::new(),
        old_value: Json::Null,
        new_value: Json::Null,
        description: String::new(),
        patch: Vec::new(),
    })
}

fn plan(number: usize) -> FlowUpdate {
    FlowUpdate::ProposePlan {
        markdown: number.to_string(),
    }
}

/// `S`et flow, `R`an, `A`dd, `E`dit field, `P`lan; applied flows as `S!`.
fn told(at_once: bool, order: &str) -> (String, Gate) {
    let mut gate = Gate::new(at_once);
    let mut words = Vec::new();
    for (number, letter) in order.chars().enumerate() {
        let update = match letter {
            'S' => set_flow(number),
            'R' => ran(),
            'A' => add(number),
            'E' => edit(number),
            _ => plan(number),
        };
        for update in gate.on(update) {
            words.push(match update {
                FlowUpdate::SetFlow { flow, auto_apply } => {
                    format!("S{}{}", flow["name"], if auto_apply { "!" } else { "" })
                }
                FlowUpdate::AddComponent { node } => format!("A{}", node["id"]),
                FlowUpdate::EditField(edit) => format!("E{}", edit.id),
                FlowUpdate::ProposePlan { markdown } => format!("P{markdown}"),
                other => format!("{other:?}"),
            });
        }
    }
    (words.join(" "), gate)
}

#[test]
fn orders_that_matter() {
    let table = [
        ("S", "S0"),
        ("SR", "S0 S0!"),
        ("RS", "S1"),
        ("SRR", "S0 S0!"),
        ("SAR", "S0 A1 S0! A1"),
        ("SRA", "S0 S0! A2"),
        ("AS", "A0 S1"),
        ("AR", "A0"),
        ("SSR", "S0 S1 S1!"),
        ("SASR", "S0 A1 S2 S2!"),
        ("SRS", "S0 S0! S2"),
        ("SRSR", "S0 S0! S2 S2!"),
        ("SER", "S0 E1 S0!"),
        ("PR", "P0"),
    ];
    for (order, expected) in table {
        assert_eq!(told(false, order).0, expected, "{order}");
    }
    for (order, expected) in [("S", "S0!"), ("SR", "S0!"), ("SAR", "S0! A1"), ("SS", "S0! S1!")] {
        assert_eq!(told(true, order).0, expected, "{order}");
    }
}

#[test]
fn a_flow_under_repair_is_told_as_a_whole() {
    let mut gate = Gate::default();
    assert_eq!(gate.on(set_flow(0)).len(), 1);
    gate.hold();
    for update in [add(1), set_flow(2), ran()] {
        assert_eq!(gate.on(update), []);
    }
    assert_eq!(gate.tail_updates(), 0, "the repair is no mistake of the model");
    let applied = FlowUpdate::SetFlow {
        flow: json!({ "name": 2 }),
        auto_apply: true,
    };
    assert_eq!(gate.release(), [applied], "it ran, so it is applied, once");
    assert_eq!(gate.release(), []);
}

#[test]
fn what_mends_a_flow_on_the_canvas_goes_to_the_canvas() {
    let (_, mut gate) = told(false, "SR");
    gate.mend();
    let mended = FlowUpdate::SetFlow {
        flow: json!({ "name": 7 }),
        auto_apply: true,
    };
    assert_eq!(gate.on(set_flow(7)), [mended]);
    assert_eq!(gate.on(set_flow(8)), [set_flow(8)], "once");
    let (_, mut gate) = told(false, "S");
    gate.mend();
    assert_eq!(gate.on(set_flow(7)), [set_flow(7)], "a proposal stays one");
}

#[test]
fn a_tool_cannot_apply_a_flow_by_itself() {
    let mut gate = Gate::default();
    let forced = FlowUpdate::SetFlow {
        flow: Json::Null,
        auto_apply: true,
    };
    assert!(matches!(
        gate.on(forced)[..],
        [FlowUpdate::SetFlow {
            auto_apply: false,
            ..
        }]
    ));
}

/// What holds in every order.
fn check(at_once: bool, order: &str) -> Result<(), TestCaseError> {
    let (told, gate) = told(at_once, order);
    let words: Vec<&str> = told.split_whitespace().collect();
    let last_set = order.rfind('S');
    let ran = order
        .rfind('R')
        .is_some_and(|ran| last_set.is_none_or(|set| set < ran));
    prop_assert_eq!(gate.saw_set_flow(), last_set.is_some());
    prop_assert_eq!(gate.ran, ran);

    // A flow is proposed first, unless everything is applied.
    for (place, _) in order.match_indices('S') {
        let proposed = words.contains(&format!("S{place}").as_str());
        prop_assert_eq!(proposed, !at_once);
        let applied = words.iter().filter(|word| **word == format!("S{place}!")).count();
        prop_assert!(applied <= 1, "applied {} times", applied);
    }

    // In the end the last flow is applied exactly when it ran or everything is; and its tail came after it.
    if let Some(last) = last_set {
        let applied = at_once || ran;
        prop_assert_eq!(gate.auto_applied(), applied);
        let told_last = words.iter().rposition(|word| word.starts_with('S')).unwrap();
        prop_assert_eq!(
            words[told_last],
            format!("S{last}{}", if applied { "!" } else { "" })
        );
        let after: Vec<usize> = words[told_last..]
            .iter()
            .filter_map(|word| word.strip_prefix('A')?.parse().ok())
            .collect();
        let meant: Vec<usize> = order
            .match_indices('A')
            .map(|(at, _)| at)
            .filter(|at| *at > last)
            .collect();
        prop_assert_eq!(after, meant);
    } else {
        prop_assert!(!gate.auto_applied());
    }

    // Nothing is lost, whatever happens around it.
    for (letter, update) in [('A', "A"), ('E', "E"), ('P', "P")] {
        for (place, _) in order.match_indices(letter) {
            let name = format!("{update}{place}");
            prop_assert!(words.contains(&name.as_str()), "{} is missing in {}", name, told);
        }
    }
    prop_assert!(!told.contains("FlowRan"));
    Ok(())
}

#[test]
fn every_short_order() {
    let mut orders = vec![String::new()];
    for _ in 0..5 {
        let longer = orders
            .iter()
            .flat_map(|order| "SRAEP".chars().map(move |letter| format!("{order}{letter}")));
        orders = longer.chain([String::new()]).collect();
        for order in &orders {
            for at_once in [false, true] {
                check(at_once, order).unwrap_or_else(|error| panic!("{order} {at_once}: {error}"));
            }
        }
    }
}

proptest! {
    #[test]
    fn long_orders(at_once: bool, order in "[SRAEP]{6,30}") {
        check(at_once, &order)?;
    }
}
