//! What an operator can set: by flag, by `FERROFLOW_*` variable, in a TOML file; the first that says something wins.

mod assistant;
mod python;
mod show;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use ferro_net::{AddressPolicy, Allow};
use serde::{Deserialize, Serialize};

pub use assistant::Assistant;
pub use python::{CustomComponents, Python};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Pretty,
    Json,
}

/// The same names as flags, environment variables and keys of the file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Folder for the database, uploaded files and the encryption key [default: the platform's data folder]
    #[arg(long, env = "FERROFLOW_DATA_DIR", global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Where to keep data: sqlite:FILE or postgres://user@host/database [default: SQLite in the data folder]
    #[arg(
        long,
        env = "FERROFLOW_DATABASE_URL",
        global = true,
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,

    /// Address to listen on; another than loopback needs an admin with a password [default: 127.0.0.1]
    #[arg(long, env = "FERROFLOW_HOST", global = true)]
    pub host: Option<IpAddr>,

    /// Port to listen on; 0 takes any free one [default: 7860]
    #[arg(long, env = "FERROFLOW_PORT", global = true)]
    pub port: Option<u16>,

    /// A name browsers may reach this server under, besides localhost (repeat for several)
    #[arg(
        long = "allowed-host",
        env = "FERROFLOW_ALLOWED_HOSTS",
        global = true,
        value_delimiter = ',',
        value_name = "NAME"
    )]
    pub allowed_hosts: Option<Vec<String>>,

    /// Address of a reverse proxy whose X-Forwarded-For and X-Forwarded-Proto are believed (repeat for several)
    #[arg(
        long = "trusted-proxy",
        env = "FERROFLOW_TRUSTED_PROXIES",
        global = true,
        value_delimiter = ',',
        value_name = "IP"
    )]
    pub trusted_proxies: Option<Vec<IpAddr>>,

    /// Sign in without a password from this machine [default: on while the admin has no password]
    #[arg(long, env = "FERROFLOW_AUTO_LOGIN", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub auto_login: Option<bool>,

    /// Ask for a password even on this machine
    #[arg(long, global = true, conflicts_with = "auto_login")]
    #[serde(skip)]
    pub no_auto_login: bool,

    /// Let visitors create accounts for themselves [default: off]
    #[arg(long, env = "FERROFLOW_SIGNUP", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub signup: Option<bool>,

    /// Let new accounts work at once instead of waiting for an admin [default: off]
    #[arg(long, env = "FERROFLOW_NEW_USER_IS_ACTIVE", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub new_user_is_active: Option<bool>,

    /// Largest file that may be uploaded, in MB [default: 100]
    #[arg(long, env = "FERROFLOW_MAX_UPLOAD_MB", global = true, value_name = "MB")]
    pub max_upload_mb: Option<u64>,

    /// How many versions of a flow are kept [default: 50]
    #[arg(long, env = "FERROFLOW_MAX_VERSIONS", global = true, value_name = "N")]
    pub max_versions: Option<u32>,

    /// How many days deleted flows and projects stay in the trash [default: 30]
    #[arg(long, env = "FERROFLOW_TRASH_DAYS", global = true, value_name = "DAYS")]
    pub trash_days: Option<u32>,

    /// Where flows may connect besides public addresses: 10.0.0.0/8, 127.0.0.1:11434, ollama.lan, *.lan (repeat for several)
    #[arg(
        long = "egress-allow",
        env = "FERROFLOW_EGRESS_ALLOW",
        global = true,
        value_delimiter = ',',
        value_name = "ADDRESS"
    )]
    pub egress_allow: Option<Vec<String>>,

    /// How many runs may be under way at once [default: 512]
    #[arg(long, env = "FERROFLOW_MAX_RUNS", global = true, value_name = "N")]
    pub max_runs: Option<usize>,

    /// How long a run may take that somebody waits for, in seconds [default: 300]
    #[arg(long, env = "FERROFLOW_RUN_TIMEOUT", global = true, value_name = "SECONDS")]
    pub run_timeout: Option<u64>,

    /// How long a run in the background may take, in seconds [default: 86400]
    #[arg(
        long,
        env = "FERROFLOW_BACKGROUND_TIMEOUT",
        global = true,
        value_name = "SECONDS"
    )]
    pub background_timeout: Option<u64>,

    /// How many runs of public flows a visitor may begin a minute, for each address [default: 20]
    #[arg(long, env = "FERROFLOW_PUBLIC_RATE", global = true, value_name = "N")]
    pub public_rate: Option<u32>,

    /// How many days finished runs are kept [default: 30]
    #[arg(long, env = "FERROFLOW_RUN_DAYS", global = true, value_name = "DAYS")]
    pub run_days: Option<u32>,

    /// How many finished runs of each flow are kept [default: 1000]
    #[arg(long, env = "FERROFLOW_RUNS_PER_FLOW", global = true, value_name = "N")]
    pub runs_per_flow: Option<u32>,

    /// How many model answers may be under way at once, for each provider and key [default: 2048]
    #[arg(long, env = "FERROFLOW_MODEL_CONCURRENCY", global = true, value_name = "N")]
    pub model_concurrency: Option<usize>,

    /// How many questions a minute a model provider is asked at most, for each key [default: no limit]
    #[arg(long, env = "FERROFLOW_MODEL_RATE", global = true, value_name = "N")]
    pub model_rate: Option<u32>,

    /// How long a model may be silent, in seconds [default: 180]
    #[arg(long, env = "FERROFLOW_MODEL_TIMEOUT", global = true, value_name = "SECONDS")]
    pub model_timeout: Option<u64>,

    /// Import well-known API keys of the environment (OPENAI_API_KEY and so on) as credentials [default: off]
    #[arg(long, env = "FERROFLOW_IMPORT_ENV", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub import_env: Option<bool>,

    /// Run people's Python with this interpreter, of a virtual environment perhaps, instead of the built-in one [default: built-in]
    #[arg(long, env = "FERROFLOW_PYTHON", global = true, value_name = "PATH")]
    pub python: Option<PathBuf>,

    /// Memory that one worker may use for Python, in MB [default: 512]
    #[arg(long, env = "FERROFLOW_PYTHON_MEMORY_MB", global = true, value_name = "MB")]
    pub python_memory_mb: Option<u64>,

    /// How long one call into Python may compute, in seconds [default: 60]
    #[arg(long, env = "FERROFLOW_PYTHON_SECONDS", global = true, value_name = "SECONDS")]
    pub python_seconds: Option<u64>,

    /// How many Python workers may run at once [default: twice the processor's cores, at least 4]
    #[arg(long, env = "FERROFLOW_PYTHON_WORKERS", global = true, value_name = "N")]
    pub python_workers: Option<usize>,

    /// UNSAFE: run people's Python even where this machine cannot confine it fully [default: refuse]
    #[arg(long, env = "FERROFLOW_PYTHON_ACCEPT_MISSING_WALLS", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub python_accept_missing_walls: Option<bool>,

    /// Who may bring components with Python of their own [default: everyone]
    #[arg(long, env = "FERROFLOW_CUSTOM_COMPONENTS", global = true, value_name = "WHO")]
    pub custom_components: Option<CustomComponents>,

    /// Let people work with the assistant [default: on]
    #[arg(long, env = "FERROFLOW_ASSISTANT", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub assistant: Option<bool>,

    /// Try flows out that the assistant builds, before it proposes them [default: on]
    #[arg(long, env = "FERROFLOW_ASSISTANT_VERIFY", global = true, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub assistant_verify: Option<bool>,

    /// How many earlier turns of a session the assistant's model is told [default: 6]
    #[arg(long, env = "FERROFLOW_ASSISTANT_HISTORY", global = true, value_name = "N")]
    pub assistant_history: Option<usize>,

    /// How many turns of the assistant may be under way at once [default: 256]
    #[arg(long, env = "FERROFLOW_ASSISTANT_TURNS", global = true, value_name = "N")]
    pub assistant_turns: Option<usize>,

    /// How the log is written: pretty for people, json for programs [default: pretty]
    #[arg(long, env = "FERROFLOW_LOG_FORMAT", global = true, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,

    /// What is logged, as in info or ferro_server=debug,info [default: info]
    #[arg(long, env = "FERROFLOW_LOG", global = true, value_name = "FILTER")]
    pub log: Option<String>,
}

