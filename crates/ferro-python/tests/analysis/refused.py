### imports from the table
import subprocess  # ! unsafe-process
import shutil  # ! unsafe-file
import ctypes  # ! unsafe-internals
import _ctypes  # ! unsafe-internals
import cffi  # ! unsafe-internals
import _cffi_backend  # ! unsafe-internals
import pickle  # ! unsafe-code
import shelve  # ! unsafe-code
import marshal  # ! unsafe-code
import code  # ! unsafe-code
import codeop  # ! unsafe-code
import compileall  # ! unsafe-code
import importlib  # ! unsafe-internals
import socket  # ! unsafe-network
import socketserver  # ! unsafe-network
import ftplib  # ! unsafe-network
import telnetlib  # ! unsafe-network
import smtplib  # ! unsafe-network
import poplib  # ! unsafe-network
import imaplib  # ! unsafe-network
import nntplib  # ! unsafe-network
import xmlrpc  # ! unsafe-network
import pty  # ! unsafe-process
### imports beyond the table
import multiprocessing  # ! unsafe-process
import signal  # ! unsafe-process
import posix  # ! unsafe-process
import nt  # ! unsafe-process
import _posixsubprocess  # ! unsafe-process
import _imp  # ! unsafe-internals
import _host  # ! unsafe-host
import mmap  # ! unsafe-file
import runpy  # ! unsafe-code
import timeit  # ! unsafe-code
import dotenv  # ! unsafe-environment
import ferro_shim.runtime  # ! unsafe-host
### submodules
import urllib.request  # ! unsafe-network
import urllib.error  # ! unsafe-network
import http.client  # ! unsafe-network
import http.server as server  # ! unsafe-network
from urllib import request  # ! unsafe-network
from http import client as c  # ! unsafe-network
from xmlrpc.client import ServerProxy  # ! unsafe-network
import importlib.util  # ! unsafe-internals
### submodule by attribute
import urllib.parse
import urllib
urllib.request.urlopen("http://x")  # ! unsafe-network
### from imports from the table
from os import system  # ! unsafe-process
from os import popen as p  # ! unsafe-process
from os import execv, spawnl  # ! unsafe-process unsafe-process
from os import remove, rmdir, unlink, dup, dup2  # ! unsafe-file*5
from os import environ, getenv  # ! unsafe-environment unsafe-environment
from sys import modules  # ! unsafe-internals
### denied import inside a function
def f():
    import subprocess  # ! unsafe-process
    subprocess.run(["ls"])
### denied import in try
try:
    import subprocess  # ! unsafe-process
except ImportError:
    subprocess = None
### calls from the table
exec("x")  # ! unsafe-code
eval("x")  # ! unsafe-code
compile("x", "f", "exec")  # ! unsafe-code
__import__("os")  # ! unsafe-code
globals()  # ! unsafe-internals
open("x")  # ! unsafe-file
breakpoint()  # ! unsafe-internals
### exit
import sys
sys.exit(1)  # ! unsafe-exit
exit()  # ! unsafe-exit
quit()  # ! unsafe-exit
### dunders from the table
x.__subclasses__()  # ! unsafe-internals
f.__globals__  # ! unsafe-internals
f.__builtins__  # ! unsafe-internals
x.__class__.__bases__  # ! unsafe-internals
x.__class__.__mro__  # ! unsafe-internals
f.__code__  # ! unsafe-internals
f.__closure__  # ! unsafe-internals
f.__subclasshook__  # ! unsafe-internals
### more dunders
x.__class__.__base__  # ! unsafe-internals
print.__self__  # ! unsafe-internals
f.__defaults__  # ! unsafe-internals
__builtins__  # ! unsafe-internals
__loader__  # ! unsafe-internals
__spec__  # ! unsafe-internals
type(x).mro()  # ! unsafe-internals
### the classic escape
print(().__class__.__bases__[0].__subclasses__())  # ! unsafe-internals
### dunder store
def f():
    pass
f.__code__ = g  # ! unsafe-internals
### frames
import sys, inspect, gc
sys._getframe()  # ! unsafe-internals
inspect.currentframe()  # ! unsafe-internals
inspect.stack()  # ! unsafe-internals
gc.get_objects()  # ! unsafe-internals
gen.gi_frame  # ! unsafe-internals
coro.cr_frame  # ! unsafe-internals
frame.f_globals  # ! unsafe-internals
frame.f_back  # ! unsafe-internals
frame.f_builtins  # ! unsafe-internals
frame.f_locals  # ! unsafe-internals
### traceback frames
try:
    1 / 0
except ZeroDivisionError as e:
    e.__traceback__.tb_frame  # ! unsafe-internals
### attribute reads
import os, sys
os.environ["HOME"]  # ! unsafe-environment
os.path.os.getcwd()  # ! unsafe-lookup
sys.modules["os"]  # ! unsafe-internals
### attribute calls
import os
os.system("ls")  # ! unsafe-process
os.popen("ls")  # ! unsafe-process
os.execl("a", "b")  # ! unsafe-process
os.execvpe("a")  # ! unsafe-process
os.spawnl("a")  # ! unsafe-process
os.remove("a")  # ! unsafe-file
os.rmdir("a")  # ! unsafe-file
os.unlink("a")  # ! unsafe-file
os.dup2(1, 2)  # ! unsafe-file
os.dup(1)  # ! unsafe-file
os.getenv("A")  # ! unsafe-environment
os.putenv("A", "b")  # ! unsafe-environment
os.fork()  # ! unsafe-process
os.kill(1, 9)  # ! unsafe-process
os.listdir(".")  # ! unsafe-file
