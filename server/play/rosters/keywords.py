"""Which slot, mobility and flags the words of army lists mean, in English and German."""

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
