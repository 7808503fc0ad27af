"""The missions that table games can be played by: those of the program, of an account, of a campaign."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server import missions
from server.core.errors import Problem
from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import PlayError, fault, not_found
from server.play.tables.telling import by_language
from server.play.text_input import read_toml
from server.referee.mission import Mission
from server.referee.reader import read_mission
from server.referee.reading import inches
from server.store.memberships import among, campaigns_of
from server.store.tables import TableMissionRow

MAX_MISSIONS = 50
"""Of an account, or of a campaign."""
MAX_SOURCE = 200_000
"""Characters of a mission's file."""
PATROL_FAMILY, SOLO_FAMILY = "patrol", "posture"
CHOSEN, ROLLED, AGREED = ("chosen", "rolled", "agreed")
"""How a game comes to its mission: it was named; the dice name one at the start; both propose one at the table."""
_AGREEING, _AGREEING_STAGE = "determine_mission", "mission"
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MissionInfo:
    """A mission the user may play."""

    id: str
    name: Mapping[str, str]
    """By language, as the next two."""
    briefing: Mapping[str, str]
    summary: Mapping[str, tuple[str, ...]]
    family: str
    number: int
    """The face that draws it; 0: none does."""
    width: float
    height: float
    """Inches."""
    rounds: int
    own: str
    """Id of the upload it comes from; empty: it comes with the program."""
    campaign: str | None
    """Whose campaign keeps it."""


@cache
def of_the_program() -> Mapping[str, Values]:
    """Return what the mission files of the program hold, by id."""
    files = [path.read_text(encoding="utf-8") for path in sorted(missions.FOLDER.glob("*.toml"))]
    return {values["id"]: values for values in map(tomllib.loads, files)}


def listed(ctx: AppContext, actor: Actor, campaign_id: str | None = None) -> list[MissionInfo]:
    """Return all missions the user may play: the program's, their own, a campaign's."""
    with ctx.database.read() as session:
        rows = _own(session, actor, campaign_id)
    known = [_info(mission, None) for mission in missions.library().values()]
    return [*known, *(_info(read_one(row.content), row) for row in rows)]


def own(ctx: AppContext, actor: Actor) -> list[MissionInfo]:
    """Return the missions someone may play that do not come with the program: their own, and their campaigns'."""
    if not actor.signed_in:
        return []
    with ctx.database.read() as session:
        theirs = among(session, TableMissionRow.campaign_id, campaigns_of(session, [actor.user_id], ["gm", "player"]))
        wanted = select(TableMissionRow).where((TableMissionRow.user_id == actor.user_id) | theirs)
        rows = sorted(session.scalars(wanted), key=lambda row: (row.campaign_id or "", row.mission))
        return [_info(read_one(row.content), row) for row in rows if _may_read(session, actor, row)]


def uploaded(ctx: AppContext, actor: Actor, upload_id: str) -> Mission:
    """Return the mission of an upload the user may read."""
    return read_one(source(ctx, actor, upload_id).content)


def source(ctx: AppContext, actor: Actor, upload_id: str) -> TableMissionRow:
    """Return an upload the user may read."""
    with ctx.database.read() as session:
        row = session.get(TableMissionRow, upload_id)
        if row is None or not _may_read(session, actor, row):
            raise not_found("mission", upload_id)
        return row


def upload(ctx: AppContext, actor: Actor, text: str, campaign_id: str | None = None) -> MissionInfo:
    """Store a club's own mission (TOML), for an account or a campaign they run; replaces one of the same id."""
    values, mission = check(text)
    with ctx.database.write() as session:
        actor.require("orders" if campaign_id is None else "gm")
        if campaign_id is not None:
            access.load_exclusive(session, actor, campaign_id).require_gm()
        kept = TableMissionRow.campaign_id == campaign_id
        mine = kept if campaign_id is not None else TableMissionRow.user_id == actor.user_id
        row = session.scalars(select(TableMissionRow).where(mine, TableMissionRow.mission == mission.id)).one_or_none()
        if row is None:
            told = say("At most {most} missions.", most=MAX_MISSIONS)
            check_limit(session, TableMissionRow, [mine], MAX_MISSIONS, told)
            owner = None if campaign_id is not None else actor.user_id
            row = TableMissionRow(user_id=owner, campaign_id=campaign_id, mission=mission.id, revision=0)
            session.add(row)
        row.source, row.content, row.updated_at = text, dict(values), ctx.now()
        row.revision += 1
        session.flush()
        return _info(mission, row)


