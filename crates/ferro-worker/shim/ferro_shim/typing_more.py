"""What `typing_extensions` is asked for, from `typing` where that has it."""

import typing
from typing import *  # noqa: F401,F403


def _plain(name):
    return getattr(typing, name, None)


Annotated = typing.Annotated
TypedDict = typing.TypedDict
runtime_checkable = typing.runtime_checkable
TypeAlias = _plain("TypeAlias") or typing.Any
Self = _plain("Self") or typing.Any
Never = _plain("Never") or typing.NoReturn
ParamSpec = _plain("ParamSpec") or typing.TypeVar


def override(function):
    return function


class _Pass:
    def __getitem__(self, kind):
        return kind


NotRequired = _plain("NotRequired") or _Pass()
Required = _plain("Required") or _Pass()
