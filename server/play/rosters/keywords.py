"""Which slot, mobility and flags the words of army lists mean, in English and German; numbers as people write them."""

from __future__ import annotations

import re

SLOT_SYNONYMS = {
    "hq": ("hq", "headquarters", "command", "commander", "character", "characters", "epic hero", "epic heroes",
           "warlord", "leader", "lord", "hauptquartier", "charaktermodell", "helden", "char", "qg", "personnage",
           "personnages", "héros épique", "héros épiques"),
    "troops": ("troops", "troop", "battleline", "core", "infantry", "standard", "kerntruppen", "truppen", "tr",
              "troupe", "troupes", "ligne", "infanterie"),
    "elite": ("elite", "elites", "special", "eliteeinheiten", "el", "élite", "élites"),
    "fast": ("fast", "fast attack", "mounted", "cavalry", "flyer", "flyers", "beast", "swarm", "sturm", "fa", "ar",
             "attaque rapide", "monté", "montés"),
    "heavy": ("heavy", "heavy support", "vehicle", "vehicles", "monster", "monsters", "walker", "artillery", "rare",
              "lord of war", "lords of war", "fortification", "fortifications", "titan", "unterstützung", "hs",
              "soutien", "véhicule", "véhicules", "low", "monstre", "monstres"),
}  # fmt: skip
MOBILITY_SYNONYMS = {
    "infantry": ("infantry", "foot", "walker", "monster", "infanterie", "fuss"),
    "tracked": ("tracked", "tank", "tracks", "kette", "panzer"),
    "wheeled": ("wheeled", "wheels", "bike", "biker", "bikers", "motorbike", "truck", "rad", "bikes"),
    "skimmer": ("skimmer", "jetbike", "fly", "flyer", "hover", "anti-grav", "grav", "schweber"),
}
FLAG_SYNONYMS = {
    "scout": ("scout", "scouts", "späher"),
    "infiltrate": ("infiltrate", "infiltrators", "infiltrator", "infiltratoren"),
    "fast": ("fast", "schnell"),
    "vehicle": ("vehicle", "tank", "fahrzeug", "panzer", "transport"),
    "light_vehicle": ("light vehicle", "leichtes fahrzeug"),
    "artillery": ("artillery", "artillerie", "ordnance"),
    "aa": ("aa", "anti-air", "flugabwehr"),
    "deep_strike": ("deep strike", "luftlandung"),
    "character": ("epic hero", "special character", "besonderes charaktermodell"),
    "comms": ("comms", "vox", "funk"),
}
WRITTEN = re.compile(
    r"(?P<whole>\d{1,3}(?:(?P<mark>[.,' \u00a0\u202f])\d{3}(?:(?P=mark)\d{3})*)|\d{1,9})"
    r"(?:(?P<point>[.,])(?P<part>\d{1,2}))?"
)
AROUND = re.compile(r"^[^\d.,+-]*(?P<number>\d[\d.,' \u00a0\u202f]*\d|\d)[^\d]*$")

TOTAL = re.compile(r"(sub-?|grand )?total|sum\b|summe|zwischensumme|gesamt|insgesamt", re.IGNORECASE)
"""How lines begin that add others up."""


def plain(text: str) -> str:
    """Return a word as it is looked up."""
    return re.sub(r"[\s_]+", " ", text.casefold()).strip(" :.,-")


def slot_of(words: list[str]) -> str | None:
    """Return the slot the first known of several words means."""
    return next((slot for word in map(plain, words) for slot, known in SLOT_SYNONYMS.items() if word in known), None)


def mobility_of(words: list[str]) -> str | None:
    """Return how something moves, None where no word tells."""
    said = {plain(word) for word in words}
    for mobility in ("skimmer", "wheeled", "tracked", "infantry"):
        if said.intersection(MOBILITY_SYNONYMS[mobility]):
            return mobility
    return "tracked" if said.intersection(("vehicle", "fahrzeug")) else None


def flags_of(words: list[str]) -> tuple[str, ...]:
    """Return the flags that words name, each once."""
    said = {plain(word) for word in words}
    found = [
        flag for flag, known in FLAG_SYNONYMS.items() if said.intersection(known) or flag.replace("_", " ") in said
    ]
    if "light_vehicle" in found and "vehicle" in found:
        found.remove("vehicle")
    return tuple(found)


def whole_number(text: str) -> int | None:
    """Return the whole number in a cell such as ``1.250,00``, ``1,250`` or ``100 pts``; None if in doubt.

    Three digits after a sign are thousands, one or two are a fraction, which must be zero. A minus, a fraction, a
    range or several numbers do not count.
    """
    around = AROUND.match(text.strip())
    found = WRITTEN.fullmatch(around["number"]) if around else None
    if found is None or int(found["part"] or 0) or (found["point"] and found["point"] == found["mark"]):
        return None
    return int(re.sub(r"\D", "", found["whole"]))
