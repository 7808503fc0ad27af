"""The chronicle: each side of a battle may tell its story, with a few pictures.

Only its recipients in the record know a battle's place and sides; a story says what its writer wants to say,
to everyone who may see the campaign, or to nobody else before the campaign is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from server.core.events import Event
from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, check_revision, invalid, not_found
from server.play.messages.pictures import reencode
from server.play.records.records import lineage, on_line
from server.play.tables import access as at_tables
from server.play.tables.info import ResultInfo, result_info
from server.play.views import history
from server.store.phase_events import WITH_EVENTS, events_of
from server.store.tables import Phase, StoryPictureRow, StoryRow, TableGameRow, TableResultRow

MAX_TITLE, MAX_BODY, MAX_ALT = 120, 8000, 200
MAX_PICTURES = 4
FOUGHT = "battle_fought"
"""The event that says that a battle is over."""
_FINISHED = ("over", "closed")
RECENT = 40
"""Number of phases with battles searched for those without the user's story."""


@dataclass(frozen=True, slots=True)
class StoryText:
    """What someone writes of a battle."""

    title: str
    body: str
    held: bool = False
    """The others read it when the campaign is over."""


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """A picture of a story."""

    id: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StoryInfo:
    """The story of a battle as one side tells it."""

    id: str
    campaign: str | None
    game: str | None
    """The game on the table, for those who know of the battle; likewise hex and result."""
    turn: int | None
    hex: str | None
    result: ResultInfo | None
    """Of a game on the table."""
    side: str
    """``red`` or ``blue`` of the game, else the player's id in the campaign."""
    author: str
    """Empty: their account was closed."""
    title: str
    body: str
    """Plain text; an empty line begins a paragraph."""
    held: bool
    pictures: tuple[PictureInfo, ...]
    yours: bool
    removable: bool
    """True for the author and for the game master."""
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class UnreportedBattle:
    """A battle of a campaign that one fought and has told nothing of."""

    turn: int
    hex: str
    game: str | None
    """The game on the table to tell it at."""


# --- reading ---


