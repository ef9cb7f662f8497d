//! Components that put a model to one particular use.

use std::time::Duration;

use serde_json::{Value as Json, json};

use ferro_testkit::Turn;

use crate::flows::{Flow, World};

const BATCH: &str = "
nodes:
  rows: CreateList
  ask: BatchRunComponent
edges:
  rows.dataframe -> ask.df
config:
  ask.system_message: Translate.
  ask.column_name: text
";

fn batch(world: &World, texts: &[&str]) -> Flow {
    world.flow(BATCH).set("rows", "texts", json!(texts))
}

#[tokio::test]
async fn batch_run_keeps_the_order() {
    let world = World::new().await;
    let texts: Vec<String> = (0..12).map(|number| format!("row {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    // Whoever is asked first answers last.
    world
        .models
        .push(Turn::text("done").usage(3, 2).pace(Duration::from_millis(50)));
    world.models.always(Turn::text("done").usage(3, 2));
    let flow = batch(&world, &texts).set("ask", "enable_metadata", true);
    let ran = world.run(&flow, "").await;
    let rows = ran.json("ask", "batch_results");
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(
            (&row["text"], &row["batch_index"]),
            (&json!(texts[at]), &json!(at))
        );
        assert_eq!(row["model_response"], "done");
        assert_eq!(
            row["metadata"],
            json!({
                "model": "gpt-4o", "input_length": texts[at].len(), "response_length": 4,
                "processing_status": "success", "error": null,
            })
        );
    }
    assert_eq!(ran.usage("ask").input_tokens, 36);
    assert_eq!(world.told()[0], "system: Translate.");

    // The rehearsal model repeats what it is told, so every answer can be told from the others.
    let rehearsal = json!([{ "provider": "Rehearsal", "name": "rehearsal" }]);
    let flow = batch(&world, &texts)
        .set("ask", "model", rehearsal)
        .set("ask", "system_message", "");
    let rows = world.run(&flow, "").await.json("ask", "batch_results");
    for (at, row) in rows.as_array().unwrap().iter().enumerate() {
        let answer = row["model_response"].as_str().unwrap();
        assert!(answer.contains(&format!("row {at}”")), "{answer}");
    }
}

#[tokio::test]
async fn batch_run_sends_whole_rows_when_no_column_is_named() {
    let world = World::new().await;
    let flow = batch(&world, &["a"])
        .set("ask", "column_name", "")
        .set("ask", "output_column_name", "answer");
    let ran = world.run(&flow, "").await;
    assert_eq!(world.told()[1], "user: text = a");
    assert_eq!(ran.json("ask", "batch_results")[0]["answer"], "ok");
}

#[tokio::test]
async fn batch_run_names_the_columns_and_what_failed() {
    let world = World::new().await;
    let flow = batch(&world, &["a", "b"]).set("ask", "column_name", "price");
    let ran = world.run(&flow, "").await;
    let failure = ran.failed("the table has no column `price`");
    assert!(failure.advice.contains("text"), "{failure:?}");

    let refused = || Turn::status(400, json!({ "error": { "message": "no such thing" } }));
    world.models.push(refused());
    let ran = world.run(&batch(&world, &["a", "b"]), "").await;
    assert!(
        ran.failure().unwrap().detail.contains("no such thing"),
        "{:?}",
        ran.failure()
    );

    world.models.push(refused());
    let flow = batch(&world, &["a", "b"]).set("ask", "enable_metadata", true);
    let rows = world.run(&flow, "").await.json("ask", "batch_results");
    let failed: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["metadata"]["processing_status"] == "failed")
        .collect();
    assert_eq!(failed.len(), 1, "{rows}");
    assert_eq!(failed[0]["model_response"], "");
}

const EXTRACT: &str = "
nodes:
  in: ChatInput
  out: StructuredOutput
edges:
  in.message -> out.input_value
";

fn extract(world: &World, schema: Json) -> Flow {
    world.flow(EXTRACT).set("out", "output_schema", schema)
}

