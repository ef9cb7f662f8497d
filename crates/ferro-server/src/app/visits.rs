//! Visits: anybody talks with a flow that its owner made public. The run is the owner's, with their variables; what is said
//! in it is the visitor's, and a visitor reaches no conversation but their own.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ferro_engine::Selection;
use ferro_store::{FlowId, Principal, RunId, UserId};
use uuid::Uuid;

use crate::app::messages::{visited, visited_by_client};
use crate::app::runs::live::Ready;
use crate::app::runs::request::{RunRequest, Visit};
use crate::app::runs::{self, Begun, KnownFlow};
use crate::error::{AppError, Result};
use crate::http::client::Client;
use crate::http::identity::{Actor, Proof};
use crate::http::throttle::Limit;
use crate::state::App;

/// How many runs of one address may be under way at once.
const AT_ONCE: usize = 4;
/// What runs other flows, or code: a visitor's words could reach further than the flow that was shared.
const REFUSED: [&str; 8] = [
    "RunFlow",
    "SubFlow",
    "FlowTool",
    "PythonFunction",
    "PythonREPLComponent",
    "PythonREPLTool",
    "PythonCodeStructuredTool",
    "CustomComponent",
];

/// Who visits.
#[derive(Clone, Debug)]
pub enum Visitor {
    /// A browser, by a random id that only it knows.
    Client(Uuid),
    /// Somebody with an account here.
    Person(Actor),
}

impl Visitor {
    /// How this visitor's conversations with a flow are kept.
    pub fn visit(&self, flow: FlowId) -> Visit {
        match self {
            Self::Client(id) => Visit {
                flow_id: visited_by_client(*id, flow),
                user_id: None,
            },
            Self::Person(actor) => Visit {
                flow_id: visited(actor, flow),
                user_id: Some(actor.user.id),
            },
        }
    }
}

/// A flow that its owner made public.
pub struct Shared {
    /// Who the run belongs to.
    pub owner: Actor,
    pub flow: KnownFlow,
    /// `None`: visitors may not run it.
    pub ready: Option<Ready>,
}

/// What a visitor asks for.
#[derive(Default)]
pub struct Question {
    pub input_value: Option<String>,
    pub session_id: Option<String>,
    pub start: Option<String>,
    pub stop: Option<String>,
}

/// Private, missing and left by an owner who is switched off: all the same to a stranger.
pub async fn find(app: &App, client: &Client, id: FlowId) -> Result<Shared> {
    let flow = app.store.public_flow(&Principal::Nobody, id).await?;
    let owner = owner_of(app, client, flow.header.user_id).await?;
    let flow = KnownFlow::of(flow)?;
    let ready = app
        .runs
        .ready(flow.document.hash, &flow.data, Selection::Whole)
        .ok();
    Ok(Shared {
        owner,
        flow,
        ready: ready.filter(may_be_visited),
    })
}

async fn owner_of(app: &App, client: &Client, id: UserId) -> Result<Actor> {
    let user = app.store.user(&Principal::System, id).await?;
    if !user.is_active {
        return Err(AppError::not_found("flow"));
    }
    Ok(Actor {
        user: Arc::new(user),
        proof: Proof::Shared,
        client: client.clone(),
    })
}

/// Every part of it is known here, and none of them reaches beyond the flow.
fn may_be_visited(ready: &Ready) -> bool {
    let known = |component: Option<&str>| component.is_some_and(|name| !REFUSED.contains(&name));
    let mut nodes = ready.plan.nodes();
    nodes.all(|node| known(node.component()) && !node.runs_own_code())
}

/// Counts a visitor's wish to run something.
pub fn admit(app: &App, client: &Client) -> Result<()> {
    let limit = Limit {
        tries: usize::try_from(app.config.public_rate).unwrap_or(usize::MAX),
        within: Duration::from_secs(60),
    };
    let key = format!("public:{}", network(client.ip));
    app.throttle.count(&key, limit).map_err(AppError::rate_limited)
}

