//! What is read of a component.

use super::{check, codes, has_errors};

const GOOD: &str = r#"from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
import re, json as j


class Base(Component):
    inputs = [MessageTextInput(name="text")]


class Count(Base):
    inputs = [*Base.inputs, IntInput(name="times", value=2)]
    outputs = [
        Output(display_name="Result", name="result", method="build_result"),
        Output(display_name="Length", name="length", method="build_length"),
    ]

    def build_result(self):
        import textwrap
        return self.text * self.times

    async def build_length(self):
        return len(self.text)
"#;

#[test]
fn a_component_is_read() {
    let checked = check(GOOD);
    assert_eq!(codes(&checked.diagnostics), [] as [&str; 0]);
    assert_eq!(checked.class_name.as_deref(), Some("Count"));
    assert_eq!(checked.inputs, ["text", "times"]);
    let outputs: Vec<_> = checked
        .outputs
        .iter()
        .map(|output| (output.name.as_str(), output.method.as_str()))
        .collect();
    assert_eq!(outputs, [("result", "build_result"), ("length", "build_length")]);
    let imports: Vec<_> = checked
        .imports
        .iter()
        .map(|import| (import.module.as_str(), import.span.line))
        .collect();
    assert_eq!(
        imports,
        [
            ("lfx.custom", 1),
            ("lfx.io", 2),
            ("re", 3),
            ("json", 3),
            ("textwrap", 18)
        ]
    );
}

#[test]
fn the_last_component_class_wins() {
    let code = "class A(Component):\n    pass\nclass B(Component):\n    pass\nclass Helper:\n    pass\n";
    assert_eq!(check(code).class_name.as_deref(), Some("B"));
}

#[test]
fn a_syntax_error_leaves_what_could_be_read() {
    let code = format!("{GOOD}\n    def broken(self:\n        pass\n");
    let checked = check(&code);
    assert!(has_errors(&checked));
    assert_eq!(checked.class_name.as_deref(), Some("Count"));
    assert_eq!(checked.inputs, ["text", "times"]);
}

#[test]
fn endless_bases_and_lists_end() {
    let mut code =
        String::from("class A(A): pass\nclass B(C): pass\nclass C(B): pass\nX = Y + Y\nY = X + X\n");
    code.push_str(
        "class D(D, B, Component):\n    inputs = X + D.inputs\n    outputs = [*D.outputs, *D.outputs]\n",
    );
    for level in 0..40 {
        code.push_str(&format!("L{} = L{level} + L{level}\n", level + 1));
    }
    code.push_str("class E(Component):\n    inputs = L40\n    outputs = [Output(name='a', method='f')]\n    def f(self): return 1\n");
    assert_eq!(check(&code).class_name.as_deref(), Some("E"));
}
