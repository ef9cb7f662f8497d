//! Gives made-up data to try a flow with, before the real data is there. It has no settings.
//!
//! - **Table**: fifty rows of orders, with texts, numbers, dates and flags in their columns.
//! - **JSON**: one record with lists and objects inside it.
//! - **Message**: a paragraph of filler text.
//!
//! The data is the same every time, so that a flow can be compared from run to run.
//!
//! Example: Mock Data (Table) → Loop, to see whether the loop does what it should.
//!
//! Common mistakes: leaving it in the flow.

use ferro_engine::{Call, Component, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, OutputSpec};
use serde_json::{Map, Value as Json, json};

pub(super) struct MockData;

const ROWS: usize = 50;
const NAMES: [&str; 10] = [
    "Ada", "Bram", "Chloé", "Deniz", "Eszter", "Farid", "Grace", "Hiro", "Ines", "Jonas",
];
const CITIES: [&str; 7] = [
    "Lisbon",
    "Nairobi",
    "Osaka",
    "Quito",
    "Tallinn",
    "Toronto",
    "Wellington",
];
const GOODS: [(&str, f64); 6] = [
    ("Lamp", 39.5),
    ("Desk", 249.0),
    ("Chair", 119.9),
    ("Shelf", 84.0),
    ("Rug", 64.25),
    ("Clock", 22.75),
];
const STATES: [&str; 4] = ["open", "paid", "shipped", "returned"];
const TEXT: &str = "The morning ferry leaves before the market opens. Crates of oranges are stacked along the quay, and a clerk \
counts them twice, once aloud and once in a small green book. By noon the numbers have been wired to three cities, and by \
evening somebody far away has already decided what they mean.";

impl Component for MockData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("MockDataGenerator", "Mock Data")
            .category("data_source")
            .icon("flask-conical")
            .description("Gives made-up data to try a flow with.")
            .help(include_str!("mock_data.rs"))
            .output(OutputSpec::new(
                "dataframe_output",
                "Table",
                "generate_dataframe_output",
                &["Table"],
            ))
            .output(OutputSpec::new(
                "message_output",
                "Message",
                "generate_message_output",
                &["Message"],
            ))
            .output(OutputSpec::new(
                "data_output",
                "JSON",
                "generate_data_output",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let mut outputs = Outputs::new();
        if call.wants("dataframe_output") {
            outputs = outputs.with("dataframe_output", Value::table(orders()));
        }
        if call.wants("message_output") {
            outputs = outputs.with("message_output", Value::text(TEXT));
        }
        if call.wants("data_output") {
            outputs = outputs.with("data_output", Value::data(record()));
        }
        Ok(outputs.done()).into()
    }
}

/// Steps of different lengths through the lists, so that no two columns go together.
fn orders() -> Table {
    let columns = [
        "order_id", "customer", "email", "city", "item", "quantity", "price", "total", "date", "status",
        "express",
    ];
    let mut table = Table::new(columns.map(str::to_owned).to_vec());
    for at in 0..ROWS {
        let name = NAMES[at * 7 % NAMES.len()];
        let (item, price) = GOODS[(at * 5 + at / 6) % GOODS.len()];
        let quantity = 1 + at * 3 % 4;
        let total = (price * quantity as f64 * 100.0).round() / 100.0;
        let plain: String = name.to_lowercase().chars().filter(char::is_ascii).collect();
        table.cells.push(vec![
            json!(1001 + at),
            json!(name),
            json!(format!("{plain}{at}@example.com")),
            json!(CITIES[at * 3 % CITIES.len()]),
            json!(item),
            json!(quantity),
            json!(price),
            json!(total),
            json!(format!("2025-{:02}-{:02}", 1 + at * 5 % 12, 1 + at * 11 % 28)),
            json!(STATES[at * 3 % STATES.len()]),
            json!(at % 5 == 0),
        ]);
    }
    table
}

fn record() -> Map<String, Json> {
    let record = json!({
        "id": "report-7",
        "text": TEXT,
        "created": "2025-03-14T09:26:53Z",
        "tags": ["trade", "harbour", "example"],
        "counts": { "crates": 412, "ships": 3, "late": 1 },
        "people": [{ "name": NAMES[0], "role": "clerk" }, { "name": NAMES[5], "role": "captain" }],
        "checked": true,
    });
    match record {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};

    use super::*;

    #[test]
    fn the_same_every_time_and_of_every_kind() {
        let call = || Call::new(NodeInfo::default(), Map::new(), vec![], Context::nowhere());
        let run = || {
            let Step::Now(Ok(Outcome::Done(outputs))) = MockData.run(call()) else {
                panic!("it answers at once")
            };
            outputs
        };
        let outputs = run();
        let Some(Value::Table(table)) = outputs.get("dataframe_output") else {
            panic!("a table")
        };
        assert_eq!((table.len(), table.columns.len()), (ROWS, 11));
        assert_eq!(outputs.get("message_output").unwrap().to_text(), TEXT);
        assert_eq!(
            outputs.get("data_output").unwrap().to_json()["counts"]["ships"],
            3
        );
        assert_eq!(run().get("dataframe_output").unwrap().to_json(), table.to_json());
    }
}
