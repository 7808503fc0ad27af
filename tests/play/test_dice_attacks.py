"""Attacks on the dice that worked once: each of these tests failed before there was scheme 2.

What the attackers know is what the server tells everybody: link 0, and links, seeds and salts of turns that are over.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import select

from server.core.dice import face, seat_seed
from server.play.archive.record_files import export, read
from server.play.archive.verification import verify_record
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.dice import salts
from server.play.errors import PlayError
from server.play.game_masters import game_master, rollback
from server.play.orders import orders
from server.play.resolution.resolution_input import Asked, gather
from server.play.views import history
from server.store.tables import LiveEvent, Outbox, Salt
from tests.play.campaigns import Club, club
from tests.play.conftest import person

Rolls = list[tuple[int, str, int, int]]
"""Phase, label, how often the label was rolled before, face."""


def rolls(made: Club, numbers: set[int], *, public: bool) -> Rolls:
    """Return what was rolled in some phases, as a game master who does not play sees it."""
    found: Rolls = []
    for info, events in history.read_phases(made.ctx, made.gm, made.id, types=("dice",)).phases:
        before: Counter[str] = Counter()
        for event in events:
            label = str(event.fields["label"])
            for rolled in event.fields["faces"]:
                if info.number in numbers and event.public is public:
                    found.append((info.number, label, before[label], rolled))
                before[label] += 1
    return found


def test_the_dice_of_the_start_are_not_known_before_it(ctx: AppContext) -> None:
    """Link 0 was the link of the start: one could make 400 campaigns and keep the best."""
    made = club(ctx)
    public = bytes.fromhex(made.info.link0)
    rolled = rolls(made, {0}, public=False)
    assert len(rolled) >= 8
    for message in (f"{made.id}|0|start", f"{made.id}|1|0|start|0:|0:|0:|0:"):
        seed = hmac.digest(public, message.encode(), "sha256")
        for kind in ("start-urban", "start-resource"):
            mine = [each for each in rolled if each[1].startswith(kind)]
            assert len(mine) >= 4
            for sides in range(2, 7):  # whatever the ruleset has
                assert [face(seed, label, count, sides) for _, label, count, _ in mine] != [each[-1] for each in mine]
    begun = history.phases(ctx, made.gm, made.id)[0]
    assert (begun.link, begun.seed, begun.salts) == (None, None, None)


def test_the_salts_of_joining_enter_the_start(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    own = salts.give(ctx, made.players["p2"], made.id, salt="of my own")
    assert own.now is not None
    assert own.now.commitment == hashlib.sha256(b"of my own").hexdigest()
    from server.play.campaigns import campaign_start

    campaign_start.start(ctx, made.gm, made.id)
    campaigns.finish(ctx, made.gm, made.id)
    begun = history.phases(ctx, made.gm, made.id)[0]
    assert begun.salts is not None
    assert begun.salts[1] == "of my own"
    assert all(begun.salts)
    assert begun.link != made.info.link0


def test_no_roll_uses_a_published_link(ctx: AppContext) -> None:
    """On the first branch turn t uses link t+1; a rollback goes on with the first that was never used."""
    made = club(ctx, phases=5)
    rollback.roll_back(ctx, made.gm, made.id, 2, "A wrong map.")
    made.play_phase()
    campaigns.finish(ctx, made.gm, made.id)
    used: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}
    for branch in used:
        for phase in history.phases(ctx, made.gm, made.id, branch=branch):
            if phase.link is not None:
                used[phase.branch].add((phase.turn, steps(made, phase.link)))
    assert all(number == turn + 1 for turn, number in used[1])
    assert {number for _, number in used[2]} == {max(number for _, number in used[1]) + 1}


def steps(made: Club, link: str) -> int:
    """Return which link of the chain it is: how often it is hashed until link 0 comes out."""
    now, number = bytes.fromhex(link), 0
    while now.hex() != made.info.link0:
        now, number = hashlib.sha256(now).digest(), number + 1
        assert number < 1000
    return number


@pytest.fixture
def played(ctx: AppContext) -> Club:
    """A campaign with hidden rolls in turns that are over."""
    return club(ctx, phases=10)


def published(made: Club, seat: str) -> dict[int, history.PhaseInfo]:
    """Return the phases whose dice a player may check."""
    return {phase.number: phase for phase in history.phases(made.ctx, made.players[seat], made.id) if phase.seed}


def test_hidden_rolls_do_not_follow_from_published_seeds(played: Club) -> None:
    """What rivals found, and whether their wounded recovered, could be computed from a past turn's seed."""
    told = published(played, "p1")
    hidden, public = (rolls(played, {*told}, public=kind) for kind in (False, True))
    assert len(hidden) >= 10
    assert public

    def computed(rolled: Rolls, sides: int = 6) -> list[int]:
        return [face(bytes.fromhex(str(told[number].seed)), label, count, sides) for number, label, count, _ in rolled]

    assert computed(public) == [each[-1] for each in public]
    six = [
        each for each in hidden if each[1].partition("/")[0] in ("discovery", "discovery-cache", "recovery", "wounds")
    ]
    assert six
    right = sum(one == each[-1] for one, each in zip(computed(six), six, strict=True))
    assert right < len(six), "every hidden roll follows from what is public"


