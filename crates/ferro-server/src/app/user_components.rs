//! Components that a person keeps, or that the assistant wrote for them: one file of Python each, in a place among the
//! person's files that nothing else reaches. Those of the assistant last until the person begins a new session with it.

mod counted;
mod name;
mod shelf;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use ferro_model::{Descriptor, Registry};
use ferro_store::UserId;
use futures_util::{StreamExt as _, stream};
use serde_json::Value as Json;

use crate::app::{custom_components, python};
use crate::error::{AppError, Result};
use crate::http::identity::{Actor, Proof};
use crate::state::App;
pub use name::{MAX_CLASS_NAME_LENGTH, check_class_name};
pub use shelf::Shelf;
use shelf::{Kept, Looked};

/// A file larger than this is neither written nor read.
pub const MAX_COMPONENT_SOURCE_BYTES: u64 = 1 << 20;
/// Every one of them is looked at when the list of components is asked for.
const MAX_COMPONENTS: usize = 200;
/// Where the list of components shows them.
pub const CATEGORY: &str = "custom_component";

/// One that a person keeps.
#[derive(Clone, Debug)]
pub struct Own {
    pub class_name: String,
    pub size: u64,
    pub modified: SystemTime,
    /// What a fresh node of it looks like, or why it is not offered.
    pub node: Result<Arc<Json>, String>,
}

/// The components there are for one person: those of the server and their own. A name both have is the server's.
#[derive(Clone, Debug)]
pub struct UserRegistry {
    base: Arc<Registry>,
    own: BTreeMap<String, Arc<Json>>,
}

