//! Every route, once.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use tower_http::{
    catch_panic::CatchPanicLayer, compression::CompressionLayer, timeout::RequestBodyTimeoutLayer,
};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    api::{api_keys, auth, files, flows, meta, projects, trash, users, variables, versions},
    error::AppError,
    http::{guard, identity, linger, observe},
    state::App,
    web,
};

/// A body must keep moving; how long it may take in all is up to `guard`.
const BODY_IDLE: Duration = Duration::from_secs(15);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Ferroflow",
        description = "Build, run, share and deploy AI workflows. Langflow's clients work unchanged; addresses may end in a slash or not.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    modifiers(&Security),
    security(("session" = []), ("bearer" = []), ("api_key" = [])),
    tags(
        (name = "meta", description = "What this server is and how it is"),
        (name = "auth", description = "Signing in and out"),
        (name = "users", description = "Accounts"),
        (name = "api keys", description = "Keys for programs"),
        (name = "variables", description = "Global variables and credentials"),
        (name = "projects", description = "What flows are kept in"),
        (name = "flows", description = "Flows and their documents"),
        (name = "versions", description = "Snapshots of a flow"),
        (name = "trash", description = "Deleted things, until they are restored or their time is up"),
        (name = "files", description = "Uploaded files"),
    )
)]
struct Document;

struct Security;

impl Modify for Security {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            "ferroflow_session",
            "A browser's session, from signing in",
        ));
        let key = ApiKey::Header(ApiKeyValue::with_description(
            "x-api-key",
            "A key from Settings › API keys",
        ));
        components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(key));
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("From POST /api/v1/login"))
            .build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
}

/// The table of contents. The comment says who calls it.
fn api() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(meta::health)) // load balancers, the page when it was offline
        .routes(routes!(meta::health_check)) // operators, the about page
        .routes(routes!(meta::openapi)) // the API reference, generators
        .routes(routes!(meta::version)) // SDK
        .routes(routes!(meta::config)) // the page before it shows anything
        .routes(routes!(auth::login)) // sign-in page, SDK
        .routes(routes!(auth::auto_login)) // the page in single-user mode, SDK
        .routes(routes!(auth::refresh)) // SDK
        .routes(routes!(auth::session)) // the page at start
        .routes(routes!(auth::logout)) // user menu
        .routes(routes!(users::list_users, users::create_user)) // settings › users, sign-up
        .routes(routes!(users::whoami)) // SDK
        .routes(routes!(users::update_user, users::delete_user)) // settings › profile and users
        .routes(routes!(users::reset_password)) // settings › profile
        .routes(routes!(api_keys::list_api_keys, api_keys::create_api_key)) // settings › API keys
        .routes(routes!(api_keys::delete_api_key)) // settings › API keys
        .routes(routes!(variables::list_variables, variables::create_variable)) // settings › variables
        .routes(routes!(variables::update_variable, variables::delete_variable)) // settings › variables
        .routes(routes!(projects::list_projects, projects::create_project)) // sidebar, SDK
        .routes(routes!(projects::read_project, projects::update_project, projects::put_project, projects::delete_project)) // home, SDK
        .routes(routes!(projects::download_project)) // sidebar
        .routes(routes!(projects::upload_project)) // sidebar
        .routes(routes!(flows::list_flows, flows::create_flow, flows::delete_flows)) // home, SDK
        .routes(routes!(flows::read_flow, flows::update_flow, flows::put_flow, flows::delete_flow)) // flow page, SDK
        .routes(routes!(flows::duplicate_flow)) // home
        .routes(routes!(flows::diff_flow)) // conflict dialog
        .routes(routes!(flows::read_public_flow)) // visitors
        .routes(routes!(flows::create_flows)) // SDK
        .routes(routes!(flows::upload_flows)) // import by drop, SDK
        .routes(routes!(flows::download_flows)) // export, SDK
        .routes(routes!(versions::list_versions, versions::create_version)) // version history
        .routes(routes!(versions::diff_versions)) // version history
        .routes(routes!(versions::read_version, versions::update_version, versions::delete_version)) // version history
        .routes(routes!(versions::activate_version)) // version history
        .routes(routes!(trash::list_trash, trash::empty_trash)) // trash
        .routes(routes!(trash::restore_trash)) // undo, trash
        .routes(routes!(trash::purge_trash)) // trash
        .routes(routes!(files::list_files, files::create_file, files::delete_files)) // files page, SDK
        .routes(routes!(files::download_files, files::delete_file_batch)) // files page
        .routes(routes!(files::read_file, files::rename_file, files::delete_file)) // files page, SDK
}

pub fn router(app: Arc<App>) -> Router {
    let (routes, _) = api().split_for_parts();
    routes
        .method_not_allowed_fallback(|| async { AppError::method_not_allowed() })
        .route_layer(middleware::from_fn_with_state(app.clone(), identity::identify))
        .fallback(web::serve)
        .layer(CompressionLayer::new().gzip(true))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyTimeoutLayer::new(BODY_IDLE))
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(middleware::from_fn(linger::linger))
        .layer(middleware::from_fn(observe::observe))
        .with_state(app)
}

pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// The document as it is served, made once.
pub fn openapi_json() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| openapi().to_pretty_json().unwrap_or_default())
}
