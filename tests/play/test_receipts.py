"""Receipts: signed by the server, kept by whoever sent, compared with the record.

Seen to fail with the signature left unchecked, and with orders that are not compared.
"""

from __future__ import annotations

import base64
import copy
import hashlib
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import select, update

from server.play.archive.receipt_checks import compare
from server.play.archive.record_files import export, read, row_from_json, table_of
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.dice import receipts, salts
from server.play.errors import PlayError
from server.play.orders import orders
from server.store.tables import OrderSet
from tests.play.campaigns import Club, club


def key_of(ctx: AppContext) -> bytes:
    return receipts.public_key(receipts.keys(ctx)[0]["x"])


def own_orders(made: Club, seat: str, *, final: bool = False) -> str:
    actor = made.players[seat]
    now = orders.read(made.ctx, actor, made.id)
    done = orders.replace(made.ctx, actor, made.id, list(now.orders), final=final)
    assert done.orders.receipt is not None
    return done.orders.receipt


def test_every_write_is_signed(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    handed_in = own_orders(made, "p1")
    final = orders.declare_final(ctx, ada, made.id).receipt
    back = orders.take_back(ctx, ada, made.id).receipt
    patched = orders.patch(ctx, ada, made.id, []).orders.receipt
    salted = salts.give(ctx, ada, made.id, commitment=hashlib.sha256(b"x").hexdigest()).receipt
    assert orders.read(ctx, ada, made.id).receipt is None
    told = [receipts.read(str(each), key_of(ctx)) for each in (handed_in, final, back, patched, salted)]
    assert [event["kind"] for event in told] == ["orders"] * 4 + ["salts"]
    assert [event.get("final") for event in told] == [False, True, False, False, None]
    assert [event["revision"] for event in told[:4]] == [1, 2, 3, 4]
    assert all((event["campaign"], event["seat"], event["number"]) == (made.id, "p1", 1) for event in told)


def test_a_receipt_is_an_ordinary_signature(ctx: AppContext) -> None:
    """Anybody can check it with any library: a compact JSON Web Signature with Ed25519."""
    receipt = own_orders(club(ctx), "p1")
    head, payload, signature = receipt.split(".")
    raw = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (head, payload, signature)]
    x = receipts.keys(ctx)[0]["x"]
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "="))
    public.verify(raw[2], f"{head}.{payload}".encode())
    assert orjson.loads(raw[0])["alg"] == "EdDSA"
    assert orjson.loads(raw[0])["kid"] == receipts.keys(ctx)[0]["kid"]


def test_the_key_is_the_same_tomorrow_and_in_another_process(ctx: AppContext) -> None:
    first = key_of(ctx)
    ctx.caches.receipt_keys.clear()
    assert key_of(ctx) == first


def test_a_changed_receipt_is_noticed(ctx: AppContext) -> None:
    receipt = own_orders(club(ctx), "p1")
    head, payload, signature = receipt.split(".")
    other = orjson.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))) | {"revision": 9}
    forged = base64.urlsafe_b64encode(orjson.dumps(other)).rstrip(b"=").decode()
    with pytest.raises(ValueError, match="not signed"):
        receipts.read(f"{head}.{forged}.{signature}", key_of(ctx))
    for no_key in ("", "x", "ä" * 43):
        with pytest.raises(PlayError, match="no public key"):
            receipts.public_key(no_key)


def test_receipts_are_found_in_any_text(ctx: AppContext) -> None:
    receipt = own_orders(club(ctx), "p1")
    assert receipts.found_in(f"Dear Ada,\n> {receipt}\nYours. {receipt}") == [receipt]
    assert receipts.found_in("1.2.3 and a.b.c") == []


# --- with the record ---


def played(ctx: AppContext) -> tuple[dict[str, Any], list[str], bytes]:
    made = club(ctx, phases=1)
    salt = "kept by Ada"
    given = [own_orders(made, "p1")]
    commitment = hashlib.sha256(salt.encode()).hexdigest()
    given.append(str(salts.give(ctx, made.players["p1"], made.id, commitment=commitment).receipt))
    made.play_phase()
    given.append(str(salts.give(ctx, made.players["p1"], made.id, salt=salt).receipt))
    given.append(own_orders(made, "p1"))
    for seat in ("p2", "p3", "p4", "p1"):
        given.append(own_orders(made, seat, final=True))
    campaigns.finish(ctx, made.gm, made.id)
    return read(export(ctx, made.gm, made.id)), given, key_of(ctx)


def test_receipts_agree_with_the_record(ctx: AppContext) -> None:
    record, given, key = played(ctx)
    report = compare(record, given, key)
    assert report.ok, report.problems
    assert (report.checked, report.replaced) == (len(given) - report.others, 0)
    assert report.checked >= 7
    assert compare(record, given).ok


