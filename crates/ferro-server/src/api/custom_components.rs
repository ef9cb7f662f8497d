//! Components from code that people bring.

use axum::{Json as Answer, extract::State};
use ferro_python::analysis::{Checked, Severity};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    api::AppState,
    app::{custom_components, models, python},
    error::{ErrorBody, Result},
    http::{
        extract::{FLOW_LIMIT, Json},
        identity::Actor,
        rarely,
    },
};

/// Escapes make code longer on its way here.
pub(super) const CODE_LIMIT: usize = 2 << 20;

#[derive(Deserialize, ToSchema)]
pub struct ComponentCode {
    /// Python with a class that derives from `Component`; 256 kB at most.
    pub code: String,
    /// The node (`data.node`) whose code it was changed from: what a person had set there stays.
    #[schema(value_type = Option<Object>)]
    pub frontend_node: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct ComponentMade {
    /// The node (`data.node`).
    #[schema(value_type = Object)]
    pub data: Value,
    #[schema(example = "SumComponent")]
    pub r#type: String,
}

/// Make a node from code. The class is instantiated in the sandbox; its own fields and outputs become the node's. Errors
/// have `diagnostics` with lines and columns, as `validate/code` has.
#[utoipa::path(post, path = "/api/v1/custom_component", tag = "components", request_body = ComponentCode,
    responses((status = 200, body = ComponentMade), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn make_component(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<ComponentCode, FLOW_LIMIT>,
) -> Result<Answer<ComponentMade>> {
    let code = custom_components::without_mark(&body.code);
    let made = custom_components::make(&app, &actor, code, body.frontend_node.as_ref());
    let mut made = rarely(made).await?;
    let is_new = body.frontend_node.is_none();
    models::fill_models(&app, &actor, &mut made.node, "", is_new).await?;
    Ok(Answer(ComponentMade {
        data: made.node,
        r#type: made.r#type,
    }))
}

#[derive(Deserialize, ToSchema)]
pub struct CodeCheck {
    pub code: String,
}

#[derive(Serialize, ToSchema)]
pub struct CodeErrors {
    pub errors: Vec<String>,
}

/// Something about code. Lines and columns count from 1, columns in characters; the end is behind the last one.
#[derive(Serialize, ToSchema)]
pub struct CodeFinding {
    #[schema(example = "error")]
    pub severity: &'static str,
    /// For programs; stays the same when the wording changes.
    #[schema(example = "syntax")]
    pub code: &'static str,
    pub message: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Serialize, ToSchema)]
pub struct CodeChecked {
    /// What is wrong with its imports.
    pub imports: CodeErrors,
    /// What else is wrong.
    pub function: CodeErrors,
    pub class_name: Option<String>,
    pub diagnostics: Vec<CodeFinding>,
}

/// Say what is wrong with code. Nothing of it runs.
#[utoipa::path(post, path = "/api/v1/validate/code", tag = "components", request_body = CodeCheck,
    responses((status = 200, body = CodeChecked), (status = 413, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn validate_code(_: Actor, Json(body): Json<CodeCheck, CODE_LIMIT>) -> Result<Answer<CodeChecked>> {
    let checked = python::look(custom_components::without_mark(&body.code)).await?;
    Ok(Answer(shaped(checked)))
}

fn shaped(checked: Checked) -> CodeChecked {
    let (mut imports, mut function) = (Vec::new(), Vec::new());
    for found in &checked.diagnostics {
        if found.severity != Severity::Error {
            continue;
        }
        let line = found.span.line;
        let is_import = checked
            .imports
            .iter()
            .any(|import| (import.span.line..=import.span.end_line).contains(&line));
        let told = format!("Line {line}: {}", found.message);
        if is_import { &mut imports } else { &mut function }.push(told);
    }
    let diagnostics = checked.diagnostics.into_iter().map(|found| CodeFinding {
        severity: match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: found.code,
        message: found.message,
        line: found.span.line,
        column: found.span.column,
        end_line: found.span.end_line,
        end_column: found.span.end_column,
    });
    CodeChecked {
        imports: CodeErrors { errors: imports },
        function: CodeErrors { errors: function },
        class_name: checked.class_name,
        diagnostics: diagnostics.collect(),
    }
}
