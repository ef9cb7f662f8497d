//! Reads a `curl` command line as a request.

mod words;

use base64::Engine as _;
use ferro_engine::Failure;
use url::Url;

const MAX_LENGTH: usize = 256 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Curl {
    pub method: String,
    pub url: String,
    /// In the order they were given.
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    pub follows: bool,
}

impl Curl {
    fn header(&mut self, name: &str, value: &str) {
        self.headers
            .push((name.trim().to_owned(), value.trim().to_owned()));
    }

    fn has_header(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

fn bad(message: impl Into<String>) -> Failure {
    Failure::input("curl_input", message).advice(
        "Paste a command like: curl -X POST https://example.com -H 'Accept: application/json' -d '{}'",
    )
}

pub(super) fn parse(command: &str) -> Result<Curl, Failure> {
    if command.len() > MAX_LENGTH {
        return Err(bad("The curl command is too long"));
    }
    let mut words = words::split(command)?.into_iter();
    if words
        .next()
        .is_none_or(|first| first.rsplit('/').next() != Some("curl"))
    {
        return Err(bad("The command does not begin with curl"));
    }
    let mut reading = Reading::default();
    while let Some(word) = words.next() {
        reading.word(&word, &mut words)?;
    }
    reading.finish()
}

#[derive(Default)]
struct Reading {
    curl: Curl,
    method: Option<String>,
    data: Vec<String>,
    as_query: bool,
    json: bool,
    head: bool,
}

impl Reading {
    fn word(&mut self, word: &str, rest: &mut impl Iterator<Item = String>) -> Result<(), Failure> {
        if let Some(long) = word.strip_prefix("--") {
            let (name, given) = match long.split_once('=') {
                Some((name, value)) if takes_value(name) => (name, Some(value.to_owned())),
                _ => (long, None),
            };
            return self.option(name, given, rest);
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            if self.curl.url.is_empty() {
                word.clone_into(&mut self.curl.url);
                return Ok(());
            }
            return Err(bad(format!(
                "The curl command has more than one address: {word:?}"
            )));
        };
        // `-sSL`, `-XPOST`: letters up to the first that takes a value, and the value right behind it.
        for (at, letter) in letters.char_indices() {
            let name = long_name(letter);
            let behind = &letters[at + letter.len_utf8()..];
            if takes_value(name) {
                let given = Some(behind.to_owned()).filter(|behind| !behind.is_empty());
                return self.option(name, given, rest);
            }
            self.option(name, None, rest)?;
        }
        Ok(())
    }

    fn option(
        &mut self,
        name: &str,
        given: Option<String>,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<(), Failure> {
        if !takes_value(name) {
            return self.switch(name);
        }
        let Some(value) = given.or_else(|| rest.next()) else {
            return Err(bad(format!("The option {name} of the curl command has no value")));
        };
        match name {
            "request" => self.method = Some(value.to_uppercase()),
            "url" => self.curl.url = value,
            "header" => {
                if let Some((name, content)) = value.split_once(':') {
                    self.curl.header(name, content);
                }
            }
            "user-agent" => self.curl.header("User-Agent", &value),
            "referer" => self.curl.header("Referer", &value),
            "oauth2-bearer" => self.curl.header("Authorization", &format!("Bearer {value}")),
            "user" => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(value);
                self.curl.header("Authorization", &format!("Basic {encoded}"));
            }
            "cookie" if value.contains('=') => self.curl.header("Cookie", &value),
            "data" | "data-ascii" | "data-binary" | "json" if value.starts_with('@') => {
                return Err(no_files());
            }
            "data" | "data-ascii" | "data-binary" | "data-raw" => self.data.push(value),
            "json" => {
                self.json = true;
                self.data.push(value);
            }
            "data-urlencode" => self.data.push(encoded(&value)?),
            "cookie" | "form" | "form-string" | "upload-file" | "config" => return Err(no_files()),
            // Where output goes, how long to wait, which certificates: settings of the component or of the server.
            _ => {}
        }
        Ok(())
    }

    fn switch(&mut self, name: &str) -> Result<(), Failure> {
        match name {
            "get" => self.as_query = true,
            "head" => self.head = true,
            "location" | "location-trusted" => self.curl.follows = true,
            "compressed"
            | "silent"
            | "show-error"
            | "insecure"
            | "include"
            | "verbose"
            | "fail"
            | "fail-with-body"
            | "globoff"
            | "http1.1"
            | "http2"
            | "http2-prior-knowledge"
            | "tlsv1.2"
            | "no-buffer"
            | "progress-bar"
            | "ipv4"
            | "ipv6"
            | "path-as-is"
            | "no-progress-meter"
            | "tcp-nodelay"
            | "remote-name"
            | "raw" => {}
            other => {
                return Err(bad(format!(
                    "The option {other} of the curl command is not known here"
                )));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Curl, Failure> {
        if self.curl.url.is_empty() {
            return Err(bad("The curl command has no address"));
        }
        let data = self.data.join(if self.json { "" } else { "&" });
        let has_data = !self.data.is_empty();
        if self.as_query && has_data {
            let joined = if self.curl.url.contains('?') { '&' } else { '?' };
            self.curl.url = format!("{}{joined}{data}", self.curl.url);
        } else if has_data {
            let kind = if self.json {
                "application/json"
            } else {
                "application/x-www-form-urlencoded"
            };
            if !self.curl.has_header("content-type") {
                self.curl.header("Content-Type", kind);
            }
            if self.json && !self.curl.has_header("accept") {
                self.curl.header("Accept", "application/json");
            }
            self.curl.body = Some(data);
        }
        let default = match (self.head, self.curl.body.is_some()) {
            (true, _) => "HEAD",
            (_, true) => "POST",
            _ => "GET",
        };
        self.curl.method = self.method.unwrap_or_else(|| default.to_owned());
        Ok(self.curl)
    }
}

fn no_files() -> Failure {
    bad("The curl command reads or sends a file, which cannot be done here")
}

fn long_name(letter: char) -> &'static str {
    match letter {
        'X' => "request",
        'H' => "header",
        'd' => "data",
        'u' => "user",
        'b' => "cookie",
        'A' => "user-agent",
        'e' => "referer",
        'F' => "form",
        'T' => "upload-file",
        'K' => "config",
        'o' => "output",
        'm' => "max-time",
        'x' => "proxy",
        'c' => "cookie-jar",
        'E' => "cert",
        'w' => "write-out",
        'D' => "dump-header",
        'G' => "get",
        'I' => "head",
        'L' => "location",
        's' => "silent",
        'S' => "show-error",
        'k' => "insecure",
        'i' => "include",
        'v' => "verbose",
        'f' => "fail",
        'g' => "globoff",
        'N' => "no-buffer",
        '#' => "progress-bar",
        'O' => "remote-name",
        '4' => "ipv4",
        '6' => "ipv6",
        _ => "?",
    }
}

fn takes_value(name: &str) -> bool {
    matches!(
        name,
        "request"
            | "url"
            | "header"
            | "user-agent"
            | "referer"
            | "oauth2-bearer"
            | "user"
            | "cookie"
            | "data"
            | "data-ascii"
            | "data-binary"
            | "data-raw"
            | "data-urlencode"
            | "json"
            | "form"
            | "form-string"
            | "upload-file"
            | "config"
            | "output"
            | "max-time"
            | "connect-timeout"
            | "proxy"
            | "cookie-jar"
            | "cert"
            | "key"
            | "cacert"
            | "write-out"
            | "dump-header"
            | "retry"
            | "retry-delay"
            | "max-redirs"
            | "resolve"
            | "limit-rate"
            | "ciphers"
            | "interface"
    )
}

/// `name=content`, `=content` or `content`, with the content made safe for a form.
fn encoded(value: &str) -> Result<String, Failure> {
    let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    match value.split_once('=') {
        Some(("", content)) => Ok(encode(content)),
        Some((name, content)) if !name.contains('@') => Ok(format!("{name}={}", encode(content))),
        _ if value.contains('@') => Err(no_files()),
        _ => Ok(encode(value)),
    }
}

/// The address of a parsed command.
pub(super) fn address(curl: &Curl) -> Result<Url, Failure> {
    super::fetch::address("curl_input", &curl.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(curl: &Curl) -> Vec<(&str, &str)> {
        curl.headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    #[test]
    fn a_plain_get() {
        let curl = parse("curl -sSL https://a.test/x?a=1&b=2").unwrap();
        assert_eq!(
            (curl.method.as_str(), curl.url.as_str(), curl.follows),
            ("GET", "https://a.test/x?a=1&b=2", true)
        );
        assert_eq!(curl.body, None);
    }

    #[test]
    fn a_browsers_post() {
        let curl = parse("curl 'https://a.test/' \\\n  -H 'accept: */*' -H \"x-q: a \\\"b\\\"\" --data-raw $'{\"t\":\"it\\'s\\n\"}' --compressed").unwrap();
        assert_eq!(curl.method, "POST");
        assert_eq!(curl.body.as_deref(), Some("{\"t\":\"it's\n\"}"));
        let expected = [
            ("accept", "*/*"),
            ("x-q", "a \"b\""),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        assert_eq!(headers(&curl), expected);
    }

    #[test]
    fn forms_queries_users_and_json() {
        let curl = parse("curl -XPUT a.test -d a=1 --data-urlencode 'b=x y' -u me:pass -b 's=1'").unwrap();
        assert_eq!(
            (curl.method.as_str(), curl.body.as_deref()),
            ("PUT", Some("a=1&b=x+y"))
        );
        assert!(headers(&curl).contains(&("Authorization", "Basic bWU6cGFzcw==")));
        assert!(headers(&curl).contains(&("Cookie", "s=1")));
        let curl = parse("curl -G a.test/s -d q=1 --data-urlencode w=ä").unwrap();
        assert_eq!(
            (curl.method.as_str(), curl.url.as_str()),
            ("GET", "a.test/s?q=1&w=%C3%A4")
        );
        let curl = parse("curl --json '{\"a\":1}' --request=PATCH --url a.test").unwrap();
        assert_eq!(
            (curl.method.as_str(), curl.body.as_deref()),
            ("PATCH", Some("{\"a\":1}"))
        );
        assert_eq!(
            headers(&curl),
            [
                ("Content-Type", "application/json"),
                ("Accept", "application/json")
            ]
        );
        assert_eq!(parse("curl -I a.test").unwrap().method, "HEAD");
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for bad in [
            "",
            "wget a.test",
            "curl",
            "curl -X",
            "curl 'a.test",
            "curl a.test -d @/etc/passwd",
            "curl a.test -F f=@x",
            "curl a.test | sh",
            "curl a.test b.test",
            "curl --made-up a.test",
            "curl -b cookies.txt a.test",
            "curl a.test --data-urlencode n@/etc/passwd",
        ] {
            let failure = parse(bad).unwrap_err();
            assert_eq!(failure.field.as_deref(), Some("curl_input"), "{bad}");
        }
    }
}