def test_what_the_server_dropped_is_named(ctx: AppContext) -> None:
    record, given, key = played(ctx)

    def row(changed: dict[str, Any]) -> dict[str, Any]:
        mine = (set_ for set_ in changed["order_sets"] if set_["player_id"] == "p1" and set_["phase_number"] == 3)
        return next(mine)

    for change in ({"revision": 0, "orders": []}, {"orders": [{"type": "guard"}]}, {"final": False}):
        changed = copy.deepcopy(record)
        row(changed).update(change)
        problems = compare(changed, given, key).problems
        assert problems, change
        assert "phase 3 of branch 1, p1" in problems[0]
    changed = copy.deepcopy(record)
    changed["order_sets"] = [set_ for set_ in changed["order_sets"] if set_["player_id"] != "p1"]
    assert any("does not have" in problem for problem in compare(changed, given, key).problems)
    changed = copy.deepcopy(record)
    for salt in changed["salts"]:
        if salt["salt"] == "kept by Ada":
            salt["salt"] = ""
    assert any("did not go into the dice" in problem for problem in compare(changed, given, key).problems)
    changed["salts"] = []
    assert any("a commitment that" in problem for problem in compare(changed, given, key).problems)


def test_a_receipt_names_the_one_before_it_and_the_scheme(ctx: AppContext) -> None:
    made = club(ctx)
    given = [own_orders(made, "p1") for _ in range(3)] + [
        str(orders.declare_final(ctx, made.players["p1"], made.id).receipt)
    ]
    told = [receipts.read(each) for each in given]
    middles = [each.split(".")[1] for each in given]
    hashes = [hashlib.sha256(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))).hexdigest() for part in middles]
    assert [each["before"] for each in told] == ["", *hashes[:-1]]
    assert {each["scheme"] for each in told} == {2}
    assert orders.declare_final(ctx, made.players["p1"], made.id).receipt == given[-1]  # the same has the same


def replaced(ctx: AppContext) -> tuple[dict[str, Any], str, bytes]:
    """Return a record with orders that were replaced, and the receipt for those that were."""
    made = club(ctx, phases=1)
    given = own_orders(made, "p1")
    made.play_phase()
    campaigns.finish(ctx, made.gm, made.id)
    return read(export(ctx, made.gm, made.id)), given, key_of(ctx)


def row_of(record: dict[str, Any], given: str) -> dict[str, Any]:
    told = receipts.read(given)
    return next(
        row for row in record["order_sets"] if (row["player_id"], row["phase_number"]) == (told["seat"], told["number"])
    )


def test_orders_that_were_replaced_are_proven_by_the_chain(ctx: AppContext) -> None:
    """Seen to be accepted without the chain, and with the chain of other orders."""
    record, given, key = replaced(ctx)
    assert row_of(record, given)["revision"] > 1
    report = compare(record, [given], key)
    assert (report.ok, report.checked, report.replaced) == (True, 1, 0)
    for forged in (None, "", base64.b64encode(bytes(32)).decode()):
        changed = copy.deepcopy(record)
        row_of(changed, given)["receipts"] = forged
        assert not compare(changed, [given], key).ok, forged
    changed = copy.deepcopy(record)
    row_of(changed, given)["revision"] += 1  # another set, with the chain of before
    assert not compare(changed, [given], key).ok


def test_a_forged_set_does_not_fit_the_last_receipt_of_another(ctx: AppContext) -> None:
    record, given, key = played(ctx)
    last = [each for each in given if receipts.read(each).get("final")][-1]
    row_of(record, last)["receipts"] = base64.b64encode(bytes(64)).decode()
    assert any("are not those" in problem for problem in compare(record, [last], key).problems)


def test_receipts_of_earlier_versions_are_said_not_to_be_proven(ctx: AppContext) -> None:
    record, given, _ = replaced(ctx)
    told = {name: value for name, value in receipts.read(given).items() if name not in ("before", "scheme", "kid")}
    old = receipts.sign(ctx, told)
    row_of(record, given)["receipts"] = None
    report = compare(record, [old])
    assert (report.ok, report.checked, report.replaced) == (True, 0, 1)


def test_records_of_before_have_no_chain_and_come_in(ctx: AppContext) -> None:
    record, _, _ = replaced(ctx)
    table = table_of(OrderSet)
    row = record["order_sets"][0]
    del row["receipts"]
    assert row_from_json(table, row, "c")["receipts"] is None


def test_a_set_keeps_a_thousand_hashes_at_most(ctx: AppContext) -> None:
    made = club(ctx)
    orders.replace(ctx, made.players["p1"], made.id, [])
    with ctx.database.write() as session:
        full = bytes(receipts.SIZE * receipts.MOST)
        session.execute(update(OrderSet).where(OrderSet.player_id == "p1").values(receipts=full, revision=5000))
    first = own_orders(made, "p1")
    with ctx.database.read() as session:
        kept = session.scalars(select(OrderSet.receipts).where(OrderSet.player_id == "p1")).one()
    assert kept is not None
    assert len(kept) == receipts.SIZE * receipts.MOST
    assert receipts.read(first)["before"] == kept[-32:].hex()


def test_other_campaigns_receipts_say_nothing(ctx: AppContext) -> None:
    record, given, key = played(ctx)
    record["campaign"]["id"] = "another"
    report = compare(record, [*given, "ey.no.receipt"], key)
    assert (report.checked, report.others, len(report.problems)) == (0, len(given), 1)
