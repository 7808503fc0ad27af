"""A second checker of dice, written from docs/dice.md alone: ``python tests/dice_checker.py RECORD``.

It shares no code with the server and knows no rules. It checks chain, links, commitments, seeds and all rolls of six
sides.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

OTHER_SIDES = (
    "placement", "casualty", "corruption", "start-urban", "start-resource", "discovery-find", "discovery-size",
)  # fmt: skip
Record = dict[str, Any]


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def keyed(key: bytes, message: str) -> bytes:
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


def links(secret: bytes) -> list[bytes]:
    """Return links 0 to 1000."""
    found = [sha256(secret)]
    for _ in range(1000):
        found.append(sha256(found[-1]))
    return found[::-1]


def seed_of(link: bytes, campaign: str, branch: int, turn: int, phase: str, salts: list[str]) -> bytes:
    parts = [campaign, str(branch), str(turn), phase] + [f"{len(salt)}:{salt}" for salt in salts]
    return keyed(link, "|".join(parts))


def seat_key(secret: bytes, seat: str) -> bytes:
    return keyed(secret, f"seat-key|{seat}")


def sub_seed(seed: bytes, seat: str, key: bytes) -> bytes:
    return keyed(seed, f"{seat}|{key.hex()}")


def face(seed: bytes, label: str, counter: int, sides: int) -> int:
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        again = f"|{attempt}" if attempt else ""
        number = int.from_bytes(keyed(seed, f"{label}|{counter}{again}")[:8], "big")
        if number < limit:
            return number % sides + 1
        attempt += 1


def owner(label: str, told: list[str]) -> str:
    last = label.split("/")[-1]
    return last if last in told else told[0]


class Checker:
    """Checks one record; ``problems`` says what is wrong."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.problems: list[str] = []
        self.rolls = 0
        self.secret = base64.b64decode(record["campaign"]["dice_secret"])
        self.chain = links(self.secret)
        self.seats = [seat["player_id"] for seat in sorted(record["seats"], key=lambda seat: seat["number"])]

    def run(self) -> list[str]:
        if [row["scheme"] for row in self.record["campaign_dice"]] != [2]:
            return ["this is no record of scheme 2"]
        self.same("link 0", self.record["campaign"]["link0"], self.chain[0].hex())
        first = self.first_links()
        for phase in self.record["phases"]:
            if phase["resolved_at"] is not None:
                self.phase(phase, self.chain[phase["turn"] + first[phase["branch"]]])
        return self.problems

    def first_links(self) -> dict[int, int]:
        """Return for each branch what is added to a turn to get its link."""
        added, used = {}, 0
        for branch in sorted({phase["branch"] for phase in self.record["phases"]}):
            mine = [phase for phase in self.record["phases"] if phase["branch"] == branch]
            added[branch] = 1 if branch == 1 else used + 1 - min(phase["turn"] for phase in mine)
            turns = [phase["turn"] for phase in mine if phase["resolved_at"] is not None]
            used = max([used, *(turn + added[branch] for turn in turns)])
        return added

    def phase(self, phase: Record, link: bytes) -> None:
        where = f"phase {phase['number']} of branch {phase['branch']}"
        self.same(f"{where}: link", phase["link"], link.hex())
        place = (phase["branch"], phase["number"])
        rows = {row["player_id"]: row for row in self.record["salts"] if (row["branch"], row["phase_number"]) == place}
        salts = [rows[seat]["salt"] if seat in rows else "" for seat in self.seats]
        self.same(f"{where}: salts", phase["salts"], salts)
        for seat, row in rows.items():
            if row["salt"]:
                self.same(f"{where}: commitment of {seat}", row["commitment"], sha256(row["salt"].encode()).hex())
        seed = seed_of(link, self.record["campaign"]["id"], phase["branch"], phase["turn"], phase["phase"], salts)
        self.same(f"{where}: seed", phase["seed"], seed.hex())
        self.check_rolls(where, place, seed)

    def check_rolls(self, where: str, place: tuple[int, int], seed: bytes) -> None:
        events = [
            row
            for row in self.record["events"]
            if row["type"] == "dice" and (row["branch"], row["phase_number"]) == place
        ]
        before: Counter[str] = Counter()
        for event in sorted(events, key=lambda row: int(row["seq"])):
            label, shown = event["fields"]["label"], event["fields"]["faces"]
            start = before[label]
            before[label] += len(shown)
            if label.split("/")[0] in OTHER_SIDES:
                continue
            own = seed
            if not event["public"]:
                seat = owner(label, event["told"])
                own = sub_seed(seed, seat, seat_key(self.secret, seat))
            self.same(f"{where}: {label}", shown, [face(own, label, start + place, 6) for place in range(len(shown))])
            self.rolls += len(shown)

    def same(self, what: str, given: object, right: object) -> None:
        if given != right:
            self.problems.append(f"{what} is {given}, not {right}")


if __name__ == "__main__":
    checker = Checker(json.loads(zlib.decompress(Path(sys.argv[1]).read_bytes())))
    print("\n".join(checker.run()) or f"All is right: {checker.rolls} faces.")
    sys.exit(bool(checker.problems))