def drop(ctx: AppContext, actor: Actor, upload_id: str) -> None:
    """Delete an upload; games that were made by it keep it."""
    actor.require("orders")
    with ctx.database.write() as session:
        row = session.get(TableMissionRow, upload_id)
        if row is None or not _may_read(session, actor, row):
            raise not_found("mission", upload_id)
        if row.campaign_id is not None:
            access.load_exclusive(session, actor, row.campaign_id).require_gm()
        session.delete(row)


def check(text: str) -> tuple[Values, Mission]:
    """Return what a mission's file holds; ``mission_refused`` with everything that is wrong with it."""
    if len(text) > MAX_SOURCE:
        raise PlayError("too_large", say("At most {most} characters.", most=MAX_SOURCE))
    try:
        values = read_toml(text)
    except ValueError as error:
        raise _refused([Problem("bad_value", say("This is not TOML: {error}.", error=str(error)), "source")]) from error
    mission, problems = read_mission(values)
    if mission is not None and mission.id in missions.library():
        problems = [Problem("bad_value", say("The program has a mission {id}.", id=mission.id), "id", mission.id)]
    if mission is None or problems:
        raise _refused(problems)
    return values, mission


# --- for the rest of this package ---


def find(session: Session, actor: Actor, mission_id: str, campaign_id: str | None) -> Values:
    """Return what the file of a mission holds that someone may play."""
    found = of_the_program().get(mission_id)
    for row in _own(session, actor, campaign_id):
        if row.mission == mission_id:
            found = row.content
    if found is None:
        raise PlayError("unknown_mission", field="mission", value=mission_id)
    return found


def family(name: str) -> dict[str, Values]:
    """Return the missions of the program of a family that dice can draw, by id."""
    return {id_: values for id_, values in of_the_program().items() if values.get("family") == name}


def settled(values: Values) -> Values:
    """Return a mission whose players need not agree on one: it is the one."""
    made = deepcopy(dict(values))
    made["stages"] = [stage for stage in made["stages"] if stage != _AGREEING_STAGE]
    made["rules"] = [rule for rule in made["rules"] if rule.get("rule") != _AGREEING]
    return made


def to_agree_on(name: str) -> dict[str, Values]:
    """Return the missions of a family that players can agree on at the table, by id."""
    return {id_: values for id_, values in family(name).items() if _AGREEING_STAGE in values["stages"]}


def read_library(files: Iterable[Values]) -> dict[str, Mission]:
    """Return the missions of a game by id; :class:`ValueError` for files that are none."""
    found = {}
    for values in files:
        mission, problems = read_mission(values)
        if mission is None:
            raise ValueError("; ".join(f"{problem.field}: {problem.message}" for problem in problems))
        found[mission.id] = mission
    return found


def read_one(values: Values) -> Mission:
    """Return the mission of a file's content; raise ``mission_refused`` if it is not one."""
    mission, problems = read_mission(values)
    if mission is None:
        raise _refused(problems)
    return mission


def _refused(problems: Iterable[Problem]) -> PlayError:
    return PlayError("mission_refused", problems=[fault(problem) for problem in problems])


def _own(session: Session, actor: Actor, campaign_id: str | None) -> list[TableMissionRow]:
    """Return the uploads someone may play: their own, and a campaign's they may know of."""
    wanted = []
    if actor.signed_in:
        wanted.append(TableMissionRow.user_id == actor.user_id)
    if campaign_id is not None:
        access.load(session, actor, campaign_id).require_visible()
        wanted.append(TableMissionRow.campaign_id == campaign_id)
    found = [row for condition in wanted for row in session.scalars(select(TableMissionRow).where(condition))]
    return sorted(found, key=lambda row: (row.campaign_id or "", row.mission))


def _may_read(session: Session, actor: Actor, row: TableMissionRow) -> bool:
    if row.campaign_id is None:
        return actor.signed_in and row.user_id == actor.user_id
    try:
        access.load(session, actor, row.campaign_id).require_visible()
    except PlayError:
        return False
    return True


def _info(mission: Mission, row: TableMissionRow | None) -> MissionInfo:
    return taken_from(
        mission,
        MissionInfo,
        name=by_language(mission.name),
        briefing=by_language(mission.briefing),
        width=inches(mission.width),
        height=inches(mission.height),
        own="" if row is None else row.id,
        campaign=None if row is None else row.campaign_id,
    )
