//! How settings are printed.

use std::fmt;

use super::{Config, LogFormat};

/// As a TOML file that would give the same settings; passwords masked.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => writeln!(f, "# read from {}", file.display())?,
            None => writeln!(
                f,
                "# no configuration file; one would be {}",
                self.data_dir.join("ferroflow.toml").display()
            )?,
        }
        writeln!(f, "data_dir = {:?}", self.data_dir.display().to_string())?;
        writeln!(f, "database_url = {:?}", mask_password(&self.database_url))?;
        writeln!(f, "host = {:?}", self.host.to_string())?;
        writeln!(f, "port = {}", self.port)?;
        writeln!(f, "allowed_hosts = {:?}", self.allowed_hosts)?;
        writeln!(
            f,
            "trusted_proxies = {:?}",
            self.trusted_proxies
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        )?;
        match self.auto_login {
            Some(on) => writeln!(f, "auto_login = {on}")?,
            None => writeln!(f, "# auto_login is on while the admin has no password")?,
        }
        writeln!(f, "signup = {}", self.signup)?;
        writeln!(f, "new_user_is_active = {}", self.new_user_is_active)?;
        writeln!(f, "max_upload_mb = {}", self.max_upload_mb)?;
        writeln!(f, "max_versions = {}", self.max_versions)?;
        writeln!(f, "trash_days = {}", self.trash_days)?;
        writeln!(f, "egress_allow = {:?}", self.egress_allow)?;
        writeln!(f, "max_runs = {}", self.max_runs)?;
        writeln!(f, "run_timeout = {}", self.run_timeout_secs)?;
        writeln!(f, "background_timeout = {}", self.background_timeout_secs)?;
        writeln!(f, "public_rate = {}", self.public_rate)?;
        writeln!(f, "run_days = {}", self.run_days)?;
        writeln!(f, "runs_per_flow = {}", self.runs_per_flow)?;
        writeln!(f, "model_concurrency = {}", self.model_concurrency)?;
        match self.model_rate {
            Some(rate) => writeln!(f, "model_rate = {rate}")?,
            None => writeln!(f, "# model_rate is not limited")?,
        }
        writeln!(f, "model_timeout = {}", self.model_timeout_secs)?;
        writeln!(f, "import_env = {}", self.import_env)?;
        match &self.python.interpreter {
            Some(path) => writeln!(f, "python = {:?}", path.display().to_string())?,
            None => writeln!(f, "# python is the built-in interpreter")?,
        }
        writeln!(f, "python_memory_mb = {}", self.python.memory_mb)?;
        writeln!(f, "python_seconds = {}", self.python.seconds)?;
        writeln!(f, "python_workers = {}", self.python.workers)?;
        let accept = self.python.accept_missing_walls;
        writeln!(f, "python_accept_missing_walls = {accept}")?;
        writeln!(
            f,
            "custom_components = {:?}",
            self.python.custom_components.as_str()
        )?;
        writeln!(f, "assistant = {}", self.assistant.enabled)?;
        writeln!(f, "assistant_verify = {}", self.assistant.verify)?;
        writeln!(f, "assistant_history = {}", self.assistant.history)?;
        writeln!(f, "assistant_turns = {}", self.assistant.turns)?;
        let format = match self.log_format {
            LogFormat::Pretty => "pretty",
            LogFormat::Json => "json",
        };
        writeln!(f, "log_format = {format:?}")?;
        writeln!(f, "log = {:?}", self.log)
    }
}

fn mask_password(url: &str) -> String {
    const MASK: &str = "********";
    let Ok(mut parsed) = url::Url::parse(url) else {
        return url.to_owned();
    };
    if parsed.password().is_some() && parsed.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    // PostgreSQL's addresses may carry it among the options, too.
    if parsed.query_pairs().any(|(name, _)| name == "password") {
        let pairs: Vec<(String, String)> = parsed
            .query_pairs()
            .map(|(name, value)| {
                let value = if name == "password" { MASK.into() } else { value };
                (name.into_owned(), value.into_owned())
            })
            .collect();
        parsed.query_pairs_mut().clear().extend_pairs(pairs);
    }
    parsed.to_string()
}
