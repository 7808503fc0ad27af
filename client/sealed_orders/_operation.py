"""Methods written once, for both clients: on a blocking object they return results, on an asynchronous one awaitables.

The decorated method is a plan (:mod:`sealed_orders._plans`), or returns one.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import cache, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

import httpx2

from sealed_orders._plans import Flow, Plan
from sealed_orders._runner import AsyncRunner, Run, Runner

P = ParamSpec("P")
T = TypeVar("T")


class Blocking:
    """Base of objects whose operations block."""

    _http: httpx2.Client

    def _run(self, plan: Plan[T]) -> T:
        return Runner(self._http).run(plan)

    def _iterate(self, plan: Plan[Any]) -> Generator[Any, None, None]:
        return Runner(self._http).iterate(Run(plan))


class Asynchronous:
    """Base of objects whose operations are awaited."""

    _http: httpx2.AsyncClient

    def _run(self, plan: Plan[T]) -> Awaitable[T]:
        return AsyncRunner(self._http).run(plan)

    def _iterate(self, plan: Plan[Any]) -> AsyncGenerator[Any, None]:
        return AsyncRunner(self._http).iterate(Run(plan))


class operation(Generic[P, T]):
    """A method that returns one result."""

    def __init__(self, plan: Callable[Concatenate[Any, P], Plan[T]]) -> None:
        self.plan = self.__wrapped__ = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, thing: None, owner: Any) -> Self: ...
    @overload
    def __get__(self, thing: Blocking, owner: Any) -> Callable[P, T]: ...
    @overload
    def __get__(self, thing: Asynchronous, owner: Any) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, thing: Blocking | Asynchronous | None, owner: Any) -> Any:
        """Return the method bound to an object."""
        if thing is None:
            return self

        def bound(*args: P.args, **kwargs: P.kwargs) -> Any:
            return thing._run(self.plan(thing, *args, **kwargs))

        return _named(bound, self.plan)


class iteration(Generic[P, T]):
    """A method over whose results one iterates, with ``for`` or ``async for``."""

    def __init__(self, plan: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.plan = self.__wrapped__ = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, thing: None, owner: Any) -> Self: ...
    @overload
    def __get__(self, thing: Blocking, owner: Any) -> Callable[P, Generator[T, None, None]]: ...
    @overload
    def __get__(self, thing: Asynchronous, owner: Any) -> Callable[P, AsyncGenerator[T, None]]: ...
    def __get__(self, thing: Blocking | Asynchronous | None, owner: Any) -> Any:
        """Return the method bound to an object."""
        if thing is None:
            return self

        def bound(*args: P.args, **kwargs: P.kwargs) -> Any:
            return thing._iterate(self.plan(thing, *args, **kwargs))

        return _named(bound, self.plan)


def _named(bound: Any, plan: Callable[..., Any]) -> Any:
    """Return a bound method that says of itself what the plan says, the object it is bound to left out."""
    update_wrapper(bound, plan)
    del bound.__wrapped__
    bound.__signature__ = _signature(plan)
    return bound


@cache
def _signature(plan: Callable[..., Any]) -> inspect.Signature:
    whole = inspect.signature(plan)
    result = str(whole.return_annotation)[len("Plan[") : -1]  # or Flow[...]: what is planned
    return whole.replace(parameters=list(whole.parameters.values())[1:], return_annotation=result)
