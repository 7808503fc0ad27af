"""Comparing receipts with a record: whether what the server accepted is what was played."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from server.core import dice_scheme_1
from server.play.archive.record_files import Json
from server.play.dice import receipts


@dataclass(frozen=True, slots=True)
class ReceiptReport:
    """What came of comparing receipts with a record."""

    checked: int
    """Receipts of this campaign that the record agrees with."""
    others: int
    """Receipts of other campaigns, or for phases that were not resolved."""
    problems: tuple[str, ...]
    """What differs, a sentence each."""
    keys: tuple[str, ...]
    """Names of the keys that signed them, as the receipts say."""
    replaced: int = 0
    """Receipts of earlier versions, which name none before them, for orders that were replaced since."""

    @property
    def ok(self) -> bool:
        """True when nothing differs."""
        return not self.problems


def compare(record: Json, given: Iterable[str], key: bytes | None = None) -> ReceiptReport:
    """Compare receipts with a record that was verified; with a *key* every signature is checked."""
    comparison = _Comparison(record)
    waiting: list[tuple[Any, ...]] = []  # replaced, as the record says
    checked, others, problems, names, agreed = 0, 0, [], set(), set[tuple[Any, ...]]()
    for receipt in given:
        try:
            told = receipts.read(receipt, key)
            names.add(str(told["kid"]))
            found = comparison.problem(told)
        except (ValueError, KeyError, TypeError) as error:
            problems.append(f"A receipt cannot be used: {error}.")
            continue
        if found is None:
            others += 1
        elif found == REPLACED:
            waiting.append(_set_of(told))
        elif found:
            problems.append(found)
        else:
            checked += 1
            agreed.add(_set_of(told))
    proven = sum(order_set in agreed for order_set in waiting)
    checked, replaced = checked + proven, len(waiting) - proven
    return ReceiptReport(checked, others, tuple(problems), tuple(sorted(names)), replaced)


REPLACED = "replaced"


def _set_of(told: Json) -> tuple[Any, ...]:
    return told["kind"], told["branch"], told["number"], told["seat"]


class _Comparison:
    def __init__(self, record: Json) -> None:
        self.campaign = record["campaign"]["id"]
        self.over = record["campaign"]["finished_at"] is not None
        self.scheme = next((row["scheme"] for row in record["campaign_dice"]), dice_scheme_1.SCHEME)
        self.opened = {(phase["branch"], phase["number"]) for phase in record["phases"]}
        self.phases = {
            (phase["branch"], phase["number"]): phase for phase in record["phases"] if phase["resolved_at"] is not None
        }
        self.sets = {
            (order_set["branch"], order_set["phase_number"], order_set["player_id"]): order_set
            for order_set in record["order_sets"]
        }
        self.salts: dict[str, list[Json]] = {}
        for salt in record["salts"]:
            self.salts.setdefault(salt["player_id"], []).append(salt)

    def problem(self, told: Json) -> str | None:
        """Return what differs, ``""`` for nothing, :data:`REPLACED`; None where the record cannot say."""
        place = (told["branch"], told["number"])
        if told["campaign"] != self.campaign:
            return None
        where = f"phase {told['number']} of branch {told['branch']}, {told['seat']}"
        if told.get("scheme", self.scheme) != self.scheme or (
            told["kind"] == receipts.SALTS and told["commitment"] and self.scheme == dice_scheme_1.SCHEME
        ):
            return f"{where}: the dice were not of scheme {self.scheme}, as the record says."
        if place not in self.opened and self.over:
            return f"{where}: the phase is missing in the record."
        if place not in self.phases and told["number"] != 0:
            return None
        what = self._orders(told) if told["kind"] == receipts.ORDERS else self._salts(told)
        return f"{where}: {what}" if what not in ("", REPLACED) else what

    def _orders(self, told: Json) -> str:
        row = self.sets.get((told["branch"], told["number"], told["seat"]))
        if row is None:
            return "the server accepted orders that the record does not have."
        if row["revision"] < told["revision"]:
            return f"the server accepted revision {told['revision']}, the record has {row['revision']}."
        if row["revision"] > told["revision"]:
            return self._replaced(row, told) if "before" in told else REPLACED
        if "before" in told and told["before"] != _chain(row)[-receipts.SIZE :].hex():
            return "the receipts that the record names are not those of what the server accepted."
        if receipts.digest(row["orders"]) != told["orders"] or row["final"] != told["final"]:
            return "the orders are not those that the server accepted."
        return ""

    def _replaced(self, row: Json, told: Json) -> str:
        """Say whether the receipt is in the chain that the row keeps."""
        chain = _chain(row)
        kept = receipts.named_in(chain, row["revision"], told["revision"])
        if kept is None:
            full = len(chain) == receipts.SIZE * receipts.MOST
            return REPLACED if full else "the orders were replaced, and the record lacks the receipts since."
        own = {name: value for name, value in told.items() if name != "kid"}
        if kept != hashlib.sha256(receipts.written(own)).hexdigest():
            return "the receipts that the record names are not those of what the server accepted."
        return ""

    def _salts(self, told: Json) -> str:
        rows = self.salts.get(told["seat"], [])
        if told["commitment"] and all(row["commitment"] != told["commitment"] for row in rows):
            return "the server accepted a commitment that the record does not have."
        used = [row for row in rows if (row["branch"], row["phase_number"]) == (told["branch"], told["number"])]
        digests = [hashlib.sha256(str(row["salt"]).encode()).hexdigest() for row in used]
        if told["salt"] and told["salt"] not in digests:
            return "the server accepted a salt that did not go into the dice."
        return ""


def _chain(row: Json) -> bytes:
    return base64.b64decode(row.get("receipts") or "", validate=True)
