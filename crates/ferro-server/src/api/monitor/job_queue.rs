//! What is queued and under way.

use axum::{Json as Answer, extract::State};
use ferro_store::{RunFilter, RunStatus, Window};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::{AppState, runs::RunRead},
    error::Result,
    http::identity::Actor,
};

/// How many jobs are told one by one.
const TOLD: i64 = 200;

#[derive(Serialize, ToSchema)]
pub struct JobQueue {
    /// Nobody has begun them.
    pub queued: i64,
    pub running: i64,
    /// For a person.
    pub waiting: i64,
    /// How many runs this server takes at once, everyone's together.
    pub max_runs: usize,
    /// The newest first, 200 at most.
    pub jobs: Vec<RunRead>,
}

/// One's runs that are not over. Those that are not written down (`durable=false`) are not among them.
#[utoipa::path(get, path = "/api/v1/monitor/job_queue", tag = "monitor", responses((status = 200, body = JobQueue)))]
pub async fn job_queue(State(app): AppState, actor: Actor) -> Result<Answer<JobQueue>> {
    let by = actor.principal();
    let find = async |status: Vec<RunStatus>, limit: i64| {
        let filter = RunFilter {
            status,
            ..RunFilter::default()
        };
        app.store.runs(&by, filter, Window { offset: 0, limit }).await
    };
    let all = vec![RunStatus::Queued, RunStatus::Running, RunStatus::Waiting];
    let jobs = find(all, TOLD).await?;
    let mut counts = [RunStatus::Queued, RunStatus::Running, RunStatus::Waiting].map(|status| {
        (
            status,
            jobs.items.iter().filter(|run| run.status == status).count() as i64,
        )
    });
    // More than were fetched: then the database counts.
    if jobs.total > TOLD {
        for (status, count) in &mut counts {
            *count = find(vec![*status], 0).await?.total;
        }
    }
    let [(_, queued), (_, running), (_, waiting)] = counts;
    Ok(Answer(JobQueue {
        queued,
        running,
        waiting,
        max_runs: app.config.max_runs,
        jobs: jobs.items.into_iter().map(RunRead::from).collect(),
    }))
}
