"""The start of a table game: salts are in, the seed is made, the referee begins."""

from __future__ import annotations

from typing import Any

from server.core.dice import SeededDice, face
from server.core.errors import Problem
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, fault
from server.play.tables import missions
from server.play.tables.access import Access, is_free, load
from server.play.tables.battle_facts import Moved, fielded, merged, moved_in
from server.play.tables.folding import ReplayMismatch, read_begun
from server.play.tables.info import TableInfo, info
from server.play.tables.missions import AGREED, PATROL_FAMILY, ROLLED, Values
from server.play.tables.setting_up import mission_of, require_open
from server.play.tables.telling import announce
from server.referee.beginning import NEWEST
from server.referee.dice_log import table_seed
from server.referee.fold import begin
from server.referee.mission import ATTACKER, DEFENDER
from server.referee.narrative.roles import BY_POWER, FIXED
from server.store.tables import Campaign, TableBattleRow, TableBeginningRow

WITH_SUPPORT = "campaign_battle"
"""The rule of missions to which supporters come."""
WITH_SENTRIES = "sentries"
"""The rule of missions with Sentries."""
FIRST_SENTRIES: Values = {"id": "sentries", "models": 10, "power": 0, "flags": ["sentries"]}
"""The Sentries of a campaign's defender: they belong to no detachment (N-15)."""
ROLL_LABEL = "mission"
"""The die that draws the mission before the first act."""


def start(ctx: AppContext, actor: Actor, game_id: str) -> TableInfo:
    """Start a game: both sides are taken, have armies, and have sent their salts."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_part()
        require_open(may)
        _require_ready(may)
        row = may.row
        salts = [seat.salt for seat in may.seats.values()]
        seed = table_seed(row.dice_secret, row.id, salts)
        mission, files = _missions(mission_of(session, actor, may), row.setup, seed)
        beginning = _beginning(may, mission)
        if may.battle is not None:
            beginning |= _of_the_campaign(may, may.battle, files[0])
            campaign = session.get_one(Campaign, row.campaign_id)
            if access.options_of(campaign).table_roles == BY_POWER and _roles_may_change(files[0]):
                _give_roles_by_power(beginning, files, seed)
            _post_sentries(beginning, files[0])
        try:
            begun = begin(read_begun(beginning, files, seed), SeededDice(seed))
        except ReplayMismatch as error:
            raise PlayError("army_refused", problems=[fault(problem) for problem in error.problems]) from error
        if begun.game.unfit:
            problems = [fault(Problem("bad_value", text)) for text in begun.game.unfit]
            raise PlayError("army_refused", problems=problems)
        faults = [problem for found in begun.game.ask("army_faults") for problem in found]
        if faults:
            problems = [fault(problem) for problem in faults]
            raise PlayError("army_refused", problems=problems)
        session.add(TableBeginningRow(game_id=row.id, beginning=beginning, missions=files, seed=seed.hex()))
        now = ctx.now()
        row.status, row.started_at, row.last_act_at, row.mission = "playing", now, now, mission
        row.revision += 1
        announce(session, [game_id], "started", now, 0)
        session.flush()
        return info(may, None)


def _require_ready(may: Access) -> None:
    """Refuse with everything that is missing, side by side."""
    problems = []
    for side, seat in may.seats.items():
        if may.battle is None and is_free(seat):
            problems.append(Problem("missing_field", "Nobody plays this side.", f"seats.{side}"))
        if seat.army is None:
            problems.append(Problem("missing_field", "This side has no army.", f"seats.{side}.army"))
        if not seat.salt and not seat.solo:
            problems.append(Problem("missing_field", "The salt of this side is missing.", f"seats.{side}.salt"))
    if problems:
        raise PlayError("not_ready", field=problems[0].field, problems=[fault(problem) for problem in problems])


def _missions(chosen: Values | None, setup: dict[str, Any], seed: bytes) -> tuple[str, list[Any]]:
    """Return the mission that the game begins with, and the files of all it can be played by."""
    how = setup["how"]
    if chosen is not None:
        files = [missions.settled(chosen)]
    elif how == ROLLED:
        files = [missions.settled(drawn(setup["family"], seed))]
    else:
        files = list(missions.to_agree_on(setup["family"]).values())
        assert how == AGREED
    if setup["settings"].get("patrol_phase"):
        files += [values for id_, values in missions.family(PATROL_FAMILY).items()]
    return str(files[0]["id"]), files


def drawn(family: str, seed: bytes) -> Values:
    """Return the mission of a family that the dice draw; :class:`LookupError` where the program has none of it."""
    numbered = [values for values in missions.family(family).values() if values.get("number")]
    if not numbered:
        raise LookupError(family)
    numbered.sort(key=lambda values: values["number"])
    return numbered[face(seed, ROLL_LABEL, 0, len(numbered)) - 1]


def _of_the_campaign(may: Access, battle: TableBattleRow, mission: Values) -> dict[str, Any]:
    """Return armies and facts of a campaign's battle: who may take part, models moved together (6.2.1.3.1)."""
    facts = merged(may.row.setup["battle"], battle.secret)
    supporters = facts["supporters"]
    rules = [rule["rule"] for rule in mission["rules"]]
    support = WITH_SUPPORT in rules
    players: dict[str, Any] = {}
    moved: Moved = {}
    for side, seat in may.seats.items():
        assert seat.army is not None
        keeps = bool(battle.keeps_models.get(side))
        mine = {} if keeps else moved_in(seat.army["units"], supporters)
        players[side] = fielded(seat.army, mine, supporters, keeps=keeps, support=support)
        if not players[side]["units"]:
            problem = Problem("bad_value", "No unit of this side is strong enough to fight.", f"seats.{side}.army")
            raise PlayError("army_refused", problem.message, problems=[fault(problem)])
        moved |= mine
    battle.moved = {id_: list(models) for id_, models in moved.items()}
    return {"players": players, "battle": facts if support else facts | {"supporters": {}}}


