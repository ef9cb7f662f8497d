//! Projects, which Langflow calls folders.

use axum::{Json as Answer, extract::State, http::StatusCode, response::Response};
use ferro_store::{FlowFilter, FlowId, NewProject, Project, ProjectChange, ProjectId, Timestamp, Window};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState, PageRequest, download,
        files::uploads,
        flows::{
            Direction, ExportQuery, SortBy, order,
            schema::{FlowHeaderPage, FlowRead, Upload},
        },
        json_text, said,
    },
    app::{
        flows::{self, Secrets, json},
        projects,
    },
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Multipart, Path, Query},
        identity::Actor,
    },
};

#[derive(Serialize, ToSchema)]
pub struct ProjectRead {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub parent_id: Option<Uuid>,
    pub owner_username: String,
    pub is_owner: bool,
    pub flow_count: i64,
    pub component_count: i64,
    #[schema(value_type = Option<Object>)]
    pub auth_settings: Option<serde_json::Value>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

fn shape(project: Project, actor: &Actor) -> ProjectRead {
    ProjectRead {
        id: project.id.0,
        name: project.name,
        description: project.description,
        parent_id: project.parent_id.map(|id| id.0),
        owner_username: actor.user.username.clone(),
        is_owner: project.user_id == actor.user.id,
        flow_count: project.flow_count,
        component_count: project.component_count,
        auth_settings: project
            .auth_settings
            .and_then(|text| serde_json::from_str(&text).ok()),
        created_at: project.created_at,
        updated_at: project.updated_at,
    }
}

/// One's projects, the oldest first.
#[utoipa::path(get, path = "/api/v1/projects", tag = "projects", responses((status = 200, body = Vec<ProjectRead>)))]
pub async fn list_projects(State(app): AppState, actor: Actor) -> Result<Answer<Vec<ProjectRead>>> {
    let projects = app.store.projects(&actor.principal()).await?;
    Ok(Answer(
        projects
            .into_iter()
            .map(|project| shape(project, &actor))
            .collect(),
    ))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectCreate {
    pub name: String,
    pub description: Option<String>,
    pub parent_id: Option<Uuid>,
    #[schema(value_type = Option<Object>)]
    pub auth_settings: Option<serde_json::Value>,
    /// Flows to move into it.
    #[serde(default)]
    pub flows_list: Vec<Uuid>,
    /// Components to move into it.
    #[serde(default)]
    pub components_list: Vec<Uuid>,
}

impl From<ProjectCreate> for NewProject {
    fn from(body: ProjectCreate) -> Self {
        Self {
            name: body.name,
            description: body.description,
            parent_id: body.parent_id.map(ProjectId),
            auth_settings: body.auth_settings.map(|value| value.to_string()),
            flows: body
                .flows_list
                .into_iter()
                .chain(body.components_list)
                .map(FlowId)
                .collect(),
        }
    }
}

/// Make a project. A name that is taken gets a number.
#[utoipa::path(post, path = "/api/v1/projects", tag = "projects", request_body = ProjectCreate,
    responses((status = 201, body = ProjectRead), (status = 422, body = ErrorBody)))]
pub async fn create_project(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<ProjectCreate>,
) -> Result<(StatusCode, Answer<ProjectRead>)> {
    let project = projects::create_project(&app, &actor, body.into()).await?;
    Ok((StatusCode::CREATED, Answer(shape(project, &actor))))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProjectQuery {
    #[param(minimum = 1)]
    pub page: Option<i64>,
    #[param(minimum = 1, maximum = 100)]
    pub size: Option<i64>,
    #[serde(default)]
    pub is_component: bool,
    #[serde(default)]
    pub is_flow: bool,
    /// Part of a flow's name, description or tag.
    pub search: Option<String>,
    #[param(inline)]
    pub sort: Option<SortBy>,
    #[param(inline)]
    pub order: Option<Direction>,
}

#[derive(Serialize, ToSchema)]
pub struct ProjectWithFlows {
    #[serde(flatten)]
    pub project: ProjectRead,
    pub flows: Vec<FlowRead>,
}

#[derive(Serialize, ToSchema)]
pub struct ProjectWithPage {
    pub folder: ProjectRead,
    pub flows: FlowHeaderPage,
}

/// With `page` or `size`: the project and a page of headers. Without: the project and its whole flows.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ProjectAnswer {
    Whole(Box<ProjectWithFlows>),
    Page(Box<ProjectWithPage>),
}

/// A project and its flows.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}", tag = "projects", params(("project_id" = Uuid, Path), ProjectQuery),
    responses((status = 200, body = ProjectAnswer), (status = 404, body = ErrorBody)))]