#[tokio::test]
async fn structured_output_reads_one_object_or_several() {
    let world = World::new().await;
    let schema = json!([
        { "name": "thing", "type": "str", "description": "what it is", "multiple": "False" },
        { "name": "price", "type": "float" },
        { "name": "colours", "type": "str", "multiple": true },
    ]);
    let flow = extract(&world, schema);
    world.says(&[r#"{"objects":[{"thing":"lamp","price":30.0,"colours":["red"]}]}"#]);
    let ran = world.run(&flow, "a red lamp for 30").await;
    let lamp = json!({ "thing": "lamp", "price": 30.0, "colours": ["red"] });
    assert_eq!(ran.json("out", "structured_output"), lamp);
    assert_eq!(ran.json("out", "dataframe_output"), json!([lamp]));
    assert!(ran.usage("out").total_tokens > 0);
    let asked = world.asked().pop().unwrap();
    let object = asked
        .pointer("/response_format/json_schema/schema/properties/objects/items")
        .unwrap();
    assert_eq!(object["properties"]["price"]["type"], json!(["number", "null"]));
    assert_eq!(object["properties"]["colours"]["items"]["type"], "string");
    assert_eq!(object["properties"]["thing"]["description"], "what it is");

    world.says(&[
        "Here you are:\n```json\n[{\"thing\": \"lamp\"}, {\"thing\": \"chair\"}]\n```\nAnything else?",
    ]);
    let ran = world.run(&flow, "x").await;
    assert_eq!(
        ran.json("out", "structured_output"),
        json!({ "results": [
            { "thing": "lamp", "price": null, "colours": null },
            { "thing": "chair", "price": null, "colours": null },
        ] }),
        "what is missing is null"
    );
    assert_eq!(ran.json("out", "dataframe_output").as_array().unwrap().len(), 2);

    world.says(&["{\"thing\": \"lamp\",}"]);
    let ran = world.run(&flow, "x").await;
    assert_eq!(
        ran.json("out", "structured_output")["thing"],
        "lamp",
        "one alone, a comma too much"
    );
}

#[tokio::test]
async fn structured_output_says_when_there_is_nothing() {
    let world = World::new().await;
    let flow = extract(&world, json!([{ "name": "thing" }]));
    world.says(&["I cannot do that."]);
    let ran = world.run(&flow, "x").await;
    let failure = ran.failed("did not answer with the JSON");
    assert_eq!(failure.detail, "I cannot do that.");
    world.says(&["{\"objects\": []}"]);
    world.run(&flow, "x").await.failed("found nothing in the text");
    world
        .models
        .push(Turn::text("{\"objects\": [{\"thing\": \"la").cut());
    world.run(&flow, "x").await.failed("cut off");
    world.says(&["{\"objects\": [1, 2]}"]);
    world.run(&flow, "x").await.failed("did not answer with the JSON");
}

#[tokio::test]
async fn a_schema_that_makes_no_sense_is_refused_before_anybody_is_asked() {
    let world = World::new().await;
    for (schema, part) in [
        (json!([]), "empty"),
        (json!([{ "name": "", "type": "str" }]), "has no name"),
        (json!([{ "name": "a" }, { "name": "a" }]), "names `a` twice"),
        (
            json!([{ "name": "a", "type": "date" }]),
            "type `date` is not known",
        ),
    ] {
        world.run(&extract(&world, schema), "x").await.failed(part);
    }
    assert!(world.models.requests().is_empty());
}

const TRANSFORM: &str = "
nodes:
  in: ChatInput
  do: Smart Transform
edges:
  in.message -> do.data
config:
  do.filter_instruction: the names of those above 10
";

const ORDERS: &str = r#"[{"name":"a","price":5},{"name":"b","price":15},{"name":"c","price":25}]"#;

#[tokio::test]
async fn smart_transform_runs_the_query_it_is_given() {
    let world = World::new().await;
    let flow = world.flow(TRANSFORM);
    world.says(&[r#"{"query": "map(select(.price > 10))"}"#]);
    let ran = world.run(&flow, ORDERS).await;
    let expected = json!([{ "name": "b", "price": 15 }, { "name": "c", "price": 25 }]);
    assert_eq!(ran.json("do", "dataframe_output"), expected);
    assert_eq!(ran.json("do", "data_output")["_results"], expected);
    assert!(ran.text("do", "message_output").contains("\"b\""));
    assert_eq!(ran.logs(), ["Query: map(select(.price > 10))"]);
    assert!(world.told()[1].contains(ORDERS), "small data is shown whole");

    world.says(&[r#"{"query": ".[1].name"}"#]);
    assert_eq!(world.run(&flow, ORDERS).await.text("do", "message_output"), "b");
}

#[tokio::test]
async fn smart_transform_tells_the_model_what_was_wrong() {
    let world = World::new().await;
    let flow = world.flow(TRANSFORM);
    world.says(&["map(", r#"{"query": "map(select("}"#, r#"{"query": "length"}"#]);
    let ran = world.run(&flow, ORDERS).await;
    assert_eq!(ran.text("do", "message_output"), "3");
    let told = world.told();
    assert!(
        told.last().unwrap().contains("That query does not work"),
        "{told:?}"
    );
    assert_eq!(ran.usage("do").input_tokens, 30, "every try counts");

    world.says(&["no", "no", "no", "never asked"]);
    let ran = world.run(&flow, ORDERS).await;
    ran.failed("no query that works in 3 tries");
    assert_eq!(world.models.waiting(), 1);
}

#[tokio::test]
async fn smart_transform_shows_the_ends_of_large_data_and_works_on_all_of_it() {
    let world = World::new().await;
    let rows: Vec<Json> = (0..20_000)
        .map(|number| json!({ "name": format!("person {number}"), "price": number }))
        .collect();
    let text = Json::from(rows).to_string();
    world.says(&[r#"{"query": "map(.price) | add"}"#]);
    let ran = world.run(&world.flow(TRANSFORM), &text).await;
    assert_eq!(
        ran.text("do", "message_output"),
        (0..20_000u64).sum::<u64>().to_string()
    );
    let told = &world.told()[1];
    assert!(told.len() < 10_000, "{}", told.len());
    assert!(told.contains(".[0].price") || told.contains("price"), "{told}");
    assert!(told.contains("person 19999"), "the end is shown too");
}