def of_table(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> list[StoryInfo]:
    """Return the stories of a game on the table, red's first."""
    with ctx.database.read() as session:
        may = at_tables.load(session, actor, game_id, watch)
        rows = _rows(session, StoryRow.game_id == game_id)
        readers = _Readers(session, actor, watch)
        found = [readers.info(row) for row in rows if readers.may_read(row)]
        return sorted(found, key=lambda story: list(may.seats).index(story.side))


def of_campaign(ctx: AppContext, actor: Actor, campaign_id: str) -> list[StoryInfo]:
    """Return the chronicle of a campaign, its last battles first."""
    with ctx.database.read() as session:
        access.load(session, actor, campaign_id).require_visible()
        readers = _Readers(session, actor, None)
        rows = _rows(session, StoryRow.campaign_id == campaign_id)
        rows.sort(key=lambda row: (-(row.turn or 0), row.hex or "", row.created_at))
        return [readers.info(row) for row in rows if readers.may_read(row)]


def get(ctx: AppContext, actor: Actor, story_id: str, watch: str | None = None) -> StoryInfo:
    """Return a story."""
    with ctx.database.read() as session:
        readers = _Readers(session, actor, watch)
        return readers.info(_readable(session, readers, story_id))


def picture(ctx: AppContext, actor: Actor, story_id: str, picture_id: str, watch: str | None = None) -> bytes:
    """Return a picture of a story (JPEG)."""
    with ctx.database.read() as session:
        row = _readable(session, _Readers(session, actor, watch), story_id)
        found = session.get(StoryPictureRow, picture_id)
        if found is None or found.story_id != row.id:
            raise not_found("picture", picture_id)
        return found.content


def untold(ctx: AppContext, actor: Actor, campaign_id: str) -> list[UnreportedBattle]:
    """Return the seat's battles in a campaign that have no story by the user yet, the latest first."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        if may.seat is None:
            return []
        mine, line = may.seat.player_id, _line(session, may)
        games = {
            (row.turn, row.hex): row.id
            for row in session.scalars(select(TableGameRow).where(TableGameRow.campaign_id == campaign_id))
            if row.status in _FINISHED and row.branch in line
        }
        told = {
            (row.turn, row.hex)
            for row in session.scalars(select(StoryRow).where(StoryRow.campaign_id == campaign_id))
            if row.user_id == actor.user_id and row.branch in line
        }
    past = history.read_phases(ctx, actor, campaign_id, types={FOUGHT}, as_=mine)
    fought = [(info, event) for info, events in past.phases for event in events][-RECENT:]
    return [
        UnreportedBattle(info.turn, str(event.fields["hex"]), games.get((info.turn, str(event.fields["hex"]))))
        for info, event in reversed(fought)
        if (info.turn, event.fields["hex"]) not in told
        and mine in _fighters(ctx, actor, campaign_id, info.number, str(event.fields["hex"]), mine)
    ]


# --- writing ---


def tell_of_table(
    ctx: AppContext, actor: Actor, game_id: str, side: str, written: StoryText, revision: int | None = None
) -> StoryInfo:
    """Write or change the story of the user's side of a table game that is over."""
    checked = _checked(written)
    with ctx.database.write() as session:
        may = at_tables.load(session, actor, game_id, lock=True)
        seat, row = may.seat(side), may.row
        may.require_status("The battle is not over.", *_FINISHED)
        place = StoryRow(
            game_id=game_id, campaign_id=row.campaign_id, branch=row.branch, turn=row.turn, hex=row.hex, side=side
        )
        known = (StoryRow.game_id == game_id, StoryRow.side == side)
        return _notify(ctx, session, actor, place, known, seat.name, checked, revision)


def tell_of_battle(
    ctx: AppContext, actor: Actor, campaign_id: str, turn: int, hex_: str, written: StoryText,
    revision: int | None = None, seat: str | None = None,
) -> StoryInfo:  # fmt: skip
    """Write or change the story of the user's side of a campaign's battle that had no table game here."""
    actor.require("orders")
    checked = _checked(written)
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        mine = may.seat_for(seat)
        fought = _fought(session, may)
        number = next((one.number for one, event in fought if (one.turn, event.fields["hex"]) == (turn, hex_)), None)
    if number is None or mine.player_id not in _fighters(ctx, actor, campaign_id, number, hex_, mine.player_id):
        raise invalid("hex", "You fought no battle there in that turn.", hex_)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        mine = may.seat_for(mine.player_id)
        branch = next(branch for branch, upto in _line(session, may).items() if upto is None or number <= upto)
        place = StoryRow(campaign_id=campaign_id, branch=branch, turn=turn, hex=hex_, side=mine.player_id)
        known = (
            StoryRow.campaign_id == campaign_id, StoryRow.branch == branch, StoryRow.turn == turn,
            StoryRow.hex == hex_, StoryRow.side == mine.player_id,
        )  # fmt: skip
        return _notify(ctx, session, actor, place, known, mine.name, checked, revision)


def remove(ctx: AppContext, actor: Actor, story_id: str) -> None:
    """Delete a story with its pictures: who wrote it, and the game master."""
    with ctx.database.write() as session:
        readers = _Readers(session, actor, None)
        row = _readable(session, readers, story_id)
        if not readers.removable(row):
            raise PlayError("forbidden", "Only who wrote it and the game master may remove a story.")
        session.delete(row)


def add_picture(ctx: AppContext, actor: Actor, story_id: str, data: bytes, alt: str = "") -> PictureInfo:
    """Add a picture to the user's own story; it is encoded again (:mod:`server.play.messages.pictures`)."""
    words = text_input.line(alt, "alt", MAX_ALT, minimum=0)
    with ctx.database.read() as session:
        _own(session, actor, story_id)
    made = reencode(data)
    with ctx.database.write() as session:
        row = _own(session, actor, story_id, lock=True)
        count, last = session.execute(
            select(func.count(), func.max(StoryPictureRow.number)).where(StoryPictureRow.story_id == row.id)
        ).one()
        if count >= MAX_PICTURES:
            raise PlayError("limit_reached", say("At most {most} pictures.", most=MAX_PICTURES))
        picture = StoryPictureRow(
            story_id=row.id, number=(last or 0) + 1, alt=words, width=made.width, height=made.height,
            content=made.content,
        )  # fmt: skip
        session.add(picture)
        row.updated_at = ctx.now()
        session.flush()
        return taken_from(picture, PictureInfo)


def drop_picture(ctx: AppContext, actor: Actor, story_id: str, picture_id: str) -> None:
    """Take a picture out of a story: who wrote it, and the game master."""
    with ctx.database.write() as session:
        readers = _Readers(session, actor, None)
        row = _readable(session, readers, story_id)
        found = session.get(StoryPictureRow, picture_id)
        if found is None or found.story_id != row.id:
            raise not_found("picture", picture_id)
        if not readers.removable(row):
            raise PlayError("forbidden", "Only who wrote it and the game master may remove a picture.")
        session.delete(found)


# --- inside ---


class _Readers:
    """What someone may know of stories; asks for each campaign and each game once."""

    def __init__(self, session: Session, actor: Actor, watch: str | None) -> None:
        self.session, self.actor, self.watch = session, actor, watch
        self.campaigns: dict[str, Access] = {}
        self.witnesses: dict[str, Mapping[tuple[int, str], frozenset[str]]] = {}
        """By campaign, the players who know of each battle, by turn and hex."""

    def may_read(self, row: StoryRow) -> bool:
        """Say whether someone may read a story; those who may not know of its battle's home are refused."""
        if row.campaign_id is None:
            return True  # who asks has been let in to the game
        may = self._campaign(row.campaign_id)
        return not row.held or may.over or may.sees_all or self.yours(row)

    def enter(self, row: StoryRow) -> None:
        """Refuse users who may not know of the story's battle."""
        if row.campaign_id is not None:
            self._campaign(row.campaign_id)
        else:
            at_tables.load(self.session, self.actor, str(row.game_id), self.watch)

    def yours(self, row: StoryRow) -> bool:
        """Say whether someone wrote a story."""
        return self.actor.signed_in and row.user_id == self.actor.user_id

    def removable(self, row: StoryRow) -> bool:
        """Say whether someone may remove a story."""
        if self.yours(row):
            return True
        if row.campaign_id is not None:
            may = self._campaign(row.campaign_id)
            return may.gm or may.admin
        return at_tables.load(self.session, self.actor, str(row.game_id), self.watch).gm or self.actor.admin

    def info(self, row: StoryRow) -> StoryInfo:
        """Return a story as someone may know it."""
        knows = self._knows(row)
        result = self.session.get(TableResultRow, row.game_id) if knows and row.game_id else None
        pictures = self.session.scalars(
            select(StoryPictureRow).where(StoryPictureRow.story_id == row.id).order_by(StoryPictureRow.number)
        )
        return taken_from(
            row, StoryInfo, campaign=row.campaign_id, game=row.game_id if knows else None,
            hex=row.hex if knows else None, result=None if result is None else result_info(result), author=row.name,
            pictures=tuple(taken_from(picture, PictureInfo) for picture in pictures), yours=self.yours(row),
            removable=self.removable(row),
        )  # fmt: skip

    def _knows(self, row: StoryRow) -> bool:
        """Return whether someone knows of the battle itself: by its report, or because they played it."""
        if row.campaign_id is None or self.yours(row):
            return True
        may = self._campaign(row.campaign_id)
        if may.over or may.sees_all:
            return True
        if row.campaign_id not in self.witnesses:
            fought = _fought(self.session, may)
            known = {(phase.turn, str(event.fields["hex"])): frozenset(event.to) for phase, event in fought}
            self.witnesses[row.campaign_id] = known
        told = self.witnesses[row.campaign_id].get((row.turn or 0, row.hex or ""), frozenset())
        return any(player in told for player in may.rights.seats())

    def _campaign(self, campaign_id: str) -> Access:
        if campaign_id not in self.campaigns:
            found = access.load(self.session, self.actor, campaign_id).require_visible()
            self.campaigns[campaign_id] = found
        return self.campaigns[campaign_id]


def _rows(session: Session, *where: ColumnElement[bool]) -> list[StoryRow]:
    return list(session.scalars(select(StoryRow).where(*where).order_by(StoryRow.created_at, StoryRow.id)))


def _readable(session: Session, readers: _Readers, story_id: str) -> StoryRow:
    row = session.get(StoryRow, story_id)
    if row is None:
        raise not_found("story", story_id)
    readers.enter(row)
    if not readers.may_read(row):
        raise not_found("story", story_id)
    return row


def _own(session: Session, actor: Actor, story_id: str, *, lock: bool = False) -> StoryRow:
    """Return a story that someone wrote."""
    readers = _Readers(session, actor, None)
    row = _readable(session, readers, story_id)
    if not readers.yours(row):
        raise PlayError("forbidden", "Only who wrote it may change a story.")
    if lock:
        session.refresh(row, with_for_update=True)
    return row


def _checked(written: StoryText) -> StoryText:
    title = text_input.line(written.title, "title", MAX_TITLE)
    return StoryText(title, text_input.lines(written.body, "body", MAX_BODY, minimum=1), written.held)


def _notify(
    ctx: AppContext, session: Session, actor: Actor, place: StoryRow, known: Sequence[ColumnElement[bool]], name: str,
    written: StoryText, revision: int | None,
) -> StoryInfo:  # fmt: skip
    """Keep a story at its *place*, or change the one that is *known*."""
    readers, now = _Readers(session, actor, None), ctx.now()
    row = session.scalars(select(StoryRow).where(*known).with_for_update()).one_or_none()
    if row is None:
        check_revision(revision, 0)
        row = place
        row.user_id = actor.user_id or None
        row.revision, row.created_at = 0, now
        session.add(row)
    elif not readers.yours(row):
        raise PlayError("conflict", "Somebody else has told the story of this side.", field="side", value=row.side)
    else:
        check_revision(revision, row.revision)
    row.name, row.title, row.body, row.held = name, written.title, written.body, written.held
    row.updated_at = now
    row.revision += 1
    session.flush()
    return readers.info(row)


def _line(session: Session, may: Access) -> dict[int, int | None]:
    return dict(lineage(session, may.campaign.id, may.campaign.branch))


def _fought(session: Session, may: Access) -> list[tuple[Phase, Event]]:
    """Return the battles of the line that is played on, each with the phase in which it was fought."""
    line = lineage(session, may.campaign.id, may.campaign.branch)
    mine = (Phase.campaign_id == may.campaign.id, Phase.resolved_at.is_not(None), on_line(line, Phase))
    phases = session.scalars(select(Phase).where(*mine).order_by(Phase.number).options(WITH_EVENTS)).all()
    told = events_of(session, phases)
    return [(phase, event) for phase in phases for event in told[phase.branch, phase.number] if event.type == FOUGHT]


def _fighters(ctx: AppContext, actor: Actor, campaign_id: str, number: int, hex_: str, seat: str) -> tuple[str, ...]:
    """Return the two sides of a battle as the position before its phase has them, as a seat saw it."""
    for view in history.views(ctx, actor, campaign_id, (number - 1,), as_=seat):
        at = view.state.board.find(hex_)
        battle = view.state.battles.get(at) if at is not None else None
        if battle is not None:
            return battle.attacking, battle.defended_by
    return ()
