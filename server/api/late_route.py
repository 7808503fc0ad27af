"""Routes that are worked out when they are first asked for: of most, a process never serves one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from threading import RLock
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.routing import Match, compile_path, get_name
from starlette.types import Scope

_LOCK = RLock()
_OF_THE_PATH = ("path_regex", "path_format", "param_convertors")

Given = tuple[tuple[Any, Callable[[Request], object]], ...]
"""Kinds of parameters that every request brings along, and where they come from."""


class LateRoute(APIRoute):
    """Knows its address and its methods; all else is worked out by :meth:`__getattr__`, when first looked at."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self.path, self.endpoint = path, endpoint
        self.name = options.get("name") or get_name(endpoint)
        self.methods = {method.upper() for method in options.get("methods") or ("GET",)}
        self._begins = path.partition("{")[0]
        self._options: dict[str, Any] | None = options

    def served_by(self, endpoint: Callable[..., Any]) -> Callable[..., Any]:
        """Return what FastAPI shall call for the endpoint."""
        return endpoint

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether this route serves a request; the addresses of most do not even begin alike."""
        if not scope["path"].startswith(self._begins):
            return Match.NONE, {}
        return super().matches(scope)

    def __getattr__(self, name: str) -> Any:
        """Work out what is missing: called only for an attribute that is not there yet."""
        if name in _OF_THE_PATH:
            self.path_regex, self.path_format, self.param_convertors = compile_path(self.path)
        elif "_options" in self.__dict__:
            with _LOCK:  # where another thread is at it, this one waits until all is there
                options, self._options = self._options, None
                if options is not None:
                    super().__init__(self.path, self.served_by(self.endpoint), **options)
        if name in self.__dict__:
            return self.__dict__[name]
        raise AttributeError(name)


def given(endpoint: Callable[..., Any], kinds: Given) -> Callable[..., Any]:
    """Return an endpoint that takes from the request what every request brings along.

    Dependencies would do the same, but FastAPI works out anew with each request what they depend on.
    """
    wanted = signature(endpoint, eval_str=True)
    take = {
        name: take
        for name, parameter in wanted.parameters.items()
        for kind, take in kinds
        if parameter.annotation == kind
    }
    if not take:
        return endpoint
    left = [parameter for name, parameter in wanted.parameters.items() if name not in take]
    takes_request = "request" in wanted.parameters
    if not takes_request:
        left.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request))

    @wraps(endpoint)
    def call(request: Request, **values: Any) -> Any:
        if takes_request:
            values["request"] = request
        return endpoint(**values, **{name: of(request) for name, of in take.items()})

    call.__signature__ = wanted.replace(parameters=left)  # type: ignore[attr-defined]
    return call