def test_owners_check_their_own(played: Club) -> None:
    """With the key of one's seat, which nobody else gets before the end."""
    told = published(played, "p1")
    checked = 0
    for seat, actor in played.players.items():
        key = bytes.fromhex(str(salts.read(played.ctx, actor, played.id).seat_key))
        for info, events in history.read_phases(played.ctx, actor, played.id, types=("dice",)).phases:
            for event in events:
                label = str(event.fields["label"])
                if info.number not in told or event.public or label.partition("/")[0] != "discovery":
                    continue
                seed = seat_seed(bytes.fromhex(str(told[info.number].seed)), seat, key)
                assert event.fields["faces"] == [face(seed, label, 0)]
                checked += 1
    assert checked


def test_nobody_reads_the_key_of_another(played: Club) -> None:
    own = salts.read(played.ctx, played.players["p1"], played.id).seat_key
    other = salts.read(played.ctx, played.players["p2"], played.id).seat_key
    assert own != other
    for outsider in (played.gm, person(played.ctx, "Zoe")):
        with pytest.raises(PlayError):
            salts.read(played.ctx, outsider, played.id)


# --- salts ---


def seed_now(made: Club) -> bytes:
    """Return the seed that the open phase would have, which only the server can know."""
    with made.ctx.database.read() as session:
        (found,) = gather(made.ctx, session, [made.id], made.ctx.now(), Asked(made.gm.user_id))
        return found.given.dice.seed


def test_what_is_sent_in_a_phase_does_not_change_its_dice(ctx: AppContext) -> None:
    """Whoever sent a salt last could choose among as many dice as they had salts."""
    made = club(ctx, phases=2)
    seeds = {seed_now(made)}
    for salt in ("one", "two", "three", ""):
        made.order("p1", final=False, salt=salt)
        seeds.add(seed_now(made))
    assert len(seeds) == 1
    made.play_phase()
    words = [row.salt for row in rows_of(made, "p1")]
    assert sum("three" in word for word in words) == 1, "the words are in the salt of the next phase"
    assert not any(word in ("one", "two", "three") for word in words), "and not alone"


def rows_of(made: Club, seat: str) -> list[Salt]:
    with made.ctx.database.read() as session:
        mine = select(Salt).where(Salt.campaign_id == made.id, Salt.player_id == seat)
        return list(session.scalars(mine.order_by(Salt.serial)))


def own_salt(number: int) -> str:
    return f"a key of my own {number}"


def sealed(number: int) -> str:
    return hashlib.sha256(own_salt(number).encode()).hexdigest()


def test_a_player_keeps_salts_of_their_own(ctx: AppContext) -> None:
    """Committed one phase ahead; what is not sent in time is left out, and the server has no other."""
    made = club(ctx, phases=1)
    ada = made.players["p1"]
    first = salts.give(ctx, ada, made.id, commitment=sealed(1))
    assert (first.kept_by, first.next and first.next.kept_by) == ("player", "player")
    with pytest.raises(PlayError, match="salt_mismatch"):
        salts.give(ctx, ada, made.id, salt=own_salt(1))  # this phase's is the server's
    with pytest.raises(PlayError, match="commitment_made"):
        salts.give(ctx, ada, made.id, commitment=sealed(7))
    assert salts.give(ctx, ada, made.id, commitment=sealed(1)) == first
    made.play_phase()
    number = made.info.phase_number
    shown = history.phases(ctx, made.players["p2"], made.id)[-1]
    assert shown.commitments is not None
    assert shown.commitments[0] == sealed(1)
    assert all(shown.commitments)
    with pytest.raises(PlayError, match="salt_mismatch"):
        salts.give(ctx, ada, made.id, salt=own_salt(2))
    now = salts.give(ctx, ada, made.id, salt=own_salt(1), commitment=sealed(2)).now
    assert now is not None
    assert now.given
    made.play_phase()  # here nothing is sent
    made.play_phase()  # and for this nothing was committed
    made.play_phase()
    campaigns.finish(ctx, made.gm, made.id)
    told = {phase.number: phase.salts for phase in history.phases(ctx, made.gm, made.id)}
    mine = [(told[at] or ("",))[0] for at in range(number, number + 3)]
    assert mine == [own_salt(1), "", ""]
    assert all((told[number + 1] or ("", ""))[1:])
    report = verify_record(read(export(ctx, made.gm, made.id)))
    assert report.ok, report.first


def test_a_salt_may_come_with_the_orders(ctx: AppContext) -> None:
    made = club(ctx, phases=1)
    salts.give(ctx, made.players["p1"], made.id, commitment=sealed(1))
    made.play_phase()
    with pytest.raises(PlayError, match="salt_mismatch"):
        made.order("p1", final=False, salt="chosen late")
    made.order("p1", final=False, salt=own_salt(1))
    now = salts.read(ctx, made.players["p1"], made.id).now
    assert now is not None
    assert now.given


