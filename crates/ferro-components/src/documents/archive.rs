//! Zip files that came from somewhere: opened only as far as they may grow.

use std::io::{Cursor, Read as _};

use ferro_engine::Failure;
use zip::ZipArchive;

use super::broken;

/// All parts together, unpacked.
const MAX_UNPACKED: u64 = 128 * 1024 * 1024;
const MAX_PARTS: usize = 10_000;

pub(crate) struct Archive<'a> {
    name: &'a str,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(name: &'a str, bytes: &'a [u8]) -> Result<Self, Failure> {
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| broken(name, "an office document").detail(error.to_string()))?;
        if zip.len() > MAX_PARTS {
            return Err(bomb(name));
        }
        Ok(Self {
            name,
            zip,
            left: MAX_UNPACKED,
        })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.zip
            .file_names()
            .flatten()
            .map(std::borrow::Cow::into_owned)
            .collect()
    }

    /// A part's bytes; `None` when there is no such part.
    pub(crate) fn part(&mut self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let Some(index) = self.zip.index_for_name(path) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        self.unpack(index, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// Unpacks everything once and throws it away: afterwards another parser may do so without a limit of its own.
    pub(crate) fn check(mut self) -> Result<(), Failure> {
        for index in 0..self.zip.len() {
            self.unpack(index, &mut std::io::sink())?;
        }
        Ok(())
    }

    fn unpack(&mut self, index: usize, into: &mut impl std::io::Write) -> Result<(), Failure> {
        let bad =
            |error: &dyn std::fmt::Display| broken(self.name, "an office document").detail(error.to_string());
        let part = self.zip.by_index(index).map_err(|error| bad(&error))?;
        // What a part says about its size is only a claim.
        let copied = std::io::copy(&mut part.take(self.left + 1), into).map_err(|error| bad(&error))?;
        self.left = self.left.checked_sub(copied).ok_or_else(|| bomb(self.name))?;
        Ok(())
    }
}

fn bomb(name: &str) -> Failure {
    let limit = MAX_UNPACKED / 1024 / 1024;
    Failure::limit(format!(
        "{name:?} unpacks to more than {limit} MB or {MAX_PARTS} parts"
    ))
    .advice("Split the document.")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write as _;

    use super::*;

    /// A zip file with these parts.
    pub(crate) fn pack(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn parts_by_name() {
        let bytes = pack(&[("a/b.xml", "hi")]);
        let mut archive = Archive::open("x.docx", &bytes).unwrap();
        assert_eq!(archive.part("a/b.xml").unwrap().as_deref(), Some(&b"hi"[..]));
        assert_eq!(archive.part("missing").unwrap(), None);
        assert_eq!(archive.names(), ["a/b.xml"]);
    }

    #[test]
    fn growing_too_much_is_refused() {
        let zeros = "0".repeat(1024 * 1024);
        let bytes = pack(&[("a", &zeros)]);
        assert!(bytes.len() < zeros.len() / 100);
        let mut archive = Archive::open("x.docx", &bytes).unwrap();
        archive.left = 1000;
        assert_eq!(archive.part("a").unwrap_err().cause, ferro_engine::Cause::Limit);
        let mut archive = Archive::open("x.docx", &bytes).unwrap();
        archive.left = 1000;
        assert!(archive.check().is_err());
    }
}
