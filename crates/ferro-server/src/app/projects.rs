//! Projects.

use ferro_store::{NewProject, Project, ProjectChange, ProjectId};

use crate::{
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
};

pub async fn create_project(app: &App, actor: &Actor, mut new: NewProject) -> Result<Project> {
    new.name = checked_name(&new.name)?;
    Ok(app.store.create_project(&actor.principal(), new).await?)
}

pub async fn change_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    mut change: ProjectChange,
) -> Result<Project> {
    change.name = change.name.as_deref().map(checked_name).transpose()?;
    Ok(app.store.change_project(&actor.principal(), id, change).await?)
}

pub async fn put_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    mut new: NewProject,
) -> Result<(Project, bool)> {
    new.name = checked_name(&new.name)?;
    Ok(app.store.put_project(&actor.principal(), id, new).await?)
}

pub fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 255 {
        return Err(AppError::invalid("name", "must have 1 to 255 characters"));
    }
    if name.chars().any(char::is_control) {
        return Err(AppError::invalid("name", "must not have control characters"));
    }
    Ok(name.to_owned())
}