/// Every setting with its value.
#[derive(Clone, Debug)]
pub struct Config {
    pub data_dir: PathBuf,
    pub database_url: String,
    pub host: IpAddr,
    pub port: u16,
    pub allowed_hosts: Vec<String>,
    pub trusted_proxies: Vec<IpAddr>,
    /// `None`: on while the admin has no password.
    pub auto_login: Option<bool>,
    pub signup: bool,
    pub new_user_is_active: bool,
    pub max_upload_mb: u64,
    pub max_versions: u32,
    pub trash_days: u32,
    /// Each can be read as an [`Allow`].
    pub egress_allow: Vec<String>,
    pub max_runs: usize,
    pub run_timeout_secs: u64,
    pub background_timeout_secs: u64,
    pub public_rate: u32,
    pub run_days: u32,
    pub runs_per_flow: u32,
    pub model_concurrency: usize,
    /// `None`: as many as the provider takes.
    pub model_rate: Option<u32>,
    pub model_timeout_secs: u64,
    pub import_env: bool,
    pub python: Python,
    pub assistant: Assistant,
    pub log_format: LogFormat,
    pub log: String,
    /// The file that was read, if there was one.
    pub file: Option<PathBuf>,
}

pub const SESSION_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
pub const SESSION_IDLE: Duration = Duration::from_secs(60 * 60);
pub const ACCESS_LIFETIME: Duration = Duration::from_secs(60 * 60);
pub const REFRESH_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
pub const DEFAULT_PROJECT: &str = "Starter Project";

