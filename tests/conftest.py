"""What all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline: a slow machine is not a fault, and timings belong to `make bench`.
settings.register_profile("sealed-orders", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sealed-orders")
