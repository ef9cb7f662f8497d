//! Every metric: its name, what it means, and the values of its labels where they are known beforehand.

pub struct Metric {
    pub name: &'static str,
    pub help: &'static str,
    pub kind: Kind,
    /// A label without values has some that nobody knows beforehand, such as names of providers.
    pub labels: &'static [(&'static str, &'static [&'static str])],
}

#[derive(Clone, Copy)]
pub enum Kind {
    Counter,
    Gauge,
    /// Measured values, in buckets up to each of these.
    Histogram(&'static [f64]),
}

pub const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

const INTENTS: &[&str] = &[
    "generate_component",
    "build_flow",
    "run_flow",
    "component_then_flow",
    "manage_files",
    "question",
    "off_topic",
];

const ACTIONS: &[&str] = &[
    "add_component",
    "remove_component",
    "connect",
    "disconnect",
    "configure",
    "set_flow",
    "edit_field",
    "propose_plan",
    "select_output",
    "set_connection_mode",
    "enable_tool_mode",
];

const TOOLS: &[&str] = &[
    "search_components",
    "describe_component",
    "describe_flow_io",
    "get_field_value",
    "list_templates",
    "search_docs",
    "read_file",
    "glob_search",
    "grep_search",
    "propose_field_edit",
    "add_component",
    "remove_component",
    "connect_components",
    "disconnect_components",
    "configure_component",
    "rename_component",
    "build_flow",
    "propose_plan",
    "run_flow",
    "generate_component",
    "use_template",
    "write_file",
    "edit_file",
];

/// The tools that only read what cannot change within a turn.
const CACHED: &[&str] = &[
    "search_components",
    "describe_component",
    "list_templates",
    "search_docs",
];

const SECONDS: &[f64] = &[0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0];
const TOOL_MS: &[f64] = &[
    1.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 5_000.0, 30_000.0, 120_000.0,
];
const PAGE_MS: &[f64] = &[10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1_000.0, 2_500.0, 5_000.0];

const fn counter(name: &'static str, help: &'static str) -> Metric {
    Metric {
        name,
        help,
        kind: Kind::Counter,
        labels: &[],
    }
}

const fn gauge(name: &'static str, help: &'static str) -> Metric {
    Metric {
        kind: Kind::Gauge,
        ..counter(name, help)
    }
}

const fn histogram(name: &'static str, help: &'static str, buckets: &'static [f64]) -> Metric {
    Metric {
        kind: Kind::Histogram(buckets),
        ..counter(name, help)
    }
}

impl Metric {
    const fn by(self, labels: &'static [(&'static str, &'static [&'static str])]) -> Self {
        Self { labels, ..self }
    }
}

