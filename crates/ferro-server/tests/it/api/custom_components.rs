//! Components from code that people bring: the node it makes, and how that changes.

use serde_json::{Value, json};

use crate::site::{Person, Site};

pub const SUM: &str = r#"from lfx.custom import Component
from lfx.io import IntInput, Output
from lfx.schema import Data


class SumComponent(Component):
    display_name = "Sum"
    description = "Adds two numbers."
    icon = "plus"

    inputs = [
        IntInput(name="a", display_name="A", value=1, tool_mode=True),
        IntInput(name="b", display_name="B", value=2, tool_mode=True),
    ]
    outputs = [Output(name="total", display_name="Total", method="add")]

    def add(self) -> Data:
        return Data(data={"total": self.a + self.b})
"#;

pub async fn make(person: &Person, code: &str, node: Option<&Value>) -> Value {
    let mut body = json!({ "code": code });
    if let Some(node) = node {
        body["frontend_node"] = node.clone();
    }
    let answer = person.post("/api/v1/custom_component", &body).await;
    answer.expect(200).json()
}

#[tokio::test]
async fn code_becomes_a_node() {
    for site in [Site::new().await, Site::on_postgres().await] {
        let ada = site.user("ada").await;
        let made = make(&ada, SUM, None).await;
        assert_eq!(made["type"], "SumComponent");
        let node = &made["data"];
        let keys: Vec<&String> = node["template"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["_type", "code", "a", "b"]);
        let code = &node["template"]["code"];
        assert_eq!((&code["type"], &code["value"]), (&json!("code"), &json!(SUM)));
        for key in ["show", "advanced", "dynamic", "required"] {
            assert_eq!(code[key], true, "{key}");
        }
        let field = &node["template"]["a"];
        assert_eq!(
            (&field["type"], &field["_input_type"]),
            (&json!("int"), &json!("IntInput"))
        );
        assert_eq!(field["value"], 1);
        assert_eq!(node["field_order"], json!(["a", "b"]));
        assert_eq!(node["base_classes"], json!(["JSON"]));
        assert_eq!(
            (&node["display_name"], &node["icon"]),
            (&json!("Sum"), &json!("plus"))
        );
        assert_eq!(
            (&node["edited"], &node["tool_mode"]),
            (&json!(true), &json!(false))
        );
        let output = &node["outputs"][0];
        assert_eq!(
            (&output["method"], &output["types"]),
            (&json!("add"), &json!(["JSON"]))
        );
        assert_eq!(output["value"], "__UNDEFINED__");
        let hash = node["metadata"]["code_hash"].as_str().unwrap();
        assert_eq!(hash.len(), 12);
        assert_eq!(node["metadata"]["module"], "custom_components.sum_component");
    }
}

#[tokio::test]
async fn what_people_set_outlives_a_change_of_the_code() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let mut node = make(&ada, SUM, None).await["data"].take();
    node["template"]["a"]["value"] = 40.into();
    // The class changes the default of `b`, which nobody had set, and gains a field.
    let changed = SUM.replace("value=2", "value=5").replace(
        "    ]\n    outputs",
        "        IntInput(name=\"c\", display_name=\"C\", value=7),\n    ]\n    outputs",
    );
    let after = make(&ada, &changed, Some(&node)).await["data"].take();
    let value = |name: &str| after["template"][name]["value"].clone();
    assert_eq!(
        (value("a"), value("b"), value("c")),
        (json!(40), json!(5), json!(7))
    );
    assert_eq!(after["template"]["code"]["value"], changed);
    assert_ne!(after["metadata"]["code_hash"], node["metadata"]["code_hash"]);
    // A field that is gone leaves nothing; one of another type starts anew.
    let other = SUM.replace(
        "IntInput(name=\"a\", display_name=\"A\", value=1",
        "StrInput(name=\"a\", display_name=\"A\", value=\"x\"",
    );
    let other = other.replace("import IntInput", "import IntInput, StrInput");
    let after = make(&ada, &other, Some(&after)).await["data"].take();
    assert_eq!(after["template"]["a"]["value"], "x");
    assert!(after["template"].get("c").is_none());
}

async fn update(person: &Person, node: &Value, field: &str, value: Value) -> Value {
    let body = json!({ "code": node["template"]["code"]["value"], "template": node["template"], "field": field,
        "field_value": value, "tool_mode": node["tool_mode"], "frontend_node": node });
    let answer = person.post("/api/v1/custom_component/update", &body).await;
    answer.expect(200).json()
}

