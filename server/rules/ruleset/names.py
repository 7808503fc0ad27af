"""The rulebook's words that are not data: the kinds of units (1.2, D-30)."""

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
    "bike",
)
BIKE = "bike"
"""The flag whose models have a least price of their own, whatever their mobility (D-35f)."""
DEMANDS = ("vehicles", "mounted", "artillery", "skimmers", "fast")
"""What a type of detachment may ask of its units (D-35f)."""
