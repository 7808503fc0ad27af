"""Table games as schemas: whose action a game waits for (:mod:`server.referee.awaiting`), and its rulings."""

from __future__ import annotations

from server.api.description.plain import Schema, boolean, enum, integer, listed, record, ref, table, text
from server.referee.awaiting import BOTH, NOBODY
from server.referee.beginning import SettingsData
from server.referee.mission import PLAYERS
from server.referee.reading import specs


def schemas() -> dict[str, Schema]:
    """Return what ``awaiting`` of a position holds."""
    fields = {
        "stage": text("deployment"),
        "phase": text("movement"),
        "next": text("psychic", "The phase that follows."),
        "score": integer(10, "VP that the end of this phase brings."),
        "units": listed(text("r1")),
        "stratagem": text("traps"),
        "act": integer(7, "The number of the report that is objected to."),
        "why": text("", "Why the phase cannot end yet, in a sentence."),
    }
    matter = record(fields, "What the action is about.", fields)
    return {
        "Awaiting": record(
            {
                "side": enum((*PLAYERS, BOTH, NOBODY), "Whose action; empty: the game is over or needs a game master."),
                "for": text("end_phase", "The action's `do`."),
                "about": matter,
                "missing": enum(("", "report_missing", "choice_missing"), "Why the phase cannot end yet."),
                "may": table(listed(text("use")), "By side: what else they can do.", examples=[{"red": ["use"]}]),
                "reactions": table(
                    listed(ref("Reaction")), "By side: what they can still use or pass while the other side waits."
                ),
                "passed": enum(
                    (*PLAYERS, NOBODY),
                    "The side without which the other continued, if its own `take_back` alone undoes that (N-61).",
                ),
                "confirms": table(ref("Confirmable"), "By side: what its `confirm` would agree to."),
                "sealed": enum(
                    (*PLAYERS, NOBODY),
                    "The side that sealed the last action, if its own `take_back` alone opens it again.",
                ),
                "since": table(
                    text("2026-03-01T20:00:00+00:00", format="date-time"),
                    "By side: since when the other side waits for it. 20 seconds later `go_on` is open (N-61).",
                ),
            },
            "What the game waits for.",
        ),
        **_others(),
        **_settings(),
    }


def _others() -> dict[str, Schema]:
    """Return what the other side can do or agree to."""
    return {
        "Confirmable": record(
            {
                "what": text(
                    "no_place",
                    "`no_room`, `no_place`, `elsewhere`, `unequal_lines`, `own_piece`, `objective`, `painted`; "
                    "empty: a report.",
                ),
                "units": listed(text("r1"), "What it is about."),
                "score": integer(10, "VP that it brings."),
            },
            "Something a side can confirm.",
            ("score",),
        ),
        "Reaction": record(
            {
                "act": text("use", "The action's `do`."),
                "stratagem": text("traps", "Its id; empty: the action is not a stratagem."),
                "units": listed(text("r1"), "What it is about."),
                "before": enum(("", "end_phase", "roll", "stage"), "What waits for it."),
            },
            "Something a side can still do or pass.",
        ),
    }


_TOLD = {
    "secured": "T-08: who controls a secured marker. `strict`: the player who secured it, until the other's level is "
    "greater at the end of a Command phase. `contestable`: the greater level at once.",
    "jop_distance": 'T-48: from where the 6" of a jump-off point are measured. `enemies`: from both enemy markers. '
    "`marker`: from the own marker alone.",
    "break_rules": "P-09: a force of the solo opponent's game leaves after two turns Hopeless (theirs) or "
    "Overconfident (yours).",
    "natural_one_fails": "T-76: a natural 1 never brings reinforcements.",
    "extra_sentries": "N-67: what Extra Sentries bring in Sabotage and Rescue. `army`: a unit of the army. `free`: an "
    "extra unit with the flag `sentries`, outside the army and its Power Level.",
    "patrol_phase": "T-55: a Patrol phase comes before the armies take the field.",
}
"""What each setting decides."""


def _settings() -> dict[str, Schema]:
    """Return the settings of a table game, made from the fields the referee reads."""
    chosen, fields = SettingsData(), {}
    for name, declared in specs(SettingsData).items():
        values = declared.spec.schema().get("enum")
        schema = boolean(_TOLD[name]) if values is None else enum(values, _TOLD[name])
        fields[name] = schema | {"default": getattr(chosen, declared.attribute)}
    return {"TableSettings": record(fields, "Rulings of a table game; left out: the default.", tuple(fields))}
