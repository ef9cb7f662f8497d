use ferro_engine::{NodeInfo, Value};
use serde_json::{Value as Json, json};

use crate::harness::{data, fails, gives, json, run, run_in, says, table, text};

fn two_people() -> Json {
    json!([{ "name": "Ada", "age": 36 }, { "name": "Bob", "age": 41 }])
}

#[test]
fn parser_fills_its_template() {
    let pattern = |pattern: &str| json!({ "pattern": pattern });
    says(
        "ParserComponent",
        pattern("{name} is {age}"),
        vec![("input_data", table(two_people()))],
        "parsed_text",
        "Ada is 36\nBob is 41",
    );
    says(
        "ParserComponent",
        pattern("{name}{gone}."),
        vec![("input_data", data(two_people()))],
        "parsed_text",
        "Ada.\nBob.",
    );
    let deep = data(json!({ "user": { "tags": ["x"] } }));
    says(
        "ParserComponent",
        pattern("{user.tags[0]} {{}}"),
        vec![("input_data", deep)],
        "parsed_text",
        "x {}",
    );
    let fields = json!({ "pattern": "{name}", "sep": ", " });
    says(
        "ParserComponent",
        fields,
        vec![("input_data", data(two_people()))],
        "parsed_text",
        "Ada, Bob",
    );
    let fields = json!({ "mode": "Stringify" });
    says(
        "ParserComponent",
        fields,
        vec![("input_data", table(json!([{ "a": 1 }])))],
        "parsed_text",
        "| a |\n| :--- |\n| 1 |",
    );
}

#[test]
fn parser_mistakes_are_named() {
    fails(
        "ParserComponent",
        json!({ "pattern": "{gone}" }),
        vec![("input_data", table(two_people()))],
        "no column \"gone\"",
    );
    fails(
        "ParserComponent",
        json!({ "pattern": "{name" }),
        vec![("input_data", data(two_people()))],
        "without a }",
    );
    fails("ParserComponent", json!({}), vec![], "empty");
}

#[test]
fn types_are_converted() {
    let to = |kind: &str, parse: bool| json!({ "output_type": kind, "auto_parse": parse });
    let input = |value| vec![("input_data", value)];
    let convert = "TypeConverterComponent";
    gives(
        convert,
        to("JSON", false),
        input(Value::text("{\"a\": 1}")),
        "data_output",
        json!({ "text": "{\"a\": 1}" }),
    );
    gives(
        convert,
        to("JSON", true),
        input(Value::text("{\"a\": 1}")),
        "data_output",
        json!({ "a": 1 }),
    );
    gives(
        convert,
        to("Table", true),
        input(Value::text("a,b\n1,x")),
        "dataframe_output",
        json!([{ "a": 1, "b": "x" }]),
    );
    gives(
        convert,
        to("DataFrame", true),
        input(Value::text("[{\"a\": 1}]")),
        "dataframe_output",
        json!([{ "a": 1 }]),
    );
    gives(
        convert,
        to("Table", true),
        input(Value::text("just words")),
        "dataframe_output",
        json!([{ "text": "just words" }]),
    );
    gives(
        convert,
        to("Data", false),
        input(table(two_people())),
        "data_output",
        json!({ "results": two_people() }),
    );
    gives(
        convert,
        to("Table", false),
        input(data(json!({ "results": two_people() }))),
        "dataframe_output",
        two_people(),
    );
    says(
        convert,
        to("Message", false),
        input(data(json!({ "a": 1 }))),
        "message_output",
        "```json\n{\n  \"a\": 1\n}\n```",
    );
    let outputs = run(convert, to("JSON", false), input(Value::text("x"))).unwrap();
    assert_eq!(outputs.values.len(), 1, "only the chosen output is live");
    fails(convert, json!({}), vec![], "empty");
}

#[test]
fn texts_are_combined() {
    says(
        "CombineText",
        json!({ "text1": "a", "text2": "b" }),
        vec![],
        "combined_text",
        "a b",
    );
    says(
        "CombineText",
        json!({ "text1": "a", "delimiter": "\\n" }),
        vec![("text2", Value::text("b"))],
        "combined_text",
        "a\nb",
    );
    says(
        "CombineText",
        json!({ "delimiter": "" }),
        vec![],
        "combined_text",
        "",
    );
}

#[test]
fn data_is_created() {
    let fields =
        json!({ "number_of_fields": 2, "field_1_key": { "name": "Ada" }, "field_2_key": { "age": "" } });
    gives(
        "CreateData",
        fields,
        vec![("field_2_key", Value::text("36"))],
        "data",
        json!({ "name": "Ada", "age": "36" }),
    );
    let fields = json!({ "field_1_key": { "name": "Ada" }, "text_key": "name", "text_key_validator": true });
    says("CreateData", fields, vec![], "data", "Ada");
    fails(
        "CreateData",
        json!({ "text_key": "x", "text_key_validator": true }),
        vec![],
        "no key \"x\"",
    );
}