impl UserRegistry {
    /// `data.node` of a fresh node.
    pub fn node(&self, r#type: &str) -> Option<Json> {
        match self.base.get(r#type) {
            Some(descriptor) => Some(descriptor.to_node()),
            None => self.own.get(r#type).map(|node| Json::clone(node)),
        }
    }

    /// Their own, by class, with their nodes.
    pub fn own(&self) -> &BTreeMap<String, Arc<Json>> {
        &self.own
    }

    /// All of them for whoever builds and checks flows; new nodes of their own bring their code.
    pub fn registry(&self) -> Arc<Registry> {
        if self.own.is_empty() {
            return Arc::clone(&self.base);
        }
        let own = self.own.iter();
        let own = own.map(|(class, node)| Arc::new(Descriptor::of_fresh(class, Arc::clone(node))));
        // The first of two with one name loses, so the server's come last.
        Arc::new(Registry::new(own.chain(self.base.iter().cloned())))
    }
}

/// What there is for this person to build with.
pub async fn registry_for(app: &App, actor: &Actor) -> Result<UserRegistry> {
    let mut own = BTreeMap::new();
    if is_somebody(actor) && python::barred(app, actor.principal()).is_none() {
        for kept in list(app, actor).await? {
            if let Ok(node) = kept.node {
                own.insert(kept.class_name, node);
            }
        }
    }
    counted::offered(own.len());
    Ok(UserRegistry {
        base: Arc::clone(app.runs.catalog.registry()),
        own,
    })
}

/// All that a person keeps, by name; those that cannot be used say why.
pub async fn list(app: &App, actor: &Actor) -> Result<Vec<Own>> {
    let files = files_of(&app.files.components(actor.user.id)).await?;
    let looks = files.into_iter().map(|file| look(app, actor, file));
    // As many at once as one person has turns.
    Ok(stream::iter(looks).buffered(2).collect().await)
}

async fn look(app: &App, actor: &Actor, file: Kept) -> Own {
    let node = match collision(app, &file.class_name) {
        Some(problem) => {
            warn(actor, &file.class_name, &problem);
            Err(problem)
        }
        None => looked(app, actor, &file).await,
    };
    Own {
        class_name: file.class_name,
        size: file.size,
        modified: file.modified,
        node,
    }
}

fn collision(app: &App, class: &str) -> Option<String> {
    app.runs.catalog.registry().canonical(class)?;
    Some(format!(
        "the server has a component called {class}, which goes first; give the class another name"
    ))
}

async fn looked(app: &App, actor: &Actor, file: &Kept) -> Looked {
    if let Some(looked) = app.shelf.get(file) {
        return looked;
    }
    match read_and_describe(app, actor, file).await {
        Ok(node) => {
            let looked = Ok(Arc::new(node));
            app.shelf.put(file, looked.clone());
            looked
        }
        Err(error) => {
            let problem = error.to_string();
            warn(actor, &file.class_name, &problem);
            counted::left_out(if file.size > MAX_COMPONENT_SOURCE_BYTES {
                "oversize"
            } else if error.is_internal() {
                "read_error"
            } else {
                "parse_error"
            });
            // What is wrong with the server now may be right in a moment.
            if !error.is_internal() && !error.is_throttled() {
                app.shelf.put(file, Err(problem.clone()));
            }
            Err(problem)
        }
    }
}

async fn read_and_describe(app: &App, actor: &Actor, file: &Kept) -> Result<Json> {
    if file.size > MAX_COMPONENT_SOURCE_BYTES {
        return Err(too_large(file.size));
    }
    let bytes = tokio::fs::read(&file.path).await.map_err(AppError::io)?;
    let code =
        String::from_utf8(bytes).map_err(|_| AppError::invalid_component("the file is not UTF-8 text"))?;
    let checked = python::look(&code).await?;
    if let Some(refusal) = python::refusal_of(&checked) {
        return Err(AppError::invalid_component(refusal));
    }
    let description = python::describe(app, actor, &code).await?;
    custom_components::fresh(&code, &description)
}

fn warn(actor: &Actor, class: &str, problem: &str) {
    let user = actor.user.id;
    tracing::warn!(%user, class, "the component {class} of user {user} is left out: {problem}");
}

/// Checks the code, lets it describe itself, and keeps it under the name of its class.
pub async fn create(app: &App, actor: &Actor, code: &str) -> Result<Own> {
    python::check_allowed(app, actor)?;
    check_somebody(actor)?;
    let checked = python::check(app, actor, code).await?;
    let class = checked.class_name.unwrap_or_default();
    check_class_name(&class)?;
    let description = python::describe(app, actor, code).await?;
    custom_components::fresh(code, &description)?;
    // Code decides only while it runs what its class is called; what was checked is what counts.
    if description["class_name"] != class.as_str() {
        return Err(AppError::invalid_component(format!(
            "the class is called {class} in the code, but gives itself another name"
        )));
    }
    register(app, actor, &class, code).await?;
    let folder = app.files.components(actor.user.id);
    let file = Kept::at(&folder, &class).await;
    let file = file.ok_or_else(|| AppError::not_found("component"))?;
    // What was just described may not be what is there now: two may write at once.
    Ok(look(app, actor, file).await)
}

/// Keeps code that was checked before. In the place of one of that name, in one step: nobody ever sees half of it.
pub async fn register(app: &App, actor: &Actor, class: &str, code: &str) -> Result<()> {
    check_somebody(actor)?;
    check_class_name(class)?;
    if code.trim().is_empty() {
        return Err(AppError::invalid_component("the component has no code"));
    }
    let size = code.len() as u64;
    if size > MAX_COMPONENT_SOURCE_BYTES {
        return Err(too_large(size));
    }
    let owner = actor.user.id;
    let folder = app.files.components(owner);
    let others = files_of(&folder).await?;
    if others.len() >= MAX_COMPONENTS && others.iter().all(|kept| kept.class_name != class) {
        return Err(AppError::invalid_component(format!(
            "there are {MAX_COMPONENTS} components already; delete one first"
        )));
    }
    let mut incoming = app.files.begin(MAX_COMPONENT_SOURCE_BYTES).await?;
    incoming.write(code.as_bytes()).await?;
    app.files
        .keep_component(owner, &format!("{class}.py"), incoming)
        .await?;
    app.shelf.forget(&folder.join(format!("{class}.py")));
    remove_if_there(&folder.join(mark_of(class))).await?;
    app.audit(actor, "user_component.register", class).await
}

/// The person keeps a component of this name that is not the assistant's: it does not write over that one.
pub async fn is_persons(app: &App, owner: UserId, class: &str) -> bool {
    let folder = app.files.components(owner);
    let has = async |name: String| tokio::fs::try_exists(folder.join(name)).await.unwrap_or(true);
    has(format!("{class}.py")).await && !has(mark_of(class)).await
}

/// Says that the assistant wrote the component of this name.
fn mark_of(class: &str) -> String {
    format!("{class}.assistant")
}

async fn remove_if_there(path: &Path) -> Result<()> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(AppError::io(error)),
        _ => Ok(()),
    }
}

