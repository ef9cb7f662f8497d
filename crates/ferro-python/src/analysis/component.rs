//! The component class, its inputs and outputs, and what is wrong with them.

use super::declared::{Class, Declared, Module};
use super::names::{is_identifier, nearest, suggest_identifier};
use super::returns::never_returns_a_value;
use super::source::Source;
use super::syntax::top;
use super::{DeclaredOutput, Diagnostic, Import};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// Looking for what was meant costs more than saying that it is not there.
const MOST_HINTS: usize = 10;
const MOST_IMPORTS: usize = 500;
const MOST_FINDINGS: usize = 50;

#[derive(Default)]
pub(super) struct Found {
    pub(super) class_name: Option<String>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<DeclaredOutput>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

pub(super) fn read(source: &Source<'_>) -> Found {
    let module = Module::read(source.body());
    // The last one wins, as when the code runs.
    let Some(class) = module.classes.iter().rev().find(|class| module.lineage(class).2) else {
        return Found {
            diagnostics: vec![no_class(&module, source)],
            ..Found::default()
        };
    };
    let mut reader = Reader {
        source,
        module: &module,
        class,
        found: Found::default(),
    };
    reader.found.class_name = Some(class.def.name.to_string());
    let inputs = reader.inputs(&module.declared(class, "inputs"));
    reader.outputs(&module.declared(class, "outputs"), &inputs);
    reader.found
}

/// Every import of the file, in order.
pub(super) fn imports(source: &Source<'_>) -> Vec<Import> {
    struct Imports<'a, 's>(&'a Source<'s>, Vec<Import>);
    impl<'b> Visitor<'b> for Imports<'_, '_> {
        fn visit_stmt(&mut self, stmt: &'b Stmt) {
            if self.1.len() >= MOST_IMPORTS {
                return;
            }
            match stmt {
                Stmt::Import(import) => {
                    self.1
                        .extend(import.names.iter().take(MOST_IMPORTS).map(|alias| Import {
                            module: alias.name.to_string(),
                            span: self.0.span(alias.range),
                        }))
                }
                Stmt::ImportFrom(import) => {
                    let dots = ".".repeat(usize::try_from(import.level).unwrap_or_default());
                    let module = import.module.as_ref().map_or("", |module| module.as_str());
                    self.1.push(Import {
                        module: format!("{dots}{module}"),
                        span: self.0.span(import.range),
                    });
                }
                _ => visitor::walk_stmt(self, stmt),
            }
        }

        fn visit_expr(&mut self, _: &'b Expr) {}
    }
    let mut imports = Imports(source, Vec::new());
    imports.visit_body(source.body());
    imports.1
}

fn no_class(module: &Module<'_>, source: &Source<'_>) -> Diagnostic {
    match module.classes.last() {
        Some(class) => Diagnostic::error(
            "missing-class",
            format!(
                "No class derives from Component. Write `class {}(Component):` and import Component from lfx.custom.",
                class.def.name
            ),
            source.span(class.def.name.range),
        ),
        None => Diagnostic::error(
            "missing-class",
            "The code defines no component class. Write `class MyComponent(Component):` with `inputs` and `outputs`.",
            top(),
        ),
    }
}

struct Reader<'m, 'a> {
    source: &'m Source<'m>,
    module: &'m Module<'a>,
    class: &'m Class<'a>,
    found: Found,
}

impl<'a> Reader<'_, 'a> {
    fn error(&mut self, code: &'static str, message: String, range: TextRange) {
        if self.found.diagnostics.len() >= MOST_FINDINGS {
            return;
        }
        self.found
            .diagnostics
            .push(Diagnostic::error(code, message, self.source.span(range)));
    }

    fn warning(&mut self, code: &'static str, message: String, range: TextRange) {
        self.found
            .diagnostics
            .push(Diagnostic::warning(code, message, self.source.span(range)));
    }

    /// The text of an argument and where it is written.
    fn argument(&self, call: &'a ExprCall, name: &str) -> Option<(Option<String>, TextRange)> {
        let value = &call.arguments.find_keyword(name)?.value;
        Some((self.module.text(self.class, value), value.range()))
    }

    fn inputs(&mut self, declared: &Declared<'a>) -> HashSet<String> {
        let mut seen = HashSet::new();
        for call in &declared.calls {
            let Some((name, range)) = self.argument(call, "name") else {
                if is_plain(call) {
                    let message =
                        "This input has no name. Add `name=\"…\"`; the value is then `self.<name>`."
                            .to_owned();
                    self.error("input-without-name", message, call.range());
                }
                continue;
            };
            let Some(name) = name else { continue };
            self.check_identifier(&name, "input", range);
            if seen.insert(name.clone()) {
                self.found.inputs.push(name);
            } else {
                self.error(
                    "duplicate-input",
                    format!("Two inputs are named `{name}`. Rename one of them."),
                    range,
                );
            }
        }
        seen
    }

    fn outputs(&mut self, declared: &Declared<'a>, inputs: &HashSet<String>) {
        let mut seen = HashSet::new();
        let mut checked = HashSet::new();
        for call in &declared.calls {
            let method = self.argument(call, "method");
            match self.argument(call, "name") {
                Some((Some(name), range)) => {
                    self.check_output_name(&name, range, inputs);
                    let method = method
                        .as_ref()
                        .and_then(|(method, _)| method.clone())
                        .unwrap_or_default();
                    if seen.insert(name.clone()) {
                        self.found.outputs.push(DeclaredOutput { name, method });
                    } else {
                        self.error(
                            "duplicate-output",
                            format!("Two outputs are named `{name}`. Rename one of them."),
                            range,
                        );
                    }
                }
                Some((None, _)) => {}
                None if is_plain(call) => {
                    self.error(
                        "output-without-name",
                        "This output has no name. Add `name=\"…\"`.".to_owned(),
                        call.range(),
                    );
                }
                None => {}
            }
            match method {
                Some((Some(method), range)) => self.check_method(&method, range, &mut checked),
                Some((None, _)) => {}
                None if is_plain(call) => {
                    let message =
                        "This output names no method. Add `method=\"…\"` with the method that computes it."
                            .to_owned();
                    self.error("output-without-method", message, call.range());
                }
                None => {}
            }
        }
        if declared.calls.is_empty()
            && declared.complete
            && !self.has_method("build")
            && !self.has_method("update_outputs")
        {
            let message = "The component has no outputs, so nothing can be connected to it. Add `outputs = [Output(name=\"…\", method=\"…\")]`.".to_owned();
            self.warning("no-outputs", message, self.class.def.name.range);
        }
    }

    fn check_output_name(&mut self, name: &str, range: TextRange, inputs: &HashSet<String>) {
        self.check_identifier(name, "output", range);
        if name == "component_as_tool" {
            let message = "The output name `component_as_tool` is reserved: tool mode adds an output of that name itself, and the two would collide. Name the output after its value, for example `item`, `price` or `result`.".to_owned();
            self.error("reserved-output", message, range);
        }
        if inputs.contains(name) {
            let message = format!(
                "`{name}` is both an input and an output. Rename one of them, for example the output to `{name}_result`."
            );
            self.error("overlapping-name", message, range);
        }
    }

    fn check_identifier(&mut self, name: &str, what: &str, range: TextRange) {
        if is_identifier(name) {
            return;
        }
        let message = format!(
            "The {what} name `{name}` is not a Python identifier. Use letters, digits and underscores, not starting with a digit, for example `{}`.",
            suggest_identifier(name)
        );
        self.error("invalid-name", message, range);
    }

    fn check_method(&mut self, method: &str, range: TextRange, checked: &mut HashSet<String>) {
        if !checked.insert(method.to_owned()) {
            return;
        }
        if method == "to_toolkit" {
            let message = "The output method `to_toolkit` is reserved: tool mode calls its own method of that name, and the two would collide. Name the method after the value it gives, for example `get_item`, `get_price` or `get_result`.".to_owned();
            self.error("reserved-method", message, range);
            return;
        }
        let (line, closed, _) = self.module.lineage(self.class);
        let found = line.iter().find_map(|class| class.methods.get(method).copied());
        match found {
            Some(Some(def)) => self.check_definition(def),
            Some(None) => {}
            None if closed && !self.has_method("__getattr__") => {
                let near = if self.found.diagnostics.len() < MOST_HINTS {
                    nearest(method, &line)
                } else {
                    None
                };
                let hint = near.map_or_else(
                    || format!("Write `def {method}(self):`."),
                    |near| format!("Did you mean `{near}`?"),
                );
                let message = format!("The class has no method `{method}` for this output. {hint}");
                self.error("missing-method", message, range);
            }
            None => {}
        }
    }

    fn check_definition(&mut self, def: &'a StmtFunctionDef) {
        // A decorator may change what comes back and what goes in.
        if !def.decorator_list.is_empty() {
            return;
        }
        let range = def.name.range;
        if never_returns_a_value(def) {
            let message = format!(
                "The output method `{}` never returns a value. End it with `return …`.",
                def.name
            );
            self.error("no-return", message, range);
        }
        let parameters = &def.parameters;
        let positional: Vec<_> = parameters.posonlyargs.iter().chain(&parameters.args).collect();
        if positional.is_empty() && parameters.vararg.is_none() {
            let message = format!(
                "The output method `{}` takes no `self`. Write `def {}(self):`.",
                def.name, def.name
            );
            self.error("method-arguments", message, range);
            return;
        }
        let needed = positional
            .into_iter()
            .skip(1)
            .chain(&parameters.kwonlyargs)
            .find(|parameter| parameter.default.is_none());
        if let Some(parameter) = needed {
            let message = format!(
                "The output method `{}` is called without arguments but needs `{}`. Declare an input and read it as `self.{}`.",
                def.name,
                parameter.name(),
                parameter.name()
            );
            self.error("method-arguments", message, range);
        }
    }

    fn has_method(&self, name: &str) -> bool {
        self.module
            .lineage(self.class)
            .0
            .iter()
            .any(|class| class.methods.contains_key(name))
    }
}

/// Without `**options`, which could hold anything.
fn is_plain(call: &ExprCall) -> bool {
    call.arguments.args.is_empty()
        && call
            .arguments
            .keywords
            .iter()
            .all(|keyword| keyword.arg.is_some())
}
