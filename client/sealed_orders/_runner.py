"""Carrying effects out: blocking, and with ``await``. The only input and output of this library."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import Any, Generic, TypeVar, cast

import httpx2

from sealed_orders._plans import Effect, Emit, Next, Open, Plan, Send, Sleep

T = TypeVar("T")


class Run(Generic[T]):
    """A plan that is being carried out."""

    def __init__(self, plan: Generator[Effect, Any, T]) -> None:
        self._plan = plan
        self._result: T | None = None

    def resume(self, answer: Any = None) -> Effect | None:
        """Pass the result of the last effect; return the next one, None at the end."""
        try:
            return self._plan.send(answer)
        except StopIteration as end:
            self._result = end.value
            return None

    def fail(self, error: Exception) -> Effect | None:
        """Say that the last effect failed; returns the next one, None at the end."""
        try:
            return self._plan.throw(error)
        except StopIteration as end:
            self._result = end.value
            return None

    @property
    def result(self) -> T:
        """What the plan returned."""
        return cast(T, self._result)


class Runner:
    """Carries one plan out, blocking."""

    def __init__(self, http: httpx2.Client) -> None:
        self._http = http
        self._stream = ExitStack()
        self._lines: Iterator[str] = iter(())

    def run(self, plan: Plan[T]) -> T:
        """Carry out a plan that hands nothing out, and return its result."""
        run = Run(plan)
        for _ in self.iterate(run):
            pass
        return run.result

    def iterate(self, run: Run[Any]) -> Generator[Any, None, None]:
        """Yield what a plan hands out."""
        with self._stream:
            effect = run.resume()
            while effect is not None:
                if isinstance(effect, Emit):
                    yield effect.value
                    effect = run.resume()
                    continue
                try:
                    answer = self._do(effect)
                except httpx2.TransportError as error:
                    effect = run.fail(error)
                else:
                    effect = run.resume(answer)

    def _do(self, effect: Effect) -> Any:
        match effect:
            case Send():
                return self._http.send(request(self._http, effect))
            case Sleep():
                return time.sleep(effect.seconds)
            case Next():
                return next(self._lines, None)
            case Open():
                self._stream.close()
                response = self._http.send(request(self._http, effect.send), stream=True)
                self._stream.callback(response.close)
                if response.status_code != 200:
                    response.read()
                self._lines = response.iter_lines()
                return response
        raise TypeError(effect)


class AsyncRunner:
    """Carries one plan out with ``await``."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self._stream = AsyncExitStack()
        self._lines: AsyncIterator[str] | None = None

    async def run(self, plan: Plan[T]) -> T:
        """Carry out a plan that hands nothing out, and return its result."""
        run = Run(plan)
        async for _ in self.iterate(run):
            pass
        return run.result

    async def iterate(self, run: Run[Any]) -> AsyncGenerator[Any, None]:
        """Yield what a plan hands out."""
        async with self._stream:
            effect = run.resume()
            while effect is not None:
                if isinstance(effect, Emit):
                    yield effect.value
                    effect = run.resume()
                    continue
                try:
                    answer = await self._do(effect)
                except httpx2.TransportError as error:
                    effect = run.fail(error)
                else:
                    effect = run.resume(answer)

    async def _do(self, effect: Effect) -> Any:
        match effect:
            case Send():
                return await self._http.send(request(self._http, effect))
            case Sleep():
                return await asyncio.sleep(effect.seconds)
            case Next():
                return None if self._lines is None else await anext(self._lines, None)
            case Open():
                await self._stream.aclose()
                response = await self._http.send(request(self._http, effect.send), stream=True)
                self._stream.push_async_callback(response.aclose)
                if response.status_code != 200:
                    await response.aread()
                self._lines = response.aiter_lines()
                return response
        raise TypeError(effect)


def request(http: httpx2.Client | httpx2.AsyncClient, send: Send) -> httpx2.Request:
    """Return the request that an effect asks for."""
    http.cookies.clear()  # a session's cookie would ask for a CSRF token, too; the bearer token does without
    given: dict[str, Any] = {"params": {name: value for name, value in send.params.items() if value is not None}}
    if send.body is not None:
        given["content" if isinstance(send.body, bytes) else "json"] = send.body
    if send.timeout is not None:
        given["timeout"] = httpx2.Timeout(http.timeout.connect, read=send.timeout)
    return http.build_request(send.method, f"api/v1{send.path}", headers=dict(send.headers), **given)
