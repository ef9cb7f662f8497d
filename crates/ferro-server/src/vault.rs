//! Secrets at rest. Each value has a key of its own, wrapped by a master key from a file only the owner can read;
//! both are bound to the row, owner and field, so ciphertext that is moved elsewhere does not open.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock, RwLockReadGuard},
};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use ferro_net::Secret;
use ferro_store::{UserId, VariableId};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

const FORMAT: u8 = 1;
const NONCE: usize = 24;
const KEY: usize = 32;
const WRAPPED: usize = KEY + 16;

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("the key file {0} cannot be used")]
    File(String, #[source] std::io::Error),
    #[error("the key file {0} is open to others: allow only its owner to read it (chmod 600)")]
    OpenToOthers(String),
    #[error("the key file {0} is damaged")]
    Damaged(String),
    #[error(
        "a secret was encrypted with key {0:?}, which the key file does not hold: put the right key file back"
    )]
    UnknownKey(String),
    #[error("a secret does not open: it was changed, or belongs to another row")]
    DoesNotOpen,
    #[error("the operating system gave no random numbers")]
    NoRandomness,
}

/// Which cell of the database a secret is for.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub table: &'static str,
    pub row: uuid::Uuid,
    pub owner: UserId,
    pub field: &'static str,
}

impl Cell {
    pub fn variable(id: VariableId, owner: UserId) -> Self {
        Self {
            table: "variables",
            row: id.0,
            owner,
            field: "value",
        }
    }

    fn bound_to(&self) -> Vec<u8> {
        format!(
            "ferroflow/{}/{}/{}/{}",
            self.table, self.row, self.owner, self.field
        )
        .into_bytes()
    }
}

#[derive(Serialize, Deserialize)]
struct Ring {
    active: String,
    keys: BTreeMap<String, String>,
}

impl Drop for Ring {
    fn drop(&mut self) {
        self.keys.values_mut().for_each(zeroize::Zeroize::zeroize);
    }
}

pub struct Vault {
    path: PathBuf,
    ring: RwLock<Loaded>,
}

/// The keys, and what the file looked like when they were read.
struct Loaded {
    ring: Ring,
    stamp: Option<Stamp>,
}

type Stamp = (std::time::SystemTime, u64);

