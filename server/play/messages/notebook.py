"""Notebooks: notes of turns and pins in the map. Nobody reads them but their owner and the owner's substitute."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import invalid, not_found
from server.play.game_data import game_data_of
from server.rules.board import ORBIT
from server.store.tables import Campaign, HexPin, Phase, Seat, TurnNote

MAX_NOTE, MAX_PIN = 4000, 200
"""Characters."""
MAX_TURN = 999
MAX_PINS = 300


@dataclass(frozen=True, slots=True)
class NoteInfo:
    """A note on a turn."""

    turn: int
    text: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class PinInfo:
    """A pin in the map, with a few words."""

    hex: str
    turn: int
    """Since which turn it is there."""
    text: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Notebook:
    """All that one noted in a campaign: notes by turn, pins by hex."""

    seat: str
    notes: tuple[NoteInfo, ...]
    pins: tuple[PinInfo, ...]


@dataclass(frozen=True, slots=True)
class _Book:
    """Whose notebook it is: the seat, and the person who plays there."""

    campaign_id: str
    player_id: str
    user_id: str


def read(ctx: AppContext, actor: Actor, campaign_id: str, seat: str | None = None) -> Notebook:
    """Return the person's notebook, or that of the player they are substitute for."""
    actor.require("read")
    with ctx.database.read() as session:
        book = _book(access.load(session, actor, campaign_id), actor, seat)
        mine = asdict(book)
        notes = session.scalars(select(TurnNote).filter_by(**mine).order_by(TurnNote.turn))
        pins = session.scalars(select(HexPin).filter_by(**mine).order_by(HexPin.hex))
        return Notebook(
            book.player_id,
            tuple(taken_from(note, NoteInfo) for note in notes),
            tuple(taken_from(pin, PinInfo) for pin in pins),
        )


def write_note(
    ctx: AppContext, actor: Actor, campaign_id: str, turn: int, text: str, seat: str | None = None
) -> NoteInfo:
    """Write the note on a turn, in place of the one before."""
    actor.require("orders")
    words, number = text_input.lines(text, "text", MAX_NOTE, minimum=1), _turn(turn)
    with ctx.database.write() as session:
        book, _ = _locked(session, actor, campaign_id, seat)
        row = session.get(TurnNote, (book.campaign_id, book.player_id, book.user_id, number))
        if row is None:
            row = TurnNote(**asdict(book), turn=number)
            session.add(row)
        row.text, row.updated_at = words, ctx.now()
        session.flush()
        return taken_from(row, NoteInfo)


def drop_note(ctx: AppContext, actor: Actor, campaign_id: str, turn: int, seat: str | None = None) -> None:
    """Throw away what was noted of a turn."""
    actor.require("orders")
    with ctx.database.write() as session:
        book, _ = _locked(session, actor, campaign_id, seat)
        row = session.get(TurnNote, (book.campaign_id, book.player_id, book.user_id, _turn(turn)))
        if row is None:
            raise not_found("note", turn)
        session.delete(row)


def put_pin(
    ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, text: str, turn: int | None = None,
    seat: str | None = None,
) -> PinInfo:  # fmt: skip
    """Put a pin into a hex, or change the one there. *turn*: since when it is there; None: as it was, else now."""
    actor.require("orders")
    words = text_input.line(text, "text", MAX_PIN)
    with ctx.database.write() as session:
        book, may = _locked(session, actor, campaign_id, seat)
        board = game_data_of(ctx, may.campaign).board
        place = board.find(hex_)
        if place is None or place == ORBIT:
            raise invalid("hex", say("The map has no hex {value}.", value=hex_), hex_)
        row = session.get(HexPin, (book.campaign_id, book.player_id, book.user_id, board.label(place)))
        if row is None:
            mine = (HexPin.campaign_id == book.campaign_id, HexPin.player_id == book.player_id,
                    HexPin.user_id == book.user_id)  # fmt: skip
            check_limit(session, HexPin, mine, MAX_PINS, say("At most {most} pins.", most=MAX_PINS))
            row = HexPin(**asdict(book), hex=board.label(place), turn=_turn_of(session, may.campaign))
            session.add(row)
        if turn is not None:
            row.turn = _turn(turn)
        row.text, row.updated_at = words, ctx.now()
        session.flush()
        return taken_from(row, PinInfo)


def drop_pin(ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, seat: str | None = None) -> None:
    """Pull a pin out of the map."""
    actor.require("orders")
    with ctx.database.write() as session:
        book, _ = _locked(session, actor, campaign_id, seat)
        row = session.get(HexPin, (book.campaign_id, book.player_id, book.user_id, hex_))
        if row is None:
            raise not_found("pin", hex_)
        session.delete(row)


# --- inside ---


def _book(may: Access, actor: Actor, seat: str | None) -> _Book:
    """Return the notebook of a seat; those who neither sit there nor stand in are refused."""
    mine = may.seat_for(seat)
    return _Book(may.campaign.id, mine.player_id, mine.user_id or actor.user_id)


def _locked(session: Session, actor: Actor, campaign_id: str, seat: str | None) -> tuple[_Book, Access]:
    """The same for a write: nobody else writes into that notebook meanwhile."""
    may = access.load_shared(session, actor, campaign_id)
    book = _book(may, actor, seat)
    key = (Seat.campaign_id == book.campaign_id, Seat.player_id == book.player_id)
    session.execute(select(Seat.player_id).where(*key).with_for_update(key_share=True))
    return book, may


def _turn_of(session: Session, campaign: Campaign) -> int:
    """Return the turn a campaign is in, the last one of one that is over; 0 before the first."""
    phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number)) if campaign.started_at else None
    return 0 if phase is None else phase.turn


def _turn(turn: int) -> int:
    if not 0 <= turn <= MAX_TURN:
        raise invalid("turn", say("A whole number from {least} to {most}.", least=0, most=MAX_TURN), turn)
    return turn