/// For the assistant: a refusal is no reason to fail what it was doing, a broken disk is.
pub async fn register_if_valid(app: &App, actor: &Actor, class: &str, code: &str) -> Result<bool> {
    match register(app, actor, class, code).await {
        Ok(()) => {
            let mark = app.files.components(actor.user.id).join(mark_of(class));
            tokio::fs::write(&mark, "").await.map_err(AppError::io)?;
            counted::kept();
            Ok(true)
        }
        Err(error) if error.is_internal() => Err(error),
        Err(error) => {
            counted::refused(is_somebody(actor), class, code);
            let user = actor.user.id;
            tracing::info!(%user, class, "the component {class} of user {user} is not kept: {error}");
            Ok(false)
        }
    }
}

pub async fn remove(app: &App, actor: &Actor, class: &str) -> Result<()> {
    check_somebody(actor)?;
    check_class_name(class).map_err(|_| AppError::not_found("component"))?;
    let path = app.files.components(actor.user.id).join(format!("{class}.py"));
    match tokio::fs::remove_file(&path).await {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(AppError::not_found("component"));
        }
        Err(error) => return Err(AppError::io(error)),
    }
    app.shelf.forget(&path);
    app.audit(actor, "user_component.remove", class).await
}

/// Removes what the assistant wrote for a person and nothing else, least of all what they kept themselves; says how
/// many there were.
pub async fn clear_generated(app: &App, actor: &Actor) -> Result<u64> {
    check_somebody(actor)?;
    let folder = app.files.components(actor.user.id);
    let mut cleared = 0;
    for path in sources_in(&folder).await? {
        let mark = path.with_extension("assistant");
        if !tokio::fs::try_exists(&mark).await.map_err(AppError::io)? {
            continue;
        }
        match tokio::fs::remove_file(&path).await {
            Ok(()) => cleared += 1,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(AppError::io(error)),
        }
        remove_if_there(&mark).await?;
        app.shelf.forget(&path);
    }
    if cleared > 0 {
        app.audit(actor, "user_component.clear", cleared).await?;
    }
    Ok(cleared)
}

/// Whether there is anything of theirs at all: most people have nothing.
pub async fn has_any(app: &App, owner: UserId) -> bool {
    tokio::fs::try_exists(app.files.components(owner))
        .await
        .unwrap_or(false)
}

/// A visitor of a shared flow acts for its owner, but is nobody here.
fn is_somebody(actor: &Actor) -> bool {
    !matches!(actor.proof, Proof::Shared)
}

fn check_somebody(actor: &Actor) -> Result<()> {
    if is_somebody(actor) {
        return Ok(());
    }
    Err(AppError::forbidden(
        "Sign in first: components are kept for people with an account.",
    ))
}

fn too_large(size: u64) -> AppError {
    AppError::invalid_component(format!(
        "the component has {size} bytes; at most {MAX_COMPONENT_SOURCE_BYTES} are allowed"
    ))
}

/// Every `*.py` that is a file, whatever its name.
async fn sources_in(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    let mut entries = match tokio::fs::read_dir(folder).await {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(AppError::io(error)),
    };
    while let Some(entry) = entries.next_entry().await.map_err(AppError::io)? {
        let path = entry.path();
        let is_file = entry.file_type().await.is_ok_and(|kind| kind.is_file());
        if is_file && path.extension().is_some_and(|ending| ending == "py") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Those with a name that a component may have.
async fn files_of(folder: &Path) -> Result<Vec<Kept>> {
    let mut files = Vec::new();
    for path in sources_in(folder).await? {
        let class = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        if check_class_name(class).is_err() {
            counted::left_out("unsafe_name");
            tracing::warn!(
                "a file in {} has no name that a component may have",
                folder.display()
            );
            continue;
        }
        files.extend(Kept::at(folder, class).await);
    }
    Ok(files)
}
