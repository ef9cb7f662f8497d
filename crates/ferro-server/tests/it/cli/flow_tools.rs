//! Looking at flows and components at the command line: check, draw, compare, format, list.

use std::path::Path;

use serde_json::{Value, json};

use super::flows::{Desk, field, node};

#[test]
fn flows_are_checked() {
    let desk = Desk::new();
    let mut broken = desk.starter("branch");
    field(&mut broken, "Is it a question", "match_text")["value"] = json!("");
    node(&mut broken, "To statements")["data"]["type"] = json!("Oracle");
    let broken = desk.keep("broken.json", &broken.to_string());
    let bad = desk.keep("bad.json", "nope");
    desk.says(&["validate", "starter:echo"], "starter:echo: fine");
    let said = desk
        .run(&["validate", &bad, &broken, "starter:loop"])
        .failed_with("3 problems keep flows from running");
    let lines: Vec<&str> = said
        .stdout
        .lines()
        .filter(|line| !line.starts_with("    "))
        .collect();
    assert_eq!(lines.len(), 4, "{}", said.stdout);
    assert!(
        lines[0].starts_with(&format!("{bad}: error: ")) && lines[0].contains("not valid JSON"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1..3]
            .iter()
            .all(|line| line.starts_with(&format!("{broken}: error: "))),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.contains("`Oracle`") && said.stdout.contains("Is it a question is missing"),
        "{}",
        said.stdout
    );
    assert_eq!(lines[3], "starter:loop: fine");
    let json = desk
        .run(&["validate", "--json", &broken])
        .failed_with("2 problems");
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json[0]["file"], broken);
    let fields: Vec<_> = json[0]["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| &problem["field"])
        .collect();
    assert!(fields.contains(&&json!("match_text")), "{json}");
}

#[test]
fn flows_are_drawn() {
    let desk = Desk::new();
    let drawing = "\
+------------+
| Chat Input |
+------------+
  Chat Input --> Is it a question
+------------------+
| Is it a question |
+------------------+
  Is it a question --> To questions, To statements
+--------------+  +---------------+
| To questions |  | To statements |
+--------------+  +---------------+
  To questions --> Answer
  To statements --> Note taken
+--------+  +------------+
| Answer |  | Note taken |
+--------+  +------------+";
    desk.says(&["graph", "starter:branch"], drawing);
    let empty = desk.keep("empty.json", "{\"nodes\": [], \"edges\": []}");
    desk.says(&["graph", &empty], "(empty)");
    desk.refuses(&["graph", "no-such.json"], "no-such.json cannot be read");
}

#[test]
fn flows_are_compared() {
    let desk = Desk::new();
    let mut flow = desk.starter("csv-report");
    let before = desk.keep("before.json", &flow.to_string());
    field(&mut flow, "Top three", "num_rows")["value"] = json!(2);
    let id = node(&mut flow, "Top three")["id"].as_str().unwrap().to_owned();
    let after = desk.keep("after.json", &flow.to_string());
    desk.says(
        &["diff", &before, &after],
        &format!("~ node Top three ({id})\n    Number of Rows: 3 → 2"),
    );
    desk.says(&["diff", "starter:csv-report", &before], "no changes");
    let json: Value =
        serde_json::from_str(&desk.run(&["diff", "--json", &before, &after]).succeeded().stdout).unwrap();
    assert_eq!(json["nodes_changed"][0]["changes"][0]["new"], 2);
    assert_eq!(json["identical"], false);
}

