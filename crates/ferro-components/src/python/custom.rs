//! A component of your own, written in Python.
//!
//! Open its code (the button `</>` on the node), change it and save: the node then has the fields and outputs that your
//! class says. The code is one class that derives from `Component`:
//!
//! - **inputs** lists the fields, such as `MessageTextInput`, `IntInput`, `DropdownInput`, `DataInput`.
//! - **outputs** lists the results; each names the method that makes it. What the method says it returns (`Message`,
//!   `Data`, `DataFrame`) decides what the output can be wired to.
//! - In a method, `self.<field>` is a field's value, `self.status = …` is what the node shows, `self.log(…)` writes a
//!   line for whoever inspects the run, and `self.stop("output")` leaves a branch untaken.
//!
//! Most of Python's standard library is there. The code runs in a worker of its own, without files, environment and
//! network: `requests` and `httpx` work, because the server sends their requests.
//!
//! Common mistakes: a method that no output names is never called; two outputs need two names; a field with
//! `tool_mode=True` is what an agent fills in when the component is its tool.

use ferro_engine::{Call, Component, Failure, Step};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

/// What a new node begins with.
const CODE: &str = include_str!("custom.py");

pub(super) struct CustomComponent;

impl Component for CustomComponent {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CustomComponent", "Custom Component")
            .category("custom_component")
            .icon("square-code")
            .description("A component of your own, written in Python.")
            .help(include_str!("custom.rs"))
            .field(
                FieldSpec::code("code", "Code", CODE)
                    .required()
                    .advanced()
                    .set("dynamic", true),
            )
            .field(
                FieldSpec::message_text("input_value", "Input")
                    .info("The text to count the words of.")
                    .value("Hello from Python")
                    .tool(),
            )
            .output(OutputSpec::new("output", "Output", "count_words", &["Message"]))
            .by_code()
    }

    /// A node of this type is its code; this is for one that lost it.
    fn run(&self, _: Call) -> Step {
        Step::Now(Err(Failure::unavailable("it has no Python code of its own")
            .advice(
                "Open the node's code and write it, or add the component anew.",
            )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The palette shows what the class would say.
    #[test]
    fn the_descriptor_is_the_codes() {
        let checked = ferro_python::analysis::check(CODE);
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert_eq!(checked.class_name.as_deref(), Some("CustomComponent"));
        let descriptor = CustomComponent.descriptor();
        let fields = descriptor.fields.iter().map(|field| field.name.as_str());
        let fields: Vec<&str> = fields.filter(|name| *name != "code").collect();
        assert_eq!(checked.inputs, fields);
        let outputs = checked
            .outputs
            .iter()
            .map(|output| (&output.name, &output.method));
        let own = descriptor
            .outputs
            .iter()
            .map(|output| (&output.name, &output.method));
        assert!(outputs.eq(own));
    }
}
