//! Flows.

pub mod schema;

use axum::{
    Json as Answer,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use ferro_store::{Flow, FlowFilter, FlowHeader, FlowId, FlowOrder, ProjectId, Window};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState, Deleted, Done, PageRequest, download,
        files::uploads,
        flows::schema::{
            DocumentBody, FlowBatch, FlowCreate, FlowDiffRead, FlowListAnswer, FlowRead, FlowUpdate,
            StaleBody, Upload,
        },
        if_match, json_text,
    },
    app::flows::{
        self, Secrets, etag,
        fields::{FlowFields, RawObject},
        json,
    },
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{FLOW_LIMIT, Json, Multipart, Path, Query},
        identity::Actor,
    },
};

/// A single flow, with the `ETag` a later change is made on.
pub fn flow_answer(status: StatusCode, flow: &Flow) -> Response {
    with_etag(
        json_text(status, json::read(&flow.header, flow.data.as_deref())),
        &flow.header,
    )
}

fn with_etag(mut response: Response, flow: &FlowHeader) -> Response {
    if let Ok(etag) = HeaderValue::try_from(etag(flow)) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// As `flow_answer`, or without the document for a client that has just sent it and asks to be spared.
fn saved_answer(status: StatusCode, flow: &Flow, headers: &HeaderMap) -> Response {
    let minimal = headers
        .get_all("prefer")
        .iter()
        .any(|value| value.as_bytes() == b"return=minimal");
    if !minimal {
        return flow_answer(status, flow);
    }
    let mut response = with_etag(json_text(status, json::header(&flow.header)), &flow.header);
    response
        .headers_mut()
        .insert("preference-applied", HeaderValue::from_static("return=minimal"));
    response
}

fn flow_list(status: StatusCode, flows: &[Flow]) -> Response {
    json_text(
        status,
        json::array(
            flows
                .iter()
                .map(|flow| json::read(&flow.header, flow.data.as_deref())),
        ),
    )
}

/// Make a flow. A name that is taken gets a number; fields we do not know are kept.
#[utoipa::path(post, path = "/api/v1/flows", tag = "flows", request_body = FlowCreate,
    responses((status = 201, body = FlowRead), (status = 422, body = ErrorBody)))]
pub async fn create_flow(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<RawObject, FLOW_LIMIT>,
) -> Result<Response> {
    let flow = flows::create_flow(&app, &actor, FlowFields::read(body)?).await?;
    Ok(flow_answer(StatusCode::CREATED, &flow))
}

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    #[default]
    UpdatedAt,
    CreatedAt,
    Name,
}

#[derive(Clone, Copy, Deserialize, ToSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Asc,
    Desc,
}

pub fn order(sort: Option<SortBy>, direction: Option<Direction>) -> FlowOrder {
    let sort = sort.unwrap_or_default();
    let up = direction.map_or(matches!(sort, SortBy::Name), |direction| {
        direction == Direction::Asc
    });
    match (sort, up) {
        (SortBy::UpdatedAt, false) => FlowOrder::UpdatedLast,
        (SortBy::UpdatedAt, true) => FlowOrder::UpdatedFirst,
        (SortBy::CreatedAt, false) => FlowOrder::CreatedLast,
        (SortBy::CreatedAt, true) => FlowOrder::CreatedFirst,
        (SortBy::Name, true) => FlowOrder::NameUp,
        (SortBy::Name, false) => FlowOrder::NameDown,
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FlowList {
    /// All of them as one array (the default), or a page at a time.
    pub get_all: Option<bool>,
    /// Leave the documents out.
    #[serde(default)]
    pub header_flows: bool,
    #[serde(default)]
    pub components_only: bool,
    /// Accepted for Langflow's clients: examples are not among a person's flows here.
    #[serde(default)]
    #[allow(dead_code, reason = "part of the address that clients may send")]
    pub remove_example_flows: bool,
    pub folder_id: Option<Uuid>,
    pub flow_type: Option<String>,
    /// Part of a name, description or tag.
    pub search: Option<String>,
    #[param(inline)]
    pub sort: Option<SortBy>,
    #[param(inline)]
    pub order: Option<Direction>,
    #[param(minimum = 1)]
    pub page: Option<i64>,
    #[param(minimum = 1, maximum = 100)]
    pub size: Option<i64>,
}

/// One's flows: whole or headers only, all or a page.
#[utoipa::path(get, path = "/api/v1/flows", tag = "flows", params(FlowList),
    responses((status = 200, body = FlowListAnswer), (status = 422, body = ErrorBody)))]
