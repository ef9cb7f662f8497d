//! Accounts and keys from the command line. Whoever can read the data folder may do all of this.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to the person at the terminal"
)]

use std::io::BufRead as _;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use ferro_net::Secret;
use ferro_store::{AuditEntry, NewUser, Principal, Role, Timestamp, User, UserChange, Window};

use crate::{
    app::{api_keys::make_api_key, users, variables},
    config::Config,
    error::AppError,
    serve,
    state::App,
    vault::Vault,
};

#[derive(Args)]
pub struct PasswordArgs {
    /// Read the password from standard input instead of asking for it
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Subcommand)]
pub enum UserCommand {
    /// Add a person
    Create {
        #[arg(long)]
        username: String,
        /// May manage other people
        #[arg(long)]
        admin: bool,
        #[command(flatten)]
        password: PasswordArgs,
    },
    /// List everyone
    List,
    /// Give someone a new password; their sessions end
    SetPassword {
        username: String,
        #[command(flatten)]
        password: PasswordArgs,
    },
    /// Let someone in again
    Activate { username: String },
    /// Keep someone out; their sessions and keys stop working at once
    Deactivate { username: String },
    /// Make someone an admin
    Promote { username: String },
    /// Make an admin an ordinary user
    Demote { username: String },
    /// Delete someone and everything they own
    Delete {
        username: String,
        /// Do it without asking
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Subcommand)]
pub enum KeyCommand {
    /// Make a key and print it; it is not shown again
    Create {
        /// Whose key it is [default: the first admin]
        #[arg(long)]
        username: Option<String>,
        #[arg(long, default_value = "CLI")]
        name: String,
        /// When it stops working, such as 2027-01-31T00:00:00Z
        #[arg(long)]
        expires_at: Option<String>,
    },
    /// List someone's keys
    List {
        #[arg(long)]
        username: Option<String>,
    },
    /// Take a key back
    Revoke {
        id: String,
        #[arg(long)]
        username: Option<String>,
    },
}

#[derive(Subcommand)]
pub enum VaultCommand {
    /// Encrypt all credentials under a new key; works while the server runs
    Rotate,
    /// Make a new key in place of one that is lost for good; credentials have to be typed in again
    New,
    /// Take the old keys out of the key file, once every credential is under the new one
    ForgetOld,
}

#[derive(Args)]
pub struct AuditArgs {
    /// How many of the newest entries to show
    #[arg(long, default_value_t = 50)]
    last: u32,
    /// Check that no entry was changed or taken out
    #[arg(long)]
    verify: bool,
}

pub async fn audit(config: Config, args: AuditArgs) -> anyhow::Result<()> {
    let app = serve::open_as_it_is(config).await?;
    let by = Principal::System;
    if args.verify {
        return match app.store.verify_audit(&by).await? {
            None => {
                println!("The audit log is whole.");
                Ok(())
            }
            Some(seq) => {
                bail!("the audit log does not add up from entry {seq} on: it was changed from outside")
            }
        };
    }
    let window = Window {
        offset: 0,
        limit: i64::from(args.last),
    };
    for record in app.store.audit_log(&by, window).await? {
        let actor = record.actor.map_or_else(|| "-".to_owned(), |id| id.to_string());
        println!(
            "{}  {}  {}  {}  {}",
            record.at,
            record.action,
            actor,
            record.ip.as_deref().unwrap_or("-"),
            record.target
        );
    }
    Ok(())
}

/// An application error in the words a client would get.
fn told(error: AppError) -> anyhow::Error {
    anyhow::Error::msg(error.to_string())
}

/// The command line has no account; the log says it was the operator.
async fn note(app: &App, action: &'static str, target: impl ToString) -> anyhow::Result<()> {
    let entry = AuditEntry {
        actor: None,
        action,
        target: target.to_string(),
        ip: None,
        request_id: None,
    };
    Ok(app.store.audit(&Principal::System, entry).await?)
}

async fn named(app: &App, username: &str) -> anyhow::Result<User> {
    match app.store.user_by_name(&Principal::System, username).await? {
        Some(user) => Ok(user),
        None => bail!("there is no user {username:?}"),
    }
}

fn ask_password(args: &PasswordArgs) -> anyhow::Result<Secret> {
    let mut line = String::new();
    if args.password_stdin {
        std::io::stdin()
            .lock()
            .read_line(&mut line)
            .context("no password could be read")?;
    } else {
        let prompt = format!(
            "Password (at least {} characters): ",
            crate::passwords::MIN_LENGTH
        );
        line = rpassword::prompt_password(prompt)
            .context("no password could be asked for here; give it with --password-stdin")?;
    }
    let password = Secret::new(line.trim_end_matches(['\r', '\n']).to_owned());
    users::check_password(&password).map_err(told)?;
    Ok(password)
}