fn meaning(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn flows_are_formatted_and_nothing_is_lost() {
    let desk = Desk::new();
    let mut flow = desk.starter("text-pipeline");
    flow["note"] = json!("kept");
    // Longer than any number that programs calculate with.
    let long = "0.1234567890123456789012345678901234567890";
    let text = flow
        .to_string()
        .replacen("\"note\":\"kept\"", &format!("\"note\":{long}"), 1);
    let file = desk.keep("flow.json", &text);
    let path = desk.path("flow.json");
    let formatted = desk.run(&["fmt", &file]).succeeded().stdout;
    assert!(formatted.lines().count() > 100 && formatted.contains("\"$lines\": ["));
    assert!(formatted.contains(long), "numbers keep their digits");
    desk.refuses(&["fmt", "--check", &file], &format!("not formatted: {file}"));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        text,
        "without --write nothing is written"
    );
    let answer = desk.run(&["run", &file]).succeeded().stdout;
    desk.says(&["fmt", "--write", &file], &format!("{file}: written"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), formatted);
    assert_eq!(desk.run(&["fmt", "--check", &file]).succeeded().stdout, "");
    assert_eq!(
        desk.run(&["fmt", "--write", &file]).succeeded().stdout,
        "",
        "it is formatted already"
    );
    assert_eq!(
        desk.run(&["run", &file]).succeeded().stdout,
        answer,
        "the text form runs too"
    );
    desk.says(
        &["fmt", "--to-json", "--write", &file],
        &format!("{file}: written"),
    );
    let back = std::fs::read_to_string(&path).unwrap();
    assert!(back.contains(long) && !back.contains("$lines"));
    let original = desk.keep("original.json", &text);
    assert_eq!(meaning(&path), meaning(Path::new(&original)));
    assert_eq!(
        desk.run(&["fmt", &file]).succeeded().stdout,
        formatted,
        "round and round it stays the same"
    );
    let piped = desk.run_with(&["fmt", "-"], &text).succeeded();
    assert_eq!(piped.stdout, formatted);
    desk.refuses(&["fmt", "--write", "starter:echo"], "starter:echo is no file");
    desk.refuses(&["fmt", &desk.keep("bad.json", "nope")], "not valid JSON");
}

#[test]
fn components_are_listed_and_described() {
    let desk = Desk::new();
    let list = desk.run(&["components", "list"]).succeeded().stdout;
    assert!(list.starts_with("custom_component\n  "), "{list}");
    assert!(list.contains("\n  ChatInput ") && list.contains("(legacy)"));
    let json: Value =
        serde_json::from_str(&desk.run(&["components", "list", "--json"]).succeeded().stdout).unwrap();
    let all = json.as_array().unwrap();
    assert!(
        all.len() >= 40
            && all
                .iter()
                .all(|one| one["type"].is_string() && one["category"].is_string())
    );
    for name in ["ChatInput", "Chat Input", "chat input"] {
        let told = desk.run(&["components", "describe", name]).succeeded().stdout;
        assert!(
            told.starts_with("Chat Input (ChatInput), input_output\n\n"),
            "{told}"
        );
        assert!(
            told.contains("\nFields\n  input_value : str")
                && told.contains("\nOutputs\n  message : Message\n")
        );
    }
    let json = desk
        .run(&["components", "describe", "ChatInput", "--json"])
        .succeeded()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["template"]["input_value"]["type"], "str");
    desk.refuses(
        &["components", "describe", "chat"],
        "there is no component `chat`; there are ChatInput, ChatOutput",
    );
    desk.refuses(
        &["components", "describe", "zzz"],
        "there is no component `zzz`; see ferroflow components list",
    );
}

#[test]
fn starters_are_listed_and_shown() {
    let desk = Desk::new();
    let list = desk.run(&["starters", "list"]).succeeded().stdout;
    let first = list.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("echo ") && first.contains(" Answers with what you say"),
        "{list}"
    );
    let json: Value =
        serde_json::from_str(&desk.run(&["starters", "list", "--json"]).succeeded().stdout).unwrap();
    let all = json.as_array().unwrap();
    assert!(all.len() >= 8);
    for starter in all {
        let slug = starter["slug"].as_str().unwrap();
        assert_eq!(desk.starter(slug)["name"], starter["name"]);
        desk.says(
            &["validate", &format!("starter:{slug}")],
            &format!("starter:{slug}: fine"),
        );
    }
    desk.refuses(
        &["starters", "show", "nothing"],
        "there is no starter `nothing`; there are echo, ",
    );
}
