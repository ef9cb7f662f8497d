//! Everything in one file, and back again.
#![allow(clippy::print_stdout, reason = "it talks to the person at the terminal")]

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use ferro_store::{FileId, Principal, TABLES, UserId, Window};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{app::variables::unreadable_credentials, config::Config, serve, state::App};

const FORMAT: u32 = 1;
const KEY_ENTRY: &str = "secret.key";

#[derive(Args)]
pub struct BackupArgs {
    /// The file to write, such as ferroflow-backup.zip
    to: PathBuf,
    /// Also put the encryption key in; whoever has the file can then read the credentials
    #[arg(long)]
    include_key: bool,
}

#[derive(Args)]
pub struct RestoreArgs {
    /// A file that `ferroflow backup` wrote
    from: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    version: String,
    rows: BTreeMap<String, u64>,
    files: u64,
}

pub async fn backup(config: Config, args: BackupArgs) -> anyhow::Result<()> {
    let app = serve::open_as_it_is(config).await?;
    let folder = args
        .to
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // Written beside and renamed: a backup that exists is a whole one.
    let part = tempfile::Builder::new()
        .prefix(".ferroflow-backup")
        .tempfile_in(folder)?;
    let (rows_out, rows) = mpsc::channel(1024);
    let writing = tokio::task::spawn_blocking({
        let app = app.clone();
        let file = part.reopen()?;
        move || write_archive(&app, file, rows, args.include_key)
    });
    app.store.dump(&Principal::System, rows_out).await?;
    let manifest = writing.await??;
    part.as_file().sync_all()?;
    part.persist(&args.to)
        .with_context(|| format!("{} cannot be written", args.to.display()))?;
    let total: u64 = manifest.rows.values().sum();
    println!(
        "Wrote {} with {total} rows and {} files.",
        args.to.display(),
        manifest.files
    );
    if !args.include_key {
        println!(
            "Credentials in it open only with {}: keep a copy of that apart.",
            app.config.key_file().display()
        );
    }
    Ok(())
}

fn write_archive(
    app: &App,
    file: File,
    mut rows: mpsc::Receiver<(&'static str, String)>,
    include_key: bool,
) -> anyhow::Result<Manifest> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    let mut archive = ZipWriter::new(file);
    let mut manifest = Manifest {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rows: BTreeMap::new(),
        files: 0,
    };
    let mut open_table = "";
    let mut stored_files: Vec<(UserId, FileId)> = Vec::new();
    while let Some((table, line)) = rows.blocking_recv() {
        if table != open_table {
            archive.start_file(format!("tables/{table}.jsonl"), options)?;
            open_table = table;
        }
        if table == "files" {
            #[derive(Deserialize)]
            struct Row {
                id: FileId,
                user_id: UserId,
            }
            let row: Row = serde_json::from_str(&line)?;
            stored_files.push((row.user_id, row.id));
        }
        archive.write_all(line.as_bytes())?;
        archive.write_all(b"\n")?;
        *manifest.rows.entry(table.to_owned()).or_default() += 1;
    }
    for (owner, id) in stored_files {
        // Deleted since the snapshot: its row goes along, its bytes are gone.
        let Ok(mut source) = File::open(app.files.std_path(owner, id)) else {
            continue;
        };
        archive.start_file(format!("files/{owner}/{id}"), options)?;
        std::io::copy(&mut source, &mut archive)?;
        manifest.files += 1;
    }
    if include_key {
        archive.start_file(KEY_ENTRY, options)?;
        archive.write_all(&std::fs::read(app.config.key_file())?)?;
    }
    archive.start_file("manifest.json", options)?;
    archive.write_all(serde_json::to_string_pretty(&manifest)?.as_bytes())?;
    archive.finish()?.sync_all()?;
    Ok(manifest)
}