pub async fn user(config: Config, command: UserCommand) -> anyhow::Result<()> {
    let by = Principal::System;
    let app = match command {
        // Before anyone else, so that a fresh install has exactly the people it was given.
        UserCommand::Create { .. } => serve::open_as_it_is(config).await?,
        _ => serve::open(config).await?,
    };
    match command {
        UserCommand::Create {
            username,
            admin,
            password,
        } => {
            let username = users::checked_name(&username).map_err(told)?;
            let hash = app.passwords.hash(ask_password(&password)?).await.map_err(told)?;
            let role = if admin { Role::Admin } else { Role::User };
            let new = NewUser {
                username,
                password_hash: Some(hash),
                role,
                is_active: true,
            };
            let user = app.store.create_user(&by, new).await?;
            note(&app, "cli.user.create", user.id).await?;
            println!("Added {} ({}).", user.username, user.id);
        }
        UserCommand::List => {
            for user in app.store.users(&by, None, Window::ALL).await?.items {
                let role = if user.role == Role::Admin { "admin" } else { "user" };
                let state = if user.is_active { "active" } else { "inactive" };
                let password = if user.password_hash.is_some() {
                    ""
                } else {
                    "  no password"
                };
                println!("{}  {}  {role}  {state}{password}", user.id, user.username);
            }
        }
        UserCommand::SetPassword { username, password } => {
            let user = named(&app, &username).await?;
            let hash = app.passwords.hash(ask_password(&password)?).await.map_err(told)?;
            let change = UserChange {
                password_hash: Some(hash),
                ..UserChange::default()
            };
            app.store.change_user(&by, user.id, change).await?;
            note(&app, "cli.user.password", user.id).await?;
            println!("{} has a new password.", user.username);
        }
        UserCommand::Activate { username } => switch(&app, &username, Some(true), None).await?,
        UserCommand::Deactivate { username } => switch(&app, &username, Some(false), None).await?,
        UserCommand::Promote { username } => switch(&app, &username, None, Some(Role::Admin)).await?,
        UserCommand::Demote { username } => switch(&app, &username, None, Some(Role::User)).await?,
        UserCommand::Delete { username, yes } => {
            let user = named(&app, &username).await?;
            if !yes {
                bail!("this deletes {username:?} with all their flows and files; say --yes if you mean it");
            }
            app.store.delete_user(&by, user.id).await?;
            note(&app, "cli.user.delete", user.id).await?;
            app.files.remove_owner(user.id).await;
            println!("Deleted {}.", user.username);
        }
    }
    Ok(())
}

async fn switch(
    app: &App,
    username: &str,
    is_active: Option<bool>,
    role: Option<Role>,
) -> anyhow::Result<()> {
    let user = named(app, username).await?;
    let change = UserChange {
        is_active,
        role,
        ..UserChange::default()
    };
    app.store.change_user(&Principal::System, user.id, change).await?;
    note(app, "cli.user.change", user.id).await?;
    println!("Done.");
    Ok(())
}

pub async fn api_key(config: Config, command: KeyCommand) -> anyhow::Result<()> {
    let app = serve::open(config).await?;
    let owner = |username: Option<String>| {
        let app = app.clone();
        async move {
            match username {
                Some(username) => named(&app, &username).await,
                None => app
                    .store
                    .first_admin(&Principal::System)
                    .await?
                    .context("there is no admin"),
            }
        }
    };
    match command {
        KeyCommand::Create {
            username,
            name,
            expires_at,
        } => {
            let expires_at = expires_at
                .map(|text| text.parse::<Timestamp>())
                .transpose()
                .map_err(|_| anyhow::anyhow!("--expires-at must look like 2027-01-31T00:00:00Z"))?;
            let user = owner(username).await?;
            let (key, secret) = make_api_key(&app, &user.principal(), &name, expires_at)
                .await
                .map_err(told)?;
            note(&app, "cli.api_key.create", key.id).await?;
            println!("{}", secret.expose());
        }
        KeyCommand::List { username } => {
            for key in app.store.api_keys(&owner(username).await?.principal()).await? {
                println!(
                    "{}  {}…  {}  used {} times",
                    key.id, key.prefix, key.name, key.total_uses
                );
            }
        }
        KeyCommand::Revoke { id, username } => {
            let id = id
                .parse()
                .map_err(|_| anyhow::anyhow!("{id:?} is not a key's id; see ferroflow api-key list"))?;
            app.store
                .delete_api_key(&owner(username).await?.principal(), id)
                .await?;
            note(&app, "cli.api_key.delete", id).await?;
            println!("Done.");
        }
    }
    Ok(())
}

pub async fn vault(config: Config, command: VaultCommand) -> anyhow::Result<()> {
    if matches!(command, VaultCommand::New) {
        let path = config.key_file();
        if path.exists() {
            bail!(
                "there is a key at {}; to change it say: ferroflow key rotate",
                path.display()
            );
        }
        serve::create_private_dir(&config.data_dir)?;
        Vault::open(&path)?;
        println!("There is a new key at {}.", path.display());
        return Ok(());
    }
    let app = serve::open(config).await?;
    match command {
        VaultCommand::New => {}
        VaultCommand::Rotate => {
            let (active, count) = variables::rotate_key(&app).await.map_err(told)?;
            note(&app, "cli.key.rotate", &active).await?;
            println!("{count} credentials are now under key {active}.");
            println!("The old key is still in the key file; take it out with: ferroflow key forget-old");
        }
        VaultCommand::ForgetOld => {
            let dropped = variables::forget_old_keys(&app).await.map_err(told)?;
            println!("{dropped} old keys are gone from the key file.");
        }
    }
    Ok(())
}
