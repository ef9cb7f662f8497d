//! Where chat completions are, and what a model's name says.

use url::Url;

use super::super::{Target, endpoint};
use super::is_azure;
use crate::error::{Class, LlmError};

/// The last release that is not a preview and knows usage in streams and schemas.
const AZURE_VERSION: &str = "2024-10-21";

pub(super) fn completions(target: &Target) -> Result<Url, LlmError> {
    if is_azure(target) {
        return azure(target);
    }
    below(target, "/chat/completions")
}

/// A path of a provider that may have no base URL of its own.
pub(crate) fn below(target: &Target, path: &str) -> Result<Url, LlmError> {
    if !target.base_url.is_empty() {
        return endpoint(target, path);
    }
    let usual = match target.provider {
        "openai" => "https://api.openai.com/v1",
        "groq" => "https://api.groq.com/openai/v1",
        "openrouter" => "https://openrouter.ai/api/v1",
        _ => return Err(no_address(target)),
    };
    let target = Target {
        base_url: usual.to_owned(),
        ..target.clone()
    };
    endpoint(&target, path)
}

fn no_address(target: &Target) -> LlmError {
    LlmError::new(
        Class::Configuration,
        format!("{} needs its address", target.label),
    )
    .advice("Set its endpoint or base URL in Settings › Model providers.")
}

/// People paste any of the addresses the portal shows: the resource, the resource with `/openai/v1`, a deployment, or
/// the whole address of its completions.
fn azure(target: &Target) -> Result<Url, LlmError> {
    if target.base_url.is_empty() {
        return Err(no_address(target));
    }
    let mut url = endpoint(target, "")?;
    let path = url.path().trim_end_matches('/').to_owned();
    let is_foundry = target.provider == "azure-ai-foundry";
    let more: Vec<&str> = if path.ends_with("/chat/completions") {
        Vec::new()
    } else if path.ends_with("/openai/v1")
        || path.contains("/openai/deployments/")
        || path.ends_with("/models")
    {
        vec!["chat", "completions"]
    } else if is_foundry {
        // Takes every model of the resource, not only OpenAI's.
        vec!["openai", "v1", "chat", "completions"]
    } else {
        vec!["openai", "deployments", &target.model, "chat", "completions"]
    };
    let is_whole = more.first() != Some(&"openai");
    url.set_path(if is_whole {
        &path
    } else {
        path.strip_suffix("/openai").unwrap_or(&path)
    });
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(more);
    }
    let has_version = url.query_pairs().any(|(name, _)| name == "api-version");
    // The address with `v1` in it is its own version, and refuses a date.
    if !url.path().contains("/openai/v1/") && !has_version {
        let version = target
            .extra
            .get("api_version")
            .map_or(AZURE_VERSION, String::as_str);
        url.query_pairs_mut().append_pair("api-version", version);
    }
    Ok(url)
}

/// Whether the model thinks before it answers, as far as anybody can tell: the catalogue does not know every model,
/// and on Azure people name them.
pub(crate) fn thinks(target: &Target) -> bool {
    let name = target
        .model
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_o_series = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let generation = name.strip_prefix("gpt-").map(|rest| {
        rest.split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap_or_default()
    });
    let is_late = generation
        .and_then(|digits| digits.parse::<u32>().ok())
        .is_some_and(|generation| generation >= 5);
    let is_named_so = is_o_series || (is_late && !name.contains("chat"));
    target.reasoning || (is_named_so && (target.provider == "openai" || is_azure(target)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(provider: &'static str, base: &str, version: Option<&str>, expected: &str) {
        let target = Target {
            provider,
            label: "X",
            model: "my model".to_owned(),
            base_url: base.to_owned(),
            key: None,
            extra: version
                .map(|version| ("api_version", version.to_owned()))
                .into_iter()
                .collect(),
            reasoning: false,
        };
        let found = completions(&target).map_or_else(|error| error.message, |url| url.to_string());
        assert_eq!(found, expected);
    }

    #[test]
    fn the_usual_addresses() {
        check("openai", "", None, "https://api.openai.com/v1/chat/completions");
        check("openai", "http://h:1/v1", None, "http://h:1/v1/chat/completions");
        check(
            "groq",
            "",
            None,
            "https://api.groq.com/openai/v1/chat/completions",
        );
        check(
            "openrouter",
            "",
            None,
            "https://openrouter.ai/api/v1/chat/completions",
        );
        check("openai-compatible", "", None, "X needs its address");
    }

    #[test]
    fn azure_takes_whatever_the_portal_shows() {
        let deployment = "https://r.openai.azure.com/openai/deployments/my%20model/chat/completions";
        let usual = format!("{deployment}?api-version=2024-10-21");
        check("azure-openai", "https://r.openai.azure.com", None, &usual);
        check("azure-openai", "https://r.openai.azure.com/openai", None, &usual);
        let newer = format!("{deployment}?api-version=2025-01-01-preview");
        check(
            "azure-openai",
            "https://r.openai.azure.com",
            Some("2025-01-01-preview"),
            &newer,
        );
        check("azure-openai", &newer, Some("2024-06-01"), &newer);
        let versionless = "https://r.openai.azure.com/openai/v1/chat/completions";
        check(
            "azure-openai",
            "https://r.openai.azure.com/openai/v1",
            Some("2024-06-01"),
            versionless,
        );
        check("azure-openai", "", None, "X needs its address");
        let foundry = "https://r.services.ai.azure.com";
        check(
            "azure-ai-foundry",
            foundry,
            None,
            &format!("{foundry}/openai/v1/chat/completions"),
        );
        check(
            "azure-ai-foundry",
            &format!("{foundry}/models"),
            Some("2024-05-01-preview"),
            &format!("{foundry}/models/chat/completions?api-version=2024-05-01-preview"),
        );
    }
}
