//! Answers that come a token at a time: when the first was there, and how long each let the reader wait.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    Error,
    load::{Connection, Request, find},
};

/// A server that streams, and how its tokens are told from the rest of its stream.
#[derive(Clone)]
pub struct Speaker {
    pub port: u16,
    pub request: Request,
    pub marker: &'static [u8],
}

/// What many answers were like.
#[derive(Default)]
pub struct Spoken {
    /// Answers in the time that counts, and that time.
    answers: usize,
    time: Duration,
    took: Vec<Duration>,
    first: Vec<Duration>,
    gaps: Vec<Duration>,
}

impl Spoken {
    pub fn answers(&self) -> usize {
        self.answers
    }

    pub fn per_second(&self) -> f64 {
        self.answers as f64 / self.time.as_secs_f64()
    }

    /// From the question to the end of the answer.
    pub fn took(&mut self, share: f64) -> f64 {
        at(&mut self.took, share)
    }

    /// From the question to the first token.
    pub fn first(&mut self, share: f64) -> f64 {
        at(&mut self.first, share)
    }

    /// From each token to the next.
    pub fn gap(&mut self, share: f64) -> f64 {
        at(&mut self.gaps, share)
    }

    pub fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.time += other.time;
        self.took.extend(other.took);
        self.first.extend(other.first);
        self.gaps.extend(other.gaps);
    }
}

/// Milliseconds at this share of the sorted times.
fn at(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let place = (times.len().saturating_sub(1) as f64 * share) as usize;
    times
        .get(place)
        .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

const END: &[u8] = b"\r\n0\r\n\r\n";

impl Speaker {
    /// One answer, every token of it counted.
    async fn listen(&self, connection: &mut Connection, spoken: &mut Spoken) -> Result<usize, Error> {
        connection.buffer.clear();
        // Before it is sent: on a busy machine the answer may be there before we are back.
        let asked = Instant::now();
        connection.stream.write_all(&self.request.0).await?;
        let (mut tokens, mut seen, mut last) = (0, 0, asked);
        loop {
            let done = read(connection).await?;
            let now = Instant::now();
            while let Some(found) = find(&connection.buffer[seen..], self.marker) {
                seen += found + self.marker.len();
                match tokens {
                    0 => spoken.first.push(now - asked),
                    _ => spoken.gaps.push(now - last),
                }
                (tokens, last) = (tokens + 1, now);
            }
            seen = seen.max(connection.buffer.len().saturating_sub(self.marker.len() - 1));
            if done {
                spoken.took.push(now - asked);
                spoken.answers += 1;
                return Ok(tokens);
            }
        }
    }

    /// Asks, and reads until the first token is there. The rest is still to come on the connection.
    pub async fn begin(&self) -> Result<Connection, Error> {
        let mut connection = Connection::open(self.port).await?;
        connection.stream.write_all(&self.request.0).await?;
        while find(&connection.buffer, self.marker).is_none() {
            if read(&mut connection).await? {
                let text = String::from_utf8_lossy(&connection.buffer);
                return Err(format!("the answer ended without a token: {text}").into());
            }
        }
        Ok(connection)
    }

    /// One answer, of which only the end is looked for: a reader that takes little from those it measures.
    async fn hear(&self, connection: &mut Connection) -> Result<usize, Error> {
        connection.stream.write_all(&self.request.0).await?;
        connection.buffer.clear();
        while !read(connection).await? {}
        Ok(connection.buffer.len())
    }

    /// So many readers, one answer each, or one after the other until the time is over. Every answer must have so
    /// many tokens.
    pub async fn watched(&self, readers: usize, tokens: usize, time: Duration) -> Result<Spoken, Error> {
        Self::together(vec![self.clone(); readers], tokens, time).await
    }

    /// As `watched`, with a reader for each of these.
    pub async fn together(speakers: Vec<Self>, tokens: usize, time: Duration) -> Result<Spoken, Error> {
        let begin = Instant::now();
        let mut tasks = Vec::new();
        for speaker in speakers {
            tasks.push(tokio::spawn(async move {
                let mut connection = Connection::open(speaker.port).await?;
                let mut spoken = Spoken::default();
                loop {
                    let heard = speaker.listen(&mut connection, &mut spoken).await?;
                    if heard != tokens {
                        let text = String::from_utf8_lossy(&connection.buffer);
                        return Err(Error::from(format!("{heard} of {tokens} tokens came: {text}")));
                    }
                    if begin.elapsed() >= time {
                        return Ok(spoken);
                    }
                }
            }));
        }
        let mut all = Spoken::default();
        for task in tasks {
            all.add(task.await??);
        }
        all.time = begin.elapsed();
        Ok(all)
    }

    /// So many readers, each asking again at once: how many answers come.
    pub async fn loaded(&self, readers: usize, tokens: usize, time: Duration) -> Result<Spoken, Error> {
        // One that is looked at closely says how long the others must be.
        let mut connection = Connection::open(self.port).await?;
        let heard = self.listen(&mut connection, &mut Spoken::default()).await?;
        if heard != tokens {
            let text = String::from_utf8_lossy(&connection.buffer);
            return Err(format!("{heard} of {tokens} tokens came: {text}").into());
        }
        let least = connection.buffer.len() * 8 / 10;
        let warm_up = time / 5;
        let begin = Instant::now();
        let mut tasks = Vec::new();
        for _ in 0..readers {
            let speaker = self.clone();
            tasks.push(tokio::spawn(async move {
                let mut connection = Connection::open(speaker.port).await?;
                let mut spoken = Spoken::default();
                loop {
                    let asked = Instant::now();
                    let length = speaker.hear(&mut connection).await?;
                    if length < least {
                        let text = String::from_utf8_lossy(&connection.buffer);
                        return Err(Error::from(format!("an answer was cut short: {text}")));
                    }
                    if asked >= begin + warm_up {
                        spoken.took.push(asked.elapsed());
                        spoken.answers += 1;
                    }
                    if begin.elapsed() >= warm_up + time {
                        return Ok(spoken);
                    }
                }
            }));
        }
        let mut all = Spoken::default();
        for task in tasks {
            all.add(task.await??);
        }
        all.time = begin.elapsed().saturating_sub(warm_up);
        Ok(all)
    }
}

/// Reads some more; whether the answer is whole.
async fn read(connection: &mut Connection) -> Result<bool, Error> {
    if connection.stream.read_buf(&mut connection.buffer).await? == 0 {
        return Err("the server closed the connection".into());
    }
    let is_whole = connection.buffer.ends_with(END);
    // "HTTP/1.1 200": anything else is no stream, and might never end as one does.
    if connection.buffer.len() > 12 && &connection.buffer[9..12] != b"200" {
        let text = String::from_utf8_lossy(&connection.buffer);
        return Err(format!("a stream was refused: {text}").into());
    }
    Ok(is_whole)
}