impl Loaded {
    fn read(path: &Path) -> Result<Self, VaultError> {
        // Before the content: if the file changes in between, it is read once more than needed, never once less.
        let stamp = stamp(path);
        Ok(Self {
            ring: read_ring(path)?,
            stamp,
        })
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Vault {
    /// Reads the key file, or makes one on the first start.
    pub fn open(path: &Path) -> Result<Self, VaultError> {
        let loaded = match Loaded::read(path) {
            Err(VaultError::File(_, error)) if error.kind() == std::io::ErrorKind::NotFound => {
                let id = new_id(1)?;
                let ring = Ring {
                    active: id.clone(),
                    keys: BTreeMap::from([(id, new_key()?)]),
                };
                write_ring(path, &ring)?;
                Loaded::read(path)?
            }
            other => other?,
        };
        Ok(Self {
            path: path.to_owned(),
            ring: RwLock::new(loaded),
        })
    }

    pub fn seal(&self, cell: Cell, secret: &Secret) -> Result<Vec<u8>, VaultError> {
        let (id, master) = self.active()?;
        let mut data_key = Zeroizing::new([0_u8; KEY]);
        fill(data_key.as_mut())?;
        let wrapped = encrypt(&master, &cell, data_key.as_ref())?;
        let body = encrypt(&data_key, &cell, secret.expose().as_bytes())?;
        let mut sealed = front(&id, &self.path)?;
        sealed.extend_from_slice(&wrapped);
        sealed.extend_from_slice(&body);
        Ok(sealed)
    }

    pub fn open_sealed(&self, cell: Cell, sealed: &[u8]) -> Result<Secret, VaultError> {
        let (id, wrapped, body) = parts(sealed)?;
        let data_key = self.unwrap_key(&cell, id, wrapped)?;
        let text = decrypt(&data_key, &cell, body)?;
        match String::from_utf8(text.to_vec()) {
            Ok(text) => Ok(Secret::new(text)),
            Err(error) => {
                error.into_bytes().zeroize();
                Err(VaultError::DoesNotOpen)
            }
        }
    }

    /// The same secret with its own key wrapped by the active master key.
    pub fn rewrap(&self, cell: Cell, sealed: &[u8]) -> Result<Vec<u8>, VaultError> {
        let (id, wrapped, body) = parts(sealed)?;
        let data_key = self.unwrap_key(&cell, id, wrapped)?;
        let (active, master) = self.active()?;
        let mut new = front(&active, &self.path)?;
        new.extend_from_slice(&encrypt(&master, &cell, data_key.as_ref())?);
        new.extend_from_slice(body);
        Ok(new)
    }

    /// Whether a secret's own key is wrapped by the active master key.
    pub fn is_current(&self, sealed: &[u8]) -> Result<bool, VaultError> {
        let loaded = self.loaded()?;
        Ok(parts(sealed).is_ok_and(|(id, _, _)| id == loaded.ring.active))
    }

    /// Adds a master key and makes it the active one; the old ones stay until `forget_old`.
    pub fn add_key(&self) -> Result<String, VaultError> {
        let mut ring = read_ring(&self.path)?;
        let numbers = ring
            .keys
            .keys()
            .filter_map(|id| id.strip_prefix('k')?.split('-').next()?.parse::<u64>().ok());
        ring.active = new_id(numbers.max().unwrap_or(0) + 1)?;
        ring.keys.insert(ring.active.clone(), new_key()?);
        write_ring(&self.path, &ring)?;
        Ok(ring.active.clone())
    }

    /// Drops every master key but the active one. Only when no secret needs the others any more.
    pub fn forget_old(&self) -> Result<usize, VaultError> {
        let mut ring = read_ring(&self.path)?;
        let before = ring.keys.len();
        let active = ring.active.clone();
        ring.keys.retain(|id, _| *id == active);
        write_ring(&self.path, &ring)?;
        Ok(before - ring.keys.len())
    }

    /// The keys as the file has them now: the command line may have rotated them while this server ran.
    fn loaded(&self) -> Result<RwLockReadGuard<'_, Loaded>, VaultError> {
        let loaded = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        if loaded.stamp == stamp(&self.path) {
            return Ok(loaded);
        }
        drop(loaded);
        let fresh = Loaded::read(&self.path)?;
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(self.ring.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn active(&self) -> Result<(String, Zeroizing<[u8; KEY]>), VaultError> {
        let loaded = self.loaded()?;
        let id = loaded.ring.active.clone();
        let key = decode(&loaded.ring, &id, &self.path)?;
        Ok((id, key))
    }

    fn unwrap_key(&self, cell: &Cell, id: &str, wrapped: &[u8]) -> Result<Zeroizing<[u8; KEY]>, VaultError> {
        let master = decode(&self.loaded()?.ring, id, &self.path)?;
        let plain = decrypt(&master, cell, wrapped)?;
        let key: [u8; KEY] = plain.as_slice().try_into().map_err(|_| VaultError::DoesNotOpen)?;
        Ok(Zeroizing::new(key))
    }
}

/// The front of a sealed value: how it is made and whose key wraps its own.
fn front(id: &str, path: &Path) -> Result<Vec<u8>, VaultError> {
    let length = u8::try_from(id.len()).map_err(|_| VaultError::Damaged(file_name(path)))?;
    let mut front = vec![FORMAT, length];
    front.extend_from_slice(id.as_bytes());
    Ok(front)
}

fn parts(sealed: &[u8]) -> Result<(&str, &[u8], &[u8]), VaultError> {
    let (&[format, length], rest) = sealed.split_first_chunk::<2>().ok_or(VaultError::DoesNotOpen)?;
    let (id, rest) = rest
        .split_at_checked(usize::from(length))
        .ok_or(VaultError::DoesNotOpen)?;
    let (wrapped, body) = rest
        .split_at_checked(NONCE + WRAPPED)
        .ok_or(VaultError::DoesNotOpen)?;
    let id = std::str::from_utf8(id).map_err(|_| VaultError::DoesNotOpen)?;
    if format != FORMAT {
        return Err(VaultError::DoesNotOpen);
    }
    Ok((id, wrapped, body))
}

fn encrypt(key: &[u8; KEY], cell: &Cell, plain: &[u8]) -> Result<Vec<u8>, VaultError> {
    let mut nonce = [0_u8; NONCE];
    fill(&mut nonce)?;
    let aad = cell.bound_to();
    let cipher = XChaCha20Poly1305::new(key.into());
    let body = cipher
        .encrypt(
            &XNonce::from(nonce),
            Payload {
                msg: plain,
                aad: &aad,
            },
        )
        .map_err(|_| VaultError::DoesNotOpen)?;
    Ok([nonce.as_slice(), &body].concat())
}

fn decrypt(key: &[u8; KEY], cell: &Cell, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, VaultError> {
    let (nonce, body) = sealed
        .split_first_chunk::<NONCE>()
        .ok_or(VaultError::DoesNotOpen)?;
    let aad = cell.bound_to();
    let cipher = XChaCha20Poly1305::new(key.into());
    cipher
        .decrypt(&XNonce::from(*nonce), Payload { msg: body, aad: &aad })
        .map(Zeroizing::new)
        .map_err(|_| VaultError::DoesNotOpen)
}

fn decode(ring: &Ring, id: &str, path: &Path) -> Result<Zeroizing<[u8; KEY]>, VaultError> {
    let text = ring
        .keys
        .get(id)
        .ok_or_else(|| VaultError::UnknownKey(id.to_owned()))?;
    let bytes = Zeroizing::new(
        BASE64
            .decode(text)
            .map_err(|_| VaultError::Damaged(file_name(path)))?,
    );
    let key: [u8; KEY] = bytes
        .as_slice()
        .try_into()
        .map_err(|_| VaultError::Damaged(file_name(path)))?;
    Ok(Zeroizing::new(key))
}

/// Counted for people, random so that the key of another installation is not taken for ours.
fn new_id(number: u64) -> Result<String, VaultError> {
    let mut bytes = [0_u8; 4];
    fill(&mut bytes)?;
    Ok(format!("k{number}-{:08x}", u32::from_le_bytes(bytes)))
}

fn new_key() -> Result<String, VaultError> {
    let mut key = Zeroizing::new([0_u8; KEY]);
    fill(key.as_mut())?;
    Ok(BASE64.encode(key.as_ref()))
}

fn fill(bytes: &mut [u8]) -> Result<(), VaultError> {
    getrandom::fill(bytes).map_err(|_| VaultError::NoRandomness)
}

fn file_name(path: &Path) -> String {
    path.display().to_string()
}

fn read_ring(path: &Path) -> Result<Ring, VaultError> {
    let failed = |error| VaultError::File(file_name(path), error);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path).map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(VaultError::OpenToOthers(file_name(path)));
        }
    }
    let text = Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
    let ring: Ring = serde_json::from_str(&text).map_err(|_| VaultError::Damaged(file_name(path)))?;
    if !ring.keys.contains_key(&ring.active) {
        return Err(VaultError::Damaged(file_name(path)));
    }
    Ok(ring)
}

/// Written beside and renamed: a crash in between must not leave half a key.
fn write_ring(path: &Path, ring: &Ring) -> Result<(), VaultError> {
    let failed = |error| VaultError::File(file_name(path), error);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".key")
        .tempfile_in(folder)
        .map_err(failed)?;
    let text =
        Zeroizing::new(serde_json::to_string_pretty(ring).map_err(|_| VaultError::Damaged(file_name(path)))?);
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> (tempfile::TempDir, Vault) {
        let dir = tempfile::tempdir().unwrap();
        let vault = Vault::open(&dir.path().join("secret.key")).unwrap();
        (dir, vault)
    }

