### import alias
import os as o
o.system("ls")  # ! unsafe-process
### assigned alias
import os
m = os
n = m
n.system("ls")  # ! unsafe-process
### function alias
import os
run = os.system  # ! unsafe-process
run("ls")
### builtin alias
e = eval  # ! unsafe-code
e("1")  # ! unsafe-code
### tuple alias
import os
a, b = 1, os
b.system("ls")  # ! unsafe-process
### nested tuple alias
import os
a, (b, c) = 1, (os, 2)
b.system("ls")  # ! unsafe-process
### swap
import os
a = os
b = 1
a, b = b, a
b.system("ls")  # ! unsafe-process
a.system("ls")
### chained assignment
import os
a = b = os
b.popen("ls")  # ! unsafe-process
### walrus
import os
if (m := os):
    m.system("ls")  # ! unsafe-process
### walrus in a comprehension
import os
def f():
    [(m := os) for _ in range(1)]  # ! unsafe-alias
    m.system("ls")  # ! unsafe-process
### annotated assignment
import os
m: object = os
m.system("ls")  # ! unsafe-process
### star import
from os import *
system("ls")  # ! unsafe-process
print(environ)  # ! unsafe-environment
### star import in use from a function
from os import *
def f():
    return getenv("KEY")  # ! unsafe-environment
### if merging
import os
m = None
if x:
    m = os
m.system("ls")  # ! unsafe-process
### else merging
import os
if x:
    m = 1
else:
    m = os
m.system("ls")  # ! unsafe-process
### elif merging
import os
if x:
    m = 1
elif y:
    m = os
else:
    m = 3
m.system("ls")  # ! unsafe-process
### try merging
import os
m = None
try:
    m = os
    risky()
    m = None
except Exception:
    m.system("ls")  # ! unsafe-process
### finally merging
import os
m = None
try:
    m = os
    risky()
    m = None
finally:
    m.system("ls")  # ! unsafe-process
### loop carried alias
import os
m = n = None
for i in range(3):
    if n:
        n.system("ls")  # ! unsafe-process
    n = m
    m = os
### while carried alias
import os
m = None
while x:
    m.system("ls")  # ! unsafe-process
    m = os
### break keeps the alias
import os
m = None
while True:
    m = os
    break
    m = None
m.system("ls")  # ! unsafe-process
### continue keeps the alias
import os
m = None
for x in y:
    m = os
    if x:
        continue
    m = None
m.system("ls")  # ! unsafe-process
### loop over modules
import os, sys
for m in (os, sys):  # ! unsafe-alias unsafe-alias
    m.system("ls")
### comprehension over modules
import os
[m.system("ls") for m in [os]]  # ! unsafe-alias
### generator element
import os
list(os for _ in range(1))  # ! unsafe-alias
### with alias
import os, contextlib
with contextlib.nullcontext(os) as m:  # ! unsafe-alias
    m.system("ls")
### match capture
import os
match os:
    case m:
        m.system("ls")  # ! unsafe-process
### match class pattern
import os
match os:
    case object(system=run):  # ! unsafe-process
        run("ls")
### conditional expression
import os
m = os if x else None
m.system("ls")  # ! unsafe-process
### boolean alias
import os
(None or os).system("ls")  # ! unsafe-process
### getattr constant
import os
getattr(os, "system")("ls")  # ! unsafe-process
### getattr folded sum
import os
getattr(os, "sys" + "tem")("ls")  # ! unsafe-process
### getattr folded implicit
import os
getattr(os, "sys" "tem")("ls")  # ! unsafe-process
### getattr folded f-string
import os
tail = "tem"
getattr(os, f"sys{tail}")("ls")  # ! unsafe-process
### getattr folded join
import os
getattr(os, "".join(["sys", "tem"]))("ls")  # ! unsafe-process
### getattr folded reverse
import os
getattr(os, "metsys"[::-1])("ls")  # ! unsafe-process
### getattr folded lower
import os
getattr(os, "SYSTEM".lower())("ls")  # ! unsafe-process
### getattr folded replace
import os
getattr(os, "sysXtem".replace("X", ""))("ls")  # ! unsafe-process
### getattr environ
import os
getattr(os, "environ")  # ! unsafe-environment
### getattr dynamic
import os
getattr(os, name)("ls")  # ! unsafe-lookup
### getattr dynamic from a function
import os
def f(name):
    return getattr(os, name)  # ! unsafe-lookup