pub async fn list_flows(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<FlowList>,
) -> Result<Response> {
    let by = actor.principal();
    let paged = query.page.is_some() || query.size.is_some() || query.get_all == Some(false);
    let page = PageRequest::new(query.page, query.size)?;
    let window = if paged { page.window() } else { Window::ALL };
    let filter = FlowFilter {
        folder_id: query.folder_id.map(ProjectId),
        is_component: query.components_only.then_some(true),
        flow_type: query.flow_type,
        search: query.search.filter(|text| !text.trim().is_empty()),
    };
    let order = order(query.sort, query.order);
    let (items, total) = if query.header_flows {
        let found = app.store.flow_headers(&by, filter, order, window).await?;
        (json::array(found.items.iter().map(json::header)), found.total)
    } else {
        let found = app.store.flows(&by, filter, order, window).await?;
        let texts = found
            .items
            .into_iter()
            .map(|flow| json::read(&flow.header, flow.data.as_deref()));
        (json::array(texts), found.total)
    };
    Ok(json_text(
        StatusCode::OK,
        if paged { page.json(&items, total) } else { items },
    ))
}

/// A flow with its document.
#[utoipa::path(get, path = "/api/v1/flows/{flow_id}", tag = "flows", params(("flow_id" = Uuid, Path)),
    responses((status = 200, body = FlowRead, headers(("etag" = String, description = "the flow's revision"))), (status = 404, body = ErrorBody)))]
pub async fn read_flow(State(app): AppState, actor: Actor, Path(id): Path<FlowId>) -> Result<Response> {
    let flow = app.store.flow(&actor.principal(), id).await?;
    Ok(flow_answer(StatusCode::OK, &flow))
}

/// Change some fields. With `If-Match`, only if nobody changed the flow meanwhile.
///
/// With `Prefer: return=minimal` the answer leaves the document out.
#[utoipa::path(patch, path = "/api/v1/flows/{flow_id}", tag = "flows", request_body = FlowUpdate,
    params(("flow_id" = Uuid, Path), ("if-match" = Option<String>, Header, description = "the `ETag` the change was made on")),
    responses((status = 200, body = FlowRead), (status = 403, description = "locked", body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = StaleBody)))]
pub async fn update_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    headers: HeaderMap,
    Json(body): Json<RawObject, FLOW_LIMIT>,
) -> Result<Response> {
    let expected = if_match(&headers)?;
    let flow = flows::change_flow(&app, &actor, id, expected, FlowFields::read(body)?).await?;
    Ok(saved_answer(StatusCode::OK, &flow, &headers))
}

/// Save a flow under this id: change it if it is there, make it if it is not.
#[utoipa::path(put, path = "/api/v1/flows/{flow_id}", tag = "flows", request_body = FlowCreate,
    params(("flow_id" = Uuid, Path), ("if-match" = Option<String>, Header, description = "the `ETag` the change was made on")),
    responses((status = 200, body = FlowRead), (status = 201, body = FlowRead), (status = 404, body = ErrorBody), (status = 409, body = StaleBody)))]
pub async fn put_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    headers: HeaderMap,
    Json(body): Json<RawObject, FLOW_LIMIT>,
) -> Result<Response> {
    let expected = if_match(&headers)?;
    let (flow, made) = flows::put_flow(&app, &actor, id, expected, FlowFields::read(body)?).await?;
    Ok(saved_answer(
        if made { StatusCode::CREATED } else { StatusCode::OK },
        &flow,
        &headers,
    ))
}

/// Put a flow in the trash.
#[utoipa::path(delete, path = "/api/v1/flows/{flow_id}", tag = "flows",
    params(("flow_id" = Uuid, Path), ("if-match" = Option<String>, Header, description = "the `ETag` it was read with")),
    responses((status = 200, body = Done), (status = 404, body = ErrorBody), (status = 409, body = StaleBody)))]
pub async fn delete_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    headers: HeaderMap,
) -> Result<Answer<Done>> {
    flows::trash_flows(&app, &actor, vec![id], if_match(&headers)?).await?;
    Ok(Answer(Done {
        message: "The flow is in the trash.".to_owned(),
    }))
}

/// Put several flows in the trash, all or none.
#[utoipa::path(delete, path = "/api/v1/flows", tag = "flows", request_body = Vec<Uuid>,
    responses((status = 200, body = Deleted), (status = 404, body = ErrorBody)))]
