use ferro_engine::Value;
use serde_json::{Value as Json, json};

use crate::harness::{data, fails, gives, json, run, says, table};

fn on(operation: &str, mut fields: Json) -> Json {
    fields["operation"] = json!([{ "name": operation, "icon": "x" }]);
    fields["operations"] = fields["operation"].clone();
    fields
}

#[track_caller]
fn text(operation: &str, fields: Json, input: &str, expected: &str) {
    says(
        "TextOperations",
        on(operation, fields),
        vec![("text_input", Value::text(input))],
        "message",
        expected,
    );
}

#[test]
fn text_is_changed() {
    text(
        "Case Conversion",
        json!({ "case_type": "title" }),
        "it's a NEW day",
        "It'S A New Day",
    );
    text(
        "Case Conversion",
        json!({ "case_type": "swapcase" }),
        "aBc",
        "AbC",
    );
    text(
        "Case Conversion",
        json!({ "case_type": "capitalize" }),
        "éa B",
        "Éa b",
    );
    text("Case Conversion", json!({}), "ABC", "abc");
    text(
        "Text Replace",
        json!({ "search_pattern": ".", "replacement_text": "!" }),
        "a.b",
        "a!b",
    );
    text(
        "Text Replace",
        json!({ "search_pattern": r"(\d+) EUR", "replacement_text": r"€\1", "use_regex": true }),
        "5 EUR",
        "€5",
    );
    text(
        "Text Extract",
        json!({ "extract_pattern": r"\d+", "max_matches": 2 }),
        "1 22 333",
        "1\n22",
    );
    text("Text Head", json!({ "head_characters": 2 }), "äöü", "äö");
    text("Text Tail", json!({ "tail_characters": 2 }), "äöü", "öü");
    text("Text Tail", json!({ "tail_characters": 0 }), "abc", "");
    text("Text Head", json!({ "head_characters": -1 }), "abc", "");
    text("Text Strip", json!({}), "  a ", "a");
    text(
        "Text Strip",
        json!({ "strip_mode": "left", "strip_characters": "-*" }),
        "*-a-",
        "a-",
    );
    text("Text Join", json!({ "text_input_2": "b" }), "a", "a\nb");
    let fields = json!({ "remove_special_chars": true, "remove_empty_lines": true });
    text("Text Clean", fields, "a   b#!\n\n  c", "a b!\nc");
    says(
        "TextOperations",
        json!({ "operation": "Case Conversion" }),
        vec![("text_input", Value::text("A"))],
        "message",
        "a",
    );
}

#[test]
fn text_is_counted_and_read_as_a_table() {
    let wires = |text: &str| vec![("text_input", Value::text(text))];
    let expected = json!({ "word_count": 3, "unique_words": 2, "character_count": 6, "character_count_no_spaces": 4, "line_count": 2, "non_empty_lines": 1 });
    gives(
        "TextOperations",
        on("Word Count", json!({})),
        wires("a b a\n"),
        "data",
        expected,
    );
    let expected = json!({ "line_count": 1, "non_empty_lines": 1 });
    gives(
        "TextOperations",
        on(
            "Word Count",
            json!({ "count_words": false, "count_characters": false }),
        ),
        wires("a"),
        "data",
        expected,
    );
    gives(
        "TextOperations",
        on("Text to DataFrame", json!({})),
        wires("|a|b|\n|-|-|\n|1|x|"),
        "dataframe",
        json!([{ "a": 1, "b": "x" }]),
    );
}

#[test]
fn text_mistakes_are_named() {
    let wires = || vec![("text_input", Value::text("a"))];
    fails(
        "TextOperations",
        on("Text Dance", json!({})),
        wires(),
        "no operation \"Text Dance\"",
    );
    fails(
        "TextOperations",
        on("Text Extract", json!({ "extract_pattern": "(" })),
        wires(),
        "unclosed group",
    );
    fails(
        "TextOperations",
        on("Text Extract", json!({ "extract_pattern": "a(?=b)" })),
        wires(),
        "look-around",
    );
    fails(
        "TextOperations",
        on("Text Head", json!({ "head_characters": "x" })),
        wires(),
        "not a whole number",
    );
    fails(
        "TextOperations",
        on("Case Conversion", json!({ "case_type": "camel" })),
        wires(),
        "no case",
    );
}

#[track_caller]
fn objects(operation: &str, fields: Json, input: Json, expected: Json) {
    gives(
        "DataOperations",
        on(operation, fields),
        vec![("data", data(input))],
        "data_output",
        expected,
    );
}

