//! Sizes and waits.

use std::io::Write as _;
use std::time::{Duration, Instant};

use ferro_net::{Limits, NetError, Request};

use crate::client::{FAST, client, get, url};
use crate::server::{Server, Step, answer};

#[tokio::test]
async fn bodies_are_capped_however_they_come() {
    let server = Server::start(|request| match request.split(' ').nth(1).unwrap() {
        "/fits" => answer("200 OK", "", vec![b'x'; 1000]),
        "/declared" => answer("200 OK", "", vec![b'x'; 1001]),
        "/endless" => {
            let head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
            std::iter::once(head)
                .chain(std::iter::repeat_n(vec![b'x'; 300], 50))
                .map(Step::Send)
                .collect()
        }
        _ => {
            let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            bomb.write_all(&vec![0; 500_000]).unwrap();
            let bomb = bomb.finish().unwrap();
            assert!(bomb.len() < 1000);
            answer("200 OK", "content-encoding: gzip\r\n", bomb)
        }
    })
    .await;
    let client = client(FAST, &[&server]);
    let fits = get(&client, url("a.test", &server, "/fits")).await.unwrap();
    assert_eq!(fits.bytes().await.unwrap().len(), 1000);
    for path in ["/declared", "/endless", "/gzip"] {
        let error = get(&client, url("a.test", &server, path))
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap_err();
        assert!(
            matches!(error, NetError::TooLarge { limit: 1000, .. }),
            "{path}: {error}"
        );
    }
    let mut stream = get(&client, url("a.test", &server, "/endless")).await.unwrap();
    let mut read = 0;
    let error = loop {
        match stream.chunk().await {
            Ok(Some(chunk)) => read += chunk.len(),
            Ok(None) => panic!("the body should have been cut"),
            Err(error) => break error,
        }
    };
    assert!(
        read <= 1000 && matches!(error, NetError::TooLarge { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn slow_answers_end() {
    let server = Server::start(|request| {
        let head = Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec());
        match request.split(' ').nth(1).unwrap() {
            "/silent" => vec![Step::Wait(Duration::from_secs(60))],
            "/stalls" => vec![
                head,
                Step::Send(b"some".to_vec()),
                Step::Wait(Duration::from_secs(60)),
            ],
            _ => {
                let drip =
                    (0..600).flat_map(|_| [Step::Send(b".".to_vec()), Step::Wait(Duration::from_millis(50))]);
                std::iter::once(head).chain(drip).collect()
            }
        }
    })
    .await;
    let limits = Limits {
        total: Some(Duration::from_millis(900)),
        idle: Duration::from_millis(300),
        body: 1000,
    };
    let client = client(limits, &[&server]);
    let started = Instant::now();
    let silent = get(&client, url("a.test", &server, "/silent")).await.unwrap_err();
    assert!(
        matches!(
            silent,
            NetError::Timeout {
                waiting: "to answer",
                ..
            }
        ),
        "{silent}"
    );
    for (path, limit) in [("/stalls", limits.idle), ("/drips", Duration::from_millis(900))] {
        let error = get(&client, url("a.test", &server, path))
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap_err();
        assert!(
            matches!(error, NetError::Timeout { after, .. } if after == limit),
            "{path}: {error}"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(4));

    let forever = Limits {
        total: Some(Duration::MAX),
        idle: Duration::MAX,
        body: 10,
    };
    let request = Request::get(url("a.test", &server, "/drips")).limits(forever);
    let error = client.send(request).await.unwrap().bytes().await.unwrap_err();
    assert!(matches!(error, NetError::TooLarge { .. }), "{error}");

    // A stream has no end in sight, only pauses.
    let endless = Limits {
        total: None,
        body: 20,
        ..limits
    };
    let mut stream = client
        .send(Request::get(url("a.test", &server, "/drips")).limits(endless))
        .await
        .unwrap();
    let mut read = 0;
    while let Ok(Some(chunk)) = stream.chunk().await {
        read += chunk.len();
    }
    assert_eq!(read, 20);
}
