//! Small tools: numbers, dates and ids.

pub(crate) mod calculator;
mod calculator_tool;
pub(crate) mod current_date;
mod expression;
mod id_generator;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(calculator::Calculator),
        Arc::new(calculator_tool::CalculatorTool),
        Arc::new(current_date::CurrentDate),
        Arc::new(id_generator::IdGenerator),
    ]
}
