//! Global variables.

use axum::{Json as Answer, extract::State, http::StatusCode};
use ferro_net::Secret;
use ferro_store::{Timestamp, Variable, VariableId, VariableKind, VariableValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    api::AppState,
    app::variables::{self, VariableInput},
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Path},
        identity::Actor,
    },
};

#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
pub enum VariableType {
    Generic,
    /// Encrypted, and never given back.
    Credential,
}

impl From<VariableType> for VariableKind {
    fn from(kind: VariableType) -> Self {
        match kind {
            VariableType::Generic => Self::Generic,
            VariableType::Credential => Self::Credential,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct VariableRead {
    pub id: Uuid,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: VariableType,
    /// Null for credentials.
    pub value: Option<String>,
    pub default_fields: Vec<String>,
    pub has_value: bool,
    /// Null while nobody has checked.
    pub is_valid: Option<bool>,
    pub validation_error: Option<String>,
    pub is_owner: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

impl From<Variable> for VariableRead {
    fn from(variable: Variable) -> Self {
        let (kind, value, has_value) = match variable.value {
            VariableValue::Generic(text) => {
                let has_value = !text.is_empty();
                (VariableType::Generic, Some(text), has_value)
            }
            VariableValue::Credential(_) => (VariableType::Credential, None, true),
        };
        Self {
            id: variable.id.0,
            name: variable.name,
            kind,
            value,
            default_fields: variable.default_fields,
            has_value,
            is_valid: None,
            validation_error: None,
            is_owner: true,
            created_at: variable.created_at,
            updated_at: variable.updated_at,
        }
    }
}

/// One's variables; values of credentials stay hidden.
#[utoipa::path(get, path = "/api/v1/variables", tag = "variables", responses((status = 200, body = Vec<VariableRead>)))]
pub async fn list_variables(State(app): AppState, actor: Actor) -> Result<Answer<Vec<VariableRead>>> {
    let variables = app.store.variables(&actor.principal()).await?;
    Ok(Answer(variables.into_iter().map(VariableRead::from).collect()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariableCreate {
    #[schema(example = "OPENAI_API_KEY")]
    pub name: String,
    pub value: String,
    #[serde(rename = "type")]
    pub kind: Option<VariableType>,
    /// Fields this variable fills in by itself.
    #[serde(default)]
    pub default_fields: Vec<String>,
}

/// Make a variable.
#[utoipa::path(post, path = "/api/v1/variables", tag = "variables", request_body = VariableCreate,
    responses((status = 201, body = VariableRead), (status = 409, body = ErrorBody)))]
pub async fn create_variable(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<VariableCreate>,
) -> Result<(StatusCode, Answer<VariableRead>)> {
    let input = VariableInput {
        name: Some(body.name),
        value: Some(Secret::new(body.value)),
        kind: body.kind.map(Into::into),
        default_fields: Some(body.default_fields),
    };
    let variable = variables::create_variable(&app, &actor, input).await?;
    Ok((StatusCode::CREATED, Answer(variable.into())))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariableUpdate {
    /// Must be the one in the address, if given; Langflow's clients send it.
    pub id: Option<Uuid>,
    pub name: Option<String>,
    pub value: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<VariableType>,
    pub default_fields: Option<Vec<String>>,
}

/// Change a variable. A credential's value is replaced, never shown.
#[utoipa::path(patch, path = "/api/v1/variables/{variable_id}", tag = "variables", params(("variable_id" = Uuid, Path)), request_body = VariableUpdate,
    responses((status = 200, body = VariableRead), (status = 404, body = ErrorBody)))]
pub async fn update_variable(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<VariableId>,
    Json(body): Json<VariableUpdate>,
) -> Result<Answer<VariableRead>> {
    let input = VariableInput {
        name: body.name,
        value: body.value.map(Secret::new),
        kind: body.kind.map(Into::into),
        default_fields: body.default_fields,
    };
    Ok(Answer(
        variables::change_variable(&app, &actor, id, input).await?.into(),
    ))
}

/// Delete a variable.
#[utoipa::path(delete, path = "/api/v1/variables/{variable_id}", tag = "variables", params(("variable_id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_variable(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<VariableId>,
) -> Result<StatusCode> {
    variables::delete_variable(&app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