pub async fn restore(config: Config, args: RestoreArgs) -> anyhow::Result<()> {
    let file = File::open(&args.from).with_context(|| format!("{} cannot be read", args.from.display()))?;
    let mut archive =
        ZipArchive::new(BufReader::new(file)).context("the file is not a whole Ferroflow backup")?;
    let manifest: Manifest = {
        let entry = archive
            .by_name("manifest.json")
            .context("the file is not a Ferroflow backup")?;
        serde_json::from_reader(entry).context("the backup's list of contents is damaged")?
    };
    ensure!(
        manifest.format <= FORMAT,
        "the backup was made by a newer Ferroflow ({})",
        manifest.version
    );
    put_key_in_place(&config, &mut archive)?;
    let app = serve::open_as_it_is(config).await?;
    let only_one = Window { offset: 0, limit: 1 };
    let people = app.store.users(&Principal::System, None, only_one).await?;
    ensure!(
        people.total == 0,
        "the database already holds users: restore into an empty one"
    );
    // Bytes before rows: what a crash leaves in between is swept up, and never a row without its bytes.
    let (mut archive, files) = tokio::task::spawn_blocking({
        let app = app.clone();
        move || write_files(&app, archive)
    })
    .await??;
    let (rows_out, rows) = mpsc::channel(1024);
    let reading = tokio::task::spawn_blocking(move || read_rows(&mut archive, &rows_out));
    let loaded = app.store.load(&Principal::System, rows).await?;
    reading.await??;
    let expected: u64 = manifest.rows.values().sum();
    ensure!(
        loaded == expected,
        "the backup says it holds {expected} rows, but {loaded} were found"
    );
    println!("Restored {loaded} rows and {files} files.");
    let closed = unreadable_credentials(&app)
        .await
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    if closed > 0 {
        println!(
            "{closed} credentials do not open with {}: put the key file of the old installation there.",
            app.config.key_file().display()
        );
    }
    Ok(())
}

/// Before anything opens the data folder, because opening it would make a new key.
fn put_key_in_place(config: &Config, archive: &mut Archive) -> anyhow::Result<()> {
    let Ok(mut entry) = archive.by_name(KEY_ENTRY) else {
        return Ok(());
    };
    let target = config.key_file();
    let mut key = String::new();
    (&mut entry).take(1 << 20).read_to_string(&mut key)?;
    if target.exists() {
        ensure!(
            std::fs::read_to_string(&target)? == key,
            "{} holds another key than the backup",
            target.display()
        );
        return Ok(());
    }
    let folder = target.parent().context("the key has no folder")?;
    serve::create_private_dir(folder)?;
    let mut file = tempfile::Builder::new().prefix(".key").tempfile_in(folder)?;
    file.write_all(key.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(target)?;
    Ok(())
}

type Archive = ZipArchive<BufReader<File>>;

fn write_files(app: &Arc<App>, mut archive: Archive) -> anyhow::Result<(Archive, u64)> {
    let mut files = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let Some((owner, id)) = owner_and_id(&entry.name()?) else {
            continue;
        };
        let target = app.files.std_path(owner, id);
        std::fs::create_dir_all(target.parent().context("a file has no folder")?)?;
        let mut out = File::create(target)?;
        std::io::copy(&mut entry, &mut out)?;
        out.sync_all()?;
        files += 1;
    }
    Ok((archive, files))
}

fn read_rows(archive: &mut Archive, rows: &mpsc::Sender<(String, String)>) -> anyhow::Result<()> {
    for table in TABLES {
        let name = format!("tables/{table}.jsonl");
        let Ok(entry) = archive.by_name(&name) else {
            continue;
        };
        for line in BufReader::new(entry).lines() {
            // The other side stops reading when it refuses something, and says what.
            if rows.blocking_send(((*table).to_owned(), line?)).is_err() {
                bail!("the rows were refused");
            }
        }
    }
    Ok(())
}

/// Only names made of two ids are taken, so no entry can reach outside the files folder.
fn owner_and_id(name: &str) -> Option<(UserId, FileId)> {
    let (owner, id) = name.strip_prefix("files/")?.split_once('/')?;
    Some((owner.parse().ok()?, id.parse().ok()?))
}
