//! Flows in and out of files: one JSON document, several in one, or a zip of them.

use std::io::{Cursor, Read as _, Write as _};

use serde_json::value::RawValue;
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{
    error::{AppError, Result},
    files::safe_name,
    http::extract::{FLOW_LIMIT, parse},
};

const MAX_ENTRIES: usize = 10_000;
const MAX_UNPACKED: u64 = 200 << 20;
const MAX_RATIO: u64 = 100;
/// Very small files compress extremely well without meaning harm.
const RATIO_FROM: u64 = 1 << 20;

/// The JSON text of each flow in an uploaded file, with the name it had there.
#[derive(Debug)]
pub struct Packed {
    pub source: String,
    pub json: Box<RawValue>,
}

/// Takes what Langflow exports and what people make by hand. Nothing is written to disk, so an entry's path cannot hurt.
pub fn unpack(name: &str, bytes: &[u8]) -> Result<Vec<Packed>> {
    let name = safe_name(name);
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        unpack_zip(&name, bytes)
    } else {
        unpack_json(&name, bytes)
    }
}

fn unpack_json(source: &str, bytes: &[u8]) -> Result<Vec<Packed>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > FLOW_LIMIT {
        return Err(AppError::too_large("flow", FLOW_LIMIT as u64));
    }
    let whole: Box<RawValue> = parse(bytes).map_err(|error| error.about(source))?;
    let first = whole.get().trim_start().chars().next();
    let flows: Vec<Box<RawValue>> = match first {
        Some('[') => parse(whole.get().as_bytes())?,
        Some('{') => {
            #[derive(serde::Deserialize)]
            struct Many {
                flows: Option<Vec<Box<RawValue>>>,
            }
            match parse::<Many>(whole.get().as_bytes()) {
                Ok(Many { flows: Some(flows) }) => flows,
                _ => vec![whole],
            }
        }
        _ => {
            return Err(AppError::invalid(
                "file",
                format!("{source} does not hold a flow: it should be a JSON object"),
            ));
        }
    };
    Ok(flows
        .into_iter()
        .map(|json| Packed {
            source: source.to_owned(),
            json,
        })
        .collect())
}

fn unpack_zip(archive_name: &str, bytes: &[u8]) -> Result<Vec<Packed>> {
    let damaged = |error: &dyn std::fmt::Display| {
        AppError::invalid("file", format!("{archive_name} is not a whole zip file: {error}"))
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    if archive.len() > MAX_ENTRIES {
        return Err(AppError::invalid(
            "file",
            format!("{archive_name} holds more than {MAX_ENTRIES} files"),
        ));
    }
    let mut flows = Vec::new();
    let mut unpacked = 0_u64;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        let path = entry.name().map_err(|error| damaged(&error))?.into_owned();
        let name = safe_name(&path);
        if entry.is_dir() || !name.to_ascii_lowercase().ends_with(".json") || path.starts_with("__MACOSX") {
            continue;
        }
        // Read with a limit: the sizes in the archive are only its own word.
        let room = (MAX_UNPACKED - unpacked).min(FLOW_LIMIT as u64);
        let mut content = Vec::new();
        let read = (&mut entry)
            .take(room + 1)
            .read_to_end(&mut content)
            .map_err(|error| damaged(&error))? as u64;
        if read > room {
            return Err(AppError::invalid(
                "file",
                format!("{name} in {archive_name} is too large once unpacked"),
            ));
        }
        unpacked += read;
        if unpacked > RATIO_FROM && unpacked / (bytes.len() as u64).max(1) > MAX_RATIO {
            return Err(AppError::invalid(
                "file",
                format!("{archive_name} unpacks to more than {MAX_RATIO} times its size"),
            ));
        }
        flows.extend(unpack_json(&name, &content)?);
    }
    if flows.is_empty() {
        return Err(AppError::invalid(
            "file",
            format!("{archive_name} holds no .json file"),
        ));
    }
    Ok(flows)
}

/// A zip of named files; names that meet twice get a number.
pub fn pack(entries: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut used = std::collections::HashSet::new();
    for (name, content) in entries {
        let name = unique(&safe_name(&name), &mut used);
        writer.start_file(name, options).map_err(AppError::internal)?;
        writer.write_all(&content).map_err(AppError::internal)?;
    }
    Ok(writer.finish().map_err(AppError::internal)?.into_inner())
}

pub fn unique(name: &str, used: &mut std::collections::HashSet<String>) -> String {
    let (base, extension) = name
        .rsplit_once('.')
        .map_or((name, String::new()), |(base, ext)| (base, format!(".{ext}")));
    let mut candidate = name.to_owned();
    let mut number = 0;
    while !used.insert(candidate.to_lowercase()) {
        number += 1;
        candidate = format!("{base} ({number}){extension}");
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn every_form_of_export_is_taken() {
        let one = br#"{"name":"a","data":{}}"#;
        assert_eq!(unpack("a.json", one).unwrap().len(), 1);
        assert_eq!(
            unpack("a.json", br#"[{"name":"a"},{"name":"b"}]"#).unwrap().len(),
            2
        );
        assert_eq!(unpack("a.json", br#"{"flows":[{"name":"a"}]}"#).unwrap().len(), 1);
        assert_eq!(
            unpack(
                "a.zip",
                &zip_of(&[("../../a.json", one), ("b/c.JSON", one), ("readme.txt", b"hi")])
            )
            .unwrap()
            .len(),
            2
        );
        assert_eq!(
            unpack("bom.json", b"\xef\xbb\xbf{\"name\":\"a\"}").unwrap().len(),
            1
        );
    }

    #[test]
    fn bombs_and_broken_archives_are_refused() {
        let bomb = zip_of(&[("a.json", &vec![b' '; 12 << 20])]);
        assert!(bomb.len() < 64 << 10);
        assert!(unpack("bomb.zip", &bomb).is_err());
        let many: Vec<(String, Vec<u8>)> = (0..40)
            .map(|n| (format!("{n}.json"), vec![b' '; 10 << 20]))
            .collect();
        let many = zip_of(
            &many
                .iter()
                .map(|(name, content)| (name.as_str(), content.as_slice()))
                .collect::<Vec<_>>(),
        );
        assert!(unpack("many.zip", &many).is_err());
        let whole = zip_of(&[("a.json", b"{}")]);
        for cut in [5, whole.len() / 2, whole.len() - 1] {
            assert!(unpack("cut.zip", &whole[..cut]).is_err(), "cut at {cut}");
        }
        assert!(unpack("empty.zip", &zip_of(&[])).is_err());
        assert!(unpack("text.json", b"not json").is_err());
        assert!(unpack("deep.json", "[".repeat(100_000).as_bytes()).is_err());
    }

    #[test]
    fn packed_names_do_not_meet() {
        let packed = pack(vec![
            ("a/b.json".into(), b"1".to_vec()),
            ("B.json".into(), b"2".to_vec()),
        ])
        .unwrap();
        let archive = ZipArchive::new(Cursor::new(packed)).unwrap();
        let mut names: Vec<_> = archive
            .file_names()
            .map(|name| name.unwrap().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["B (1).json", "b.json"]);
    }
}
