//! Uploaded bytes on disk. A file is stored under its id; the name a person gave it is never part of a path.

use std::path::PathBuf;

use ferro_store::{FileId, Principal, Store, UserId};
use tokio::{fs, io::AsyncWriteExt as _};

use crate::error::{AppError, Result};

#[derive(Clone, Debug)]
pub struct FileRoot {
    root: PathBuf,
}

impl FileRoot {
    pub fn open(root: PathBuf) -> std::io::Result<Self> {
        std::fs::create_dir_all(root.join("incoming"))?;
        Ok(Self { root })
    }

    fn path(&self, owner: UserId, id: FileId) -> PathBuf {
        self.root.join(owner.to_string()).join(id.to_string())
    }

    /// Begins a file that does not count until `keep` is called.
    pub async fn begin(&self, limit: u64) -> Result<Incoming> {
        let id = FileId::new();
        let path = self.root.join("incoming").join(id.to_string());
        let file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .await
            .map_err(AppError::io)?;
        Ok(Incoming {
            id,
            path: Some(path),
            file,
            size: 0,
            limit,
        })
    }

    /// Moves a whole file to its place; on disk when this returns.
    pub async fn keep(&self, owner: UserId, mut incoming: Incoming) -> Result<(FileId, u64)> {
        incoming.file.flush().await.map_err(AppError::io)?;
        incoming.file.sync_all().await.map_err(AppError::io)?;
        let target = self.path(owner, incoming.id);
        let folder = self.root.join(owner.to_string());
        fs::create_dir_all(&folder).await.map_err(AppError::io)?;
        if let Some(path) = incoming.path.take() {
            fs::rename(&path, &target).await.map_err(AppError::io)?;
        }
        sync_folder(&folder).await?;
        Ok((incoming.id, incoming.size))
    }

    pub async fn read(&self, owner: UserId, id: FileId) -> Result<fs::File> {
        fs::File::open(self.path(owner, id))
            .await
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => AppError::not_found("file"),
                _ => AppError::io(error),
            })
    }

    pub fn std_path(&self, owner: UserId, id: FileId) -> PathBuf {
        self.path(owner, id)
    }

    /// Where a person's own components are kept.
    pub fn components(&self, owner: UserId) -> PathBuf {
        self.root.join(owner.to_string()).join(RESERVED)
    }

    /// The folder of what the assistant writes for a person, made when it is first asked for. No uploaded file is ever in
    /// it, and nothing that takes the path of one reaches it.
    pub fn workspace(&self, owner: UserId) -> std::io::Result<PathBuf> {
        let folder = self.root.join(owner.to_string()).join(".workspace");
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Puts a whole file among a person's own components in one step, in the place of one of that name.
    pub async fn keep_component(&self, owner: UserId, name: &str, mut incoming: Incoming) -> Result<()> {
        incoming.file.flush().await.map_err(AppError::io)?;
        incoming.file.sync_all().await.map_err(AppError::io)?;
        let folder = self.components(owner);
        fs::create_dir_all(&folder).await.map_err(AppError::io)?;
        if let Some(path) = &incoming.path {
            fs::rename(path, folder.join(name)).await.map_err(AppError::io)?;
        }
        // It is not to be removed any more.
        incoming.path = None;
        sync_folder(&folder).await
    }

    /// The row is gone already; bytes that cannot be removed now are swept up at the next start.
    pub async fn remove(&self, owner: UserId, id: FileId) {
        if let Err(error) = fs::remove_file(self.path(owner, id)).await {
            tracing::warn!(%error, file = %id, "the bytes of file {id} could not be removed");
        }
    }

    pub async fn remove_owner(&self, owner: UserId) {
        match fs::remove_dir_all(self.root.join(owner.to_string())).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, user = %owner, "the files of user {owner} could not be removed");
            }
            _ => {}
        }
    }

    /// Removes what a crash left behind: half an upload, or bytes no row points at. What was written a moment ago may
    /// still be on its way in, through this server or another one on the same folder.
    pub async fn sweep(&self, store: &Store) -> Result<usize> {
        let mut swept = 0;
        let mut owners = fs::read_dir(&self.root).await.map_err(AppError::io)?;
        while let Some(owner) = owners.next_entry().await.map_err(AppError::io)? {
            let incoming = owner.file_name() == "incoming";
            let Ok(mut files) = fs::read_dir(owner.path()).await else {
                continue;
            };
            while let Some(file) = files.next_entry().await.map_err(AppError::io)? {
                let id = file
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<FileId>().ok());
                if !is_settled(&file).await {
                    continue;
                }
                let orphan = match id {
                    Some(id) if !incoming => !store.file_exists(&Principal::System, id).await?,
                    Some(_) => true,
                    None => false,
                };
                if orphan && fs::remove_file(file.path()).await.is_ok() {
                    swept += 1;
                }
            }
        }
        Ok(swept)
    }
}

/// Longer than an upload may stand still, and than it takes to give a whole one its row.
const SETTLED: std::time::Duration = std::time::Duration::from_secs(120);

async fn is_settled(file: &fs::DirEntry) -> bool {
    let Ok(metadata) = file.metadata().await else {
        return false;
    };
    let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
    age.is_some_and(|age| age > SETTLED)
}