pub async fn read_project(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ProjectId>,
    Query(query): Query<ProjectQuery>,
) -> Result<Response> {
    let by = actor.principal();
    let project = shape(app.store.project(&by, id).await?, &actor);
    let project = serde_json::to_string(&project).map_err(crate::error::AppError::internal)?;
    let filter = FlowFilter {
        folder_id: Some(id),
        is_component: match (query.is_component, query.is_flow) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        },
        flow_type: None,
        search: query.search.filter(|text| !text.trim().is_empty()),
    };
    let order = order(query.sort, query.order);
    if query.page.is_some() || query.size.is_some() {
        let page = PageRequest::new(query.page, query.size)?;
        let found = app.store.flow_headers(&by, filter, order, page.window()).await?;
        let flows = page.json(&json::array(found.items.iter().map(json::header)), found.total);
        return Ok(json_text(
            StatusCode::OK,
            format!("{{\"folder\":{project},\"flows\":{flows}}}"),
        ));
    }
    let found = app.store.flows(&by, filter, order, Window::ALL).await?;
    let flows = json::array(
        found
            .items
            .into_iter()
            .map(|flow| json::read(&flow.header, flow.data.as_deref())),
    );
    let opened = project.strip_suffix('}').unwrap_or(&project);
    Ok(json_text(StatusCode::OK, format!("{opened},\"flows\":{flows}}}")))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectUpdate {
    pub name: Option<String>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<String>)]
    pub description: Option<Option<String>>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<Uuid>)]
    pub parent_id: Option<Option<Uuid>>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<Object>)]
    pub auth_settings: Option<Option<serde_json::Value>>,
    /// Flows to move into it; none are moved out.
    #[serde(default)]
    pub flows: Vec<Uuid>,
    #[serde(default)]
    pub components: Vec<Uuid>,
}

/// Change a project, or move flows into it.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}", tag = "projects", params(("project_id" = Uuid, Path)), request_body = ProjectUpdate,
    responses((status = 200, body = ProjectRead), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn update_project(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ProjectId>,
    Json(body): Json<ProjectUpdate>,
) -> Result<Answer<ProjectRead>> {
    let change = ProjectChange {
        name: body.name,
        description: body.description,
        parent_id: body.parent_id.map(|parent| parent.map(ProjectId)),
        auth_settings: body
            .auth_settings
            .map(|settings| settings.map(|value| value.to_string())),
        flows: body
            .flows
            .into_iter()
            .chain(body.components)
            .map(FlowId)
            .collect(),
    };
    let project = projects::change_project(&app, &actor, id, change).await?;
    Ok(Answer(shape(project, &actor)))
}

/// Replace a project, or make one under this id.
#[utoipa::path(put, path = "/api/v1/projects/{project_id}", tag = "projects", params(("project_id" = Uuid, Path)), request_body = ProjectCreate,
    responses((status = 200, body = ProjectRead), (status = 201, body = ProjectRead), (status = 404, body = ErrorBody)))]
pub async fn put_project(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ProjectId>,
    Json(body): Json<ProjectCreate>,
) -> Result<(StatusCode, Answer<ProjectRead>)> {
    let (project, made) = projects::put_project(&app, &actor, id, body.into()).await?;
    Ok((
        if made { StatusCode::CREATED } else { StatusCode::OK },
        Answer(shape(project, &actor)),
    ))
}

/// Put a project in the trash, with its flows.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}", tag = "projects", params(("project_id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_project(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ProjectId>,
) -> Result<StatusCode> {
    app.store.trash_project(&actor.principal(), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A zip of the project's flows. Literal secrets are left out unless they are asked for.
#[utoipa::path(get, path = "/api/v1/projects/download/{project_id}", tag = "projects", params(("project_id" = Uuid, Path), ExportQuery),
    responses((status = 200, description = "the zip", content((Vec<u8> = "application/zip"))), (status = 404, body = ErrorBody)))]
pub async fn download_project(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ProjectId>,
    Query(query): Query<ExportQuery>,
) -> Result<Response> {
    let by = actor.principal();
    let secrets = query.secrets();
    let project = app.store.project(&by, id).await?;
    let filter = FlowFilter {
        folder_id: Some(id),
        ..FlowFilter::default()
    };
    let found = app
        .store
        .flows(&by, filter, Default::default(), Window::ALL)
        .await?;
    let action = match secrets {
        Secrets::LeftOut => "project.export",
        Secrets::Included => "project.export_secrets",
    };
    app.audit(&actor, action, id).await?;
    let archive = format!("{}.zip", project.name);
    let (name, mime, bytes) = flows::pack_flows(found.items, &archive, secrets).await?;
    Ok(download(&name, mime, bytes))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProjectUpload {
    /// What to call the new project; otherwise the file's name.
    pub name: Option<String>,
}

/// Import a zip or JSON of flows as a new project.
#[utoipa::path(post, path = "/api/v1/projects/upload", tag = "projects", params(ProjectUpload), request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, body = Vec<FlowRead>), (status = 422, body = ErrorBody)))]
pub async fn upload_project(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<ProjectUpload>,
    Multipart(multipart): Multipart,
) -> Result<Response> {
    let files = uploads(multipart, app.config.max_upload()).await?;
    let made = flows::import_project(&app, &actor, files, query.name).await?;
    let texts = made
        .iter()
        .map(|flow| json::read(&flow.header, flow.data.as_deref()));
    Ok(json_text(StatusCode::CREATED, json::array(texts)))
}
