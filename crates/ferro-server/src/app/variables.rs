//! Global variables, sealed where they are credentials.

use std::collections::BTreeSet;

use ferro_net::Secret;
use ferro_store::{
    NewVariable, Principal, UserId, Variable, VariableChange, VariableId, VariableKind, VariableValue,
};

use crate::{
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
    vault::Cell,
};

/// Keys that tools of this field read from the environment.
const WELL_KNOWN: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ASTRA_DB_API_ENDPOINT",
    "ASTRA_DB_APPLICATION_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_OPENAI_API_DEPLOYMENT_NAME",
    "AZURE_OPENAI_API_INSTANCE_NAME",
    "AZURE_OPENAI_API_KEY",
    "AZURE_OPENAI_API_VERSION",
    "COHERE_API_KEY",
    "COMPOSIO_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "HUGGINGFACEHUB_API_TOKEN",
    "NOVITA_API_KEY",
    "OLLAMA_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENROUTER_API_KEY",
    "PINECONE_API_KEY",
    "SAMBANOVA_API_KEY",
    "SEARCHAPI_API_KEY",
    "SERPAPI_API_KEY",
    "TAVILY_API_KEY",
    "UPSTASH_VECTOR_REST_TOKEN",
    "UPSTASH_VECTOR_REST_URL",
    "VECTARA_API_KEY",
    "WATSONX_API_KEY",
    "WATSONX_PROJECT_ID",
    "WATSONX_URL",
];

pub struct VariableInput {
    pub name: Option<String>,
    pub value: Option<Secret>,
    pub kind: Option<VariableKind>,
    pub default_fields: Option<Vec<String>>,
}

pub async fn create_variable(app: &App, actor: &Actor, input: VariableInput) -> Result<Variable> {
    let name = checked_name(input.name.as_deref().unwrap_or_default())?;
    let kind = input.kind.unwrap_or(VariableKind::Generic);
    let value = input.value.unwrap_or_else(|| Secret::new(String::new()));
    let fields = input.default_fields.unwrap_or_default();
    let new = sealed_variable(app, actor.user.id, name, kind, &value, fields)?;
    let variable = app.store.create_variable(&actor.principal(), new).await?;
    app.audit(actor, "variable.create", variable.id).await?;
    Ok(variable)
}

fn sealed_variable(
    app: &App,
    owner: UserId,
    name: String,
    kind: VariableKind,
    value: &Secret,
    default_fields: Vec<String>,
) -> Result<NewVariable> {
    let id = VariableId::new();
    let value = sealed(app, id, owner, kind, value)?;
    Ok(NewVariable {
        id,
        name,
        value,
        default_fields,
    })
}

/// A credential that becomes generic needs its value again: it is never taken out of the vault to be shown.
pub async fn change_variable(
    app: &App,
    actor: &Actor,
    id: VariableId,
    input: VariableInput,
) -> Result<Variable> {
    let old = app.store.variable(&actor.principal(), id).await?;
    let name = input.name.as_deref().map(checked_name).transpose()?;
    let kind = input.kind.unwrap_or(old.value.kind());
    let value = match (input.value, &old.value) {
        (Some(value), _) => Some(sealed(app, id, actor.user.id, kind, &value)?),
        (None, old) if kind == old.kind() => None,
        (None, VariableValue::Generic(text)) => {
            Some(sealed(app, id, actor.user.id, kind, &Secret::new(text.clone()))?)
        }
        (None, VariableValue::Credential(_)) => {
            return Err(AppError::invalid(
                "value",
                "give the value again to turn a credential into a generic variable",
            ));
        }
    };
    let change = VariableChange {
        name,
        value,
        default_fields: input.default_fields,
    };
    let variable = app.store.change_variable(&actor.principal(), id, change).await?;
    app.audit(actor, "variable.change", id).await?;
    Ok(variable)
}

pub async fn delete_variable(app: &App, actor: &Actor, id: VariableId) -> Result<()> {
    app.store.delete_variable(&actor.principal(), id).await?;
    app.audit(actor, "variable.delete", id).await
}

