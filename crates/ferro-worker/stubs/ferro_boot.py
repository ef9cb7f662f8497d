"""What the built-in interpreter does before anything else: make the standard library work without a machine."""

import sys

sys.builtin_module_names = tuple(sys.builtin_module_names) + ("posix",)
sys.executable = ""
sys.argv = [""]
sys.orig_argv = []
if not hasattr(sys, "_get_cpu_count_config"):
    sys._get_cpu_count_config = lambda: -1


class _Quiet:
    """There is nobody to read what is printed before a component runs."""

    encoding = "utf-8"
    errors = "replace"

    def write(self, text):
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


import _io

if not hasattr(_io, "FileIO"):

    class FileIO(_io._RawIOBase):
        """Only here to be imported."""

        def __init__(self, *_args, **_kwargs):
            raise PermissionError(1, "components run without a file system")

    FileIO.__module__ = "_io"
    _io.FileIO = FileIO

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = _Quiet()

import time

for _name in ("clock_settime", "clock_settime_ns", "tzset"):
    if hasattr(time, _name):
        delattr(time, _name)

# Imported once here rather than in every worker: what most components use, and what takes longest.
import base64
import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import functools
import hashlib
import html
import itertools
import json
import linecache
import math
import os
import random
import re
import statistics
import string
import textwrap
import traceback
import types
import typing
import unicodedata
import urllib.parse
import uuid

import asyncio

from ferro_shim import runtime as _runtime

handle = _runtime.handle

# What is made on first use is made before the fork: the shim's own, and every path that components import from.
_runtime.warm()

from ferro_shim.alias_table import TABLE as _TABLE

for _path in _TABLE:
    for _name in (_path, "langflow" + _path[3:]) if _path.startswith("lfx") else (_path,):
        _module = __import__(_name, fromlist=["*"])
        for _part in getattr(_module, "__all__", ()):
            getattr(_module, _part, None)

import gc

# What is here now stays: a worker that looked through it for garbage would copy all of its memory.
gc.collect()
gc.freeze()


def after_fork():
    """All workers would otherwise draw the same numbers."""
    random.seed()
