"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests import dice, order, passwords

# No deadline: a slow machine is not a fault, and timings belong to `make bench`. The same examples in every run: what
# is looked for by luck is looked for with SEALED_ORDERS_LONG=1.
settings.register_profile(
    "sealed-orders",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("SEALED_ORDERS_LONG") != "1",
)
settings.load_profile("sealed-orders")

os.environ.setdefault("SEALED_ORDERS_SEAL_HOURS", "0")  # what happens after the end is looked at right away
passwords.make_cheap()
dice.fix()

# A shell that runs something in the background has it ignore Ctrl-C, and all that it starts: tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()  # until everything is imported and collected: nothing of that is garbage


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a line past what pytest keeps back, so that no log lies around it."""

    def told(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    return told


DEEP = os.environ.get("SEALED_ORDERS_LONG") == "1"
"""Whether tests marked ``deep``, which take minutes, run: ``make deep`` asks for them."""
REAL_TIME = ("tests/web/browser/", "tests/e2e/", "tests/test_demo.py")
"""Where browsers, mail servers and processes of their own share the machine's cores with all other tests."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long, where several workers share the tests; those in real time have a second try.

    The summary names each test that needed it, so that somebody looks why.
    """
    deep = [item for item in items if item.get_closest_marker("deep") and not DEEP]
    config.hook.pytest_deselected(items=deep)
    items[:] = [item for item in items if item not in deep]
    for item in items:
        if item.nodeid.startswith(REAL_TIME):
            item.add_marker(pytest.mark.flaky(reruns=1))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = order.ordered(items, lambda item: item.nodeid, workers)


def pytest_collection_finish() -> None:
    """Have the garbage collector never look at what all tests share: there is much of it, and it stays."""
    gc.enable()
    gc.collect()
    gc.freeze()


_PLAIN = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """What a command set up for its logs is not the next test's; tracebacks are short, where nothing is set up."""
    structlog.reset_defaults()
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], _PLAIN])
    yield
    structlog.reset_defaults()
