//! The nursery's socket to the server: whole messages, some with a descriptor.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendFlags, recvmsg, sendmsg,
};
use serde_json::Value;

const MAX_MESSAGE: usize = 64 << 10;

pub struct Control(OwnedFd);

pub enum Heard {
    Start(u64, UnixStream),
    Kill(u64),
    Gone,
}

impl AsFd for Control {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Control {
    /// The server gives its socket as standard input.
    pub fn take_stdin() -> Result<Self, String> {
        let own = rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3).map_err(|error| error.to_string())?;
        Ok(Self(own))
    }

    /// In a worker: the server's orders are not for it.
    pub fn close(&mut self, nothing: &std::fs::File) {
        if let Ok(other) = nothing.try_clone() {
            self.0 = other.into();
        }
    }

    pub fn say(&self, message: &Value) -> Result<(), String> {
        let text = message.to_string();
        let parts = [IoSlice::new(text.as_bytes())];
        let sent = sendmsg(
            &self.0,
            &parts,
            &mut SendAncillaryBuffer::default(),
            SendFlags::NOSIGNAL,
        );
        sent.map(drop).map_err(|error| error.to_string())
    }

    pub fn hear(&self) -> Result<Heard, String> {
        let mut text = vec![0; MAX_MESSAGE];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut extra = RecvAncillaryBuffer::new(&mut space);
        let mut parts = [IoSliceMut::new(&mut text)];
        let came = recvmsg(&self.0, &mut parts, &mut extra, RecvFlags::CMSG_CLOEXEC);
        let came = match came {
            Ok(came) => came.bytes,
            Err(rustix::io::Errno::CONNRESET) => 0,
            Err(error) => return Err(error.to_string()),
        };
        let socket = extra.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
            _ => None,
        });
        if came == 0 {
            return Ok(Heard::Gone);
        }
        let message: Value = serde_json::from_slice(&text[..came]).map_err(|error| error.to_string())?;
        let id = |key: &str| message.get(key).and_then(Value::as_u64);
        match (id("start"), socket, id("kill")) {
            (Some(id), Some(socket), _) => Ok(Heard::Start(id, UnixStream::from(socket))),
            (_, _, Some(id)) => Ok(Heard::Kill(id)),
            _ => Err(format!("not understood: {message}")),
        }
    }
}