/// A file that is still coming in; gone again if it is dropped.
pub struct Incoming {
    pub id: FileId,
    path: Option<PathBuf>,
    file: fs::File,
    size: u64,
    limit: u64,
}

impl Incoming {
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.size += bytes.len() as u64;
        if self.size > self.limit {
            return Err(AppError::too_large("file", self.limit));
        }
        self.file.write_all(bytes).await.map_err(AppError::io)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Without this the rename itself could be lost with the power.
async fn sync_folder(folder: &std::path::Path) -> Result<()> {
    let folder = fs::File::open(folder).await.map_err(AppError::io)?;
    folder.sync_all().await.map_err(AppError::io)
}

/// Below a person's files, but none of them: only the server itself writes there. What stands there is code that flows
/// can be built from, so nothing that a flow or an agent writes may end up in it.
const RESERVED: &str = ".components";
pub const RESERVED_REFUSAL: &str = "Path component '.components' is reserved";

/// Whether some part of the path is the reserved one on any system.
pub fn is_reserved(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| {
        let part = part.trim().trim_end_matches(['.', ' ']);
        // Through upper case: some letters have a small form that only folds that way.
        part.to_uppercase().to_lowercase() == RESERVED
    })
}

pub fn check_reserved(path: &str) -> Result<()> {
    if is_reserved(path) {
        return Err(AppError::reserved_path());
    }
    Ok(())
}

/// A name that is safe to show, to put in an archive and to save on any system.
pub fn safe_name(given: &str) -> String {
    const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = last
        .chars()
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .map(|c| if "<>:\"|?*".contains(c) { '_' } else { c })
        .collect();
    let trimmed = cleaned.trim().trim_end_matches(['.', ' ']);
    let trimmed = trimmed.trim_start_matches('.');
    let stem = trimmed.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = stem.len() == 4
        && (stem.starts_with("com") || stem.starts_with("lpt"))
        && stem.ends_with(|c: char| c.is_ascii_digit());
    let mut name = if DEVICES.contains(&stem.as_str()) || numbered {
        format!("_{trimmed}")
    } else {
        trimmed.to_owned()
    };
    if name.is_empty() {
        name = "file".to_owned();
    }
    shorten(&name, 200)
}

/// Characters that make a name look like another: direction marks and zero-width ones.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// At most `max` bytes, keeping the extension and whole characters.
fn shorten(name: &str, max: usize) -> String {
    if name.len() <= max {
        return name.to_owned();
    }
    let (base, extension) = match name.rsplit_once('.') {
        Some((base, extension)) if extension.len() <= 16 => (base, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let mut short = String::new();
    for c in base.chars() {
        if short.len() + c.len_utf8() + extension.len() > max {
            break;
        }
        short.push(c);
    }
    short + &extension
}

/// What a file may be served as; anything else is plain bytes.
pub fn mime_type(name: &str) -> &'static str {
    const ALLOWED: &[&str] = &[
        "application/json",
        "application/pdf",
        "application/zip",
        "audio/mpeg",
        "audio/wav",
        "image/gif",
        "image/jpeg",
        "image/png",
        "image/webp",
        "text/csv",
        "text/markdown",
        "text/plain",
    ];
    let guess = mime_guess::from_path(name).first_raw().unwrap_or_default();
    ALLOWED
        .iter()
        .find(|allowed| **allowed == guess)
        .copied()
        .unwrap_or("application/octet-stream")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_could_hurt() {
        for (given, safe) in [
            ("report.csv", "report.csv"),
            ("../../etc/passwd", "passwd"),
            (r"C:\Windows\system32\cmd.exe", "cmd.exe"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1", "_com1"),
            ("..", "file"),
            ("", "file"),
            (".bashrc", "bashrc"),
            ("a\0b\nc.txt", "abc.txt"),
            ("trailing. . ", "trailing"),
            ("photo\u{202e}gnp.exe", "photognp.exe"),
            ("한국어.md", "한국어.md"),
        ] {
            assert_eq!(safe_name(given), safe, "{given:?}");
        }
        let long = safe_name(&format!("{}.txt", "é".repeat(300)));
        assert!(long.len() <= 200 && long.ends_with(".txt"));
    }

    #[test]
    fn one_segment_is_reserved_however_it_is_written() {
        for path in [
            ".components",
            ".components/Sum.py",
            "a/.components/Sum.py",
            r"a\.components\Sum.py",
            r".\.COMPONENTS",
            ".Components/x",
            "x/../.components",
            ".components. /x",
            ".component\u{17f}/x",
        ] {
            assert!(is_reserved(path), "{path}");
        }
        for path in [
            "components/x",
            ".components2/x",
            "a.components",
            "",
            ".",
            "x.components.py",
        ] {
            assert!(!is_reserved(path), "{path}");
        }
    }

    #[test]
    fn pages_and_scripts_are_only_bytes() {
        assert_eq!(mime_type("a.html"), "application/octet-stream");
        assert_eq!(mime_type("a.svg"), "application/octet-stream");
        assert_eq!(mime_type("a.png"), "image/png");
    }
}
