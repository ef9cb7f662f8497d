//! Whose credentials a model is asked with: the node's own settings, else the person's variables.
//!
//! A flow may come from anybody. A key that a person keeps for a provider goes to the address they keep for it or to
//! the provider's own, never to another one that a node names: the flow's author would get it.

use ferro_engine::{Call, Failure};
use ferro_llm::{Credentials, Provider, VariableSpec, catalog};
use serde_json::Value as Json;
use url::Url;

use super::legacy;

/// A setting that was found.
struct Found {
    variable: &'static VariableSpec,
    value: String,
    /// The field of the node that says so; `None` for the person's variable.
    field: Option<&'static str>,
}

/// What the provider's client needs, as far as it is set anywhere.
pub(super) async fn credentials(call: &Call, provider: &str) -> Result<Credentials, Failure> {
    let mut credentials = Credentials::new();
    let Some(provider) = catalog().provider(provider) else {
        return Ok(credentials);
    };
    if let Some(variable) = call.absent_variable("api_key") {
        credentials.set_missing(variable);
    }
    let mut all = Vec::new();
    for variable in &provider.variables {
        let found = match own(call, variable).await? {
            Some(found) => Some(found),
            None => call.cx.variable(&variable.key).await?.map(|value| Found {
                variable,
                value,
                field: None,
            }),
        };
        all.extend(found);
    }
    guard(call, provider, &mut all).await?;
    for found in all {
        if found.variable.secret {
            // It may have come along a wire or with the request.
            call.cx.hide(&found.value);
        }
        credentials.set(&found.variable.key, found.value);
    }
    Ok(credentials)
}

/// What the node itself says.
async fn own(call: &Call, variable: &'static VariableSpec) -> Result<Option<Found>, Failure> {
    let others: &'static [&'static str] = match legacy::find(&call.node.r#type) {
        Some(old) if variable.secret => old.key,
        Some(old) if is_address(variable) => old.url,
        _ if variable.field == "base_url" => &["api_base"],
        _ => &[],
    };
    let named = others.iter().copied().chain([variable.field.as_str()]);
    let filled = named
        .filter(|field| is_shown(call, field))
        .map(|field| (field, call.text(field)));
    let Some((field, value)) = filled.into_iter().find(|(_, value)| !value.trim().is_empty()) else {
        return Ok(None);
    };
    // A key field may hold the name of a variable instead of a key: older files do.
    let meant = if variable.secret && looks_like_a_name(&value) {
        call.cx.variable(value.trim()).await?
    } else {
        None
    };
    Ok(Some(Found {
        variable,
        value: meant.unwrap_or(value),
        field: Some(field),
    }))
}

/// Sees to it that no kept key goes to an address that only the node names.
async fn guard(call: &Call, provider: &Provider, all: &mut Vec<Found>) -> Result<(), Failure> {
    let mut elsewhere = None;
    for found in all.iter().filter(|found| found.field.is_some()) {
        if is_address(found.variable) && !is_kept_address(call, found).await? {
            elsewhere = Some(found);
        }
    }
    let Some(elsewhere) = elsewhere else { return Ok(()) };
    let Some(at) = all.iter().position(|found| found.variable.secret) else {
        return Ok(());
    };
    let key = &all[at];
    if !is_kept_key(call, key).await? {
        return Ok(());
    }
    if key.field.is_none() && !key.variable.required {
        // Kept for another server; this one may need none.
        all.remove(at);
        return Ok(());
    }
    let host = Url::parse(elsewhere.value.trim()).ok();
    let host = host.as_ref().and_then(Url::host_str).unwrap_or("another address");
    let field = elsewhere.field.unwrap_or_default();
    let message = format!(
        "the key you keep for {} is not sent to {host}, which only this node names",
        provider.name
    );
    Err(Failure::input(field, message).advice(format!(
        "Empty {}. If you trust that address, set `{}` in Settings › Model providers, or give the node a key of its own.",
        call.label(field),
        elsewhere.variable.key
    )))
}

/// Where the key, or what is bought with it, is sent.
fn is_address(variable: &VariableSpec) -> bool {
    let known = ["base_url", "endpoint", "iam_url"];
    !variable.secret && known.iter().any(|word| variable.field.contains(word))
}

/// Whether the address belongs to the provider, or is the one the person keeps for it.
async fn is_kept_address(call: &Call, found: &Found) -> Result<bool, Failure> {
    let variable = found.variable;
    let kept = call.cx.variable(&variable.key).await?;
    let mut known = variable.options.iter().chain([&variable.default]).chain(&kept);
    let origin = |text: &str| Url::parse(text.trim()).ok().map(|url| url.origin());
    let Some(wanted) = origin(&found.value) else {
        return Ok(false);
    };
    Ok(known.any(|known| origin(known).is_some_and(|known| known == wanted)))
}

/// Whether it is a key the person keeps for any provider, however the node came by it. One that stands in the flow
/// itself is no secret to its author.
async fn is_kept_key(call: &Call, key: &Found) -> Result<bool, Failure> {
    let Some(field) = key.field else { return Ok(true) };
    let entry = call.node.template.get(field);
    let written = entry.and_then(|entry| entry.get("value")).and_then(Json::as_str);
    if written.is_some_and(|written| written.trim() == key.value.trim()) {
        return Ok(false);
    }
    for variable in catalog().variables().filter(|variable| variable.secret) {
        let kept = call.cx.variable(&variable.key).await?;
        if kept.is_some_and(|kept| kept.trim() == key.value.trim()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A hidden field keeps what some other provider needed, so it says nothing.
fn is_shown(call: &Call, field: &str) -> bool {
    let entry = call.node.template.get(field);
    let hidden = entry.and_then(|entry| entry.get("show")) == Some(&Json::Bool(false));
    !hidden || call.is_wired(field)
}

fn looks_like_a_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.len() <= 64
        && text
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