    #[test]
    fn a_secret_opens_only_where_it_belongs() {
        let (_dir, vault) = vault();
        let (id, owner) = (VariableId::new(), UserId::new());
        let sealed = vault
            .seal(Cell::variable(id, owner), &Secret::new("s3cret".to_owned()))
            .unwrap();
        assert!(!String::from_utf8_lossy(&sealed).contains("s3cret"));
        assert_eq!(
            vault
                .open_sealed(Cell::variable(id, owner), &sealed)
                .unwrap()
                .expose(),
            "s3cret"
        );
        assert!(
            vault
                .open_sealed(Cell::variable(VariableId::new(), owner), &sealed)
                .is_err()
        );
        assert!(
            vault
                .open_sealed(Cell::variable(id, UserId::new()), &sealed)
                .is_err()
        );
        for at in 0..sealed.len() {
            let mut bent = sealed.clone();
            bent[at] ^= 1;
            assert!(
                vault.open_sealed(Cell::variable(id, owner), &bent).is_err(),
                "byte {at}"
            );
        }
    }

    #[test]
    fn a_new_key_opens_old_secrets_until_they_are_rewrapped() {
        let (dir, vault) = vault();
        let cell = Cell::variable(VariableId::new(), UserId::new());
        let old = vault.seal(cell, &Secret::new("s3cret".to_owned())).unwrap();
        let running = Vault::open(&dir.path().join("secret.key")).unwrap();
        assert!(vault.add_key().unwrap().starts_with("k2-"));
        let new = vault.rewrap(cell, &old).unwrap();
        assert_eq!(vault.forget_old().unwrap(), 1);
        assert_eq!(running.open_sealed(cell, &new).unwrap().expose(), "s3cret");
        // A server that was running all along seals with the new key.
        let later = running.seal(cell, &Secret::new("later".to_owned())).unwrap();
        assert!(vault.is_current(&later).unwrap());
        let reopened = Vault::open(&dir.path().join("secret.key")).unwrap();
        assert!(matches!(
            reopened.open_sealed(cell, &old),
            Err(VaultError::UnknownKey(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let (dir, vault) = vault();
        drop(vault);
        let path = dir.path().join("secret.key");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Vault::open(&path), Err(VaultError::OpenToOthers(_))));
    }
}
