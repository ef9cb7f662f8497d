//! A worker's end of its socket: lines of JSON, one request at a time.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use serde::Deserialize;
use serde_json::value::RawValue;

/// No line is longer, in either direction.
pub const MAX_LINE: usize = 32 << 20;
/// One request may say so many things before its answer.
const MAX_EVENTS: u32 = 20_000;
const MAX_EVENT: usize = 1 << 20;

pub struct Line {
    reader: BufReader<UnixStream>,
    request: u64,
    calls: u64,
    events: u32,
}

#[derive(Deserialize)]
struct Request<'a> {
    id: u64,
    #[serde(borrow)]
    request: &'a RawValue,
}

#[derive(Deserialize)]
struct Answer<'a> {
    answer: u64,
    #[serde(borrow)]
    body: &'a RawValue,
}

impl Line {
    pub fn new(socket: UnixStream) -> Self {
        Self {
            reader: BufReader::new(socket),
            request: 0,
            calls: 0,
            events: 0,
        }
    }

    /// `None` when the server has nothing more to ask.
    pub fn next_request(&mut self) -> Option<String> {
        let line = self.read()?;
        let request: Request<'_> = serde_json::from_str(&line).ok()?;
        self.request = request.id;
        self.events = 0;
        Some(request.request.get().to_owned())
    }

    pub fn done(&mut self, reply: &str) -> Result<(), String> {
        let reply = match one_value(reply, MAX_LINE - 64) {
            Ok(reply) => reply,
            Err(why) => return self.failed(&why),
        };
        self.write(&[&format!("{{\"id\":{},\"done\":", self.request), reply, "}\n"])
    }

    /// The request cannot be answered as it should be; says so instead.
    pub fn failed(&mut self, why: &str) -> Result<(), String> {
        let error = serde_json::json!({ "error": { "kind": "limit", "message": why } });
        let id = self.request;
        self.write(&[&format!("{{\"id\":{id},\"done\":{error}}}\n")])
    }

    pub fn event(&mut self, event: &str) -> Result<(), String> {
        self.events += 1;
        if self.events > MAX_EVENTS {
            return Err(format!("more than {MAX_EVENTS} events for one request"));
        }
        let event = one_value(event, MAX_EVENT)?;
        self.write(&[&format!("{{\"id\":{},\"event\":", self.request), event, "}\n"])
    }

    pub fn call(&mut self, question: &str) -> Result<String, String> {
        let question = one_value(question, MAX_LINE - 128)?;
        self.calls += 1;
        let head = format!("{{\"id\":{},\"call\":{},\"ask\":", self.request, self.calls);
        self.write(&[&head, question, "}\n"])?;
        let line = self.read().ok_or("the server does not answer any more")?;
        let answer: Answer<'_> = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        if answer.answer != self.calls {
            return Err("the answer belongs to another question".to_owned());
        }
        Ok(answer.body.get().to_owned())
    }

    fn read(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let most = MAX_LINE as u64;
        let read = self
            .reader
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut line)
            .ok()?;
        if read == 0 || line.last() != Some(&b'\n') {
            return None;
        }
        line.pop();
        String::from_utf8(line).ok()
    }

    fn write(&mut self, parts: &[&str]) -> Result<(), String> {
        let text = parts.concat();
        let socket = self.reader.get_mut();
        socket
            .write_all(text.as_bytes())
            .map_err(|error| error.to_string())
    }
}

/// Exactly one JSON value on one line: a component may say what it likes, but not in the protocol's name.
fn one_value(text: &str, most: usize) -> Result<&str, String> {
    if text.len() > most {
        return Err(format!(
            "{} bytes are more than the {most} that may be said at once",
            text.len()
        ));
    }
    let value: &RawValue = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if value.get().contains('\n') {
        return Err("a line break outside of a text".to_owned());
    }
    Ok(value.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Line, BufReader<UnixStream>) {
        let (here, there) = UnixStream::pair().unwrap();
        (Line::new(here), BufReader::new(there))
    }

    fn heard(other: &mut BufReader<UnixStream>) -> String {
        let mut line = String::new();
        other.read_line(&mut line).unwrap();
        line
    }

    #[test]
    fn a_request_an_event_a_question_and_its_answer() {
        let (mut line, mut other) = pair();
        let say =
            |other: &BufReader<UnixStream>, text: &str| other.get_ref().write_all(text.as_bytes()).unwrap();
        say(&other, "{\"id\":7,\"request\":{\"do\":\"ping\"}}\n");
        assert_eq!(line.next_request().unwrap(), "{\"do\":\"ping\"}");
        line.event("{\"event\":\"log\"}").unwrap();
        assert_eq!(heard(&mut other), "{\"id\":7,\"event\":{\"event\":\"log\"}}\n");
        say(&other, "{\"answer\":1,\"body\":{\"ok\":true}}\n");
        assert_eq!(line.call("{\"ask\":\"variable\"}").unwrap(), "{\"ok\":true}");
        assert_eq!(
            heard(&mut other),
            "{\"id\":7,\"call\":1,\"ask\":{\"ask\":\"variable\"}}\n"
        );
        line.done("{\"result\":1}").unwrap();
        assert_eq!(heard(&mut other), "{\"id\":7,\"done\":{\"result\":1}}\n");
        drop(other);
        assert_eq!(line.next_request(), None);
    }

    #[test]
    fn what_would_be_a_line_of_its_own_is_refused() {
        let (mut line, mut other) = pair();
        for forged in [
            "1}\n{\"id\":7,\"done\":{\"result\":2}",
            "{}\n{}",
            "{\"a\":\n1}",
            "",
            "nonsense",
            "{} {}",
        ] {
            assert!(line.event(forged).is_err(), "{forged}");
            assert!(line.call(forged).is_err(), "{forged}");
        }
        line.done("{}\n{}").unwrap();
        assert!(heard(&mut other).contains("\"error\""));
    }

    #[test]
    fn only_so_many_events() {
        let (here, there) = UnixStream::pair().unwrap();
        let mut line = Line::new(here);
        std::thread::spawn(move || std::io::copy(&mut &there, &mut std::io::sink()));
        let said = (0..MAX_EVENTS + 10).filter(|_| line.event("1").is_ok()).count();
        assert_eq!(said, MAX_EVENTS as usize);
    }
}
