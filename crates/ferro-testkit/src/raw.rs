//! A bare connection, for requests that no client would send.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::wait::PATIENCE;

pub struct Raw {
    stream: TcpStream,
}

impl Raw {
    pub async fn connect(address: SocketAddr) -> Self {
        Self::try_connect(address)
            .await
            .expect("the server takes connections")
    }

    pub async fn try_connect(address: SocketAddr) -> std::io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "to the server under test, on loopback")]
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream })
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    /// As `send`, for a server that may have hung up already.
    pub async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await
    }

    /// What comes back until the server closes the connection.
    pub async fn read_to_end(&mut self) -> String {
        let mut answer = Vec::new();
        // A reset after the answer loses nothing of it.
        let _ = timeout(PATIENCE, self.stream.read_to_end(&mut answer))
            .await
            .expect("an answer in time");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What comes until this has come; all that comes if it never does.
    pub async fn read_until(&mut self, text: &str) -> String {
        let mut heard = Vec::new();
        let reading = async {
            while !heard.ends_with(text.as_bytes()) {
                match self.stream.read_u8().await {
                    Ok(byte) => heard.push(byte),
                    Err(_) => break,
                }
            }
        };
        timeout(PATIENCE, reading).await.expect("it comes in time");
        String::from_utf8_lossy(&heard).into_owned()
    }

    /// The answer's first line and headers.
    pub async fn read_head(&mut self) -> String {
        self.read_until("\r\n\r\n").await
    }
}