#[test]
fn data_is_updated() {
    let fields = json!({ "field_1_key": { "age": 37 } });
    gives(
        "UpdateData",
        fields.clone(),
        vec![("old_data", data(json!({ "name": "Ada", "age": 36 })))],
        "data",
        json!({ "name": "Ada", "age": 37 }),
    );
    gives(
        "UpdateData",
        fields,
        vec![("old_data", data(json!([{}, {}])))],
        "data",
        json!([{ "age": 37 }, { "age": 37 }]),
    );
    fails("UpdateData", json!({}), vec![], "empty");
}

#[test]
fn forms_are_filled_in() {
    let rows = json!([{ "field_name": "title", "field_type": "Text" }, { "field_name": "stars", "field_type": "Number" }]);
    let fields = json!({ "form_fields": rows, "dynamic_title": "Dune", "dynamic_stars": "5" });
    let outputs = run("DynamicCreateData", fields, vec![]).unwrap();
    assert_eq!(
        json(&outputs, "form_data"),
        json!({ "title": "Dune", "stars": 5 })
    );
    let mut lines: Vec<String> = text(&outputs, "message").lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["stars: 5", "title: Dune"]);
    let fields = json!({ "form_fields": rows, "dynamic_stars": "many" });
    fails("DynamicCreateData", fields, vec![], "not a number");
}

#[test]
fn matches_are_extracted() {
    let run_on = |pattern: &str| {
        run(
            "RegexExtractorComponent",
            json!({ "input_text": "ada@x.org bob@y.org", "pattern": pattern }),
            vec![],
        )
        .unwrap()
    };
    assert_eq!(
        json(&run_on(r"(\w+)@"), "data"),
        json!([{ "match": "ada" }, { "match": "bob" }])
    );
    assert_eq!(
        json(&run_on(r"(\w+)@(\w)"), "data")[0],
        json!({ "match": ["ada", "x"] })
    );
    assert_eq!(text(&run_on(r"\w+\.org"), "text"), "x.org\ny.org");
    assert_eq!(text(&run_on("zzz"), "text"), "No matches found");
    fails(
        "RegexExtractorComponent",
        json!({ "input_text": "a", "pattern": "(?<=a)b" }),
        vec![],
        "look-around",
    );
    fails(
        "RegexExtractorComponent",
        json!({ "input_text": "a" }),
        vec![],
        "empty",
    );
}

#[test]
fn data_is_filtered_selected_and_extracted() {
    let input = json!({ "name": "Ada", "age": 36 });
    gives(
        "FilterData",
        json!({ "filter_criteria": ["name", "x"] }),
        vec![("data", data(input.clone()))],
        "filtered_data",
        json!({ "name": "Ada" }),
    );
    fails(
        "FilterData",
        json!({}),
        vec![("data", data(two_people()))],
        "takes one",
    );
    let fields = json!({ "filter_key": "age", "filter_value": "41" });
    gives(
        "FilterDataValues",
        fields,
        vec![("input_data", data(two_people()))],
        "filtered_data",
        json!([{ "name": "Bob", "age": 41 }]),
    );
    fails(
        "FilterDataValues",
        json!({ "filter_key": "" }),
        vec![("input_data", data(two_people()))],
        "empty",
    );
    gives(
        "SelectData",
        json!({ "data_index": -1 }),
        vec![("data_list", data(two_people()))],
        "selected_data",
        json!({ "name": "Bob", "age": 41 }),
    );
    fails(
        "SelectData",
        json!({ "data_index": 2 }),
        vec![("data_list", data(two_people()))],
        "the list has 2",
    );
    gives(
        "ExtractaKey",
        json!({ "key": "name" }),
        vec![("data_input", data(input.clone()))],
        "extracted_data",
        json!({ "name": "Ada" }),
    );
    fails(
        "ExtractaKey",
        json!({ "key": "x" }),
        vec![("data_input", data(input))],
        "no key \"x\"",
    );
}

#[test]
fn data_is_merged() {
    let notes = || {
        vec![(
            "data_inputs",
            data(json!([{ "note": "a", "n": 1 }, { "note": "b" }])),
        )]
    };
    let merge = |operation: &str| json!({ "operation": operation });
    gives(
        "MergeDataComponent",
        merge("Concatenate"),
        notes(),
        "combined_data",
        json!([{ "note": "a\nb", "n": 1 }]),
    );
    gives(
        "MergeDataComponent",
        merge("Append"),
        notes(),
        "combined_data",
        json!([{ "note": "a", "n": 1 }, { "note": "b", "n": null }]),
    );
    gives(
        "MergeDataComponent",
        merge("Merge"),
        notes(),
        "combined_data",
        json!([{ "note": ["a", "b"], "n": 1 }]),
    );
    gives(
        "MergeDataComponent",
        merge("Join"),
        notes(),
        "combined_data",
        json!([{ "note": "a", "n": 1, "note_doc2": "b" }]),
    );
    fails(
        "MergeDataComponent",
        json!({}),
        vec![("data_inputs", data(json!({})))],
        "at least two",
    );
    fails("MergeDataComponent", merge("Zip"), notes(), "no operation");
}

