use ferro_engine::Value;
use serde_json::json;

use crate::harness::{data, fails, gives, json, run, table};

#[test]
fn split_text_makes_rows() {
    let wires = || {
        vec![(
            "data_inputs",
            data(json!({ "text": "one\ntwo\nthree", "source": "a" })),
        )]
    };
    let fields = json!({ "chunk_size": 7, "chunk_overlap": 0 });
    gives(
        "SplitText",
        fields,
        wires(),
        "dataframe",
        json!([{ "text": "one\ntwo", "source": "a" }, { "text": "three", "source": "a" }]),
    );
    let fields = json!({ "chunk_size": 7, "chunk_overlap": 0, "clean_output": true, "separator": "/n" });
    gives(
        "SplitText",
        fields,
        wires(),
        "dataframe",
        json!([{ "text": "one\ntwo" }, { "text": "three" }]),
    );
    let fields = json!({ "chunk_size": 2, "chunk_overlap": 0, "separator": ",", "keep_separator": "End" });
    gives(
        "SplitText",
        fields,
        vec![("data_inputs", Value::text("a,b"))],
        "dataframe",
        json!([{ "text": "a," }, { "text": "b" }]),
    );
    let fields = json!({ "text_key": "body", "chunk_size": 10, "chunk_overlap": 0 });
    gives(
        "SplitText",
        fields,
        vec![("data_inputs", table(json!([{ "body": "x" }])))],
        "dataframe",
        json!([{ "body": "x" }]),
    );
}

#[test]
fn split_text_says_what_is_wrong() {
    let wires = || vec![("data_inputs", data(json!({ "body": "x" })))];
    fails("SplitText", json!({}), wires(), "no key \"text\"");
    fails("SplitText", json!({ "chunk_size": 0 }), wires(), "at least 1");
    fails(
        "SplitText",
        json!({ "chunk_size": 10, "chunk_overlap": 11 }),
        wires(),
        "larger than the chunks",
    );
    fails(
        "SplitText",
        json!({ "chunk_size": "many" }),
        wires(),
        "not a whole number",
    );
    fails("SplitText", json!({}), vec![], "empty");
}

#[test]
fn splitters_keep_the_other_keys() {
    let wires = |text: &str| vec![("data_input", data(json!({ "text": text, "id": 1 })))];
    let small = json!({ "chunk_size": 5, "chunk_overlap": 0, "separator": "\\n" });
    gives(
        "CharacterTextSplitter",
        small,
        wires("aa\nbb\ncc"),
        "data",
        json!([{ "text": "aa\nbb", "id": 1 }, { "text": "cc", "id": 1 }]),
    );
    let small = json!({ "chunk_size": 5, "chunk_overlap": 0 });
    gives(
        "RecursiveCharacterTextSplitter",
        small,
        wires("aaa bbb"),
        "data",
        json!([{ "text": "aaa", "id": 1 }, { "text": "bbb", "id": 1 }]),
    );
    let small = json!({ "chunk_size": 20, "chunk_overlap": 0, "separator": " " });
    gives(
        "NaturalLanguageTextSplitter",
        small,
        wires("First one. Second! And a third one."),
        "data",
        json!([{ "text": "First one. Second!", "id": 1 }, { "text": "And a third one.", "id": 1 }]),
    );
}

#[test]
fn code_is_cut_before_functions() {
    let code = "import x\n\nclass A:\n    pass\n\ndef f():\n    return 1\n";
    let fields = json!({ "chunk_size": 30, "chunk_overlap": 0, "code_language": "python" });
    let outputs = run(
        "LanguageRecursiveTextSplitter",
        fields,
        vec![("data_input", data(json!({ "text": code })))],
    )
    .unwrap();
    let chunks = json(&outputs, "data");
    assert!(
        chunks
            .as_array()
            .unwrap()
            .iter()
            .any(|chunk| chunk["text"].as_str().unwrap().starts_with("def f")),
        "{chunks}"
    );
}

#[test]
fn splitters_refuse_what_they_cannot_use() {
    for r#type in [
        "CharacterTextSplitter",
        "RecursiveCharacterTextSplitter",
        "NaturalLanguageTextSplitter",
        "LanguageRecursiveTextSplitter",
    ] {
        fails(
            r#type,
            json!({ "chunk_size": 0 }),
            vec![("data_input", data(json!({ "text": "a" })))],
            "at least 1",
        );
        fails(r#type, json!({}), vec![], "empty");
    }
    let wires = vec![("data_input", data(json!({ "text": "a" })))];
    fails(
        "LanguageRecursiveTextSplitter",
        json!({ "code_language": "klingon" }),
        wires.clone(),
        "not known",
    );
    fails(
        "RecursiveCharacterTextSplitter",
        json!({ "separators": vec!["x"; 51] }),
        wires,
        "51 separators",
    );
}

#[test]
fn links_are_completed() {
    let page =
        json!({ "text": "<a href='/b#x'>b</a> <a href=\"mailto:x@y\">", "source": "https://example.com/a" });
    let outputs = run("HtmlLinkExtractor", json!({}), vec![("data_input", data(page))]).unwrap();
    assert_eq!(
        json(&outputs, "data")[0]["links"],
        json!([
            { "kind": "hyperlink", "direction": "out", "tag": "https://example.com/b" },
            { "kind": "hyperlink", "direction": "in", "tag": "https://example.com/a" },
        ])
    );
    fails("HtmlLinkExtractor", json!({}), vec![], "empty");
}
