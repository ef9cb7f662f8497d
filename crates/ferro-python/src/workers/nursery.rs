//! The process that workers come from, as the server sees it.

use std::collections::HashMap;
use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, BufReader, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};

use super::talk::Line;
use super::trouble::Trouble;
use super::{Settings, interpreter};

const MAX_MESSAGE: usize = 64 << 10;
const STARTS_WITHIN: Duration = Duration::from_secs(30);
/// The hidden command of the crate `ferro-worker`.
const COMMAND: &str = "python-worker";

pub struct Nursery {
    orders: mpsc::UnboundedSender<Order>,
    next: AtomicU64,
    dead: Arc<AtomicBool>,
    pub walls: Walls,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Walls {
    pub standing: Vec<String>,
    pub missing: Vec<(String, String)>,
}

/// How a worker ended.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Ending {
    ended: u64,
    pub signal: Option<i32>,
    pub code: Option<i32>,
    pub why: Option<String>,
}

enum Order {
    Start(u64, OwnedFd, oneshot::Sender<Ending>),
    Kill(u64),
}

/// One worker. Ended when dropped.
pub struct Worker {
    id: u64,
    pub line: Line<BufReader<OwnedReadHalf>, OwnedWriteHalf>,
    ending: Option<oneshot::Receiver<Ending>>,
    nursery: Arc<Nursery>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.nursery.orders.send(Order::Kill(self.id));
    }
}

impl Worker {
    /// How it ended, once its socket is closed.
    pub async fn ending(&mut self) -> Ending {
        let Some(ending) = self.ending.take() else {
            return Ending::default();
        };
        let ended = tokio::time::timeout(Duration::from_secs(5), ending).await;
        ended.ok().and_then(Result::ok).unwrap_or_default()
    }

    pub fn is_alive(&mut self) -> bool {
        let waiting = |ending: &mut oneshot::Receiver<Ending>| {
            matches!(ending.try_recv(), Err(oneshot::error::TryRecvError::Empty))
        };
        !self.nursery.is_dead() && self.ending.as_mut().is_some_and(waiting)
    }
}

impl Nursery {
    pub async fn start(settings: &Settings) -> Result<Arc<Self>, Trouble> {
        let external = match &settings.python {
            Some(python) => Some(interpreter::examine(python).await.map_err(Trouble::Start)?),
            None => None,
        };
        let setup = json!({
            "memory_mb": settings.memory_mb,
            // A worker serves several requests of one run, and is given up when it has spent half of this.
            "cpu_seconds": settings.seconds.saturating_mul(2).max(2),
            "accept_missing": settings.accept_missing,
            "without": settings.without,
            "external": external,
        });
        let failed = |error: &dyn std::fmt::Display| Trouble::Start(error.to_string());
        let (ours, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            None,
        )
        .map_err(|error| failed(&error))?;
        // The nursery waits on its end; only ours must not block.
        rustix::fs::fcntl_setfl(&theirs, rustix::fs::OFlags::empty()).map_err(|error| failed(&error))?;
        let mut child = Command::new(&settings.program)
            .arg(COMMAND)
            .arg(setup.to_string())
            .env_clear()
            .current_dir("/")
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(&format!("{}: {error}", settings.program.display())))?;
        // Not a stream of bytes but of messages; tokio only waits for it.
        let ours = UnixStream::from_std(ours.into()).map_err(|error| failed(&error))?;
        let first = tokio::time::timeout(STARTS_WITHIN, hear(&ours)).await;
        let first = first.map_err(|_| failed(&"it did not come up within 30 s"))?;
        let walls = match first {
            Some(first) if first.get("refused").is_some() => {
                let walls: Walls = serde_json::from_value(first["refused"].clone()).unwrap_or_default();
                return Err(Trouble::Unavailable {
                    missing: walls.missing,
                });
            }
            Some(first) => serde_json::from_value(first["walls"].clone()).unwrap_or_default(),
            None => return Err(Trouble::Start(last_words(&mut child).await)),
        };
        let (orders, taken) = mpsc::unbounded_channel();
        let dead = Arc::new(AtomicBool::new(false));
        tokio::spawn(tend(ours, child, taken, Arc::clone(&dead)));
        Ok(Arc::new(Self {
            orders,
            next: AtomicU64::new(1),
            dead,
            walls,
        }))
    }

    pub fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Acquire)
    }

    pub fn worker(self: &Arc<Self>) -> Result<Worker, Trouble> {
        let failed = |error: std::io::Error| Trouble::Start(error.to_string());
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(failed)?;
        ours.set_nonblocking(true).map_err(failed)?;
        let (reader, writer) = UnixStream::from_std(ours).map_err(failed)?.into_split();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (ended, ending) = oneshot::channel();
        let order = Order::Start(id, theirs.into(), ended);
        if self.orders.send(order).is_err() {
            return Err(Trouble::Died("its process ended".to_owned()));
        }
        Ok(Worker {
            id,
            line: Line {
                reader: BufReader::with_capacity(64 << 10, reader),
                writer,
                id: 0,
                spent: Duration::ZERO,
            },
            ending: Some(ending),
            nursery: Arc::clone(self),
        })
    }
}

