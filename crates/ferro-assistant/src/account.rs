//! What a turn costs and how it ended, for the log and the metrics.

use std::time::Instant;

use crate::turn::{Intent, Turn};

/// Begins with the turn. Dropped before it was ended, the turn was cancelled.
pub(crate) struct Account {
    began: Instant,
    user_id: String,
    session_id: String,
    provider: String,
    ended: bool,
}

impl Account {
    pub(crate) fn begin(turn: &Turn) -> Self {
        let account = Self {
            began: Instant::now(),
            user_id: turn.request.user_id.clone(),
            session_id: turn.request.session_id.clone().unwrap_or_default(),
            provider: turn.model.provider.clone(),
            ended: false,
        };
        let flow_id = turn.canvas.as_ref().map(|canvas| canvas.flow_id.as_str());
        tracing::info!(
            user_id = account.user_id,
            session_id = account.session_id,
            flow_id = flow_id.unwrap_or_default(),
            provider = turn.model.provider,
            model_name = turn.model.model,
            headless = turn.request.headless,
            "assistant.request.started"
        );
        metrics::counter!("assistant_requests_total").increment(1);
        metrics::counter!("assistant_provider_usage", "provider" => account.provider.clone()).increment(1);
        account
    }

    pub(crate) fn classified(&self, intent: Intent) {
        tracing::info!(
            intent = intent.as_str(),
            session_id = self.session_id,
            "assistant.intent.classified"
        );
        metrics::counter!("assistant_requests_by_intent", "intent" => intent.as_str()).increment(1);
        if intent == Intent::BuildFlow {
            metrics::counter!("assistant_intent_build_flow_total").increment(1);
        }
    }

    pub(crate) fn plan_proposed(&self, markdown: &str) {
        let markdown_length = markdown.chars().count();
        tracing::info!(
            session_id = self.session_id,
            markdown_length,
            "assistant.plan.proposed"
        );
        metrics::counter!("assistant_plan_proposal_total").increment(1);
    }

    /// To the millisecond.
    pub(crate) fn seconds(&self) -> f64 {
        (self.began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
    }

    pub(crate) fn completed(mut self, validated: Option<bool>, attempts: u32) {
        self.ended = true;
        tracing::info!(
            user_id = self.user_id,
            session_id = self.session_id,
            duration_ms = self.milliseconds(),
            validated,
            attempts,
            "assistant.request.completed"
        );
        self.timed();
    }

    /// `kind`: such as `rate_limit`. The message has no secrets in it.
    pub(crate) fn failed(mut self, kind: &'static str, message: &str) {
        self.ended = true;
        tracing::error!(
            user_id = self.user_id,
            session_id = self.session_id,
            error_type = kind,
            error_message = message,
            duration_ms = self.milliseconds(),
            "assistant.flow.error"
        );
        metrics::counter!("assistant_errors_total", "type" => kind).increment(1);
        self.timed();
    }

    fn timed(&self) {
        metrics::histogram!("assistant_generation_duration_seconds")
            .record(self.began.elapsed().as_secs_f64());
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        if !self.ended {
            tracing::info!(
                user_id = self.user_id,
                session_id = self.session_id,
                reason = "dropped",
                duration_ms = self.milliseconds(),
                "assistant.request.cancelled"
            );
            metrics::counter!("assistant_cancellations_total").increment(1);
        }
    }
}