#[test]
fn json_is_changed() {
    objects(
        "Select Keys",
        json!({ "select_keys_input": ["a"] }),
        json!({ "a": 1, "b": 2 }),
        json!({ "a": 1 }),
    );
    objects(
        "Literal Eval",
        json!({}),
        json!({ "a": "[1, 'x']", "b": "plain" }),
        json!({ "a": [1, "x"], "b": "plain" }),
    );
    objects(
        "Combine",
        json!({}),
        json!([{ "a": 1, "b": [1] }, { "a": 2, "b": [2] }]),
        json!({ "a": [1, 2], "b": [1, 2] }),
    );
    let filter = json!({ "filter_key": ["rows"], "operator": "starts with", "filter_values": { "n": "x" } });
    objects(
        "Filter Values",
        filter,
        json!({ "rows": [{ "n": "xa" }, { "n": "ya" }, 3] }),
        json!({ "rows": [{ "n": "xa" }] }),
    );
    let filter = json!({ "operator": "equals", "filter_values": { "n": 1 } });
    objects(
        "Filter Values",
        filter,
        json!([{ "n": 1 }, { "n": 2 }]),
        json!([{ "n": 1 }]),
    );
    objects(
        "Append or Update",
        json!({ "append_update_data": { "a": 2, "c": 3 } }),
        json!({ "a": 1 }),
        json!({ "a": 2, "c": 3 }),
    );
    objects(
        "Append or Update",
        json!({ "append_update_data": [{ "key": "a", "value": 2 }] }),
        json!({}),
        json!({ "a": 2 }),
    );
    objects(
        "Remove Keys",
        json!({ "remove_keys_input": ["a"] }),
        json!({ "a": 1, "b": [{ "a": 1, "c": 2 }] }),
        json!({ "b": [{ "c": 2 }] }),
    );
    objects(
        "Rename Keys",
        json!({ "rename_keys_input": { "a": "z" } }),
        json!({ "a": { "a": 1 } }),
        json!({ "z": { "z": 1 } }),
    );
    objects(
        "Path Selection",
        json!({ "selected_key": ".a[1].b" }),
        json!({ "a": [0, { "b": "x" }] }),
        json!({ "result": "x" }),
    );
    objects(
        "JQ Expression",
        json!({ "query": "[.a[] | select(. > 1)]" }),
        json!({ "a": [1, 2, 3] }),
        json!({ "result": [2, 3] }),
    );
    objects(
        "JQ Expression",
        json!({ "query": "{b: .a}" }),
        json!([{ "a": 1 }, { "a": 2 }]),
        json!([{ "b": 1 }, { "b": 2 }]),
    );
}

#[test]
fn json_mistakes_are_named() {
    let wires = || vec![("data", data(json!({ "a": 1 })))];
    let failing = |operation, fields, part| fails("DataOperations", on(operation, fields), wires(), part);
    failing(
        "Select Keys",
        json!({ "select_keys_input": ["x"] }),
        "no key \"x\"",
    );
    failing("Select Keys", json!({}), "No keys");
    failing("Filter Values", json!({ "filter_key": ["a"] }), "not hold a list");
    failing("Path Selection", json!({ "selected_key": ".x" }), "nothing at .x");
    failing(
        "JQ Expression",
        json!({ "query": ".a | nope(1)" }),
        "no function nope",
    );
    failing("JQ Expression", json!({ "query": ".b" }), "finds nothing");
    failing("JQ Expression", json!({}), "empty");
    failing("Fold", json!({}), "no operation");
    fails(
        "DataOperations",
        json!({}),
        vec![("data", Value::plain("text"))],
        "not a JSON object",
    );
}

fn people() -> Value {
    table(json!([
        { "name": "Ada", "age": 36, "city": "London" },
        { "name": "Bob", "age": 9, "city": "Oslo" },
        { "name": "Cy", "age": null, "city": "Oslo" },
    ]))
}

/// Names that are left, in order.
#[track_caller]
fn names(operation: &str, fields: Json, expected: &[&str]) {
    let outputs = run(
        "DataFrameOperations",
        on(operation, fields),
        vec![("df", people())],
    )
    .unwrap();
    let rows = json(&outputs, "output");
    let found: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(found, expected, "{operation}");
}

#[test]
fn rows_are_chosen_and_ordered() {
    let filter = |operator: &str, value: &str| json!({ "column_name": "age", "filter_operator": operator, "filter_value": value });
    names("Filter", filter("greater than", "10"), &["Ada"]);
    names("Filter", filter("less than", "10"), &["Bob"]);
    names("Filter", filter("equals", "36.0"), &["Ada"]);
    names("Filter", filter("not equals", "36"), &["Bob", "Cy"]);
    names(
        "Filter Rows",
        json!({ "column_name": "name", "filter_operator": "contains", "filter_value": "o" }),
        &["Bob"],
    );
    names(
        "Filter",
        json!({ "column_name": "name", "filter_operator": "not contains", "filter_value": "o" }),
        &["Ada", "Cy"],
    );
    names(
        "Filter",
        json!({ "column_name": "name", "filter_operator": "ends with", "filter_value": "y" }),
        &["Cy"],
    );
    names("Head", json!({ "num_rows": 1 }), &["Ada"]);
    names("Tail Rows", json!({ "num_rows": 2 }), &["Bob", "Cy"]);
    names("Sort", json!({ "column_name": "age" }), &["Bob", "Ada", "Cy"]);
    names(
        "Sort",
        json!({ "column_name": "age", "ascending": false }),
        &["Ada", "Bob", "Cy"],
    );
    names(
        "Drop Duplicates",
        json!({ "column_name": "city" }),
        &["Ada", "Bob"],
    );
    names("Drop Duplicates", json!({}), &["Ada", "Bob", "Cy"]);
    names("", json!({}), &["Ada", "Bob", "Cy"]);
}