/// Begins a run for a visitor, who has been admitted.
pub async fn begin(
    app: &Arc<App>,
    shared: &Shared,
    visitor: &Visitor,
    question: Question,
) -> Result<(Begun, Place)> {
    let Some(whole) = &shared.ready else {
        return Err(AppError::not_for_visitors());
    };
    // Other nodes are none of a visitor's business.
    for (field, id, kind) in [
        ("start_component_id", &question.start, "ChatInput"),
        ("stop_component_id", &question.stop, "ChatOutput"),
    ] {
        let is_chat = |id: &String| whole.meta.get(id).is_some_and(|node| node.r#type == kind);
        if id.as_ref().is_some_and(|id| !is_chat(id)) {
            return Err(AppError::invalid(field, format!("must be the id of a {kind}")));
        }
    }
    let place = app.visits.take(shared.owner.client.ip)?;
    let visit = visitor.visit(shared.flow.header.id);
    let mut request = RunRequest::new("public");
    request.input_value = question.input_value;
    request.session_id = Some(session_of(visit, question.session_id.as_deref()));
    request.start = question.start;
    request.stop = question.stop;
    request.visit = Some(visit);
    let begun = runs::begin(app, &shared.owner, &shared.flow, request)
        .await
        .map_err(|error| {
            if error.is_internal() {
                error
            } else {
                AppError::not_for_visitors()
            }
        })?;
    Ok((begun, place))
}

/// A session of this visitor, whatever they call it.
fn session_of(visit: Visit, asked: Option<&str>) -> String {
    let own = visit.flow_id.to_string();
    match asked {
        None | Some("") => own,
        Some(asked) => {
            let rest = asked.strip_prefix(&own);
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':')) {
                asked.to_owned()
            } else {
                format!("{own}:{asked}")
            }
        }
    }
}

/// The owner and the visit of a run that this very visitor began.
pub async fn own_run(app: &App, client: &Client, visitor: &Visitor, id: RunId) -> Result<(Actor, Visit)> {
    let missing = || AppError::not_found("job");
    let (owner, flow_id, visit) = match app.runs.live(id) {
        Some(live) => (live.owner, live.flow_id, live.visit),
        None => {
            let run = app.store.run(&Principal::System, id).await?;
            let request: RunRequest = serde_json::from_str(&run.request).map_err(AppError::internal)?;
            (run.user_id, run.flow_id, request.visit)
        }
    };
    let visit = visit
        .filter(|visit| *visit == visitor.visit(flow_id))
        .ok_or_else(missing)?;
    // What is private by now is private.
    app.store.public_flow(&Principal::Nobody, flow_id).await?;
    Ok((owner_of(app, client, owner).await?, visit))
}

/// Runs of visitors that are under way, by their address.
#[derive(Clone, Default)]
pub struct Visits(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A run under way, until this is dropped.
pub struct Place {
    visits: Visits,
    network: IpAddr,
}

impl Visits {
    fn take(&self, ip: IpAddr) -> Result<Place> {
        let network = network(ip);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(network).or_default();
        if *count >= AT_ONCE {
            return Err(AppError::rate_limited(Duration::from_secs(5)));
        }
        *count += 1;
        Ok(Place {
            visits: self.clone(),
            network,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.visits.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.network) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                all.remove(&self.network);
            }
        }
    }
}

/// Whoever has one address of IPv6 has 2^64 of them.
fn network(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => IpAddr::V6((u128::from(ip) & !u128::from(u64::MAX)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_the_visitors_own_whatever_it_is_called() {
        let visit = Visitor::Client(Uuid::from_u128(1)).visit(FlowId(Uuid::from_u128(2)));
        let other = Visitor::Client(Uuid::from_u128(3)).visit(FlowId(Uuid::from_u128(2)));
        assert_ne!(visit, other);
        let (own, theirs) = (visit.flow_id.to_string(), other.flow_id.to_string());
        for (asked, session) in [
            (None, own.clone()),
            (Some(String::new()), own.clone()),
            (Some(own.clone()), own.clone()),
            (Some("a".to_owned()), format!("{own}:a")),
            (Some(format!("{own}:a")), format!("{own}:a")),
            (Some(format!("{own}a")), format!("{own}:{own}a")),
            (Some(format!("{theirs}:a")), format!("{own}:{theirs}:a")),
        ] {
            assert_eq!(session_of(visit, asked.as_deref()), session);
        }
    }

    #[test]
    fn one_address_has_few_runs_at_once() {
        let visits = Visits::default();
        let ip: IpAddr = "2001:db8::1".parse().unwrap();
        let same: IpAddr = "2001:db8::ffff:1".parse().unwrap();
        let other: IpAddr = "2001:db8:1::1".parse().unwrap();
        let mut places: Vec<Place> = (0..AT_ONCE).map(|_| visits.take(ip).unwrap()).collect();
        assert!(visits.take(same).is_err());
        assert!(visits.take(other).is_ok());
        places.pop();
        assert!(visits.take(same).is_ok());
    }
}
