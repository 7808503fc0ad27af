"""The rulings of a table game, as a schema: what both players choose where the rules leave room."""

from __future__ import annotations

from server.api.description.plain import Schema, boolean, enum, record
from server.referee.beginning import SettingsData
from server.referee.reading import specs

TOLD = {
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


def schemas() -> dict[str, Schema]:
    """Return the settings of a table game, made from the fields the referee reads."""
    chosen, fields = SettingsData(), {}
    for name, declared in specs(SettingsData).items():
        values = declared.spec.schema().get("enum")
        schema = boolean(TOLD[name]) if values is None else enum(values, TOLD[name])
        fields[name] = schema | {"default": getattr(chosen, declared.attribute)}
    return {"TableSettings": record(fields, "Rulings of a table game; left out: the default.", tuple(fields))}