#[tokio::test]
async fn a_node_with_own_code_can_be_a_tool_and_keeps_its_rows() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let node = make(&ada, SUM, None).await["data"].take();
    let mut tool = update(&ada, &node, "tool_mode", json!(true)).await;
    assert_eq!(tool["tool_mode"], true);
    assert_eq!(tool["outputs"][0]["name"], "component_as_tool");
    let row = &mut tool["template"]["tools_metadata"]["value"][0];
    assert_eq!(row["tags"], json!(["add"]));
    assert_eq!(row["args"]["a"]["type"], "integer");
    row["name"] = "plus".into();
    row["status"] = false.into();

    // Another field, new code: it is a tool still, as the person set it.
    let set = update(&ada, &tool, "a", json!(3)).await;
    assert_eq!(set["template"]["a"]["value"], 3);
    let recoded = make(&ada, &SUM.replace("Adds two", "Sums two"), Some(&set)).await["data"].take();
    for node in [&set, &recoded] {
        assert_eq!(
            (&node["tool_mode"], &node["outputs"][0]["name"]),
            (&json!(true), &json!("component_as_tool"))
        );
        let row = &node["template"]["tools_metadata"]["value"][0];
        assert_eq!((&row["name"], &row["status"]), (&json!("plus"), &json!(false)));
    }
    let back = update(&ada, &recoded, "tool_mode", json!(false)).await;
    assert_eq!(back["outputs"], node["outputs"]);
    assert!(back["template"].get("tools_metadata").is_none());
    assert_eq!(back["tool_mode"], false);
}

const DYNAMIC: &str = r#"from lfx.custom import Component
from lfx.io import DropdownInput, StrInput, Output
from lfx.schema.message import Message


class Pick(Component):
    inputs = [
        DropdownInput(name="how", display_name="How", options=["one", "two"], value="one", real_time_refresh=True),
        StrInput(name="extra", display_name="Extra", show=False),
    ]
    outputs = [Output(name="one", display_name="One", method="first")]

    def update_build_config(self, build_config, field_value, field_name=None):
        if field_name == "how":
            if field_value == "bad":
                raise ValueError("nothing is bad")
            build_config["extra"]["show"] = field_value == "two"
        return build_config

    def update_outputs(self, frontend_node, field_name, field_value):
        if field_name == "how" and field_value == "two":
            frontend_node["outputs"].append(Output(name="two", display_name="Two", method="second"))
        return frontend_node

    def first(self) -> Message:
        return Message(text="1")

    def second(self) -> Message:
        return Message(text="2")
"#;

#[tokio::test]
async fn a_field_changes_the_node_as_the_code_says() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let node = make(&ada, DYNAMIC, None).await["data"].take();
    let two = update(&ada, &node, "how", json!("two")).await;
    assert_eq!(two["template"]["how"]["value"], "two");
    assert_eq!(two["template"]["extra"]["show"], true);
    let names: Vec<&str> = two["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(two["outputs"][1]["types"], json!(["Message"]));
    assert_eq!(two["template"]["code"]["value"], DYNAMIC);

    let body = json!({ "code": DYNAMIC, "template": node["template"], "field": "how", "field_value": "bad", "frontend_node": node });
    let raised = ada
        .post("/api/v1/custom_component/update", &body)
        .await
        .refused(400, "invalid_code");
    let detail = raised["detail"].as_str().unwrap();
    assert!(
        detail.contains("ValueError: nothing is bad") && detail.contains("line 16"),
        "{detail}"
    );
    assert_eq!(raised["diagnostics"][0]["line"], 16);
}

#[tokio::test]
async fn code_checks_say_what_and_where_and_run_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let check = async |code: &str| {
        let answer = ada.post("/api/v1/validate/code", &json!({ "code": code })).await;
        answer.expect(200).json()
    };
    let good = check(SUM).await;
    assert_eq!(good["class_name"], "SumComponent");
    assert_eq!(
        (&good["imports"]["errors"], &good["function"]["errors"]),
        (&json!([]), &json!([]))
    );
    let bad = check(&format!(
        "import subprocess\n{}",
        SUM.replace("def add", "def sub")
    ))
    .await;
    assert_eq!(bad["imports"]["errors"].as_array().unwrap().len(), 1, "{bad}");
    assert!(
        bad["function"]["errors"][0].as_str().unwrap().contains("add"),
        "{bad}"
    );
    for found in bad["diagnostics"].as_array().unwrap() {
        for key in ["line", "column", "end_line", "end_column"] {
            assert!(found[key].as_u64().unwrap() >= 1, "{found}");
        }
        assert!(found["severity"] == "error" || found["severity"] == "warning");
    }
    let broken = check("class A(Component)\n    pass").await;
    assert_eq!(
        (
            &broken["diagnostics"][0]["code"],
            &broken["diagnostics"][0]["line"]
        ),
        (&json!("syntax"), &json!(1))
    );
    assert!(!site.app.python.status().started, "checking starts no worker");
}

#[tokio::test]
async fn operators_see_how_python_runs() {
    let site = Site::new().await;
    let (ada, admin) = (site.user("ada").await, site.admin().await);
    make(&ada, SUM, None).await;
    let status = admin.get("/api/v1/monitor/python").await.expect(200).json();
    assert_eq!(
        (&status["interpreter"], &status["started"]),
        (&json!("built-in"), &json!(true))
    );
    assert!(!status["walls"].as_array().unwrap().is_empty(), "{status}");
    assert_eq!((&status["most"], &status["busy"]), (&json!(4), &json!(0)));
    ada.get("/api/v1/monitor/python").await.refused(403, "forbidden");
}
