//! Asking a server under test: one connection per request, no redirects, no cookie jar, nothing hidden.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header::HeaderName};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};

use crate::wait::PATIENCE;

/// Where to ask, and the headers that go with every request.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: SocketAddr,
    headers: HeaderMap,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            headers: HeaderMap::new(),
        }
    }

    /// The same client with one more header on every request.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers
            .insert(name_of(name), HeaderValue::from_str(value).unwrap());
        self
    }

    #[must_use]
    pub fn with_key(self, key: &str) -> Self {
        self.with("x-api-key", key)
    }

    #[must_use]
    pub fn with_bearer(self, token: &str) -> Self {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// As a browser that is signed in and shows our page.
    #[must_use]
    pub fn with_cookie(self, cookie: &str) -> Self {
        let origin = format!("http://{}", self.address);
        self.with("cookie", cookie).with("origin", &origin)
    }

    pub fn call(&self, method: &str, path: &str) -> Call {
        Call {
            address: self.address,
            method: Method::from_bytes(method.as_bytes()).unwrap(),
            path: path.to_owned(),
            headers: self.headers.clone(),
            body: Bytes::new(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path).send().await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path).send().await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path).json(body).send().await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.call("PATCH", path).json(body).send().await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.call("PUT", path).json(body).send().await
    }

    /// Sends files as a browser's form would.
    pub async fn upload(&self, path: &str, parts: &[Part<'_>]) -> Answer {
        let (kind, body) = multipart(parts);
        self.call("POST", path)
            .header("content-type", &kind)
            .body(body)
            .send()
            .await
    }

    /// Signs in with a form, as browsers and Langflow's clients do.
    pub async fn login(&self, username: &str, password: &str) -> Answer {
        let body = form(&[("username", username), ("password", password)]);
        self.call("POST", "/api/v1/login")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await
    }
}

fn name_of(name: &str) -> HeaderName {
    HeaderName::from_bytes(name.as_bytes()).unwrap()
}

#[derive(Clone, Debug)]
pub struct Call {
    address: SocketAddr,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

impl Call {
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .insert(name_of(name), HeaderValue::from_str(value).unwrap());
        self
    }

    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.json_text(body.to_string())
    }

    /// Exactly this text as JSON.
    #[must_use]
    pub fn json_text(self, text: impl Into<Bytes>) -> Self {
        self.header("content-type", "application/json").body(text)
    }

    pub async fn send(self) -> Answer {
        self.try_send().await.expect("the server answers")
    }

    /// `Err` when the server is not there or hangs up.
    pub async fn try_send(self) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        #[expect(clippy::disallowed_methods, reason = "to the server under test, on loopback")]
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let mut request = Request::builder()
            .method(self.method)
            .uri(&self.path)
            .body(Full::new(self.body))?;
        *request.headers_mut() = self.headers;
        if !request.headers().contains_key("host") {
            let host = HeaderValue::from_str(&self.address.to_string())?;
            request.headers_mut().insert("host", host);
        }
        let answer = async {
            let response = sender.send_request(request).await?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await?.to_bytes();
            Ok::<_, hyper::Error>(Answer {
                status: parts.status,
                headers: parts.headers,
                body,
            })
        };
        let answer = timeout(PATIENCE, answer).await;
        connection.abort();
        Ok(answer??)
    }
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    /// This answer, if it has the status expected.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// Refused with this status and code.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Value {
        let answer = self.expect(status).json();
        assert_eq!(answer["code"], code, "{answer}");
        answer
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// `name=value` of the cookie that was set.
    pub fn cookie(&self) -> String {
        self.header("set-cookie")
            .split(';')
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    /// The `id` of what was made or read.
    #[track_caller]
    pub fn id(&self) -> String {
        self.json()["id"].as_str().expect("an id").to_owned()
    }
}

/// A file in a form: field, file name, bytes.
pub type Part<'a> = (&'a str, &'a str, &'a [u8]);

/// The content type and the body.
pub fn multipart(parts: &[Part<'_>]) -> (String, Bytes) {
    const BOUNDARY: &str = "ferroflow-test-boundary";
    let mut body = Vec::new();
    for (field, name, bytes) in parts {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             content-type: application/octet-stream\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={BOUNDARY}"), body.into())
}

/// A form's body, percent-encoded.
pub fn form(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
    };
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
