### os path
import os
p = os.path.join("a", "b")
name = os.path.basename(p)
os.sep, os.linesep, os.name, os.getpid()
### from os path
from os import path
from os.path import join, splitext
path.join("a", join("b", "c"))
### http
import requests
import httpx
from urllib.parse import urlparse, quote
import urllib.parse
r = requests.get("https://example.com", timeout=5)
r.json()
urllib.parse.quote("a")
### own open function
def open(path):
    return path
open("x")
### own open in a function
def f():
    def open(x):
        return x
    return open("x")
### open method
class X:
    def open(self):
        return 1
    def go(self):
        return self.open()
### image open
from PIL import Image
Image.open(data)
### parameter named eval
def f(eval):
    return eval("1")
### lambda parameter named open
f = lambda open: open("x")
### local named compile
def f():
    compile = get()
    return compile(1)
### comprehension variable named open
[open(1) for open in handlers]
### loop variable named exec
def f(xs):
    for exec in xs:
        exec()
### except name
def f():
    try:
        pass
    except Exception as globals:
        return globals
### with name
def f():
    with x as open:
        open()
### imported open
from smart import open
open("x")
### regular expressions
import re
p = re.compile("a+")
p.match("a")
### model eval method
model.eval()
df.eval("a + b")
session.exec(query)
### own class name and dunders
class X:
    def __init__(self):
        super().__init__()
        self.name = self.__class__.__name__
    def __repr__(self):
        return type(self).__name__ + (self.__doc__ or "")
    def __subclasshook__(cls, other):
        return True
### dict access
self.__dict__["a"] = 1
vars(self)["a"]
### module docs
print(__name__, __doc__)
### dynamic getattr on objects
def f(self, name):
    return getattr(self, name, None)
### hasattr on a module
import os
hasattr(os, "system_of_mine")
### getattr with a harmless name
import os
getattr(os, "sep")
getattr(os, "linesep", "\n")
### sys information
import sys
print(sys.version_info >= (3, 10), sys.maxsize, sys.platform)
### threading and asyncio
import threading, asyncio
async def f():
    await asyncio.sleep(0)
    return await asyncio.gather(a(), b())
lock = threading.Lock()
### thread pool
from concurrent.futures import ThreadPoolExecutor
### memory files
import io
b = io.BytesIO(b"x")
t = io.StringIO("x")
### reassigned alias
import os
m = os
m = make()
m.system("ls")
### alias in one function only
import os
def f():
    m = os
    return m.sep
def g(m):
    return m.system()
### attribute called system
self.system("x")
prompt.system = "be nice"
message.environ
### own names that look denied
code = "x"
signal = 1
socket = None
resource = {}
### text that mentions things
x = "os.system is dangerous, so is eval(x) and __import__"
y = "use {name} and {value:.2f}"
### docstring with dunder
def f():
    """Calls __init__ and mentions the __globals__ of a function."""
### format with attribute
"{0.name} {user.first}".format(a, user=b)
### format with locals
x = 1
"{x}".format(**locals())
### json and friends
import json, math, datetime, collections, itertools, functools, dataclasses, typing, enum, random
import hashlib, base64, uuid, string, textwrap, html, csv, statistics, decimal, abc, traceback, logging
json.dumps({"a": 1})
### traceback use
import traceback
try:
    f()
except Exception as e:
    traceback.format_exc()
    e.__traceback__
    e.__cause__
### inspect signature
import inspect
inspect.signature(f)
inspect.getdoc(f)
### pathlib names
from pathlib import Path
suffix = Path(name).suffix.lower()
stem = Path(name).stem
joined = str(Path("a") / "b")
### literal eval
import ast
ast.literal_eval("[1]")
### relative and own imports
from . import os_helpers
from .code import thing
from lfx.io import MessageTextInput, Output
from langflow import io
### importing a name called code
from mylib import code
code.run()
### gc collect
import gc
gc.collect()
### io of lfx
from lfx import io as lio
lio.Output(name="a")
### class keyword and metaclass
import abc
class X(metaclass=abc.ABCMeta):
    pass
### os path like annotation
import os
def f(p: os.PathLike) -> str:
    return os.fspath(p)
### subclass of os PathLike
import os
class P(os.PathLike):
    pass
### urandom
import os
key = os.urandom(16)
### comparison with a module
import os
x = y is os
### shadowing in both branches
if x:
    open = a
else:
    open = b
open("x")
### type and isinstance
isinstance(x, dict)
type(x) is str
### generic and dataclass
from dataclasses import dataclass, field
@dataclass
class P:
    a: int = 0
    b: list = field(default_factory=list)
### match statement
match x:
    case {"open": open}:
        open()
    case [a, *rest]:
        pass
    case str():
        pass
### global counter
count = 0
def f():
    global count
    count += 1
### f code column
row.f_code
d["f_back"] = 1
### annotations only
x: int
### slots and all
__all__ = ["X"]
__version__ = "1"
### empty file with comment
# nothing here
### tool component
from lfx.base.langchain_utilities.model import LCToolComponent
from lfx.field_typing import Tool
from langchain_core.tools import StructuredTool
class T(LCToolComponent):
    def build_tool(self) -> Tool:
        return StructuredTool.from_function(func=self.run_model, name="t", description="d")
### mapping of os names
import os
names = [os.sep, os.extsep]
### syntax error is safe
eval("1"
### compile error is still scanned, but this is fine
return 1
### text annotations
from typing import Literal, Annotated
def f(x: "list[Message]", mode: Literal["eval", "open"] = "eval") -> "Data | None":
    return x
y: Annotated[int, Field(description="open it")] = 1
### repeated separators
line = "-" * 40 + "_" * 3
### capturing output
import sys, io
sys.stdout = io.StringIO()
### own open survives a try
def open(x):
    return x
try:
    y = 1
except Exception:
    open("x")
finally:
    open("y")
open("z")
### own open survives with
from mine import open
with lock:
    data = 1
open("x")
### own open survives a loop
open = mine
for x in y:
    if x:
        break
    open(x)
else:
    open(1)
open(2)
### text that grows in a loop
def f(parts):
    text = ""
    for part in parts:
        for c in part:
            text += c + "-"
    while len(text) < 100:
        text = text + "."
    return text
### annotated with text
from typing import Annotated
x: Annotated[str, "open"] = ""
### getattr of a known name in both branches
import os
getattr(os, "sep")