### getattr alias
import os
g = getattr
g(os, "system")("ls")  # ! unsafe-process
### getattr of builtins
import builtins
getattr(builtins, "ev" + "al")("1")  # ! unsafe-code
### getattr with star
import os
pair = 1
getattr(*(os, "system"))("ls")  # ! unsafe-alias
### getattr dunder on anything
getattr(x, "__globals__")  # ! unsafe-internals
### getattr dunder folded
getattr(x, "__glo" + "bals__")  # ! unsafe-internals
### builtins attributes
import builtins
builtins.eval("1")  # ! unsafe-code
builtins.open("x")  # ! unsafe-file
### builtins alias
import builtins as b
b.exec("1")  # ! unsafe-code
### from builtins
from builtins import eval as e  # ! unsafe-code
from builtins import open as o  # ! unsafe-file
### vars of a module
import os
vars(os)["system"]("ls")  # ! unsafe-process
### module dict
import os
os.__dict__["system"]("ls")  # ! unsafe-process
### module dict get
import os
os.__dict__.get("environ")  # ! unsafe-environment
### module dict dynamic
import os
os.__dict__[name]  # ! unsafe-lookup
### module dict values
import os
list(os.__dict__.values())  # ! unsafe-alias
### locals lookup
import os
locals()["os"].system("ls")  # ! unsafe-process
### vars lookup folded
import os
vars()["o" + "s"].system("ls")  # ! unsafe-process
### locals lookup of a builtin
locals()["open"]("x")  # ! unsafe-file
### locals dynamic
import os
locals()[name]  # ! unsafe-lookup
### lambda default
import os
f = lambda m=os: m.system("ls")  # ! unsafe-process
### function default
import os
def f(m=os):
    m.system("ls")  # ! unsafe-process
### keyword only default
import os
def f(*, m=os):
    m.system("ls")  # ! unsafe-process
### lambda body
import os
f = lambda: os.system("ls")  # ! unsafe-process
### lambda sees a later name
f = lambda: m.system("ls")  # ! unsafe-process
import os
m = os
### lambda returns the module
import os
f = lambda: os  # ! unsafe-alias
### function sees a later import
def f():
    o.system("ls")  # ! unsafe-process
import os as o
### class attribute
import os
class X:
    m = os  # ! unsafe-alias
### import in a class
class X:
    import os  # ! unsafe-alias
### class body
import os
class X:
    home = os.environ["HOME"]  # ! unsafe-environment
### nested class and method
import os
class X:
    class Y:
        def f(self):
            return os.getenv("A")  # ! unsafe-environment
### decorator
import os
@os.system  # ! unsafe-process
def f():
    pass
### decorator eval
@eval  # ! unsafe-code
def f():
    pass
### f-string
import os
x = f"{os.environ['A']}"  # ! unsafe-environment
### nested f-string
import os
x = f"{f'{os.getenv(name)}'}"  # ! unsafe-environment
### f-string format spec
import os
x = f"{1:{os.getenv('W')}}"  # ! unsafe-environment
### annotation
import os
def f(x: os.system("ls")) -> os.getenv("A"):  # ! unsafe-process unsafe-environment
    pass
### passing a module
import os
f(os)  # ! unsafe-alias
### passing by keyword
import os
f(m=os)  # ! unsafe-alias
### returning a module
import os
def f():
    return os  # ! unsafe-alias
### yielding a module
import os
def f():
    yield os  # ! unsafe-alias
### storing in an attribute
import os
class X:
    def f(self):
        self.m = os  # ! unsafe-alias
### storing in a subscript
import os
d = {}
d["m"] = os  # ! unsafe-alias
### dict value
import os
d = {"m": os}  # ! unsafe-alias
### list
import os
d = [os]  # ! unsafe-alias
### storing sys
import sys
x = {"s": sys}  # ! unsafe-alias
### partial
import os, functools
functools.partial(getattr, os)  # ! unsafe-alias
### map
list(map(eval, ["1"]))  # ! unsafe-code
### attrgetter
import operator, os
operator.attrgetter("system")(os)  # ! unsafe-alias
### attrgetter dunder path
import operator
operator.attrgetter("__class__.__mro__")(x)  # ! unsafe-internals
### setattr
import os
setattr(os, "x", 1)  # ! unsafe-alias
### format template
"{0.__globals__}".format(f)  # ! unsafe-internals
### format template chain
t = "{x.__class__.__mro__[1]}"  # ! unsafe-internals
t.format(x=1)
### format template in text
t = "Hello {user.__init__.__globals__[SECRET]}, how are you?"  # ! unsafe-internals
### subscript of internals
d["__builtins__"]  # ! unsafe-internals
### getattribute
object.__getattribute__(x, "y")  # ! unsafe-internals
### carried os
import glob
glob.os.system("ls")  # ! unsafe-lookup unsafe-process
### carried underscore
import random
random._os.environ  # ! unsafe-lookup unsafe-environment
### carried by from import
from glob import os  # ! unsafe-lookup
os.system("ls")  # ! unsafe-process
### asyncio subprocess
import asyncio
asyncio.create_subprocess_shell("ls")  # ! unsafe-process
asyncio.subprocess  # ! unsafe-process
### process pool
from concurrent.futures import ProcessPoolExecutor  # ! unsafe-process
### io open
import io
io.open("x")  # ! unsafe-file
io.FileIO("x")  # ! unsafe-file
### codecs open
import codecs
codecs.open("x")  # ! unsafe-file
### pathlib
from pathlib import Path
Path("x").read_text()  # ! unsafe-file
### pathlib variable
import pathlib
p = pathlib.Path("a") / "b"
p.parent.write_text("x")  # ! unsafe-file
### pathlib with
from pathlib import Path
def f(name):
    path = Path(name)
    with path.open() as g:  # ! unsafe-file
        return g.read()
