"""Structured logs: one line of JSON an event, with the request's and the campaign's id, and no secrets.

Nothing here logs headers, bodies or query strings, and :func:`_without_secrets` is the second wall.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to standard error as it is when something is written."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """Where to write."""
        return sys.stderr


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
