"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

# No deadline: a slow machine is not a fault, and timings belong to `make bench`.
settings.register_profile("sealed-orders", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sealed-orders")


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """What a command set up for its logs is not the next test's."""
    yield
    structlog.reset_defaults()
