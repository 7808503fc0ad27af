"""What webhooks (Standard Webhooks) and event streams send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.api.description.plain import WHERE, Schema, boolean, camel, integer, listed, maybe, record, ref, text
from server.play.notices.notices import KINDS

_NUMBER, _WHEN = integer(12), text("2026-03-01T20:00:00Z", format="date-time")
_TABLE = text("m4n8b2v6c1x5z9q3")
_DATA: Mapping[str, Mapping[str, Schema]] = {
    "announcement": {"message": text("q8w2n5c7xr4tz6hd")},
    "battle_reported": {"hex": ref("Hex"), "status": text("reported")},
    "battle_settled": {"hex": ref("Hex"), "status": text("confirmed")},
    "campaign_started": {"link0": text("9f86d081884c7d65", "The first link of the dice.")},
    "deadline_changed": {
        "deadline": maybe(_WHEN),
        "downtime": boolean("The server was away; left out otherwise."),
        "tabletop": boolean("A tabletop battle needs the time; left out otherwise."),
        "why": text("Holiday weekend"),
    },
    "deadline_near": {"turn": integer(3), "phase": text("movement"), "number": _NUMBER, "deadline": _WHEN},
    "declaration": {"declaration": text("q8w2n5c7xr4tz6hd")},
    "gm_changed": {"gm": text("Ann")},
    "gm_declined": {"name": text("Ann")},
    "gm_offered": {"why": text("I move away.")},
    "finished": {"why": text("The season is over.")},
    "intervention": {"number": _NUMBER, "why": text("Wrong map")},
    "mail_bounced": {"name": text("Ann")},
    "message": {"message": text("q8w2n5c7xr4tz6hd")},
    "new_readings": {"version": integer(1), "why": text("The new rulebook is out.")},
    "orders_entered": {"number": _NUMBER, "receipt": text("eyJhbGciOiJFZERTQSJ9.eyJraW5kIjoib3JkZXJzIn0.c2lnbmF0dXJl")},
    "paused": {"why": text("The club is on holiday.")},
    "phase_opened": {"turn": integer(3), "phase": text("movement"), "number": _NUMBER, "deadline": maybe(_WHEN)},
    "resumed": {"why": text("We are back.")},
    "rolled_back": {"branch": integer(2), "number": _NUMBER, "why": text("Wrong map")},
    "seat_changed": {
        "seat": text("p2"),
        "you": text("plays", "What you are from now on: `plays`, `left` or `stands_in`; left out otherwise."),
        "why": text("They have moved away."),
    },
    "table_agreement": {
        "hex": ref("Hex"),
        "table": _TABLE,
        "about": text("date"),
        "status": text("agreed"),
        "number": integer(1),
    },
    "table_opened": {"hex": ref("Hex"), "table": _TABLE},
    "table_waits": {"number": _NUMBER, "deadline": _WHEN},
    "vote_closed": {"vote": integer(1), "about": text("draw"), "outcome": text("refused")},
    "vote_opened": {"vote": integer(1), "about": text("draw"), "player": text("p2"), "until": _WHEN},
}
"""The facts of a notification in addition to the campaign, by kind; kinds not listed have none."""
_STREAMED: Mapping[str, Mapping[str, Schema]] = {
    "finality": {"number": _NUMBER, "player": text("p2"), "final": boolean("The orders are final.")},
    "orders_changed": {"number": _NUMBER, "revision": integer(4, "Of your own orders.")},
}
"""What streams alone tell."""
STREAM_EVENT = "StreamEvent"
TOLD = (*KINDS, "test")
"""The notices that are posted: what people learn of, and the test."""
_HEADERS = {
    "webhook-id": "Stays the same with every try.",
    "webhook-timestamp": "Seconds since 1970.",
    "webhook-signature": "HMAC-SHA256 of id, timestamp and body with the webhook's key (Standard Webhooks).",
}


def schemas() -> dict[str, Schema]:
    """Return the notice of each kind."""
    about = {"campaign_id": text("k3v9x2m4qp7rw8ta"), "campaign": text("The Thirteen Towers")}
    found = {}
    for kind in TOLD:
        more = dict(_DATA.get(kind, {}))
        data = record(about | more, "Where to look; never what is there.", more)
        data["additionalProperties"] = True
        found[f"{camel(kind)}NoticeData"] = data
        fields = {
            "type": {"type": "string", "const": kind},
            "timestamp": _WHEN,
            "kind": {"type": "string", "const": kind, "description": "The same as `type`, as event streams have it."},
            "at": _WHEN | {"description": "The same as `timestamp`, as event streams have it."},
            "sequence": integer(41, "Counts what this webhook was to be told, from 1; 0 for a test."),
            "data": ref(f"{camel(kind)}NoticeData"),
        }
        found[f"{camel(kind)}Notice"] = record(fields, f"The notice `{kind}`.")
    return found | _streamed()


def _streamed() -> dict[str, Schema]:
    """Return what event streams send: ``kind``, ``at`` and ``data``, as in notices."""
    found: dict[str, Schema] = {}
    by_kind: dict[str, str] = {}
    for kind in ("state", *_STREAMED, *KINDS):
        name = by_kind[kind] = f"{camel(kind)}StreamEvent"
        data = ref(f"{camel(kind)}NoticeData")
        if kind in _STREAMED:
            data = record(_STREAMED[kind], "Where to look.")
            data["additionalProperties"] = True
        elif kind == "state":
            data = {"oneOf": [ref("CampaignInfo"), ref("AccountState"), ref("TableInfo")]}
        fields = {"kind": {"type": "string", "const": kind}, "at": _WHEN, "data": data}
        found[name] = record(fields, f"The event `{kind}` of a stream.") | {"additionalProperties": True}
    found["AccountState"] = record(
        {"account": ref("Account"), "campaigns": listed(ref("CampaignSummary"))}, "What `/me/stream` begins with."
    )
    found[STREAM_EVENT] = {
        "description": "What the `data` of a server-sent event holds; its `event` is the same as `kind`.",
        "oneOf": [ref(name) for name in by_kind.values()],
        "discriminator": {"propertyName": "kind", "mapping": {kind: WHERE + name for kind, name in by_kind.items()}},
    }
    return found


def webhooks() -> dict[str, Any]:
    """Return the ``webhooks`` of the description: one for each kind of notice."""
    return {kind: {"post": _posted(kind)} for kind in TOLD}


def _posted(kind: str) -> dict[str, Any]:
    return {
        "operationId": f"on_{kind}",
        "tags": ["webhooks"],
        "summary": f"The notice {kind}",
        "description": f"Posted to webhooks of the format `standard` that are told of `{kind}`.",
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": told, "schema": {"type": "string"}}
            for name, told in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref(f"{camel(kind)}Notice")}},
        },
        "responses": {
            "2XX": {"description": "You have it."},
            "410": {"description": "You want nothing more: the webhook is switched off."},
        },
    }