pub async fn delete_flows(
    State(app): AppState,
    actor: Actor,
    Json(ids): Json<Vec<FlowId>>,
) -> Result<Answer<Deleted>> {
    let deleted = flows::trash_flows(&app, &actor, ids, None).await?;
    Ok(Answer(Deleted { deleted }))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowDuplicate {
    pub name: Option<String>,
    pub folder_id: Option<Uuid>,
}

/// Copy a flow. The copy has no endpoint name, is private and unlocked.
#[utoipa::path(post, path = "/api/v1/flows/{flow_id}/duplicate", tag = "flows", params(("flow_id" = Uuid, Path)), request_body = FlowDuplicate,
    responses((status = 201, body = FlowRead), (status = 404, body = ErrorBody)))]
pub async fn duplicate_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    Json(body): Json<FlowDuplicate>,
) -> Result<Response> {
    let flow = flows::duplicate_flow(&app, &actor, id, body.name, body.folder_id.map(ProjectId)).await?;
    Ok(flow_answer(StatusCode::CREATED, &flow))
}

#[derive(Deserialize)]
pub struct Batch {
    flows: Vec<RawObject>,
}

/// Make several flows, all or none.
#[utoipa::path(post, path = "/api/v1/flows/batch", tag = "flows", request_body = FlowBatch,
    responses((status = 201, body = Vec<FlowRead>), (status = 422, body = ErrorBody)))]
pub async fn create_flows(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<Batch, FLOW_LIMIT>,
) -> Result<Response> {
    let mut all = Vec::with_capacity(body.flows.len());
    for (at, object) in body.flows.into_iter().enumerate() {
        all.push(FlowFields::read(object).map_err(|error| error.about(&format!("flows[{at}]")))?);
    }
    let made = flows::create_flows(&app, &actor, all, None).await?;
    Ok(flow_list(StatusCode::CREATED, &made))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadTo {
    /// The project the flows go to.
    pub folder_id: Option<Uuid>,
}

/// Import flows from JSON files or zips of them, all or none.
#[utoipa::path(post, path = "/api/v1/flows/upload", tag = "flows", params(UploadTo), request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, body = Vec<FlowRead>), (status = 422, body = ErrorBody)))]
pub async fn upload_flows(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<UploadTo>,
    Multipart(multipart): Multipart,
) -> Result<Response> {
    let files = uploads(multipart, app.config.max_upload()).await?;
    let made = flows::import_flows(&app, &actor, files, query.folder_id.map(ProjectId)).await?;
    Ok(flow_list(StatusCode::CREATED, &made))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Keep the secrets typed into fields. Credentials are never in a file, only their names.
    #[serde(default)]
    pub include_secrets: bool,
}

impl ExportQuery {
    pub fn secrets(&self) -> Secrets {
        if self.include_secrets {
            Secrets::Included
        } else {
            Secrets::LeftOut
        }
    }
}

/// Export flows: one as a JSON file, several as a zip. Literal secrets are left out unless they are asked for.
#[utoipa::path(post, path = "/api/v1/flows/download", tag = "flows", params(ExportQuery), request_body = Vec<Uuid>,
    responses((status = 200, description = "the file", content((Vec<u8> = "application/zip"), (Object = "application/json"))), (status = 404, body = ErrorBody)))]
pub async fn download_flows(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<ExportQuery>,
    Json(ids): Json<Vec<FlowId>>,
) -> Result<Response> {
    let (name, mime, bytes) = flows::export_flows(&app, &actor, &ids, query.secrets()).await?;
    Ok(download(&name, mime, bytes))
}

/// What saving this document would change.
#[utoipa::path(post, path = "/api/v1/flows/{flow_id}/diff", tag = "flows", params(("flow_id" = Uuid, Path)), request_body = DocumentBody,
    responses((status = 200, body = FlowDiffRead), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn diff_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    Json(body): Json<RawObject, FLOW_LIMIT>,
) -> Result<Response> {
    let fields = FlowFields::read(body)?;
    let Some(data) = fields.data else {
        return Err(AppError::invalid("data", "is missing"));
    };
    let diff = flows::diff_flow(&app, &actor, id, data).await?;
    Ok(json_text(StatusCode::OK, diff_text(&diff)?))
}

pub fn diff_text(diff: &impl Serialize) -> Result<String> {
    serde_json::to_string(diff).map_err(AppError::internal)
}
