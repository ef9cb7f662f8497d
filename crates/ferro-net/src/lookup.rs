//! Resolving names, and dropping the addresses that may not be connected to.

use std::error::Error;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use crate::policy::{AddressPolicy, Denial};

pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Answers for names. Tests bring their own.
pub trait Lookup: Send + Sync {
    fn lookup<'a>(&'a self, host: &'a str) -> Addresses<'a>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup<'a>(&'a self, host: &'a str) -> Addresses<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// What the client connects with: it hands over only addresses that have been checked, for one port.
pub(crate) struct Checked {
    pub(crate) policy: Arc<AddressPolicy>,
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) port: u16,
}

/// Found in the chain of an error that came out of `Checked`.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(crate) enum LookupError {
    #[error("every address of the name is refused")]
    Denied { address: IpAddr, denial: Denial },
    #[error("the name has no address")]
    NotFound,
}

impl reqwest::dns::Resolve for Checked {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let (policy, lookup, port) = (Arc::clone(&self.policy), Arc::clone(&self.lookup), self.port);
        Box::pin(async move {
            let host = name.as_str();
            let found = lookup.lookup(host).await.map_err(|_| LookupError::NotFound)?;
            let mut denied = None;
            let mut allowed = Vec::new();
            for address in found {
                match policy.check(host, address, port) {
                    Ok(()) => allowed.push(SocketAddr::new(address, port)),
                    Err(denial) => denied = denied.or(Some(LookupError::Denied { address, denial })),
                }
            }
            if allowed.is_empty() {
                return Err(Box::new(denied.unwrap_or(LookupError::NotFound)) as Box<dyn Error + Send + Sync>);
            }
            Ok(Box::new(allowed.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

/// The lookup's own error inside `error`, if that is what it is about.
pub(crate) fn find(error: &(dyn Error + 'static)) -> Option<LookupError> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<LookupError>() {
            return Some(*found);
        }
        next = error.source();
    }
    None
}
