"""Structured logs: one line of JSON an event, with the request's and the campaign's id, and no secrets.

Nothing here logs headers, bodies or query strings, and :func:`_without_secrets` is the second wall.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, TextIO


@contextmanager
def _without(library: str) -> Iterator[None]:
    """Have what is imported meanwhile find no such library, unless it has been imported already."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[library]


with _without("rich"):  # structlog would have it paint exceptions; ours are plain, and it takes 4 MB
    import structlog
    from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

SECRET_WORDS = (
    "password",
    "secret",
    "token",
    "authorization",
    "cookie",
    "salt",
    "orders",
    "body",
    "invite",
    "code",
    "link",
)
"""Fields whose names hold one of these never show what they hold."""
HIDDEN = "(hidden)"
QUIET = 60.0
"""Seconds in which a warning or an error is not written again."""


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to standard error as it is when something is written."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """Where to write."""
        return sys.stderr


class Repeats(logging.Filter):
    """Writes a warning or an error once in :data:`QUIET` seconds; the next line after that says how often it came.

    They are the same where logger, level, words, reason and exception are, whatever request or campaign they are about.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._left_out: dict[tuple[str, int, str, str, str], tuple[float, int]] = {}
        """By the repeated entry: the time until which it is left out, and how often it was."""
        self._lock = threading.RLock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is written."""
        with self._lock:
            self._summarise()
            return record.levelno < logging.WARNING or self._is_first(record)

    def _is_first(self, record: logging.LogRecord) -> bool:
        fields = record.msg if isinstance(record.msg, dict) else {"event": record.getMessage()}
        words, why, exception = (str(fields.get(name, "")) for name in ("event", "why", "exception"))
        key = (record.name, record.levelno, words, why, exception)
        until, count = self._left_out.get(key, (self._clock() + QUIET, -1))
        self._left_out[key] = until, count + 1
        return count < 0

    def _summarise(self) -> None:
        now = self._clock()
        # the oldest stand first, so a line looks at none but those that are over
        over = [(key, count) for key, (_, count) in takewhile(lambda item: item[1][0] <= now, self._left_out.items())]
        for key, _ in over:
            del self._left_out[key]
        for (name, level, words, why, _), count in over:
            if count:
                text = f"{words} ({why})" if why else words
                logging.getLogger(name).log(level, "%s: %d times more in %.0f seconds", text, count, QUIET)


def configure(level: str, form: str) -> None:
    """Set up logging of this process, the libraries' included."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _without_secrets,
    ]
    last: Processor = structlog.processors.JSONRenderer() if form == "json" else _text()
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = _Stderr()
    handler.addFilter(Repeats())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"  # our own line for each request says more
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _text() -> Processor:
    """Lines for people; plain unless they go to a terminal, where colours are welcome."""
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty() and not os.environ.get("NO_COLOR"))


def logger(name: str) -> FilteringBoundLogger:
    """Return a logger."""
    found: FilteringBoundLogger = structlog.get_logger(name)
    return found


def _without_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for name in event:
        if name not in ("event", "code") and any(word in name.lower() for word in SECRET_WORDS):
            event[name] = HIDDEN
    return event


def about(**fields: Any) -> None:
    """Add fields to every line this request logs from now on."""
    structlog.contextvars.bind_contextvars(**fields)