impl Config {
    /// `options` hold what flags and environment said; the file fills in what they left open.
    pub fn load(mut options: Options, file: Option<&Path>) -> anyhow::Result<Self> {
        if options.no_auto_login {
            options.auto_login = Some(false);
        }
        let data_dir = match &options.data_dir {
            Some(dir) => dir.clone(),
            None => default_data_dir()?,
        };
        let (from_file, file) = read_file(file, &data_dir)?;
        let python = Python::resolve(&options, &from_file)?;
        let assistant = Assistant::resolve(&options, &from_file);
        let data_dir = options.data_dir.or(from_file.data_dir).unwrap_or(data_dir);
        let data_dir = std::path::absolute(&data_dir).context("the data folder has no usable path")?;
        Ok(Self {
            python,
            assistant,
            database_url: options
                .database_url
                .or(from_file.database_url)
                .unwrap_or_else(|| format!("sqlite:{}", data_dir.join("ferroflow.db").display())),
            host: options
                .host
                .or(from_file.host)
                .unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            port: options.port.or(from_file.port).unwrap_or(7860),
            allowed_hosts: options
                .allowed_hosts
                .or(from_file.allowed_hosts)
                .unwrap_or_default(),
            trusted_proxies: options
                .trusted_proxies
                .or(from_file.trusted_proxies)
                .unwrap_or_default(),
            auto_login: options.auto_login.or(from_file.auto_login),
            signup: options.signup.or(from_file.signup).unwrap_or(false),
            new_user_is_active: options
                .new_user_is_active
                .or(from_file.new_user_is_active)
                .unwrap_or(false),
            max_upload_mb: options
                .max_upload_mb
                .or(from_file.max_upload_mb)
                .unwrap_or(100)
                .clamp(1, 100_000),
            max_versions: options
                .max_versions
                .or(from_file.max_versions)
                .unwrap_or(50)
                .max(1),
            trash_days: options.trash_days.or(from_file.trash_days).unwrap_or(30).max(1),
            egress_allow: allowed(options.egress_allow.or(from_file.egress_allow))?,
            max_runs: options
                .max_runs
                .or(from_file.max_runs)
                .unwrap_or(512)
                .clamp(1, 100_000),
            run_timeout_secs: options
                .run_timeout
                .or(from_file.run_timeout)
                .unwrap_or(300)
                .max(1),
            background_timeout_secs: options
                .background_timeout
                .or(from_file.background_timeout)
                .unwrap_or(86_400)
                .max(1),
            public_rate: options.public_rate.or(from_file.public_rate).unwrap_or(20).max(1),
            run_days: options.run_days.or(from_file.run_days).unwrap_or(30).max(1),
            runs_per_flow: options
                .runs_per_flow
                .or(from_file.runs_per_flow)
                .unwrap_or(1000)
                .max(1),
            model_concurrency: options
                .model_concurrency
                .or(from_file.model_concurrency)
                .unwrap_or(2048)
                .clamp(1, 1_000_000),
            model_rate: options
                .model_rate
                .or(from_file.model_rate)
                .filter(|rate| *rate > 0),
            model_timeout_secs: options
                .model_timeout
                .or(from_file.model_timeout)
                .unwrap_or(180)
                .max(1),
            import_env: options.import_env.or(from_file.import_env).unwrap_or(false),
            log_format: options
                .log_format
                .or(from_file.log_format)
                .unwrap_or(LogFormat::Pretty),
            log: options.log.or(from_file.log).unwrap_or_else(|| "info".to_owned()),
            data_dir,
            file,
        })
    }

    pub fn listen(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }

    pub fn key_file(&self) -> PathBuf {
        self.data_dir.join("secret.key")
    }

    pub fn files_dir(&self) -> PathBuf {
        self.data_dir.join("files")
    }

    pub fn max_upload(&self) -> u64 {
        self.max_upload_mb.saturating_mul(1024 * 1024)
    }