def _roles_may_change(mission: Values) -> bool:
    return any(rule["rule"] == "power_level" and rule.get("roles") != FIXED for rule in mission["rules"])


def _give_roles_by_power(beginning: dict[str, Any], files: list[Any], seed: bytes) -> None:
    """Assign the roles by Power Level, if the campaign wants that (N-12).

    Equal levels roll off, and the winner chooses. But Sentries must have an owner by then, so if there are any,
    equal levels leave the roles as the campaign has them.
    """
    armies: dict[str, Any] = beginning["players"]
    by_campaign = {side: army.pop("role") for side, army in armies.items()}
    attacker = begin(read_begun(beginning, files, seed), SeededDice(seed)).game.attacker
    for side, army in armies.items():
        if attacker:
            army["role"] = ATTACKER if side == attacker else DEFENDER
        elif _has_sentries(files[0]):
            army["role"] = by_campaign[side]


def _has_sentries(mission: Values) -> bool:
    return any(rule["rule"] == WITH_SENTRIES for rule in mission["rules"])


def _post_sentries(beginning: dict[str, Any], mission: Values) -> None:
    """Give the mission's Defender the Sentries."""
    if _has_sentries(mission):
        for army in beginning["players"].values():
            if army["role"] == DEFENDER:
                army["units"].append(dict(FIRST_SENTRIES))


def _beginning(may: Access, mission: str) -> dict[str, Any]:
    setup = may.row.setup
    beginning: dict[str, Any] = {
        "game": mission,
        "table": setup["table"],
        "settings": setup["settings"],
        "referee": NEWEST,
        "players": {side: seat.army for side, seat in may.seats.items()},
    }
    if setup.get("battle") is not None:
        beginning["battle"] = setup["battle"]
    return beginning
