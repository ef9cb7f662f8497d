"""Runs the shim's tests under a plain interpreter: `python3 crates/ferro-worker/tests/shim/run.py`."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import fake_host  # noqa: E402

fake_host.install(HERE.parent.parent / "shim")

if __name__ == "__main__":
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py")
    ended = unittest.TextTestRunner(verbosity=1).run(suite)
    sys.exit(0 if ended.wasSuccessful() else 1)