fn sealed(
    app: &App,
    id: VariableId,
    owner: UserId,
    kind: VariableKind,
    value: &Secret,
) -> Result<VariableValue> {
    if value.expose().len() > 1 << 20 {
        return Err(AppError::invalid("value", "must be smaller than 1 MB"));
    }
    match kind {
        VariableKind::Generic => Ok(VariableValue::Generic(value.expose().to_owned())),
        VariableKind::Credential => {
            let sealed = app
                .vault
                .seal(Cell::variable(id, owner), value)
                .map_err(AppError::internal)?;
            Ok(VariableValue::Credential(sealed))
        }
    }
}

fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 200 {
        return Err(AppError::invalid("name", "must have 1 to 200 characters"));
    }
    if name.chars().any(char::is_control) {
        return Err(AppError::invalid("name", "must not have control characters"));
    }
    Ok(name.to_owned())
}

/// Takes well-known keys of the environment over as credentials of `user`; those they already have stay.
pub async fn import_environment(
    app: &App,
    by: &Principal,
    owner: UserId,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<usize> {
    let have: Vec<String> = app
        .store
        .variables(by)
        .await?
        .into_iter()
        .map(|variable| variable.name)
        .collect();
    let mut imported = 0;
    let providers = ferro_llm::catalog().variables();
    let plain: Vec<&str> = providers
        .filter(|variable| !variable.secret)
        .map(|variable| variable.key.as_str())
        .collect();
    let keys = ferro_llm::catalog()
        .variables()
        .map(|variable| variable.key.as_str());
    let names: BTreeSet<&str> = WELL_KNOWN.iter().copied().chain(keys).collect();
    for name in names
        .into_iter()
        .filter(|name| !have.iter().any(|had| had == name))
    {
        if let Some(value) = environment(name).filter(|value| !value.is_empty()) {
            let value = Secret::new(value);
            let kind = if plain.contains(&name) {
                VariableKind::Generic
            } else {
                VariableKind::Credential
            };
            let new = sealed_variable(app, owner, name.to_owned(), kind, &value, Vec::new())?;
            app.store.create_variable(by, new).await?;
            imported += 1;
        }
    }
    Ok(imported)
}

/// Puts every credential under a new master key. The old one stays in the key file for a change that is under way.
pub async fn rotate_key(app: &App) -> Result<(String, u64)> {
    let active = app.vault.add_key().map_err(AppError::internal)?;
    Ok((active, rewrap_all(app).await?))
}

/// Drops the master keys that no credential needs any more.
pub async fn forget_old_keys(app: &App) -> Result<usize> {
    rewrap_all(app).await?;
    app.vault.forget_old().map_err(AppError::internal)
}

async fn rewrap_all(app: &App) -> Result<u64> {
    let by = Principal::System;
    let mut total = 0;
    // Someone may save a credential meanwhile; go round until nothing is left.
    for _ in 0..10 {
        let mut pairs = Vec::new();
        for variable in app.store.all_credentials(&by).await? {
            if let VariableValue::Credential(old) = variable.value
                && !app.vault.is_current(&old).map_err(AppError::internal)?
            {
                let cell = Cell::variable(variable.id, variable.user_id);
                let new = app.vault.rewrap(cell, &old).map_err(AppError::internal)?;
                pairs.push((variable.id, old, new));
            }
        }
        if pairs.is_empty() {
            return Ok(total);
        }
        total += app.store.reseal_credentials(&by, pairs).await?;
    }
    Err(AppError::conflict(
        "credentials kept changing while the key was rotated: try again when it is quieter",
    ))
}

/// How many credentials the key file at hand does not open.
pub async fn unreadable_credentials(app: &App) -> Result<usize> {
    let all = app.store.all_credentials(&Principal::System).await?;
    let opens = |variable: &Variable| match &variable.value {
        VariableValue::Credential(sealed) => app
            .vault
            .open_sealed(Cell::variable(variable.id, variable.user_id), sealed)
            .is_ok(),
        VariableValue::Generic(_) => true,
    };
    Ok(all.iter().filter(|variable| !opens(variable)).count())
}
