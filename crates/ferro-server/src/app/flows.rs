//! Flows: making, changing, importing, exporting.

pub mod fields;
pub mod json;

use std::collections::HashSet;

use ferro_model::{FlowData, FlowDiff, diff, strip_secrets};
use ferro_store::{Flow, FlowHeader, FlowId, NewProject, ProjectId, StoreError, TrashKind};

use crate::{
    app::{
        archive::{self, Packed, unique},
        flows::fields::{FlowFields, RawObject},
        models,
    },
    config::DEFAULT_PROJECT,
    error::{AppError, Result},
    files::safe_name,
    http::{extract::parse, identity::Actor},
    starters,
    state::App,
};

/// At once, so that a batch cannot hold the database for long.
const MAX_BATCH: usize = 1000;

pub fn etag(header: &FlowHeader) -> String {
    format!("\"{}\"", header.revision)
}

pub async fn create_flow(app: &App, actor: &Actor, fields: FlowFields) -> Result<Flow> {
    if fields.name.is_none() {
        return Err(AppError::invalid("name", "is missing"));
    }
    let mut made = create_flows(app, actor, vec![fields], None).await?;
    made.pop().ok_or_else(|| AppError::bug("no flow was made"))
}

/// All of them or none, into `folder` or the project each names or the default one.
pub async fn create_flows(
    app: &App,
    actor: &Actor,
    all: Vec<FlowFields>,
    folder: Option<ProjectId>,
) -> Result<Vec<Flow>> {
    if all.len() > MAX_BATCH {
        return Err(AppError::invalid(
            "flows",
            format!("send at most {MAX_BATCH} at once"),
        ));
    }
    let by = actor.principal();
    let mut new = Vec::with_capacity(all.len());
    let mut texts = Vec::with_capacity(all.len());
    for fields in all {
        let folder = match folder.or(fields.folder_id) {
            Some(folder) => folder,
            None => app.store.default_project(&by, DEFAULT_PROJECT).await?,
        };
        texts.push(fields.data.clone());
        new.push(fields.into_new(folder, "Untitled flow")?);
    }
    let headers = app.store.create_flows(&by, new).await?;
    Ok(headers
        .into_iter()
        .zip(texts)
        .map(|(header, data)| with_data(header, data.as_ref()))
        .collect())
}

/// A stale `expected` revision gets the flow as it is now instead.
pub async fn change_flow(
    app: &App,
    actor: &Actor,
    id: FlowId,
    expected: Option<i64>,
    fields: FlowFields,
) -> Result<Flow> {
    let by = actor.principal();
    let data = fields.data.clone();
    let shares = fields.access_type.is_some();
    let changed = match &fields.extra {
        None => {
            app.store
                .change_flow(&by, id, expected, fields.into_change("{}")?)
                .await
        }
        Some(_) => change_with_extra(app, actor, id, expected, &fields).await,
    };
    let header = match changed {
        Ok(header) => header,
        Err(error) => return Err(stale_or(app, actor, id, error).await),
    };
    if shares {
        app.audit(actor, "flow.access", id).await?;
    }
    match data {
        Some(data) => Ok(with_data(header, Some(&data))),
        None => Ok(app.store.flow(&by, id).await?),
    }
}

/// Unknown fields join those the flow already keeps, so they are written on the very revision they were read from.
async fn change_with_extra(
    app: &App,
    actor: &Actor,
    id: FlowId,
    expected: Option<i64>,
    fields: &FlowFields,
) -> Result<FlowHeader, StoreError> {
    let by = actor.principal();
    loop {
        let current = app.store.flow_header(&by, id).await?;
        let change = fields
            .clone()
            .into_change(&current.extra)
            .map_err(|error| StoreError::Damaged(error.to_string()))?;
        let on = expected.unwrap_or(current.revision);
        match app.store.change_flow(&by, id, Some(on), change).await {
            // Someone else was quicker, and this caller did not ask to be told.
            Err(error) if expected.is_none() && matches!(error.root(), StoreError::Stale { .. }) => {}
            done => return done,
        }
    }
}

/// Replaces the flow, or makes it under this id. `true` when it was made.
pub async fn put_flow(
    app: &App,
    actor: &Actor,
    id: FlowId,
    expected: Option<i64>,
    fields: FlowFields,
) -> Result<(Flow, bool)> {
    let by = actor.principal();
    match app.store.flow_header(&by, id).await {
        Ok(_) => Ok((change_flow(app, actor, id, expected, fields).await?, false)),
        Err(StoreError::NotFound(_)) => {
            let folder = match fields.folder_id {
                Some(folder) => folder,
                None => app.store.default_project(&by, DEFAULT_PROJECT).await?,
            };
            let data = fields.data.clone();
            let header = app
                .store
                .create_flow_at(&by, id, fields.into_new(folder, "Untitled flow")?)
                .await?;
            Ok((with_data(header, data.as_ref()), true))
        }
        Err(error) => Err(error.into()),
    }
}

