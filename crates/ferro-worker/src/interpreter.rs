//! The built-in interpreter: RustPython without anything of the machine compiled in, the shim, and the bridge
//! between them and the worker's line.

use std::cell::RefCell;

use rustpython_vm::builtins::PyStrRef;
use rustpython_vm::{Interpreter, PyObjectRef, PyResult, Settings, VirtualMachine};

use crate::line::Line;

thread_local! {
    /// There is none before the fork: the nursery itself never runs anybody's code.
    static LINE: RefCell<Option<Line>> = const { RefCell::new(None) };
}

pub struct Python {
    interpreter: Interpreter,
    handle: PyObjectRef,
}

impl Python {
    /// Starts it and imports the shim, so that every worker begins with that done.
    pub fn start() -> Result<Self, String> {
        let mut settings = Settings::default();
        settings.isolated = true;
        settings.ignore_environment = true;
        settings.import_site = false;
        settings.install_signal_handlers = false;
        settings.allow_external_library = false;
        settings.user_site_directory = false;
        settings.write_bytecode = false;
        let builder = Interpreter::builder(settings);
        let native = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
        let interpreter = builder
            .add_native_modules(&native)
            .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
            .add_frozen_modules(rustpython_vm::py_freeze!(dir = "../stubs"))
            .add_frozen_modules(rustpython_vm::py_freeze!(dir = "../shim"))
            .build();
        let handle = interpreter.enter(|vm| boot(vm).map_err(|error| told(vm, &error)))?;
        Ok(Self { interpreter, handle })
    }

    /// Answers requests until the server hangs up.
    pub fn work(&self, line: Line) {
        LINE.set(Some(line));
        let reseed = self.interpreter.enter(|vm| {
            let boot = vm.import("ferro_boot", 0)?;
            vm.call_method(&boot, "after_fork", ())
        });
        if reseed.is_err() {
            return;
        }
        while let Some(request) = with_line(Line::next_request).flatten() {
            let reply = self.interpreter.enter(|vm| {
                let reply = self.handle.call((request,), vm);
                reply
                    .and_then(|reply| reply.try_into_value::<String>(vm))
                    .map_err(|error| told(vm, &error))
            });
            let sent = with_line(|line| match &reply {
                Ok(reply) => line.done(reply),
                Err(why) => line.failed(why),
            });
            if !matches!(sent, Some(Ok(()))) {
                return;
            }
        }
    }
}

fn with_line<T>(act: impl FnOnce(&mut Line) -> T) -> Option<T> {
    LINE.with(|line| line.try_borrow_mut().ok()?.as_mut().map(act))
}

fn boot(vm: &VirtualMachine) -> PyResult {
    let host = vm.new_module("_host", vm.ctx.new_dict(), None);
    host.set_attr("event", vm.new_function("event", host_event), vm)?;
    host.set_attr("call", vm.new_function("call", host_call), vm)?;
    host.set_attr("urandom", vm.new_function("urandom", host_urandom), vm)?;
    vm.sys_module
        .get_attr("modules", vm)?
        .set_item("_host", host.into(), vm)?;
    vm.import("ferro_boot", 0)?.get_attr("handle", vm)
}

fn host_event(text: PyStrRef, vm: &VirtualMachine) -> PyResult<()> {
    let sent = with_line(|line| line.event(said(&text)?));
    sent.unwrap_or_else(|| Err("nobody is listening".to_owned()))
        .map_err(|why| vm.new_runtime_error(why))
}

fn host_call(text: PyStrRef, vm: &VirtualMachine) -> PyResult<String> {
    let answer = with_line(|line| line.call(said(&text)?));
    answer
        .unwrap_or_else(|| Err("nobody is listening".to_owned()))
        .map_err(|why| vm.new_runtime_error(why))
}

fn said(text: &PyStrRef) -> Result<&str, String> {
    text.to_str()
        .ok_or_else(|| "half a character in a text".to_owned())
}

fn host_urandom(count: usize, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
    if count > 1 << 20 {
        return Err(vm.new_value_error("at most 1 MiB of random bytes at once".to_owned()));
    }
    let mut bytes = vec![0; count];
    rustix::rand::getrandom(&mut bytes[..], rustix::rand::GetRandomFlags::empty())
        .map_err(|error| vm.new_os_error(error.to_string()))?;
    Ok(vm.ctx.new_bytes(bytes).into())
}

fn told(vm: &VirtualMachine, error: &rustpython_vm::builtins::PyBaseExceptionRef) -> String {
    let mut text = String::new();
    let _ = vm.write_exception(&mut text, error);
    text
}
