//! Running flows at the command line: no server, and nothing kept.

use std::path::PathBuf;

use ferro_testkit::{Output, Program};
use serde_json::{Value, json};

use crate::site::program;

/// A folder to keep flows in, beside where data would go.
pub struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn program(&self) -> Program {
        program(&self.path("data"))
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        let output = self.program().run_with(arguments, input);
        assert!(
            !self.path("data").exists(),
            "no data folder is made by {arguments:?}"
        );
        output
    }

    /// What is printed when it works.
    #[track_caller]
    pub fn says(&self, arguments: &[&str], expected: &str) {
        let said = self.run(arguments).succeeded();
        assert_eq!(said.stdout, format!("{expected}\n"), "{arguments:?}");
        assert_eq!(said.stderr, "", "{arguments:?}");
    }

    /// What is said when it does not.
    #[track_caller]
    pub fn refuses(&self, arguments: &[&str], expected: &str) {
        let said = self.run(arguments).failed_with(expected);
        assert_eq!(said.stdout, "", "{arguments:?}");
    }

    /// Keeps a file and gives its path.
    pub fn keep(&self, name: &str, content: &str) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.shown(name)
    }

    pub fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub fn starter(&self, slug: &str) -> Value {
        serde_json::from_str(&self.run(&["starters", "show", slug]).succeeded().stdout).unwrap()
    }
}

/// The node with this name.
pub fn node<'a>(flow: &'a mut Value, name: &str) -> &'a mut Value {
    let nodes = flow["data"]["nodes"].as_array_mut().unwrap();
    nodes
        .iter_mut()
        .find(|node| node["data"]["node"]["display_name"] == name)
        .unwrap()
}

pub fn field<'a>(flow: &'a mut Value, name: &str, field: &str) -> &'a mut Value {
    &mut node(flow, name)["data"]["node"]["template"][field]
}

#[test]
fn every_starter_gives_the_right_answer() {
    let desk = Desk::new();
    let report = "# Best sellers\n\n| product | sold |\n| :--- | :--- |\n| Chair | 210 |\n| Lamp | 120 |\n| Clock | 87 |";
    let loops = "Order 1001: Ada in Lisbon wants 1 × Lamp and pays 39.5.\nOrder 1002: Hiro in Quito wants 4 × Clock and pays 91.0.\n\
        Order 1003: Eszter in Wellington wants 3 × Rug and pays 192.75.\nOrder 1004: Bram in Osaka wants 2 × Shelf and pays 168.0.";
    let pipeline = "The Quick Brown Fox\nJumps Over The Lazy Dog\n\nWords: 9 (8 different), lines: 2";
    let order = r#"{"order":5,"customer":"Bob","items":[{"price":1.5},{"price":2}]}"#;
    for (slug, input, expected) in [
        ("echo", Some("hello"), "hello"),
        ("echo", None, ""),
        ("Echo", Some("a\n\nb ✓"), "a\n\nb ✓"),
        ("text-pipeline", None, pipeline),
        (
            "text-pipeline",
            Some("one  TWO one"),
            "One Two One\n\nWords: 3 (2 different), lines: 1",
        ),
        ("calculator", None, "71.36"),
        ("calculator", Some("4 * (2 + 3)"), "20"),
        ("calculator", Some("2 +"), "The expression ends too early"),
        ("branch", None, "You ask: Is it raining? I will find out."),
        (
            "branch",
            Some("It rains."),
            "You say: It rains. I have made a note of it.",
        ),
        ("csv-report", None, report),
        (
            "csv-report",
            Some("product,sold\nA,1\nB,0\n"),
            "# Best sellers\n\n| product | sold |\n| :--- | :--- |\n| A | 1 |",
        ),
        ("loop", None, loops),
        (
            "sub-flow",
            None,
            "Text pipeline says:\n\nFlows Can Run Flows\n\nWords: 4 (3 different), lines: 1",
        ),
        ("webhook", None, "Order 17 for Ada: items 2, total 103.75."),
        ("webhook", Some(order), "Order 5 for Bob: items 2, total 3.5."),
    ] {
        let flow = format!("starter:{slug}");
        let arguments: Vec<&str> = ["run", &flow].into_iter().chain(input).collect();
        desk.says(&arguments, expected);
    }
}

#[test]
fn a_person_is_asked() {
    let desk = Desk::new();
    let run = ["run", "starter:approval", "Free beer"];
    for (said, expected) in [
        ("1\n", "Published: Free beer\n"),
        ("approve\n", "Published: Free beer\n"),
        ("Reject\n", "Not published: Free beer\n"),
        ("maybe\n0\n3\n\n2\n", "Not published: Free beer\n"),
    ] {
        let output = desk.run_with(&run, said).succeeded();
        assert_eq!(output.stdout, expected, "{said:?}");
        assert!(
            output
                .stderr
                .starts_with("Free beer\n  1. Approve\n  2. Reject\n> "),
            "{}",
            output.stderr
        );
    }
    desk.refuses(&run, "the flow waits for an answer and standard input has none");
}

