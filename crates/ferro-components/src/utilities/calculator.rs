//! Works out an arithmetic expression.
//!
//! | you can use | |
//! |---|---|
//! | operators | `+ - * /`, `//` (whole division), `%` (remainder), `**` or `^` (power), brackets, a sign in front |
//! | numbers | `12`, `1_000`, `0.5`, `2e-3`, `pi`, `e`, `tau` |
//! | functions | `sqrt cbrt abs round floor ceil trunc min max sum pow exp ln log log10 log2 sin cos tan asin acos atan atan2 sinh cosh tanh hypot radians degrees factorial` |
//!
//! The answer is `{"result": "…"}`, with at most six decimals. When the expression cannot be worked out, the answer is
//! `{"error": "…", "input": "…"}` and the flow goes on, so that an agent can try again.
//!
//! **Expression** is what to work out. As a tool, an agent fills it in.
//!
//! **Example.** `round(19.99 * 3 * 1.19, 2)` gives `71.36`.
//!
//! **Common mistakes.** Decimals have a point, not a comma: commas separate values, as in `max(1, 2)`. Angles are in radians:
//! `sin(radians(90))` is 1. `-2 ** 2` is -4; write `(-2) ** 2` for 4.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use super::expression::{evaluate, shown};

pub(crate) struct Calculator;

impl Component for Calculator {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CalculatorComponent", "Calculator")
            .category("utilities")
            .icon("calculator")
            .description("Works out an arithmetic expression.")
            .help(include_str!("calculator.rs"))
            .field(
                FieldSpec::message_text("expression", "Expression")
                    .tool()
                    .info("Numbers, operators and functions, for instance 4 * (2 + 3)."),
            )
            .output(OutputSpec::new(
                "result",
                "JSON",
                "evaluate_expression",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::Now(Ok(Outputs::one(
            "result",
            Value::data(answer(&call.text("expression"))),
        )))
    }
}

pub(crate) fn answer(expression: &str) -> Map<String, Json> {
    match evaluate(expression) {
        Ok(value) => Map::from_iter([("result".to_owned(), shown(value).into())]),
        Err(problem) => {
            let input: String = expression.chars().take(1_000).collect();
            Map::from_iter([
                ("error".to_owned(), problem.into()),
                ("input".to_owned(), input.into()),
            ])
        }
    }
}