#[track_caller]
fn tables(operation: &str, fields: Json, wires: Vec<(&str, Value)>, expected: Json) {
    gives(
        "DataFrameOperations",
        on(operation, fields),
        wires,
        "output",
        expected,
    );
}

#[test]
fn columns_and_cells_are_changed() {
    let small = || vec![("df", table(json!([{ "a": 1, "b": "x" }])))];
    tables(
        "Add Column",
        json!({ "new_column_name": "c", "new_column_value": "y" }),
        small(),
        json!([{ "a": 1, "b": "x", "c": "y" }]),
    );
    tables(
        "Drop Column",
        json!({ "column_name": "a" }),
        small(),
        json!([{ "b": "x" }]),
    );
    tables(
        "Rename Column",
        json!({ "column_name": "a", "new_column_name": "z" }),
        small(),
        json!([{ "z": 1, "b": "x" }]),
    );
    tables(
        "Select Columns",
        json!({ "columns_to_select": ["b"] }),
        small(),
        json!([{ "b": "x" }]),
    );
    let replace = json!({ "column_name": "a", "replace_value": "1", "replacement_value": "2" });
    tables("Replace Value", replace, small(), json!([{ "a": 2, "b": "x" }]));
}

#[test]
fn tables_are_put_together() {
    let two = Value::List([table(json!([{ "a": 1 }])), table(json!([{ "b": 2 }]))].into());
    tables(
        "Concatenate",
        json!({}),
        vec![("df", two)],
        json!([{ "a": 1, "b": null }, { "a": null, "b": 2 }]),
    );
    let wires = || {
        let left = table(json!([{ "id": 1, "n": "a" }, { "id": 2, "n": "b" }]));
        let right = table(json!([{ "id": 2, "n": "B" }, { "id": 3, "n": "C" }]));
        vec![("left_dataframe", left), ("right_dataframe", right)]
    };
    let on_id = |how: &str| json!({ "merge_on_column": "id", "merge_how": how });
    let both = json!({ "id": 2, "n_x": "b", "n_y": "B" });
    let left = json!({ "id": 1, "n_x": "a", "n_y": null });
    let right = json!({ "id": 3, "n_x": null, "n_y": "C" });
    tables("Merge", on_id("inner"), wires(), json!([both]));
    tables("Merge", on_id("left"), wires(), json!([left, both]));
    tables("Merge", on_id("right"), wires(), json!([both, right]));
    tables("Merge", on_id("outer"), wires(), json!([left, both, right]));
}

#[test]
fn table_mistakes_are_named() {
    let failing = |operation, fields, part| {
        fails(
            "DataFrameOperations",
            on(operation, fields),
            vec![("df", people())],
            part,
        )
    };
    failing("Sort", json!({ "column_name": "Age" }), "no column \"Age\"");
    failing("Drop Column", json!({}), "empty");
    failing(
        "Select Columns",
        json!({ "columns_to_select": ["nope"] }),
        "no column",
    );
    failing("Select Columns", json!({}), "No columns");
    failing("Head", json!({ "num_rows": -1 }), "not a number of rows");
    failing(
        "Rename Column",
        json!({ "column_name": "age", "new_column_name": "name" }),
        "already",
    );
    failing("Merge", json!({ "merge_on_column": "id" }), "empty");
    failing("Pivot", json!({}), "no operation");
}

#[test]
fn a_merge_cannot_grow_without_bound() {
    let rows: Vec<Json> = (0..2_000).map(|n| json!({ "k": 1, "n": n })).collect();
    let wires = vec![
        ("left_dataframe", table(json!(rows))),
        ("right_dataframe", table(json!(rows))),
    ];
    fails(
        "DataFrameOperations",
        on("Merge", json!({ "merge_on_column": "k" })),
        wires,
        "more than 1000000 rows",
    );
}

#[test]
fn data_operations_do_all_three() {
    let wires = vec![("text_input", Value::text("A"))];
    says(
        "Operations",
        on("Case Conversion", json!({ "input_type": "Text" })),
        wires.clone(),
        "message_output",
        "a",
    );
    gives(
        "Operations",
        on("Text to DataFrame", json!({ "has_header": false })),
        wires,
        "dataframe_output",
        json!([{ "col_0": "A" }]),
    );
    let fields = on(
        "Select Keys",
        json!({ "input_type": "JSON", "select_keys_input": ["a"] }),
    );
    gives(
        "Operations",
        fields,
        vec![("data", data(json!({ "a": 1, "b": 2 })))],
        "data_output",
        json!({ "a": 1 }),
    );
    let fields = on("Head", json!({ "input_type": "DataFrame", "num_rows": 1 }));
    gives(
        "Operations",
        fields,
        vec![("df", table(json!([{ "a": 1 }, { "a": 2 }])))],
        "dataframe_output",
        json!([{ "a": 1 }]),
    );
    fails("Operations", on("Word Count", json!({})), vec![], "empty");
}