/// Answers every request with a page.
fn page(html: &'static str) -> std::net::SocketAddr {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n",
                html.len()
            );
            let _ = stream.write_all(format!("{head}connection: close\r\n\r\n{html}").as_bytes());
        }
    });
    address
}

#[test]
fn the_web_digest_reads_pages_it_may_read() {
    let desk = Desk::new();
    let address =
        page("<html><head><title>News</title></head><body><h1>Rain</h1><p>All day.</p></body></html>");
    let url = format!("http://{address}/");
    desk.refuses(&["run", "starter:web-digest", &url], "Read page: ");
    desk.refuses(&["run", "starter:web-digest", &url], "127.0.0.1");
    let expected = format!("# News\n\n{url}\n\n# Rain\n\nAll day.");
    desk.says(
        &[
            "run",
            "starter:web-digest",
            &url,
            "--egress-allow",
            &address.to_string(),
        ],
        &expected,
    );
    desk.refuses(
        &["run", "starter:web-digest", "http://no-such-host.invalid"],
        "no-such-host.invalid",
    );
}

#[test]
fn flows_come_from_files_and_from_standard_input() {
    let desk = Desk::new();
    let shown = desk.run(&["starters", "show", "echo"]).succeeded().stdout;
    let file = desk.keep("mine.json", &shown);
    desk.says(&["run", &file, "from a file"], "from a file");
    let data = desk.keep("data.json", &desk.starter("echo")["data"].to_string());
    desk.says(&["run", &data, "from its data"], "from its data");
    let piped = desk.run_with(&["run", "-", "piped"], &shown).succeeded();
    assert_eq!(piped.stdout, "piped\n");
    let input = desk.run_with(&["run", &file, "-"], "two\nlines\n").succeeded();
    assert_eq!(input.stdout, "two\nlines\n");
    desk.refuses(
        &["run", "-", "-"],
        "standard input can be the flow or what is said to it, not both",
    );
}

#[test]
fn results_come_as_json_and_as_events() {
    let desk = Desk::new();
    let run = |shape: &str| {
        desk.run(&["run", "starter:echo", "hi", "--session", "s1", "-o", shape])
            .succeeded()
            .stdout
    };
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["session_id"], "s1");
    let outputs = &json["outputs"][0];
    assert_eq!(outputs["inputs"]["input_value"], "hi");
    assert_eq!(outputs["outputs"][0]["results"]["message"]["text"], "hi");
    assert_eq!(outputs["outputs"][0]["component_display_name"], "Chat Output");
    let events = run("events");
    let events: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let numbers: Vec<u64> = events
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(
        numbers,
        (1..=events.len() as u64).collect::<Vec<_>>(),
        "no number is missing"
    );
    assert_eq!(events[0]["type"], "run_started");
    assert_eq!(events[0]["session_id"], "s1");
    let last = events.last().unwrap();
    assert_eq!(
        (&last["type"], &last["status"]),
        (&json!("run_ended"), &json!("completed"))
    );
}

#[test]
fn fields_are_set_for_one_run() {
    let desk = Desk::new();
    let one = "# Best sellers\n\n| product | sold |\n| :--- | :--- |\n| Desk | 35 |";
    desk.says(
        &[
            "run",
            "starter:csv-report",
            "--set",
            "Top three.num_rows=1",
            "--set",
            "best first.ascending=true",
        ],
        one,
    );
    // A text stays one, even if it looks like a number or like JSON.
    desk.says(
        &["run", "starter:calculator", "1+1", "--set", "Result.pattern=42"],
        "42",
    );
    desk.says(
        &[
            "run",
            "starter:calculator",
            "1+1",
            "--set",
            "Result.pattern={result} = 1 + 1",
        ],
        "2 = 1 + 1",
    );
    let list = r#"Columns.columns_to_select=["product"]"#;
    let only = "# Best sellers\n\n| product |\n| :--- |\n| Chair |\n| Lamp |\n| Clock |";
    desk.says(&["run", "starter:csv-report", "--set", list], only);
    let id = node(&mut desk.starter("calculator"), "Result")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    desk.says(
        &[
            "run",
            "starter:calculator",
            "1+1",
            "--set",
            &format!("{id}.pattern=is {{result}}"),
        ],
        "is 2",
    );
    for (set, expected) in [
        (
            "Nobody.x=1",
            "the flow has no node `Nobody`; it has Chat Input (ChatInput-",
        ),
        ("Result.nothing=1", "Result has no field `nothing`; it has "),
        ("Result.pattern", "`Result.pattern` is not NODE.FIELD=VALUE"),
        ("pattern=1", "`pattern` is not NODE.FIELD"),
        (
            "Calculator.expression=1",
            "Calculator.expression is filled by a wire from ChatInput-",
        ),
    ] {
        desk.refuses(&["run", "starter:calculator", "1", "--set", set], expected);
    }
    let mut twice = desk.starter("branch");
    node(&mut twice, "Note taken")["data"]["node"]["display_name"] = json!("Answer");
    let twice = desk.keep("twice.json", &twice.to_string());
    desk.refuses(
        &["run", &twice, "--set", "Answer.sender_name=x"],
        "several nodes are called `Answer`; say which: Answer (ChatOutput-",
    );
}

