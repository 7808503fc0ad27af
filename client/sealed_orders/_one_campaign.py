"""One campaign of a client's: what its operations share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sealed_orders._account import ClientConfig
from sealed_orders._following import Follower
from sealed_orders._plans import Plan, RetryPolicy, Send, pages, request_and_read
from sealed_orders._reading import Read, as_it_is, nothing, one
from sealed_orders.records import (
    CampaignInfo,
    Json,
    OrderSet,
)


class OneCampaign:
    """Base of the operations on one campaign."""

    id: str
    seat: str | None
    _config: ClientConfig

    def _path(self, below: str) -> str:
        return f"/campaigns/{self.id}{below}"

    def _seat(self) -> Json:
        return {} if self.seat is None else {"seat": self.seat}

    def _campaign(self) -> Plan[CampaignInfo]:
        return self._get("", one(CampaignInfo))

    def _orders(self) -> Plan[OrderSet]:
        return self._get("/orders", one(OrderSet), self._seat())

    def _follower(self, last_id: str = "") -> Follower:
        def load() -> Plan[Json]:
            return request_and_read(Send("GET", self._path("")), as_it_is, RetryPolicy(0.0))

        return Follower(self._path("/stream"), load, self._config.patience, self._config.poll, last_id)

    def _get(self, below: str, read: Read[Any], params: Mapping[str, Any] | None = None) -> Plan[Any]:
        return request_and_read(Send("GET", self._path(below), params or {}), read, self._config.patience)

    def _pages(
        self, below: str, read: Read[tuple[Any, ...]], maximum: int | None, params: Mapping[str, Any] | None = None
    ) -> Plan[tuple[Any, ...]]:
        return pages(Send("GET", self._path(below), params or {}), read, self._config.patience, maximum)

    def _write(self, method: str, below: str, read: Read[Any] = nothing, body: Any = None) -> Plan[Any]:
        return request_and_read(Send(method, self._path(below), self._seat(), body), read, self._config.patience)
