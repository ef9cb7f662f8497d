//! What holds for every request: who may send it, how large it may be, what every answer carries.

mod answers;
mod bodies;
mod guard;
mod limits;
mod malformed;
