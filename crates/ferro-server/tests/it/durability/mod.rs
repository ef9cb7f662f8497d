//! What was acknowledged stays, whatever happens to the program or its disk.

mod disk;
mod kill;
mod runs;
mod stop;
