//! What a model must not see of a flow: secrets by the kind of their field, by its name, and in the middle of texts.

use std::collections::HashSet;
use std::sync::LazyLock;

use ferro_model::read::{Field, Node, read};
use ferro_model::{Descriptor, FieldSpec, FlowData, strip_secrets};
use regex::Regex;
use serde_json::Value as Json;

pub(super) const REDACTED: &str = "***REDACTED***";

/// Classes of fields that hold nothing but secrets.
const SECRET_INPUTS: [&str; 3] = ["SecretStrInput", "MultilineSecretInput", "AuthInput"];

static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|_|-)(?:api_?key|password|passphrase|secret|access_?key|private_?key|api_?token|access_?token|auth_?token|bearer_?token|credentials?)(?:_|-|$)").ok()
});

/// Keys as the large providers write them.
static KEYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:(?:sk|pk|rk|gsk|xai|pplx|hf|ghp|gho|ghs|glpat|github_pat|xox[abeprs]|r8|tgp|fw)[-_]|AKIA|AIza|eyJ)[A-Za-z0-9._\-]{11,}[A-Za-z0-9_\-]").ok()
});

fn has_secret_name(name: &str) -> bool {
    // A pattern that cannot be read hides everything rather than nothing.
    NAMES.as_ref().is_none_or(|names| names.is_match(name))
}

/// A field that holds a secret, whatever is in it now.
pub(super) fn is_secret(field: &Field<'_>) -> bool {
    let class = || {
        field
            .json
            .to_value()
            .get("_input_type")
            .and_then(Json::as_str)
            .map(str::to_owned)
    };
    field.password
        || field.r#type == "auth"
        || is_text(&field.r#type) && has_secret_name(&field.name)
        || class().is_some_and(|class| SECRET_INPUTS.contains(&class.as_str()))
}

pub(super) fn is_secret_spec(field: &FieldSpec) -> bool {
    field.password
        || field.r#type == "auth"
        || SECRET_INPUTS.contains(&field.class.as_ref())
        || is_text(&field.r#type) && has_secret_name(&field.name)
}

/// Secret fields for which the code of a component names a variable by itself. The code may be a model's: which secret
/// it is given is for the person to say.
pub(super) fn named_by_code(component: &Descriptor) -> impl Iterator<Item = &str> {
    let fresh = if component.by_code {
        component.to_node()
    } else {
        Json::Null
    };
    let by_name = move |field: &FieldSpec| fresh["template"][field.name.as_str()]["load_from_db"] == true;
    let fields = component.fields.iter().filter(|_| component.by_code);
    fields
        .filter(move |field| is_secret_spec(field) || by_name(field))
        .filter(|field| !matches!(&field.value, Json::Null) && field.value.as_str() != Some(""))
        .map(|field| field.name.as_str())
}

/// An address on a node with a secret: whoever sets it gets the secret sent there.
pub(super) fn is_where_keys_go(node: &Node<'_>, field: &Field<'_>) -> bool {
    let name = field.name.to_lowercase();
    let address = ["base_url", "api_base", "endpoint", "_host"];
    let held = |other: &Field<'_>| {
        let value = other.value.map(|value| value.as_str().len()).unwrap_or_default();
        other.password && value > 2
    };
    address.iter().any(|part| name.contains(part)) && node.fields.iter().any(held)
}

/// A switch called `use_api_key` is no secret.
fn is_text(r#type: &str) -> bool {
    matches!(r#type, "str" | "" | "prompt" | "other" | "query")
}

/// A node as a model may see it.
pub(super) struct Shown {
    stripped: FlowData,
    /// Fields in which there was nothing before secrets were taken out.
    unset: HashSet<String>,
}

impl Shown {
    /// `node` is its JSON; `None` when it cannot be read.
    pub(super) fn of(node: &str) -> Option<Self> {
        let alone = FlowData::parse(&format!(r#"{{"nodes":[{node}],"edges":[]}}"#)).ok()?;
        let unset = |field: &&Field<'_>| {
            field
                .value
                .is_none_or(|value| matches!(value.as_str(), "\"\"" | "null" | "[]"))
        };
        let fields = read(&alone).nodes.into_iter().flat_map(|node| node.fields);
        Some(Self {
            unset: fields
                .filter(|field| unset(&field))
                .map(|field| field.name.into_owned())
                .collect(),
            stripped: strip_secrets(&alone).data,
        })
    }

    pub(super) fn read<T>(&self, with: impl FnOnce(&Node<'_>) -> T) -> Option<T> {
        read(&self.stripped).nodes.first().map(with)
    }

    /// The value of one of its fields.
    pub(super) fn value(&self, field: &Field<'_>) -> Json {
        let value = field.to_value().unwrap_or_default();
        if !is_secret(field) {
            return without_keys(value);
        }
        match value.as_str() {
            _ if self.unset.contains(&*field.name) => Json::String(String::new()),
            // The name of a variable says nothing; what only looks like one might.
            Some(name) if field.load_from_db && is_variable(name) => format!("variable {name}").into(),
            _ => REDACTED.into(),
        }
    }
}

/// `OPENAI_API_KEY` and its like. Keys have digits among their letters, names of variables hardly.
fn is_variable(name: &str) -> bool {
    let digits = name.chars().any(|c| c.is_ascii_digit());
    let shouted = name.contains('_')
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    !name.is_empty()
        && name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' '))
        && (shouted || !digits)
}

fn without_keys(value: Json) -> Json {
    match value {
        Json::String(text) => Json::String(without_keys_in(&text)),
        Json::Array(items) => Json::Array(items.into_iter().map(without_keys).collect()),
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(key, value)| (key, without_keys(value)))
                .collect(),
        ),
        other => other,
    }
}

pub(crate) fn without_keys_in(text: &str) -> String {
    match KEYS.as_ref() {
        Some(keys) => keys.replace_all(text, "***").into_owned(),
        None => REDACTED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_name_and_by_look() {
        for name in [
            "api_key",
            "openai_api_key",
            "db-password",
            "aws_secret_access_key",
            "access_token",
            "API_KEY_2",
        ] {
            assert!(has_secret_name(name), "{name}");
        }
        for name in ["max_tokens", "keyword", "secretary", "input_value", "token_count"] {
            assert!(!has_secret_name(name), "{name}");
        }
        for key in [
            "sk-abcdefgh12345678",
            "ghp_0123456789abcdef",
            "AKIAIOSFODNN7EXAMPLE",
            "eyJhbGciOiJIUzI1NiJ9.e30",
        ] {
            assert_eq!(without_keys_in(&format!("use {key}, please")), "use ***, please");
        }
        assert_eq!(
            without_keys_in("a task-based risk-free sk-8"),
            "a task-based risk-free sk-8"
        );
    }

    #[test]
    fn a_key_is_no_name_of_a_variable() {
        for name in ["OPENAI_API_KEY", "KEY_2", "my key", "Secret"] {
            assert!(is_variable(name), "{name}");
        }
        for key in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk-abc",
            "ghp_0123456789abcdef",
            "",
            "AIzaSyD4x",
        ] {
            assert!(!is_variable(key), "{key}");
        }
    }
}
