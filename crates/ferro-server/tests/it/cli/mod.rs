//! The program at the command line.

mod backup;
mod config;
mod flow_tools;
mod flows;
mod keys;
mod models;
mod people;
