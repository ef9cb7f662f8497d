//! What people do with what the assistant proposes: only their page knows, so it tells.

use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::asked::check_session;
use crate::{
    api::AppState,
    app::assistant::check_enabled,
    error::{AppError, ErrorBody, Result},
    http::{extract::Json, identity::Actor, throttle},
    metrics,
};

/// A page that reports more at once does not count clicks.
const MAX_COUNT: f64 = 1_000.0;
/// An hour of milliseconds.
const MAX_MEASURED: f64 = 3_600_000.0;

/// The names are those of the metrics.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub enum FeedbackName {
    #[serde(rename = "assistant_flow_proposal_continue_total")]
    FlowProposalContinue,
    #[serde(rename = "assistant_flow_proposal_dismiss_total")]
    FlowProposalDismiss,
    #[serde(rename = "assistant_plan_continue_total")]
    PlanContinue,
    #[serde(rename = "assistant_plan_dismiss_total")]
    PlanDismiss,
    #[serde(rename = "assistant_plan_reset_total")]
    PlanReset,
    #[serde(rename = "assistant_plan_refinement_send_total")]
    PlanRefinementSend,
    #[serde(rename = "assistant_plan_replan_total")]
    PlanReplan,
    #[serde(rename = "assistant_skip_all_toggle_total")]
    SkipAllToggle,
    #[serde(rename = "assistant_skip_all_auto_approve_total")]
    SkipAllAutoApprove,
    #[serde(rename = "assistant_input_history_recall_total")]
    InputHistoryRecall,
    /// `count` is 1 when it is on for this person, 0 when it is off.
    #[serde(rename = "assistant_skip_all_enabled_count")]
    SkipAllEnabled,
    /// `count` is the milliseconds.
    #[serde(rename = "assistant_flow_apply_duration_ms")]
    FlowApplyDuration,
}

/// How a name is kept.
enum Kept {
    Counted(&'static str),
    Measured(&'static str),
    SkipAll,
}

impl FeedbackName {
    fn kept(self) -> Kept {
        use Kept::{Counted, Measured};
        match self {
            Self::FlowProposalContinue => Counted("assistant_flow_proposal_continue_total"),
            Self::FlowProposalDismiss => Counted("assistant_flow_proposal_dismiss_total"),
            Self::PlanContinue => Counted("assistant_plan_continue_total"),
            Self::PlanDismiss => Counted("assistant_plan_dismiss_total"),
            Self::PlanReset => Counted("assistant_plan_reset_total"),
            Self::PlanRefinementSend => Counted("assistant_plan_refinement_send_total"),
            Self::PlanReplan => Counted("assistant_plan_replan_total"),
            Self::SkipAllToggle => Counted("assistant_skip_all_toggle_total"),
            Self::SkipAllAutoApprove => Counted("assistant_skip_all_auto_approve_total"),
            Self::InputHistoryRecall => Counted("assistant_input_history_recall_total"),
            Self::FlowApplyDuration => Measured("assistant_flow_apply_duration_ms"),
            Self::SkipAllEnabled => Kept::SkipAll,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    pub name: FeedbackName,
    /// How often it happened; how much it was for what is measured. 1 if not said.
    #[serde(default)]
    pub count: Option<f64>,
    /// For the log; at most 128 characters.
    #[serde(default)]
    pub session_id: Option<String>,
}

/// Tell what was done with something the assistant proposed. It is counted, and appears among the metrics.
#[utoipa::path(post, path = "/api/v1/agentic/feedback", tag = "agentic", request_body = Feedback,
    responses((status = 204), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn send_feedback(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<Feedback>,
) -> Result<StatusCode> {
    check_enabled(&app)?;
    let key = format!("feedback {}", actor.user.id);
    app.throttle
        .count(&key, throttle::FEEDBACK)
        .map_err(AppError::throttled)?;
    check_session(body.session_id.as_deref())?;
    let session_id = body.session_id.as_deref();
    let count = body.count.unwrap_or(1.0);
    match body.name {
        FeedbackName::SkipAllEnabled => {
            tracing::info!(session_id, enabled = count == 1.0, "assistant.skip_all.toggled");
        }
        FeedbackName::InputHistoryRecall => tracing::info!(session_id, "assistant.input_history.recall"),
        _ => {}
    }
    match body.name.kept() {
        Kept::Counted(name) => {
            if !(1.0..=MAX_COUNT).contains(&count) || count.fract() != 0.0 {
                return Err(AppError::invalid(
                    "count",
                    "must be a whole number from 1 to 1000",
                ));
            }
            ::metrics::counter!(name).increment(count as u64);
        }
        Kept::Measured(name) => {
            if !(0.0..=MAX_MEASURED).contains(&count) {
                return Err(AppError::invalid("count", "must be between 0 and 3600000"));
            }
            ::metrics::histogram!(name).record(count);
        }
        Kept::SkipAll if count == 0.0 || count == 1.0 => metrics::note_skip_all(actor.user.id, count == 1.0),
        Kept::SkipAll => return Err(AppError::invalid("count", "must be 1 for on or 0 for off")),
    }
    Ok(StatusCode::NO_CONTENT)
}
