//! What the class of a kept component may be called: its file has that name, on any system.

use crate::error::{AppError, Result};

/// So that the whole path stays short enough for Windows, wherever the data folder is.
pub const MAX_CLASS_NAME_LENGTH: usize = 64;

/// A name with which Windows opens a device instead of a file.
fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    DEVICES.contains(&name.as_str())
        || number.is_some_and(|number| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

pub fn check_class_name(name: &str) -> Result<()> {
    let length = name.chars().count();
    if length > MAX_CLASS_NAME_LENGTH {
        return Err(AppError::invalid_component(format!(
            "class_name length {length} exceeds max {MAX_CLASS_NAME_LENGTH} (Windows MAX_PATH safeguard)"
        )));
    }
    let first = name.bytes().next();
    let Some(first) = first else {
        return Err(AppError::invalid_component("class_name is empty"));
    };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !first.is_ascii_uppercase() || !name.bytes().all(is_letter) {
        return Err(AppError::invalid_component(format!(
            "class_name {name:?} must begin with a capital letter from A to Z and have only letters from A to Z, \
             digits and underscores"
        )));
    }
    if is_device(name) {
        return Err(AppError::invalid_component(format!(
            "class_name {name:?} is the name of a device on Windows; choose another"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_short_and_no_device() {
        let longest = format!("A{}", "a".repeat(63));
        for name in [
            "Sum",
            "SumComponent",
            "A",
            "X_1",
            "COMPUTE",
            "Com10",
            "Lpt",
            "Nulls",
            &longest,
        ] {
            assert!(check_class_name(name).is_ok(), "{name}");
        }
        for name in [
            "",
            "sum",
            "_Sum",
            "1Sum",
            "../escape",
            "subdir/Nested",
            "Sum/Component",
            "Sum\\Component",
            "\0null",
            "Sum\0",
            "Sum:Colon",
            "Sum.py",
            ".Sum",
            "Sum ",
            "Sum\n",
            "Ünder",
            "Sumé",
            "CON",
            "Con",
            "NUL",
            "Aux",
            "PRN",
            "COM1",
            "Com9",
            "LPT9",
            "COM0",
        ] {
            assert!(check_class_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn the_length_is_looked_at_first() {
        assert_eq!(MAX_CLASS_NAME_LENGTH, 64);
        for (name, length) in [("A".repeat(65), 65), (format!("../{}", "x".repeat(247)), 250)] {
            let refused = check_class_name(&name).unwrap_err().to_string();
            let told = format!("class_name length {length} exceeds max 64 (Windows MAX_PATH safeguard)");
            assert_eq!(refused, told);
        }
    }
}