pub async fn trash_flows(app: &App, actor: &Actor, ids: Vec<FlowId>, expected: Option<i64>) -> Result<u64> {
    let first = ids.first().copied();
    match (
        app.store.trash_flows(&actor.principal(), ids, expected).await,
        first,
    ) {
        (Ok(count), _) => Ok(count),
        (Err(error), Some(id)) => Err(stale_or(app, actor, id, error).await),
        (Err(error), None) => Err(error.into()),
    }
}

/// A copy under a new name, in the same project or another.
pub async fn duplicate_flow(
    app: &App,
    actor: &Actor,
    id: FlowId,
    name: Option<String>,
    folder: Option<ProjectId>,
) -> Result<Flow> {
    let original = app.store.flow(&actor.principal(), id).await?;
    let text = json::export(&original.header, original.data.as_deref());
    let mut fields = FlowFields::read(parse::<RawObject>(text.as_bytes())?)?;
    fields.id = None;
    // An address belongs to one flow.
    fields.endpoint_name = None;
    fields.locked = None;
    fields.access_type = None;
    fields.name = Some(match name {
        Some(name) => crate::app::projects::checked_name(&name)?,
        None => original.header.name.clone(),
    });
    let folder = folder.unwrap_or(original.header.folder_id);
    let mut made = create_flows(app, actor, vec![fields], Some(folder)).await?;
    made.pop().ok_or_else(|| AppError::bug("no flow was made"))
}

/// For a refused change: the flow as it is now, if that is why.
pub async fn stale_or(app: &App, actor: &Actor, id: FlowId, error: StoreError) -> AppError {
    if !matches!(error.root(), StoreError::Stale { .. }) {
        return error.into();
    }
    match app.store.flow(&actor.principal(), id).await {
        Ok(current) => AppError::stale(
            json::read(&current.header, current.data.as_deref()),
            etag(&current.header),
        ),
        Err(error) => error.into(),
    }
}

/// Flows from uploaded files, all or none of them.
pub async fn import_flows(
    app: &App,
    actor: &Actor,
    uploads: Vec<(String, axum::body::Bytes)>,
    folder: Option<ProjectId>,
) -> Result<Vec<Flow>> {
    let mut fields = read_uploads(uploads).await?;
    choose_models(app, actor, &mut fields).await?;
    create_flows(app, actor, fields, folder).await
}

/// Files from elsewhere come without a model: theirs was bound to a key that is not in the file.
async fn choose_models(app: &App, actor: &Actor, flows: &mut [FlowFields]) -> Result<()> {
    let lacking = |fields: &FlowFields| {
        fields
            .data
            .as_ref()
            .is_some_and(|data| data.as_str().contains("\"ModelInput\""))
    };
    if !flows.iter().any(lacking) {
        return Ok(());
    }
    let own = models::own_models(app, actor).await?;
    let model = |kind: &str| match &own {
        Some(own) => own(kind).or_else(|| starters::rehearsal(kind)),
        None => starters::rehearsal(kind),
    };
    for fields in flows {
        if let Some(data) = &fields.data
            && let Some(filled) = models::fill_empty(data, &model)
        {
            fields.data = Some(filled);
        }
    }
    Ok(())
}

async fn read_uploads(uploads: Vec<(String, axum::body::Bytes)>) -> Result<Vec<FlowFields>> {
    tokio::task::spawn_blocking(move || {
        let mut all = Vec::new();
        for (name, bytes) in uploads {
            for Packed { source, json } in archive::unpack(&name, &bytes)? {
                let object =
                    parse::<RawObject>(json.get().as_bytes()).map_err(|error| error.about(&source))?;
                let mut fields = FlowFields::read(object).map_err(|error| error.about(&source))?;
                // A file may name a project of another server.
                fields.folder_id = None;
                fields.access_type = None;
                if fields.name.is_none() {
                    fields.name = source
                        .rsplit_once('.')
                        .map(|(stem, _)| stem.to_owned())
                        .filter(|stem| !stem.is_empty());
                }
                all.push(fields);
            }
        }
        Ok::<_, AppError>(all)
    })
    .await
    .map_err(AppError::internal)?
}

