//! Global variables go into the fields that name them, late, and into no others.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use ferro_engine::{Failure, Host, Overrides, Variable};
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::support::{World, begin, block_on, prepare};

#[derive(Default)]
pub struct Vault {
    pub asked: Mutex<Vec<String>>,
}

impl Host for Vault {
    fn variable<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Variable>, Failure>> {
        self.asked.lock().unwrap().push(name.to_owned());
        let value = match name {
            "CITY" => Some(("Bonn", false)),
            "KEY" => Some(("sk-very-secret", true)),
            _ => None,
        };
        Box::pin(async move {
            Ok(value.map(|(value, secret)| Variable {
                value: value.to_owned(),
                secret,
            }))
        })
    }
}

fn run(text: &str, tweaks: serde_json::Value) -> (String, Vec<String>) {
    block_on(async {
        let (world, vault) = (World::new(), Arc::new(Vault::default()));
        let mut given = prepare(&world, text);
        given.host = vault.clone();
        given.overrides = Overrides::from_tweaks(&given.plan, tweaks.as_object().unwrap());
        let trace = begin(&world, given).end().await.trace();
        let asked = vault.asked.lock().unwrap().clone();
        (trace, asked)
    })
}

#[test]
fn only_the_fields_that_name_one_get_its_value() {
    let (trace, asked) = run(
        "a Echo in=$CITY; b Echo in=CITY; c Join a=x b=$CITY; a.out -> c.a",
        json!({}),
    );
    expect![[r#"
        start a
        start b
        done b CITY
        done a Bonn
        start c
        done c Bonn+Bonn
        ended completed
    "#]]
    .assert_eq(&trace);
    assert_eq!(asked, ["CITY", "CITY"]);
}

#[test]
fn a_node_that_does_not_run_asks_for_none() {
    let (_, asked) = run("r Router in=x go=left; a Join b=$CITY; r.right -> a.a", json!({}));
    assert!(asked.is_empty());
}

#[test]
fn one_that_does_not_exist_fails_the_node_and_says_where() {
    let (trace, _) = run("a Echo in=$NOWHERE; b Echo in=x", json!({}));
    expect![[r#"
        start a
        start b
        done b x
        fail a Input: there is no variable `NOWHERE`
        ended failed: A: there is no variable `NOWHERE`
    "#]]
    .assert_eq(&trace);
}

#[test]
fn a_credential_does_not_go_where_it_would_be_seen() {
    let (trace, _) = run("a Echo in=$KEY", json!({}));
    expect![[r#"
        start a
        fail a Input: `KEY` is a credential, and In would show it
        ended failed: A: `KEY` is a credential, and In would show it
    "#]]
    .assert_eq(&trace);
    let (trace, _) = run("a Secret key=$KEY", json!({}));
    assert!(trace.ends_with("ended completed\n"), "{trace}");
}

#[test]
fn a_wire_or_a_tweak_comes_before_it() {
    let (trace, asked) = run(
        "e Echo in=wired; a Echo in=$CITY; b Echo in=$CITY; e.out -> a.in",
        json!({ "b": { "in": "tweaked" } }),
    );
    assert!(
        trace.contains("done a wired\n") && trace.contains("done b tweaked\n"),
        "{trace}"
    );
    assert!(asked.is_empty());
}

#[test]
fn a_tweak_may_name_another() {
    let (trace, _) = run(
        "a Echo in=$NOWHERE",
        json!({ "a": { "in": { "value": "CITY", "load_from_db": true } } }),
    );
    assert!(trace.contains("done a Bonn\n"), "{trace}");
    let (trace, _) = run(
        "a Echo in=own",
        json!({ "a": { "in": { "value": "CITY", "load_from_db": true } } }),
    );
    assert!(trace.contains("done a Bonn\n"), "{trace}");
}
