//! The program at the command line.

mod backup;
mod config;
mod flows;
mod keys;
mod people;
