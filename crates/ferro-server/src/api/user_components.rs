//! Components that a person keeps.

use std::time::SystemTime;

use axum::{Json as Answer, extract::State, http::StatusCode};
use ferro_store::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::{AppState, Done, custom_components::CODE_LIMIT},
    app::{
        custom_components::without_mark,
        user_components::{self, Own},
    },
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Path},
        identity::Actor,
        rarely,
    },
};

#[derive(Serialize, ToSchema)]
pub struct UserComponentRead {
    #[schema(example = "SumComponent")]
    pub class_name: String,
    pub display_name: String,
    pub description: String,
    /// Bytes.
    pub size: u64,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// Why it is not among the components, if it is not.
    pub problem: Option<String>,
}

impl From<Own> for UserComponentRead {
    fn from(own: Own) -> Self {
        let said = |key: &str| match &own.node {
            Ok(node) => node[key].as_str().unwrap_or_default().to_owned(),
            Err(_) => String::new(),
        };
        Self {
            display_name: said("display_name"),
            description: said("description"),
            problem: own.node.as_ref().err().cloned(),
            class_name: own.class_name,
            size: own.size,
            updated_at: since_epoch(own.modified),
        }
    }
}

fn since_epoch(at: SystemTime) -> Timestamp {
    let micros = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_micros());
    Timestamp(i64::try_from(micros).unwrap_or(i64::MAX))
}

/// The components one keeps.
#[utoipa::path(get, path = "/api/v1/user_components", tag = "components",
    responses((status = 200, body = Vec<UserComponentRead>)))]
pub async fn list_user_components(
    State(app): AppState,
    actor: Actor,
) -> Result<Answer<Vec<UserComponentRead>>> {
    let own = rarely(user_components::list(&app, &actor)).await?;
    Ok(Answer(own.into_iter().map(UserComponentRead::from).collect()))
}

#[derive(Deserialize, ToSchema)]
pub struct UserComponentCreate {
    /// Python with a class that derives from `Component`. One kept under the same class name is replaced.
    pub code: String,
}

/// Keep a component: it is checked, describes itself in the sandbox, and is from then on among one's components.
#[utoipa::path(post, path = "/api/v1/user_components", tag = "components", request_body = UserComponentCreate,
    responses((status = 201, body = UserComponentRead), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody),
        (status = 507, body = ErrorBody)))]
pub async fn create_user_component(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<UserComponentCreate, CODE_LIMIT>,
) -> Result<(StatusCode, Answer<UserComponentRead>)> {
    let made = user_components::create(&app, &actor, without_mark(&body.code));
    Ok((StatusCode::CREATED, Answer(rarely(made).await?.into())))
}

/// Keep a component no longer. Nodes made from it stay as they are.
#[utoipa::path(delete, path = "/api/v1/user_components/{class_name}", tag = "components",
    params(("class_name" = String, Path)), responses((status = 200, body = Done), (status = 404, body = ErrorBody)))]
pub async fn delete_user_component(
    State(app): AppState,
    actor: Actor,
    Path(class_name): Path<String>,
) -> Result<Answer<Done>> {
    user_components::remove(&app, &actor, &class_name).await?;
    Ok(Answer(Done {
        message: "The component is deleted.".to_owned(),
    }))
}