/// The flows of an uploaded file as a project of their own.
pub async fn import_project(
    app: &App,
    actor: &Actor,
    uploads: Vec<(String, axum::body::Bytes)>,
    name: Option<String>,
) -> Result<Vec<Flow>> {
    let file = uploads
        .first()
        .map(|(name, _)| safe_name(name))
        .unwrap_or_default();
    let stem = file
        .rsplit_once('.')
        .map_or(file.as_str(), |(stem, _)| stem)
        .to_owned();
    let mut fields = read_uploads(uploads).await?;
    choose_models(app, actor, &mut fields).await?;
    let name = crate::app::projects::checked_name(name.as_deref().unwrap_or(&stem))?;
    let project = app
        .store
        .create_project(
            &actor.principal(),
            NewProject {
                name,
                ..NewProject::default()
            },
        )
        .await?;
    match create_flows(app, actor, fields, Some(project.id)).await {
        Ok(made) => Ok(made),
        Err(error) => {
            app.store.trash_project(&actor.principal(), project.id).await?;
            app.store
                .purge(&actor.principal(), TrashKind::Project, project.id.0)
                .await?;
            Err(error)
        }
    }
}

/// Whether the secrets typed into a flow's fields go out with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    LeftOut,
    Included,
}

/// One flow as its file, several as a zip of files. Gives the file's name, type and bytes.
pub async fn export_flows(
    app: &App,
    actor: &Actor,
    ids: &[FlowId],
    secrets: Secrets,
) -> Result<(String, &'static str, Vec<u8>)> {
    if ids.is_empty() {
        return Err(AppError::invalid("", "name at least one flow"));
    }
    if ids.len() > MAX_BATCH {
        return Err(AppError::invalid(
            "",
            format!("ask for at most {MAX_BATCH} at once"),
        ));
    }
    let flows = app.store.flows_by_id(&actor.principal(), ids).await?;
    match secrets {
        Secrets::LeftOut => {
            app.audit(actor, "flow.export", format!("{} flows", flows.len()))
                .await?;
        }
        // Which ones, too: somebody may have to change those secrets one day.
        Secrets::Included => {
            for flow in &flows {
                app.audit(actor, "flow.export_secrets", flow.header.id).await?;
            }
        }
    }
    pack_flows(flows, "flows.zip", secrets).await
}

pub async fn pack_flows(
    flows: Vec<Flow>,
    archive_name: &str,
    secrets: Secrets,
) -> Result<(String, &'static str, Vec<u8>)> {
    let mut files = Vec::with_capacity(flows.len());
    let mut used = HashSet::new();
    for flow in flows {
        let data = match secrets {
            Secrets::LeftOut => flow.data.as_deref().map(without_secrets).transpose()?,
            Secrets::Included => flow.data,
        };
        let text = json::export(&flow.header, data.as_deref());
        let name = unique(&safe_name(&format!("{}.json", flow.header.name)), &mut used);
        files.push((name, text.into_bytes()));
    }
    match <[_; 1]>::try_from(files) {
        Ok([(name, bytes)]) if archive_name == "flows.zip" => Ok((name, "application/json", bytes)),
        Ok(one) => zip(archive_name, one.into()).await,
        Err(files) => zip(archive_name, files).await,
    }
}

async fn zip(name: &str, files: Vec<(String, Vec<u8>)>) -> Result<(String, &'static str, Vec<u8>)> {
    let bytes = tokio::task::spawn_blocking(move || archive::pack(files))
        .await
        .map_err(AppError::internal)??;
    Ok((safe_name(name), "application/zip", bytes))
}

pub fn without_secrets(text: &str) -> Result<String> {
    let data = stored(text)?;
    Ok(strip_secrets(&data).data.as_str().to_owned())
}

/// A document that was checked when it was stored.
pub fn stored(text: &str) -> Result<FlowData> {
    FlowData::parse(text).map_err(AppError::internal)
}

/// What would change if the given document were saved.
pub async fn diff_flow(app: &App, actor: &Actor, id: FlowId, data: FlowData) -> Result<FlowDiff> {
    let current = app.store.flow(&actor.principal(), id).await?;
    let saved = stored(current.data.as_deref().unwrap_or("{}"))?;
    tokio::task::spawn_blocking(move || diff(&saved, &data))
        .await
        .map_err(AppError::internal)
}

fn with_data(header: FlowHeader, data: Option<&FlowData>) -> Flow {
    Flow {
        header,
        data: data.map(|data| data.as_str().to_owned()),
    }
}