#[test]
fn variables_and_files_are_the_persons_own() {
    let desk = Desk::new();
    let mut flow = desk.starter("calculator");
    let pattern = field(&mut flow, "Result", "pattern");
    (pattern["load_from_db"], pattern["value"]) = (json!(true), json!("SENTENCE"));
    let flow = desk.keep("flow.json", &flow.to_string());
    desk.says(
        &["run", &flow, "1+1", "--var", "SENTENCE=makes {result}"],
        "makes 2",
    );
    desk.refuses(&["run", &flow, "1+1"], "SENTENCE");
    desk.refuses(
        &["run", &flow, "--var", "SENTENCE"],
        "`SENTENCE` is not NAME=VALUE",
    );
    let file = desk.keep("note.txt", "words");
    let said = desk
        .run(&["run", "starter:echo", "see", "--file", &file, "-o", "json"])
        .succeeded()
        .stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    let files = &said["outputs"][0]["outputs"][0]["results"]["message"]["files"];
    assert!(files.to_string().contains("note.txt"), "{files}");
}

#[test]
fn a_part_of_a_flow_runs() {
    let desk = Desk::new();
    desk.says(
        &["run", "starter:text-pipeline", "a  b", "--up-to", "Tidy up"],
        "a b",
    );
    desk.refuses(
        &["run", "starter:text-pipeline", "a", "--up-to", "Nobody"],
        "the flow has no node `Nobody`; it has ",
    );
}

#[test]
fn what_cannot_run_says_why() {
    let desk = Desk::new();
    desk.refuses(
        &["run", "starter:csv-report", "hello"],
        "error: Only sold: The table has no column \"sold\"\n  It has: text.\n",
    );
    desk.refuses(
        &["run", "starter:nothing"],
        "there is no starter `nothing`; there are echo, ",
    );
    desk.refuses(
        &["run", "echo", "hi"],
        "echo cannot be read (did you mean starter:echo?)",
    );
    desk.refuses(
        &["run", "no-such.json"],
        "no-such.json cannot be read: No such file",
    );
    for (content, expected) in [
        ("nope", "line 1: this is not valid JSON"),
        (
            "{\n  \"name\": \"x\",\n  \"data\": {]\n}",
            "line 3: this is not valid JSON",
        ),
        ("[1, 2]", "a flow is one JSON object"),
        (
            "{\"flows\": []}",
            "holds several flows; save each in a file of its own",
        ),
        ("{\"data\": 7}", "`data` is not an object"),
        ("{\"data\": {\"nodes\": 7}}", "nodes"),
        (
            "{\"nodes\": [], \"edges\": []}",
            "the flow has no nodes: there is nothing to run",
        ),
    ] {
        let file = desk.keep("bad.json", content);
        desk.refuses(&["run", &file], expected);
    }
    let mut unknown = desk.starter("calculator");
    node(&mut unknown, "Calculator")["data"]["type"] = json!("Oracle");
    let file = desk.keep("unknown.json", &unknown.to_string());
    desk.refuses(
        &["run", &file, "1"],
        "Calculator: the component `Oracle` is not available here\n  ",
    );
    let mut alone = desk.starter("sub-flow");
    field(&mut alone, "Text pipeline", "flow_name_selected")["value"] = json!("Other");
    let file = desk.keep("alone.json", &alone.to_string());
    desk.refuses(
        &["run", &file, "x"],
        "there is no file `Other.json` beside the flow",
    );
    desk.keep("Other.json", &desk.starter("echo").to_string());
    desk.says(&["run", &file, "x"], "Text pipeline says:\n\nx");
    let mut own = alone.clone();
    own["id"] = json!("00000000-0000-4000-8000-000000000001");
    desk.keep("Other.json", &own.to_string());
    desk.refuses(&["run", &file, "x"], "the flow `Other` would run itself");
    // A failing run still gives its events and its results.
    let failing = desk
        .run(&["run", "starter:csv-report", "hello", "-o", "events"])
        .failed_with("no column");
    let last: Value = serde_json::from_str(failing.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["status"]),
        (&json!("run_ended"), &json!("failed"))
    );
}
