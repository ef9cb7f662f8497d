//! Server-sent events: the framing other formats share, and Ferroflow's own stream of everything that happens.

mod told;

use std::sync::Arc;

use ferro_engine::Event;
use serde::Serialize;

use self::told::{Timed, name, tell};
use super::message::Ids;
use super::{Encoder, Meta, Moment, Rfc3339, put};

/// How objects follow each other on the wire.
#[derive(Debug)]
pub enum Framing {
    /// The object, then a blank line.
    Lines,
    /// Numbered events without a name: `id:`, `data:`.
    Numbered(Numbers),
    /// Named events without a number: `event:`, `data:`.
    Named,
}

/// Counts frames, and leaves out those a reader has. The count depends on the log alone, so that a reader who
/// comes back finds the same numbers.
#[derive(Debug, Default)]
pub struct Numbers {
    written: u64,
    /// The last one the reader has.
    after: u64,
}

impl Numbers {
    pub fn after(last: u64) -> Self {
        Self {
            written: 0,
            after: last,
        }
    }

    /// From a `Last-Event-ID` header. What is no number means the reader has nothing.
    pub fn after_id(last: Option<&str>) -> Self {
        Self::after(last.and_then(|id| id.trim().parse().ok()).unwrap_or(0))
    }
}

/// What Langflow's clients read: a name and what it is about.
#[derive(Serialize)]
struct Named<'a, T> {
    event: &'a str,
    data: &'a T,
}

impl Framing {
    /// A named object, such as `{"event": "token", "data": {…}}`.
    pub fn named(&mut self, out: &mut Vec<u8>, event: &str, data: &impl Serialize) {
        match self {
            Self::Named => {
                for part in [b"event: ", event.as_bytes(), b"\ndata: "] {
                    out.extend_from_slice(part);
                }
                put(out, data);
                out.extend_from_slice(b"\n\n");
            }
            _ => self.object(out, &Named { event, data }),
        }
    }

    /// An object that says itself what it is.
    pub fn object(&mut self, out: &mut Vec<u8>, object: &impl Serialize) {
        match self {
            Self::Lines => {
                put(out, object);
                out.extend_from_slice(b"\n\n");
            }
            Self::Numbered(numbers) => {
                numbers.written += 1;
                if numbers.written > numbers.after {
                    out.extend_from_slice(b"id: ");
                    put(out, &numbers.written);
                    out.extend_from_slice(b"\ndata: ");
                    put(out, object);
                    out.extend_from_slice(b"\n\n");
                }
            }
            Self::Named => {
                out.extend_from_slice(b"data: ");
                put(out, object);
                out.extend_from_slice(b"\n\n");
            }
        }
    }
}

/// How long a reader waits before it comes back.
pub fn retry(out: &mut Vec<u8>, wait: std::time::Duration) {
    out.extend_from_slice(format!("retry: {}\n\n", wait.as_millis()).as_bytes());
}

/// A comment that keeps proxies from closing a quiet stream. Without an id: it must not move a reader on.
pub const HEARTBEAT: &[u8] = b": still here\n\n";

/// Ferroflow's own stream: one event of the log, one frame, numbered as in the log.
pub struct Sse {
    meta: Arc<Meta>,
    ids: Ids,
    after: u64,
}

impl Sse {
    /// `after` is the last number the reader has.
    pub fn new(meta: Arc<Meta>, after: u64) -> Self {
        Self {
            meta,
            ids: Ids::default(),
            after,
        }
    }
}

impl Encoder for Sse {
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>) {
        self.ids.observe(event);
        if event.seq <= self.after {
            return;
        }
        let (name, told) = (name(&event.body), tell(&event.body, &self.meta, &self.ids));
        out.extend_from_slice(format!("id: {}\nevent: {name}\ndata: ", event.seq).as_bytes());
        put(
            out,
            &Timed {
                at: Rfc3339(Moment(event.at)),
                told,
            },
        );
        out.extend_from_slice(b"\n\n");
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::script;
    use super::*;

    #[test]
    fn our_own_stream_tells_everything() {
        let meta = script::meta();
        let mut encoder = Sse::new(meta.clone(), 0);
        expect_test::expect_file!["testdata/sse.txt"]
            .assert_eq(&script::encode(&mut encoder, &script::everything()));
    }

    #[test]
    fn a_reader_misses_and_repeats_nothing() {
        let meta = script::meta();
        let events = script::everything();
        let whole = script::encode(&mut Sse::new(meta.clone(), 0), &events);
        for last in 0..=events.len() {
            let have = script::encode(&mut Sse::new(meta.clone(), 0), &events[..last]);
            let rest = script::encode(&mut Sse::new(meta.clone(), last as u64), &events);
            assert_eq!(have + &rest, whole, "after {last}");
        }
    }

    #[test]
    fn framings_differ_only_around_the_object() {
        let mut out = Vec::new();
        let data = serde_json::json!({ "id": "a\nb" });
        let numbered = Framing::Numbered(Numbers::after_id(Some("1")));
        for mut framing in [Framing::Lines, numbered, Framing::Named] {
            framing.named(&mut out, "build_start", &data);
            framing.named(&mut out, "build_start", &data);
        }
        retry(&mut out, std::time::Duration::from_secs(2));
        out.extend_from_slice(HEARTBEAT);
        expect![[r#"
            {"event":"build_start","data":{"id":"a\nb"}}

            {"event":"build_start","data":{"id":"a\nb"}}

            id: 2
            data: {"event":"build_start","data":{"id":"a\nb"}}

            event: build_start
            data: {"id":"a\nb"}

            event: build_start
            data: {"id":"a\nb"}

            retry: 2000

            : still here

        "#]]
        .assert_eq(std::str::from_utf8(&out).unwrap());
        for odd in [
            None,
            Some(""),
            Some("x"),
            Some("-1"),
            Some("99999999999999999999999"),
        ] {
            assert_eq!(Numbers::after_id(odd).after, 0, "{odd:?}");
        }
    }
}