async fn last_words(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(stderr) = child.stderr.take() {
        let mut stderr = stderr.take(4096);
        let read = stderr.read_to_string(&mut said);
        let _ = tokio::time::timeout(Duration::from_secs(5), read).await;
    }
    match said.trim() {
        "" => "it ended at once".to_owned(),
        said => said.to_owned(),
    }
}

/// Passes orders on and hears of endings, until one side is gone. Workers end with their nursery.
async fn tend(
    socket: UnixStream,
    mut child: Child,
    mut orders: mpsc::UnboundedReceiver<Order>,
    dead: Arc<AtomicBool>,
) {
    let waiting: Mutex<HashMap<u64, oneshot::Sender<Ending>>> = Mutex::new(HashMap::new());
    let waiting = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let pass_on = async {
        while let Some(order) = orders.recv().await {
            let sent = match order {
                Order::Start(id, fd, ended) => {
                    waiting().insert(id, ended);
                    say(&socket, &json!({ "start": id }), Some(fd)).await
                }
                // Nobody can be told any more how it ended.
                Order::Kill(id) if waiting().contains_key(&id) => {
                    say(&socket, &json!({ "kill": id }), None).await
                }
                Order::Kill(_) => Ok(()),
            };
            if sent.is_err() {
                return;
            }
        }
    };
    let take_in = async {
        while let Some(message) = hear(&socket).await {
            let Ok(ending) = serde_json::from_value::<Ending>(message) else {
                continue;
            };
            let told = waiting().remove(&ending.ended);
            if let Some(told) = told {
                let _ = told.send(ending);
            }
        }
    };
    tokio::select! { () = pass_on => {}, () = take_in => {} }
    dead.store(true, Ordering::Release);
    waiting().clear();
    drop(socket);
    // Without its socket it ends by itself; nobody waits for one that does not.
    if tokio::time::timeout(Duration::from_secs(5), child.wait())
        .await
        .is_err()
    {
        let _ = child.kill().await;
    }
}

async fn say(socket: &UnixStream, message: &Json, fd: Option<OwnedFd>) -> std::io::Result<()> {
    let text = message.to_string();
    let send = || {
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut extra = SendAncillaryBuffer::new(&mut space);
        let fds = fd.as_ref().map(|fd| [fd.as_fd()]);
        if let Some(fds) = &fds {
            extra.push(SendAncillaryMessage::ScmRights(fds));
        }
        let parts = [IoSlice::new(text.as_bytes())];
        Ok(sendmsg(socket, &parts, &mut extra, SendFlags::NOSIGNAL).map(drop)?)
    };
    socket.async_io(Interest::WRITABLE, send).await
}

/// `None` when the other side is gone.
async fn hear(socket: &UnixStream) -> Option<Json> {
    let mut text = vec![0; MAX_MESSAGE];
    let receive = || {
        let mut parts = [IoSliceMut::new(&mut text)];
        let extra = &mut RecvAncillaryBuffer::default();
        Ok(recvmsg(socket, &mut parts, extra, RecvFlags::empty())?.bytes)
    };
    let came = socket.async_io(Interest::READABLE, receive).await.ok()?;
    serde_json::from_slice(text.get(..came)?).ok()
}
