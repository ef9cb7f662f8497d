//! From a configuration to a running server, and back to a stopped one.

use std::{future::Future, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context as _, bail};
use axum::{body::Body, extract::Request};
use ferro_store::{Address, NewUser, Principal, Role, Store};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::{ServiceExt as _, util::MapRequestLayer};

use crate::{
    app::{auth::auto_login_user, runs::resume, variables::import_environment},
    config::Config,
    files::FileRoot,
    http::client::Peer,
    metrics,
    router::router,
    state::App,
    vault::Vault,
};

const HEADER_TIME: Duration = Duration::from_secs(10);
const DRAIN_TIME: Duration = Duration::from_secs(10);
const HOUSEKEEPING: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: usize = 16_384;

/// Opens the data folder, the database and the key; makes the first account on a fresh install.
pub async fn open(config: Config) -> anyhow::Result<Arc<App>> {
    let app = open_as_it_is(config).await?;
    let by = Principal::System;
    if app.store.first_admin(&by).await?.is_none() {
        let first = NewUser {
            username: "ferroflow".to_owned(),
            password_hash: None,
            role: Role::Admin,
            is_active: true,
        };
        match app.store.create_user(&by, first).await {
            // Another process was first.
            Ok(_) | Err(ferro_store::StoreError::Taken { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(app)
}

/// Without making anything but empty tables: for restoring into.
pub async fn open_as_it_is(config: Config) -> anyhow::Result<Arc<App>> {
    create_private_dir(&config.data_dir)
        .with_context(|| format!("the data folder {} cannot be made", config.data_dir.display()))?;
    let address = Address::parse(&config.database_url)?;
    let files = FileRoot::open(config.files_dir())
        .with_context(|| format!("the folder {} cannot be made", config.files_dir().display()))?;
    let store = Store::open(&address)
        .await
        .context("the database cannot be opened")?;
    if !config.key_file().exists() && !store.all_credentials(&Principal::System).await?.is_empty() {
        bail!(
            "the key file {} is missing, and without it nobody can read the stored credentials.\n\
             Put it back. If it is lost for good, make a new one with: ferroflow key new",
            config.key_file().display()
        );
    }
    let vault = Vault::open(&config.key_file())?;
    Ok(Arc::new(App::new(config, store, vault, files)?))
}

/// Readable by its owner alone.
pub fn create_private_dir(dir: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Anyone can reach an address that is not loopback, so someone must be able to keep them out.
async fn check_reach(app: &App) -> anyhow::Result<()> {
    if app.config.host.is_loopback() {
        return Ok(());
    }
    if app.config.auto_login == Some(true) {
        bail!("automatic sign-in works only on loopback: leave out --auto-login or listen on 127.0.0.1");
    }
    if !app.store.has_admin_with_password(&Principal::System).await? {
        bail!(
            "refusing to listen on {}: no admin has a password, so anyone could come in.\n\
             Set one first:  ferroflow user set-password ferroflow",
            app.config.host
        );
    }
    if !app.config.key_file().exists() {
        bail!(
            "refusing to listen on {}: the encryption key is not kept in a file",
            app.config.host
        );
    }
    Ok(())
}

/// Serves until `stop` resolves, then lets what is under way finish. `ready` is told the address.
pub async fn serve(
    app: Arc<App>,
    stop: impl Future<Output = ()> + Send,
    ready: impl FnOnce(SocketAddr) + Send,
) -> anyhow::Result<()> {
    metrics::install();
    check_reach(&app).await?;
    let listener = TcpListener::bind(app.config.listen()).await.with_context(|| {
        format!(
            "cannot listen on {}: is another server using the port?",
            app.config.listen()
        )
    })?;
    ready(listener.local_addr()?);
    resume::begin(&app).await?;
    let chores = tokio::spawn(housekeeping(app.clone()));
    let watch = tokio::spawn(resume::keep_watch(app.clone()));
    accept(&app, listener, stop).await;
    chores.abort();
    watch.abort();
    // What still runs goes on at the next start, or at once on another server.
    if let Err(error) = app
        .store
        .release_leases(&Principal::System, app.runs.worker)
        .await
    {
        tracing::warn!(%error, "the leases of unfinished runs could not be given back");
    }
    app.python.stop();
    app.flush_key_uses().await;
    if let Some((changes, commits)) = app.store.write_counts() {
        tracing::info!(
            changes,
            commits,
            "stopped: wrote {changes} changes in {commits} commits"
        );
    }
    Ok(())
}

async fn accept(app: &Arc<App>, listener: TcpListener, stop: impl Future<Output = ()> + Send) {
    let routes = MapRequestLayer::new(as_ours);
    let service = tower::Layer::layer(&routes, router(app.clone()));
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    tokio::pin!(stop);
    loop {
        let Ok(slot) = slots.clone().acquire_owned().await else {
            break;
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: give the others a moment to close theirs.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service =
            service
                .clone()
                .map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
                    request.extensions_mut().insert(Peer(peer));
                    request.map(Body::new)
                });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIME)
            .max_headers(100)
            .max_buf_size(64 << 10)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _slot = slot;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    app.stopping.cancel();
    tracing::info!("stopping: letting what is under way finish");
    if tokio::time::timeout(DRAIN_TIME, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            "some requests did not finish in {} s and were cut off",
            DRAIN_TIME.as_secs()
        );
    }
}

/// Langflow's addresses end in a slash and once said folders; ours do neither. All reach the same handler.
fn as_ours(mut request: Request) -> Request {
    let uri = request.uri();
    if let Some(path) = our_path(uri.path()) {
        let target = match uri.query() {
            Some(query) => format!("{path}?{query}"),
            None => path,
        };
        if let Ok(target) = target.parse() {
            *request.uri_mut() = target;
        }
    }
    request
}

/// The path we know it by, if that is another one.
fn our_path(path: &str) -> Option<String> {
    if path == "/metrics/" {
        return Some("/metrics".to_owned());
    }
    let rest = path.strip_prefix("/api/")?;
    let trimmed = rest.trim_end_matches('/');
    match trimmed.strip_prefix("v1/folders") {
        Some(more) if more.is_empty() || more.starts_with('/') => Some(format!("/api/v1/projects{more}")),
        _ if trimmed.len() < rest.len() => Some(format!("/api/{trimmed}")),
        _ => None,
    }
}

async fn housekeeping(app: Arc<App>) {
    let by = Principal::System;
    let mut beats = 0_u64;
    let mut ticks = tokio::time::interval(HOUSEKEEPING);
    loop {
        ticks.tick().await;
        app.flush_key_uses().await;
        metrics::upkeep();
        if beats.is_multiple_of(360) {
            match app.files.sweep(&app.store).await {
                Ok(0) => {}
                Ok(swept) => tracing::info!(swept, "removed {swept} files that an earlier crash left behind"),
                Err(_) => tracing::warn!("the files folder could not be looked through"),
            }
            let day = std::time::Duration::from_secs(24 * 60 * 60);
            let before = ferro_store::Timestamp::now().minus(day * app.config.run_days);
            let keep = Some(i64::from(app.config.runs_per_flow));
            match app.store.purge_runs(&by, Some(before), keep).await {
                Ok(0) => {}
                Ok(purged) => tracing::info!(purged, "forgot {purged} old runs"),
                Err(error) => tracing::warn!(%error, "old runs could not be removed"),
            }
            match app.store.purge_assistant_turns(&by, before).await {
                Ok(0) => {}
                Ok(purged) => tracing::info!(purged, "forgot {purged} old turns with the assistant"),
                Err(error) => tracing::warn!(%error, "old turns with the assistant could not be removed"),
            }
            match app.store.purge_older_than(&by, app.config.trash_age()).await {
                Ok(0) => {}
                Ok(purged) => tracing::info!(purged, "emptied {purged} old things out of the trash"),
                Err(error) => tracing::warn!(%error, "the trash could not be emptied"),
            }
        }
        beats += 1;
    }
}

/// Takes keys of the environment over for the first admin.
pub async fn import_env(app: &App, environment: impl Fn(&str) -> Option<String>) -> anyhow::Result<()> {
    let Some(admin) = app.store.first_admin(&Principal::System).await? else {
        return Ok(());
    };
    match import_environment(app, &admin.principal(), admin.id, environment).await {
        Ok(0) => Ok(()),
        Ok(count) => {
            tracing::info!(count, "took {count} keys of the environment over as credentials");
            Ok(())
        }
        Err(_) => bail!("keys of the environment could not be stored"),
    }
}

/// For the first line a person reads.
pub async fn welcome(app: &App, address: SocketAddr) -> String {
    let how = match auto_login_user(app).await {
        Ok(Some(_)) => "signed in automatically on this machine; set a password in Settings to change that",
        _ => "sign in with your password",
    };
    format!(
        "Ferroflow {} is ready: http://{address}  ({how})",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::our_path;

    #[test]
    fn old_addresses_lead_to_ours() {
        for (asked, ours) in [
            ("/api/v1/flows/", Some("/api/v1/flows")),
            ("/api/v1/flows", None),
            ("/api/v1/folders/", Some("/api/v1/projects")),
            ("/api/v1/folders/download/7", Some("/api/v1/projects/download/7")),
            ("/api/v1/foldersome", None),
            ("/flow/7/", None),
            ("/metrics/", Some("/metrics")),
        ] {
            assert_eq!(our_path(asked).as_deref(), ours, "{asked}");
        }
    }
}
