//! How the code of components that people wrote runs here.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::Options;

/// Who may bring components with code of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CustomComponents {
    #[default]
    Everyone,
    Admins,
    Nobody,
}

impl CustomComponents {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::Admins => "admins",
            Self::Nobody => "nobody",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Python {
    /// An interpreter of this machine instead of the built-in one.
    pub interpreter: Option<PathBuf>,
    pub memory_mb: u64,
    pub seconds: u64,
    /// How many workers run at once.
    pub workers: usize,
    pub accept_missing_walls: bool,
    pub custom_components: CustomComponents,
    /// The program whose hidden command is the worker; `None`: this one.
    pub program: Option<PathBuf>,
}

impl Default for Python {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            interpreter: None,
            memory_mb: 512,
            seconds: 60,
            workers: cores.saturating_mul(2).max(4),
            accept_missing_walls: false,
            custom_components: CustomComponents::Everyone,
            program: None,
        }
    }
}

impl Python {
    pub(super) fn resolve(options: &Options, file: &Options) -> anyhow::Result<Self> {
        let usual = Self::default();
        let first = |said: fn(&Options) -> Option<u64>| said(options).or_else(|| said(file));
        let workers = options.python_workers.or(file.python_workers);
        let accept = options
            .python_accept_missing_walls
            .or(file.python_accept_missing_walls);
        let interpreter = match options.python.as_ref().or(file.python.as_ref()) {
            // Workers do not start in the folder that it may be relative to.
            Some(path) => Some(std::path::absolute(path).context("--python is no usable path")?),
            None => None,
        };
        if let Some(path) = interpreter.as_ref().filter(|path| !path.is_file()) {
            bail!("--python: there is no interpreter at {}", path.display());
        }
        Ok(Self {
            interpreter,
            memory_mb: first(|said| said.python_memory_mb)
                .unwrap_or(usual.memory_mb)
                .clamp(64, 1 << 20),
            seconds: first(|said| said.python_seconds)
                .unwrap_or(usual.seconds)
                .clamp(1, 86_400),
            workers: workers.unwrap_or(usual.workers).clamp(1, 4096),
            accept_missing_walls: accept.unwrap_or(false),
            custom_components: options
                .custom_components
                .or(file.custom_components)
                .unwrap_or_default(),
            program: None,
        })
    }

    /// For the pool of workers.
    pub fn settings(&self) -> std::io::Result<ferro_python::Settings> {
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()?,
        };
        let mut settings = ferro_python::Settings::new(program);
        settings.python.clone_from(&self.interpreter);
        settings.memory_mb = self.memory_mb;
        settings.seconds = self.seconds;
        settings.at_once = self.workers;
        settings.accept_missing = self.accept_missing_walls;
        Ok(settings)
    }
}
