//! The program at the command line.

mod backup;
mod config;
mod keys;
mod people;
