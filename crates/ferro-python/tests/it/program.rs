//! Reading the hostile programs: see `tests/hostile/README.md`.

use std::path::Path;

use regex::Regex;
use serde_json::Value as Json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    Refused,
    Error,
    Contained,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub code: String,
    pub expect: Expect,
    pub about: String,
    /// The error must be like this.
    pub matching: Option<Regex>,
    /// The output must be like this, when no error comes.
    pub returns: Option<Json>,
    pub seconds: u64,
    /// Runs twice, and the outputs must differ.
    pub twice: bool,
}

impl Program {
    /// The first word of the name.
    pub fn group(&self) -> &str {
        self.name.split('_').next().unwrap_or_default()
    }

    fn read(name: String, code: String) -> Self {
        let value = |key: &str| {
            let mut headers = code.lines().map_while(|line| line.strip_prefix("# "));
            headers
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
                .map(str::trim)
        };
        let expect = match value("expect") {
            Some("refused") => Expect::Refused,
            Some("error") => Expect::Error,
            Some("contained") => Expect::Contained,
            other => panic!("{name}: expects {other:?}"),
        };
        Self {
            expect,
            about: value("about")
                .unwrap_or_else(|| panic!("{name}: does not say what it is about"))
                .to_owned(),
            matching: value("match").map(|pattern| Regex::new(pattern).unwrap()),
            returns: value("returns").map(|json| serde_json::from_str(json).unwrap()),
            seconds: value("seconds").map_or(3, |seconds| seconds.parse().unwrap()),
            twice: value("twice") == Some("differ"),
            name,
            code,
        }
    }
}

/// All but those whose names begin with `_`, by name.
pub fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let paths = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut programs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "py"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path))
        .filter(|(name, _)| !name.starts_with('_'))
        .map(|(name, path)| Program::read(name, std::fs::read_to_string(path).unwrap()))
        .collect();
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}