    /// Where flows may connect.
    pub fn egress(&self) -> AddressPolicy {
        let policy = AddressPolicy::default();
        let allowed = self.egress_allow.iter().filter_map(|text| text.parse().ok());
        allowed.fold(policy, AddressPolicy::allow)
    }

    /// How much is asked of model providers.
    pub fn model_budget(&self) -> ferro_llm::Budget {
        ferro_llm::Budget {
            concurrency: self.model_concurrency,
            per_minute: self.model_rate.and_then(std::num::NonZeroU32::new),
            idle: Duration::from_secs(self.model_timeout_secs),
            ..ferro_llm::Budget::default()
        }
    }

    pub fn trash_age(&self) -> Duration {
        Duration::from_secs(u64::from(self.trash_days) * 24 * 60 * 60)
    }
}

fn default_data_dir() -> anyhow::Result<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "ferroflow")
        .context("no home folder was found: say where data goes with --data-dir")?;
    Ok(dirs.data_dir().to_owned())
}

fn read_file(given: Option<&Path>, data_dir: &Path) -> anyhow::Result<(Options, Option<PathBuf>)> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => data_dir.join("ferroflow.toml"),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if given.is_some() {
                bail!("the configuration file {} does not exist", path.display());
            }
            return Ok((Options::default(), None));
        }
        Err(error) => {
            return Err(error)
                .with_context(|| format!("the configuration file {} cannot be read", path.display()));
        }
    };
    let options = toml::from_str(&text)
        .with_context(|| format!("the configuration file {} is not right", path.display()))?;
    Ok((options, Some(path)))
}

fn allowed(texts: Option<Vec<String>>) -> anyhow::Result<Vec<String>> {
    let texts = texts
        .unwrap_or_default()
        .into_iter()
        .map(|text| text.trim().to_owned());
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    for text in &texts {
        text.parse::<Allow>().context("--egress-allow is not right")?;
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ferroflow.toml"), "port = 9000\nsignup = true\n").unwrap();
        let flags = Options {
            data_dir: Some(dir.path().into()),
            port: Some(9001),
            ..Options::default()
        };
        let config = Config::load(flags, None).unwrap();
        assert_eq!(
            (config.port, config.signup, config.max_versions),
            (9001, true, 50)
        );
    }

    #[test]
    fn python_is_confined_and_bounded_unless_told_otherwise() {
        let dir = tempfile::tempdir().unwrap();
        let load = |file: &str| {
            std::fs::write(dir.path().join("ferroflow.toml"), file).unwrap();
            let flags = Options {
                data_dir: Some(dir.path().into()),
                ..Options::default()
            };
            Config::load(flags, None)
        };
        let usual = load("").unwrap().python;
        assert_eq!(
            (usual.memory_mb, usual.seconds, usual.interpreter),
            (512, 60, None)
        );
        assert!(usual.workers >= 4 && !usual.accept_missing_walls);
        assert_eq!(usual.custom_components, CustomComponents::Everyone);
        let set =
            load("python_workers = 2\ncustom_components = \"admins\"\npython_accept_missing_walls = true\n");
        let set = set.unwrap().python;
        assert_eq!(
            (set.workers, set.custom_components),
            (2, CustomComponents::Admins)
        );
        assert!(set.accept_missing_walls);
        let nowhere = format!("{:#}", load("python = \"no/such/python\"\n").unwrap_err());
        assert!(nowhere.contains("no/such/python"), "{nowhere}");
        assert!(load("custom_components = \"some\"\n").is_err());
    }

    #[test]
    fn a_misspelt_key_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ferroflow.toml"), "prot = 9000\n").unwrap();
        let flags = Options {
            data_dir: Some(dir.path().into()),
            ..Options::default()
        };
        let error = format!("{:#}", Config::load(flags, None).unwrap_err());
        assert!(error.contains("prot"), "{error}");
    }

    #[test]
    fn what_is_printed_reads_back_and_hides_the_password() {
        let dir = tempfile::tempdir().unwrap();
        let flags = Options {
            data_dir: Some(dir.path().into()),
            database_url: Some("postgres://me:hunter2@db/flows?password=hunter2&sslmode=require".into()),
            allowed_hosts: Some(vec!["flows.example.org".into()]),
            ..Options::default()
        };
        let config = Config::load(flags, None).unwrap();
        let printed = config.to_string();
        assert!(!printed.contains("hunter2"), "{printed}");
        let back: Options = toml::from_str(&printed).unwrap();
        assert_eq!(back.allowed_hosts, Some(vec!["flows.example.org".to_owned()]));
    }
}