#[rustfmt::skip]
pub const METRICS: &[Metric] = &[
    counter("assistant_requests_total", "Turns people began with the assistant."),
    counter("assistant_requests_by_intent", "Turns by what the request was taken for.").by(&[("intent", INTENTS)]),
    counter("assistant_intent_build_flow_total", "Turns that were taken for a request to build or change a flow."),
    histogram("assistant_generation_duration_seconds", "How long turns took from the request to their end.", SECONDS),
    histogram("assistant_validation_attempts", "How often a component was written until it passed or was given up.", &[1.0, 2.0, 3.0, 4.0, 5.0]),
    gauge("assistant_validation_success_rate", "Of the components asked for, how many in a hundred passed when first written."),
    counter("assistant_provider_usage", "Turns by the provider whose model answered.").by(&[("provider", &[])]),
    counter("assistant_model_fallback_total", "Turns that went on with another model because the chosen one was not to be had.").by(&[("provider", &[])]),
    counter("assistant_errors_total", "Turns that failed, by why.").by(&[("type", &[])]),
    counter("assistant_cancellations_total", "Turns that somebody stopped or left."),
    counter("assistant_flow_proposal_ready_total", "Whole flows that were proposed."),
    counter("assistant_flow_proposal_continue_total", "Proposed flows that people put on their canvas."),
    counter("assistant_flow_proposal_dismiss_total", "Proposed flows that people did not want."),
    counter("assistant_flow_update_events_total", "Changes of the canvas that tools made or proposed, by kind.").by(&[("action", ACTIONS)]),
    counter("assistant_flow_orphan_rejection_total", "Flows that were not built because nodes in them were wired to nothing."),
    counter("assistant_flow_tail_update_buffered_total", "Changes that came after a whole flow was proposed and became part of the proposal."),
    histogram("assistant_flow_apply_duration_ms", "How long a page took to put a proposed flow on its canvas.", PAGE_MS),
    counter("assistant_plan_proposal_total", "Plans that were proposed."),
    counter("assistant_plan_continue_total", "Plans that people agreed to."),
    counter("assistant_plan_dismiss_total", "Plans that people wanted to be otherwise."),
    counter("assistant_plan_reset_total", "Plans that people gave up."),
    counter("assistant_plan_refinement_send_total", "Requests that told how a plan should be otherwise."),
    counter("assistant_plan_replan_total", "Plans that came in the place of one that was to be otherwise."),
    gauge("assistant_skip_all_enabled_count", "People who let plans and proposals through without being asked, as their pages told this server."),
    counter("assistant_skip_all_toggle_total", "How often people turned that on or off."),
    counter("assistant_skip_all_auto_approve_total", "Plans and proposals that went through because of it."),
    counter("mcp_tool_invocations_total", "Calls of the assistant's tools, by tool and by whether they worked.").by(&[("tool", TOOLS), ("success", &["true", "false"])]),
    histogram("mcp_tool_duration_ms", "How long the assistant's tools took.", TOOL_MS).by(&[("tool", TOOLS)]),
    counter("assistant_tool_cache_hit_total", "Answers of tools that a turn knew already.").by(&[("tool", CACHED)]),
    counter("assistant_tool_cache_miss_total", "Answers of tools that were looked up.").by(&[("tool", CACHED)]),
    counter("assistant_tool_cache_eviction_total", "Answers a turn forgot because it knew too many."),
    gauge("assistant_conversation_buffer_sessions", "Sessions the assistant remembers, of all people."),
    counter("assistant_conversation_buffer_session_evicted_total", "Sessions that were forgotten because a person had too many."),
    counter("assistant_conversation_buffer_turn_recorded_total", "Turns that are remembered."),
    counter("assistant_conversation_buffer_turn_skipped_total", "Turns that are not, by why.").by(&[("reason", &["anonymous_session", "empty_response"])]),
    histogram("assistant_build_tasks_per_message", "Steps that changed something, in one turn.", &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]),
    counter("assistant_input_history_recall_total", "Earlier requests that people fetched back with the arrow keys."),
    counter("assistant_user_component_registered_total", "Generated components that were kept for a person."),
    counter("assistant_user_component_register_refused_total", "Generated components that were not, by why.")
        .by(&[("reason", &["anonymous_user", "empty_class_name", "length_exceeded", "unsafe_class_name", "oversize_code", "other"])]),
    histogram("assistant_user_component_overlay_entries", "Components of their own that people had when the list of components was made for them.", &[0.0, 1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0]),
    counter("assistant_user_component_overlay_skipped_total", "Components of a person that could not be offered, by why.")
        .by(&[("reason", &["parse_error", "oversize", "unsafe_name", "read_error"])]),
    counter("assistant_session_reset_total", "Sessions with the assistant that people began anew."),
    counter("assistant_session_reset_components_cleared_total", "Generated components that went with them."),
    counter("ferroflow_http_requests_total", "Requests answered, by the first digit of the status.").by(&[("status", &STATUSES)]),
    gauge("ferroflow_runs", "Runs under way in this process."),
    gauge("ferroflow_runs_limit", "Runs that may be under way at once."),
    gauge("ferroflow_assistant_turns", "Turns of the assistant under way in this process."),
    gauge("ferroflow_assistant_turns_limit", "Turns of the assistant that may be under way at once."),
    gauge("ferroflow_python_workers", "Processes that run people's Python.").by(&[("state", &["busy", "idle"])]),
    gauge("ferroflow_build_info", "Always 1; its version is this program's.").by(&[("version", &[])]),
    gauge("process_start_time_seconds", "When this process started, in seconds since 1970."),
];