#[test]
fn data_and_tables_are_written() {
    let outputs = run(
        "ParseData",
        json!({ "template": "{name}" }),
        vec![("data", data(two_people()))],
    )
    .unwrap();
    assert_eq!(text(&outputs, "text"), "Ada\nBob");
    assert_eq!(
        json(&outputs, "data_list")[1],
        json!({ "name": "Bob", "age": 41, "text": "Bob" })
    );
    fails(
        "ParseData",
        json!({ "template": "}" }),
        vec![("data", data(two_people()))],
        "without a {",
    );
    says(
        "ParseDataFrame",
        json!({ "template": "{name}", "sep": "; " }),
        vec![("df", table(two_people()))],
        "text",
        "Ada; Bob",
    );
    fails(
        "ParseDataFrame",
        json!({}),
        vec![("df", table(two_people()))],
        "no column \"text\"",
    );
}

#[test]
fn json_is_queried() {
    let wires = vec![("input_value", Value::text("Here: {items: [{n: 1}, {n: 2}]}"))];
    gives(
        "ParseJSONData",
        json!({ "query": ".items[].n" }),
        wires,
        "filtered_data",
        json!([{ "result": 1 }, { "result": 2 }]),
    );
    let wires = vec![("input_value", data(two_people()))];
    gives(
        "ParseJSONData",
        json!({ "query": ".[1]" }),
        wires.clone(),
        "filtered_data",
        json!([{ "name": "Bob", "age": 41 }]),
    );
    fails("ParseJSONData", json!({ "query": ".[" }), wires, "does not work");
    fails(
        "ParseJSONData",
        json!({ "query": "." }),
        vec![("input_value", Value::text("no json"))],
        "not JSON",
    );
}

#[test]
fn metadata_is_altered() {
    let fields = json!({ "remove_fields": ["age"], "text_in": "extra" });
    let wires = vec![
        ("input_value", data(two_people())),
        ("metadata", data(json!({ "source": "x" }))),
    ];
    let outputs = run("AlterMetadata", fields, wires).unwrap();
    let expected = json!([{ "name": "Ada", "source": "x" }, { "name": "Bob", "source": "x" }, { "text": "extra", "source": "x" }]);
    assert_eq!(json(&outputs, "data"), expected);
    assert_eq!(json(&outputs, "dataframe")[2]["text"], "extra");
    fails(
        "AlterMetadata",
        json!({}),
        vec![("input_value", data(two_people()))],
        "empty",
    );
}

#[test]
fn lists_tables_and_messages_change_places() {
    let outputs = run("CreateList", json!({ "texts": ["a", "", "b"] }), vec![]).unwrap();
    assert_eq!(json(&outputs, "list"), json!([{ "text": "a" }, { "text": "b" }]));
    assert_eq!(json(&outputs, "dataframe"), json(&outputs, "list"));
    gives("CreateList", json!({}), vec![], "list", json!([]));
    let wires = vec![("data_list", data(json!([{ "a": 1 }, { "b": 2 }])))];
    gives(
        "DataToDataFrame",
        json!({}),
        wires,
        "dataframe",
        json!([{ "a": 1, "b": null }, { "a": null, "b": 2 }]),
    );
    fails(
        "DataToDataFrame",
        json!({}),
        vec![("data_list", Value::plain(3))],
        "not a JSON object",
    );
    let outputs = run("MessagetoData", json!({}), vec![("message", Value::text("hi"))]).unwrap();
    assert_eq!(json(&outputs, "data")["text"], "hi");
    fails("MessagetoData", json!({}), vec![], "no Message");
}

#[test]
fn json_is_cleaned() {
    let clean = |fields| says("JSONCleaner", fields, vec![], "output", "{\"name\":\"Ada\"}");
    clean(json!({ "json_str": "Sure! {name: 'Ada',}" }));
    clean(json!({ "json_str": "{“name”: “Ada”}", "normalize_unicode": true }));
    clean(json!({ "json_str": "{\"na\u{7}me\": \"Ada\"}", "remove_control_chars": true }));
    fails(
        "JSONCleaner",
        json!({ "json_str": "nothing" }),
        vec![],
        "no JSON object",
    );
    fails(
        "JSONCleaner",
        json!({ "json_str": "{a: 1}", "validate_json": true }),
        vec![],
        "not JSON",
    );
}

#[test]
fn converted_outputs_that_are_wired_are_made_too() {
    let node = NodeInfo {
        wired_outputs: vec!["data_output".into()],
        ..NodeInfo::default()
    };
    let wires = vec![("input_data", Value::text("x"))];
    let outputs = run_in(
        "TypeConverterComponent",
        json!({}),
        wires,
        node,
        ferro_engine::Context::nowhere(),
    )
    .unwrap();
    assert_eq!(json(&outputs, "data_output"), json!({ "text": "x" }));
}
