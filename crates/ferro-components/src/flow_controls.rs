//! Components that decide what runs next.

mod condition;
mod data_condition;
mod flow_tool;
mod human_input;
mod if_else;
pub mod inner_flow;
mod listen;
mod loop_each;
mod notify;
mod pass;
mod run_flow;
mod sub_flow;

pub(crate) use condition::quoted;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(if_else::IfElse),
        Arc::new(data_condition::DataCondition),
        Arc::new(loop_each::LoopEach),
        Arc::new(notify::Notify),
        Arc::new(listen::Listen),
        Arc::new(pass::Pass),
        Arc::new(run_flow::RunFlow),
        Arc::new(sub_flow::SubFlow),
        Arc::new(flow_tool::FlowTool),
        Arc::new(human_input::HumanInput),
    ]
}
