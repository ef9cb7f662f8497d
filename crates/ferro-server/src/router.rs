//! Every route, once.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate as _},
    },
    timeout::RequestBodyTimeoutLayer,
};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    api::{
        agentic, api_keys, auth, build, components, custom_components, files, flows, meta, metrics, models,
        monitor::{builds, job_queue, messages, python, sessions, shared, traces},
        preferences, projects, public, responses, run, runs, starters, trash, user_components, users,
        variables, versions, workflows,
    },
    error::AppError,
    http::{self, identity, observe},
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
        (name = "models", description = "Model providers, their models, and the defaults"),
        (name = "components", description = "What can be put on a canvas"),
        (name = "agentic", description = "The assistant"),
        (name = "messages", description = "What people and flows said to each other"),
        (name = "monitor", description = "What the logs of runs tell"),
        (name = "runs", description = "Running flows, and what ran"),
        (name = "workflows", description = "Running flows with Langflow's second API: waiting, watching, in the background"),
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
        .routes(routes!(metrics::read_metrics)) // Prometheus
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
        .routes(routes!(preferences::list_preferences)) // the page at start
        .routes(routes!(preferences::set_preference, preferences::clear_preference)) // settings › shortcuts, palette, editor
        .routes(routes!(variables::list_variables, variables::create_variable)) // settings › variables
        .routes(routes!(variables::update_variable, variables::delete_variable)) // settings › variables
        .routes(routes!(models::list_models)) // settings › model providers
        .routes(routes!(models::list_provider_names)) // SDK
        .routes(routes!(models::list_provider_descriptors)) // SDK
        .routes(routes!(models::map_provider_variables)) // SDK
        .routes(routes!(models::list_enabled_providers)) // SDK
        .routes(routes!(models::validate_provider)) // settings › model providers
        .routes(routes!(models::list_enabled_models, models::update_enabled_models)) // settings › model providers
        .routes(routes!(models::read_default_model, models::set_default_model, models::clear_default_model)) // settings › model providers
        .routes(routes!(models::list_language_options)) // model fields
        .routes(routes!(models::list_embedding_options)) // model fields
        .routes(routes!(projects::list_projects, projects::create_project)) // sidebar, SDK
        .routes(routes!(projects::read_project, projects::update_project, projects::put_project, projects::delete_project)) // home, SDK
        .routes(routes!(projects::download_project)) // sidebar
        .routes(routes!(projects::upload_project)) // sidebar
        .routes(routes!(flows::list_flows, flows::create_flow, flows::delete_flows)) // home, SDK
        .routes(routes!(flows::read_flow, flows::update_flow, flows::put_flow, flows::delete_flow)) // flow page, SDK
        .routes(routes!(starters::list_examples)) // new flow, SDK
        .routes(routes!(starters::list_starters)) // MCP
        .routes(routes!(flows::duplicate_flow)) // home
        .routes(routes!(flows::diff_flow)) // conflict dialog
        .routes(routes!(public::read_public_flow)) // visitors
        .routes(routes!(flows::create_flows)) // SDK
        .routes(routes!(flows::upload_flows)) // import by drop, SDK
        .routes(routes!(flows::download_flows)) // export, SDK
        .routes(routes!(versions::list_versions, versions::create_version)) // version history
        .routes(routes!(versions::diff_versions)) // version history
        .routes(routes!(versions::read_version, versions::update_version, versions::delete_version)) // version history
        .routes(routes!(versions::activate_version)) // version history
        .routes(routes!(run::run_flow)) // SDK, programs
        .routes(routes!(run::run_flow_session)) // Langflow's page
        .routes(routes!(run::advanced::run_flow_advanced)) // SDK
        .routes(routes!(run::run_webhook)) // other systems
        .routes(routes!(build::webhook_events)) // canvas
        .routes(routes!(build::build_flow)) // SDK, MCP
        .routes(routes!(build::build_events)) // SDK, MCP
        .routes(routes!(build::cancel_build)) // SDK
        .routes(routes!(workflows::run_workflow, workflows::workflow_status)) // canvas, playground, SDK
        .routes(routes!(workflows::stop_workflow)) // playground, SDK
        .routes(routes!(workflows::pending_workflows)) // playground
        .routes(routes!(workflows::workflow_events)) // playground, SDK
        .routes(routes!(workflows::resume_workflow)) // playground
        .routes(routes!(public::run_public_workflow)) // shared playground, embedded chat
        .routes(routes!(public::resume_public_workflow)) // shared playground, embedded chat
        .routes(routes!(public::legacy::build_public_flow)) // Langflow's page
        .routes(routes!(public::legacy::public_build_events)) // Langflow's page
        .routes(routes!(public::legacy::cancel_public_build)) // Langflow's page
        .routes(routes!(responses::create_response)) // OpenAI's clients
        .routes(routes!(runs::list_runs, runs::delete_runs)) // runs page
        .routes(routes!(runs::read_run)) // runs page
        .routes(routes!(runs::detail::run_detail)) // runs page
        .routes(routes!(runs::detail::run_step)) // runs page
        .routes(routes!(runs::run_events)) // runs page, canvas
        .routes(routes!(runs::cancel_run)) // runs page
        .routes(routes!(runs::fork_run)) // runs page
        .routes(routes!(runs::flow_problems)) // problems panel
        .routes(routes!(trash::list_trash, trash::empty_trash)) // trash
        .routes(routes!(trash::restore_trash)) // undo, trash
        .routes(routes!(trash::purge_trash)) // trash
        .routes(routes!(files::upload_flow_file)) // SDK
        .routes(routes!(files::list_files, files::create_file, files::delete_files)) // files page, SDK
        .routes(routes!(files::download_files, files::delete_file_batch)) // files page
        .routes(routes!(files::read_file, files::rename_file, files::delete_file)) // files page, SDK
        .routes(routes!(components::list_components)) // the canvas at start, SDK
        .routes(routes!(components::validate_prompt)) // prompt editor
        .routes(routes!(components::update_component)) // a field that changes its node
        .routes(routes!(custom_components::make_component)) // code editor, a pasted component
        .routes(routes!(custom_components::validate_code)) // code editor, while one types
        .routes(routes!(user_components::list_user_components, user_components::create_user_component)) // palette
        .routes(routes!(user_components::delete_user_component)) // palette
        .routes(routes!(agentic::assist_stream)) // assistant
        .routes(routes!(agentic::assist)) // programs
        .routes(routes!(agentic::assist_run)) // programs, MCP
        .routes(routes!(agentic::check_config)) // assistant, before it opens
        .routes(routes!(agentic::reset_session)) // assistant
        .routes(routes!(agentic::files::read_assistant_file)) // assistant, file cards
        .routes(routes!(agentic::feedback::send_feedback)) // assistant
        .routes(routes!(messages::list_messages, messages::create_message, messages::delete_messages)) // playground, SDK
        .routes(routes!(messages::update_message)) // playground
        .routes(routes!(sessions::list_sessions, sessions::delete_sessions)) // playground
        .routes(routes!(sessions::rename_session, sessions::delete_session)) // playground
        .routes(routes!(shared::list_shared_messages)) // shared playground
        .routes(routes!(shared::update_shared_message)) // shared playground
        .routes(routes!(shared::list_shared_sessions)) // shared playground
        .routes(routes!(shared::rename_shared_session, shared::delete_shared_session)) // shared playground
        .routes(routes!(builds::list_builds, builds::delete_builds)) // canvas, Langflow's clients
        .routes(routes!(builds::list_transactions)) // logs of a flow
        .routes(routes!(traces::list_traces, traces::delete_traces)) // traces of a flow
        .routes(routes!(traces::read_trace, traces::delete_trace)) // one trace
        .routes(routes!(job_queue::job_queue)) // operators, Langflow's clients
        .routes(routes!(python::python_status)) // operators
}

pub fn router(app: Arc<App>) -> Router {
    let (routes, _) = api().split_for_parts();
    routes
        .method_not_allowed_fallback(|| async { AppError::method_not_allowed() })
        .route_layer(middleware::from_fn_with_state(app.clone(), identity::identify))
        .fallback(web::serve)
        // Outermost first, and all in one call: each call would wrap every route in a box of its own, and a request
        // copies all the boxes it passes.
        .layer((
            middleware::from_fn_with_state(app.clone(), http::pass),
            CatchPanicLayer::custom(observe::panicked),
            RequestBodyTimeoutLayer::new(BODY_IDLE),
            // Compressing would hold lines of a stream back.
            CompressionLayer::new().gzip(true).compress_when(
                DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson")),
            ),
            DefaultBodyLimit::disable(),
        ))
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