def test_the_server_may_keep_them_again(ctx: AppContext) -> None:
    made = club(ctx, phases=1)
    ada = made.players["p1"]
    salts.give(ctx, ada, made.id, commitment=sealed(1))
    back = salts.give(ctx, ada, made.id, kept_by="server")
    assert (back.kept_by, back.next and back.next.commitment) == ("server", sealed(1))
    made.play_phase()
    made.play_phase()
    made.play_phase()
    campaigns.finish(ctx, made.gm, made.id)
    told = [(phase.salts or ("?",))[0] for phase in history.phases(ctx, made.gm, made.id)]
    assert told[3] == "", "the one committed was never sent"
    assert all((*told[:3], *told[4:-1]))
    assert verify_record(read(export(ctx, made.gm, made.id))).ok


def test_a_rollback_keeps_what_was_committed(ctx: AppContext) -> None:
    """Nobody may choose salts anew for a phase that is played once more."""
    made = club(ctx, phases=3)
    salts.give(ctx, made.players["p1"], made.id, commitment=sealed(1))
    before = [row.commitment for row in rows_of(made, "p2") if row.phase_number is None]
    rollback.roll_back(ctx, made.gm, made.id, 2, "Once more.")
    again = history.phases(ctx, made.gm, made.id)[-1]
    assert again.commitments is not None
    assert (again.branch, again.commitments[0], again.commitments[1]) == (2, sealed(1), before[0])


def test_nobody_is_shown_a_salt_before_its_phase_is_over(ctx: AppContext) -> None:
    """Neither a game master who sees orders, nor streams, mails and webhooks."""
    made = club(ctx, options={"gm_sees_orders": True}, phases=1)
    salts.give(ctx, made.players["p1"], made.id, commitment=sealed(1))
    made.play_phase()
    made.order("p1", final=False, salt=own_salt(1))
    made.order("p2", final=False, salt="pepper")
    over = published(made, "p1")
    rows = [row for seat in made.players for row in rows_of(made, seat) if row.phase_number not in over]
    secret = {row.salt for row in rows if row.salt}
    assert len(secret) > 8
    seen: list[Any] = [asdict(set_) for set_ in game_master.order_sets(ctx, made.gm, made.id)]
    seen += [asdict(phase) for phase in history.phases(ctx, made.gm, made.id)]
    seen += [asdict(orders.read(ctx, actor, made.id)) for actor in made.players.values()]
    seen += [asdict(salts.read(ctx, actor, made.id)) for actor in made.players.values()]
    seen.append(asdict(game_master.preview_advance(ctx, made.gm, made.id)))
    with ctx.database.read() as session:
        seen += [each.payload for each in session.scalars(select(Outbox))]
        seen += [each.data for each in session.scalars(select(LiveEvent))]
    text = repr(seen)
    assert not [each for each in secret if each in text]
    assert "pepper" not in text


def test_a_phase_that_asks_nothing_looks_like_one_that_was_missed(ctx: AppContext) -> None:
    """Whether a seat had something to order does not decide whether it has a salt."""
    made = club(ctx, phases=2)
    made.play_phase()
    with ctx.database.read() as session:
        players = [
            row.player_id for row in session.scalars(select(Salt).where(Salt.phase_number == made.info.phase_number))
        ]
    assert sorted(players) == ["p1", "p2", "p3", "p4"]
    shown = history.phases(ctx, made.players["p2"], made.id)[-1]
    assert shown.commitments is not None
    assert all(shown.commitments)


# --- records ---


def finished(ctx: AppContext) -> dict[str, Any]:
    made = club(ctx, phases=4)
    campaigns.finish(ctx, made.gm, made.id)
    return read(export(ctx, made.gm, made.id))


def test_a_record_with_other_salts_or_commitments_does_not_verify(ctx: AppContext) -> None:
    """Seen to fail with commitments left out of the chain, and with salts that are not compared with them."""
    record = finished(ctx)
    assert verify_record(record).ok

    def of(changed: dict[str, Any]) -> dict[str, Any]:
        return next(salt for salt in changed["salts"] if salt["player_id"] == "p2" and salt["phase_number"] == 3)

    for what in ("salt", "commitment"):
        changed = copy.deepcopy(record)
        of(changed)[what] = "0" * 64
        first = verify_record(changed).first
        assert first is not None, what
        assert (first.number, first.what) == (3, "seed"), what
    changed = copy.deepcopy(record)
    of(changed)["salt"] = ""
    first = verify_record(changed).first
    assert first is not None
    assert first.what == "seed"
    changed = copy.deepcopy(record)
    changed["campaign_dice"] = []  # as if it were of scheme 1
    first = verify_record(changed).first
    assert first is not None
    assert first.what == "link"
