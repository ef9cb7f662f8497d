//! Imports, and the attributes of what was imported.

use super::super::rules::{self, Reason};
use super::value::Value;
use super::{Flow, bindings};
use ruff_python_ast::{StmtImport, StmtImportFrom};
use ruff_text_size::Ranged;

impl<'a> Flow<'a> {
    pub(super) fn import(&mut self, inner: &'a StmtImport) {
        for alias in &inner.names {
            let module = alias.name.as_str();
            let refused = self.refuse_import(module, alias.range());
            let (name, path) = match &alias.asname {
                Some(name) => (name.as_str(), module),
                None => (bindings::root(module), bindings::root(module)),
            };
            let value = if refused {
                Value::NOTHING
            } else {
                Value::path(path)
            };
            self.bind_visible(name, value, alias.range());
        }
    }

    pub(super) fn import_from(&mut self, inner: &'a StmtImportFrom) {
        let module = inner.module.as_ref().map_or("", |module| module.as_str());
        let own = inner.level > 0;
        let refused = !own && self.refuse_import(module, inner.range());
        for alias in &inner.names {
            let what = alias.name.as_str();
            let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            if what == "*" {
                if !own && !refused {
                    self.stars.push(module.to_owned());
                }
                continue;
            }
            let value = match own || refused {
                true => Value::NOTHING,
                false => self.attribute_of(module, what, alias.range()),
            };
            self.bind_visible(name, value, alias.range());
        }
    }

    fn refuse_import(&mut self, module: &str, range: ruff_text_size::TextRange) -> bool {
        let reason = rules::import(module);
        if let Some(reason) = reason {
            self.report(module, reason, range);
        }
        reason.is_some()
    }

    /// `module.name`, wherever it is written: reported when refused.
    pub(super) fn attribute_of(
        &mut self,
        module: &str,
        name: &str,
        range: ruff_text_size::TextRange,
    ) -> Value {
        let path = format!("{module}.{name}");
        let last = module.rsplit('.').next().unwrap_or(module);
        // `zipfile.io.open` is `io.open`.
        let reason = rules::import(&path)
            .or_else(|| rules::attribute(module, name))
            .or_else(|| rules::attribute(last, name));
        if let Some(reason) = reason {
            let shown = match module {
                "builtins" => name.to_owned(),
                "pathlib.Path()" => format!("Path.{name}"),
                _ => path,
            };
            self.report(&shown, reason, range);
            return Value::NOTHING;
        }
        if let Some(carried) = rules::carried(name) {
            let message = format!(
                "`{path}` reaches the module `{carried}` through another one. Import `{carried}` itself if it is needed."
            );
            self.report_as(message, Reason::Lookup, range);
            return Value::path(carried);
        }
        Value::path(&path)
    }
}
