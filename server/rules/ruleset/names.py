"""The rulebook's words that are no data: what a unit may be (1.2, D-30)."""

MOBILITIES = ("infantry", "tracked", "wheeled", "skimmer")
SLOTS = ("hq", "troops", "elite", "fast", "heavy")
FLAGS = (
    "scout",
    "infiltrate",
    "fast",
    "vehicle",
    "light_vehicle",
    "artillery",
    "aa",
    "deep_strike",
    "character",
    "comms",
)