### types function
import types
types.FunctionType(c, {})  # ! unsafe-code
### homoglyph fullwidth
import ｏｓ
os.system("ls")  # ! unsafe-process
### homoglyph mathematical
𝐞val("1")  # ! unsafe-code
### homoglyph attribute
import os
os.𝓼ystem("ls")  # ! unsafe-process
### homoglyph dunder
f.__ｇlobals__  # ! unsafe-internals
### global statement
m = None
def setup():
    global m
    import os
    m = os
def use():
    m.system("ls")  # ! unsafe-process
### global statement used before
m = None
def use():
    m.system("ls")  # ! unsafe-process
def setup():
    global m
    import os
    m = os
### nonlocal statement
def outer():
    m = None
    def setup():
        nonlocal m
        import os
        m = os
    setup()
    m.system("ls")  # ! unsafe-process
### nested function
def outer():
    import os
    def inner():
        os.system("ls")  # ! unsafe-process
### shadow that may not happen
if False:
    open = None
open("x")  # ! unsafe-file
### shadow in a dead branch seen from a function
if x:
    eval = None
def f():
    eval("1")  # ! unsafe-code
### shadow deleted
open = None
del open
open("x")  # ! unsafe-file
### shadow in a class is not seen by its methods
class X:
    def open(self):
        return open("x")  # ! unsafe-file
### comprehension does not see the class
class X:
    open = staticmethod(print)
    y = [open(f) for f in z]  # ! unsafe-file
### dead code is still reported
def f():
    return 1
    eval("x")  # ! unsafe-code
### async
import os
async def f():
    async with x as y:
        await g(os.getenv("A"))  # ! unsafe-environment
### augmented text
import os
name = "sys"
name += "tem"
getattr(os, name)("ls")  # ! unsafe-process
### environ in default
import os
def f(key=os.environ.get("K")):  # ! unsafe-environment
    pass
### component using the environment
from lfx.custom import Component
from lfx.io import Output
import os
class Leak(Component):
    outputs = [Output(name="secret", method="get")]
    def get(self):
        return os.environ["OPENAI_API_KEY"]  # ! unsafe-environment
### carriage returns aside, the line is right

# é ü ñ 漢字
x = "漢字"; eval("1")  # ! unsafe-code
### type statement
import os
type X = os.system  # ! unsafe-process
### print of internals by key
x = vars(f)["__globals__"]  # ! unsafe-internals
### assert
import os
assert os.system("ls")  # ! unsafe-process
### conditional import alias
try:
    import os as m
except ImportError:
    m = None
m.system("ls")  # ! unsafe-process
### starred target
import os
a, *b = os, 1  # ! unsafe-alias
### type parameters
from typing import Any
def f[T: eval("1")](x: T) -> T:  # ! unsafe-code
    return x
### except type
try:
    pass
except eval("1"):  # ! unsafe-code
    pass
### subscript target
import os
d[os.getenv("A")] = 1  # ! unsafe-environment
### raise
raise ValueError(open("x").read())  # ! unsafe-file
### repeated text
getattr(x, "_" * 2 + "glob" + "als" + "_" * 2)  # ! unsafe-internals
### text annotation
def f(x: "__import__('os')") -> "list[eval('1')]":  # ! unsafe-code unsafe-code
    return x
### nested text annotation
x: list["open('a')"] = []  # ! unsafe-code
### patching builtins
import builtins
builtins.len = print  # ! unsafe-internals
### variables of the environment in paths
import os.path
os.path.expandvars("$HOME")  # ! unsafe-environment
from os.path import expandvars  # ! unsafe-environment
### pure python io
import _pyio  # ! unsafe-file
### logging configuration
import logging.config  # ! unsafe-code
### a name that may be something else
import os
name = "sep"
if x:
    name = read()
getattr(os, name)  # ! unsafe-lookup
### a default is not the only value
import os
def f(name="sep"):
    return getattr(os, name)  # ! unsafe-lookup
### a global that functions change
import os
name = "sep"
def g():
    return getattr(os, name)  # ! unsafe-lookup
def f(x):
    global name
    name = x
### a name that grows in a loop
import os
name = ""
for c in parts:
    name += "s"
    name += c
getattr(os, name)  # ! unsafe-lookup
### a long chain of aliases in a loop
import os
a = b = c = d = e = f = g = h = None
while x:
    if a:
        a.system("ls")  # ! unsafe-process
    a = b
    b = c
    c = d
    d = e
    e = f
    f = g
    g = h
    h = os
### with may swallow the exception
import os, contextlib
m = None
with contextlib.suppress(ValueError):
    m = os
    risky()
    m = None
m.system("ls")  # ! unsafe-process
### operators are methods
import os
x == os  # ! unsafe-alias
x + os  # ! unsafe-alias
x in os  # ! unsafe-alias
x += os  # ! unsafe-alias
### isinstance may be a method too
import os
isinstance(os, X)  # ! unsafe-alias
### carried io
import zipfile
zipfile.io.open("x")  # ! unsafe-file
### conditional text
import os
getattr(os, "sep" if x else y)  # ! unsafe-lookup
