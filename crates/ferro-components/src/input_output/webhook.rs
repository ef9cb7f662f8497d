//! Starts the flow when another program sends a request to its address.
//!
//! What was sent comes out as JSON. A JSON object comes out as it is. Anything else, such as a list or plain text,
//! comes out under the key `payload`. A request without a body gives an empty object.
//!
//! | field | what it does |
//! |---|---|
//! | Payload | an example to try the flow with, used when the run was not started by a request |
//! | cURL | a command line that sends a request; filled in when the flow is shown |
//! | Endpoint | the address requests go to; filled in when the flow is shown |
//!
//! **Example.** A shop sends `{"order": 17, "total": 42.5}`. Webhook → Parser with `Order {order}: {total}` → Write File.
//!
//! **Common mistakes.** The sender gets its answer at once, before the flow has finished: results belong into a file, a
//! message or another request. A flow has one Webhook only.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

pub(crate) struct Webhook;

impl Component for Webhook {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Webhook", "Webhook")
            .category("input_output")
            .icon("webhook")
            .description("Starts the flow when a request comes in.")
            .help(include_str!("webhook.rs"))
            .input()
            .field(
                FieldSpec::multiline("data", "Payload")
                    .advanced()
                    .info("An example body, for runs that no request started."),
            )
            .field(
                FieldSpec::multiline("curl", "cURL")
                    .accepts(&[])
                    .value("CURL_WEBHOOK")
                    .advanced()
                    .set("copy_field", true),
            )
            .field(
                FieldSpec::text("endpoint", "Endpoint")
                    .value("BACKEND_URL")
                    .set("copy_field", true),
            )
            .output(OutputSpec::new("output_data", "JSON", "build_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        let body = match &call.cx.run.webhook {
            Some(body) => body.clone(),
            None => call.text("data"),
        };
        Step::Now(Ok(Outputs::one("output_data", Value::data(payload(&body)))))
    }
}

fn payload(body: &str) -> Map<String, Json> {
    if body.trim().is_empty() {
        return Map::new();
    }
    match serde_json::from_str(body) {
        Ok(Json::Object(map)) => map,
        Ok(other) => Map::from_iter([("payload".to_owned(), other)]),
        Err(_) => Map::from_iter([("payload".to_owned(), body.into())]),
    }
}
