"""The words orders are written with, and what else may stand for each: other forms, and German."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from server.rules.orders.text.lines import Token

MIN_ABBREVIATION = 3
"""Letters an abbreviation of a word has at least."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    # what is done
    "move": ("move", "moves", "march", "marches", "go", "goes", "moving", "bewege", "bewegt", "ziehe", "zieht",
             "marschiere", "marschiert"),
    "claim": ("claim", "claims", "claiming", "beanspruche", "beansprucht", "besetze", "besetzt", "nimm", "nimmt"),
    "area": ("area", "land", "around", "umland", "gebiet", "umgebung"),
    "reserve": ("reserve", "reserves"),
    "follow": ("follow", "follows", "following", "folge", "folgt"),
    "recover": ("recover", "recovers", "heal", "heals", "erhole", "erholt", "erholen", "heile", "heilt"),
    "guard": ("guard", "guards", "hold", "holds", "wache", "wacht", "bewache", "bewacht"),
    "attack": ("attack", "attacks", "attacking", "greift", "greife", "angriff", "angreifen"),
    "an": ("an",),
    "raid": ("raid", "raids", "raiding", "überfall", "überfalle", "überfällt", "plündere", "plündert"),
    "support": ("support", "supports", "help", "helps", "unterstütze", "unterstützt", "hilf", "hilft"),
    "defend": ("defend", "defends", "dig", "digs", "verteidige", "verteidigt", "eingraben"),
    "withdraw": ("withdraw", "withdraws", "weiche", "weicht", "zurückweichen", "ausweichen"),
    "inactive": ("inactive", "rest", "rests", "nothing", "untätig", "ruhe", "ruht"),
    "does": ("does", "is", "tut", "ist"),
    "build": ("build", "builds", "baue", "baut", "bau", "errichte"),
    "raise": ("raise", "raises", "muster", "recruit", "stelle", "hebe", "rekrutiere"),
    "place": ("place", "places", "platziere", "setze"),
    "upgrade": ("upgrade", "enlarge", "strengthen", "grow", "vergrößere", "vergrössere", "verstärke", "ausbau"),
    "disband": ("disband", "dissolve", "demolish", "löse", "auflösen", "reiße", "abreißen"),
    "load": ("load", "loads", "belade", "lade"),
    "unload": ("unload", "unloads", "entlade", "entladen"),
    "repair": ("repair", "repairs", "repariere", "reparieren"),
    "transfer": ("transfer", "transfers", "versetze", "übertrage"),
    "buy": ("buy", "buys", "kaufe", "ersetze"),
    "restructure": ("restructure", "umgliedern", "gliedere"),
    "add": ("add", "adds", "ergänze", "verstärkung"),
    "ally": ("ally", "allies", "verbünde", "verbündet"),
    "declare": ("declare", "erkläre", "schließe"),
    "end": ("end", "ends", "beende", "kündige"),
    "alliance": ("alliance", "pact", "bündnis"),
    # what with
    "convoy": ("convoy", "tross", "konvoi"),
    "detachment": ("detachment", "abteilung"),
    "garrison": ("garrison", "garnison"),
    "urban": ("urban", "town", "city", "village", "ort", "stadt"),
    "stronghold": ("stronghold", "fort", "fortification", "festung", "befestigung"),
    "village": ("village", "dorf"),
    "camp": ("camp", "lager"),
    "road": ("road", "straße", "strasse"),
    "building": ("building", "gebäude"),
    "defence": ("defence", "defense", "verteidigungsanlage", "anlage"),
    "units": ("units", "unit", "einheiten", "einheit"),
    "models": ("models", "model", "modelle", "modell"),
    "bp": ("bp",),
    "type": ("type", "typ"),
    "drop": ("drop", "drops", "entlasse"),
    # where and how
    "at": ("at", "in", "bei", "on", "auf"),
    "to": ("to", "into", "nach", "zu", "zur", "zum"),
    "from": ("from", "von", "vom", "aus"),
    "with": ("with", "by", "mit"),
    "by": ("by", "durch", "with", "mit", "von"),
    "of": ("of", "von", "der", "des"),
    "for": ("for", "für"),
    "and": ("and", "&", "+", "und"),
    "as": ("as", "als"),
    # battles
    "battle": ("battle", "fight", "schlacht", "kampf"),
    "result": ("result", "ergebnis"),
    "won": ("won", "wins", "winner", "gewann", "gewinnt", "siegt", "siegte"),
    "lose": ("lose", "loses", "losses", "casualties", "verliere", "verluste", "opfere"),
    "lost": ("lost", "lose", "loses", "losses", "verlor", "verloren", "verluste"),
    "pick": ("pick", "picks", "wähle", "auswahl"),
    "retreated": ("retreated", "retreats", "retreat", "floh", "rückzug", "wich"),
    "took": ("took", "takes"),
    "part": ("part",),
    "withheld": ("withheld", "zurückgehalten"),
    "bombarded": ("bombarded", "beschoss", "beschossen"),
    "works": ("works", "anlagen"),
}  # fmt: skip
"""A word of a pattern, and every word that may stand for it; the first is the one that is written."""

FLAGS: Mapping[str, tuple[str, ...]] = {
    "planned": ("planned", "geplant"),
    "primary": ("primary", "leading", "leads", "führt", "führend"),
    "unload": ("unload", "unloads", "unloading", "entladen", "abladen"),
    "mounted": ("mounted", "aufgesessen"),
}
"""The fields of orders that are set by their name alone, and what may stand for it."""
NOT = ("not", "nicht")
REPEAT = ("repeat", "repeats", "wiederhole", "wiederholt", "wiederholen")
"""Before an order: it is given again in later phases, until that is cancelled (*not* before it)."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "capital": ("capital", "hauptstadt"),
    "urban": ("urban", "town", "ort", "stadt"),
    "resource": ("resource", "rohstoff", "rohstofffeld"),
    "quick": ("quick", "dice", "schnell", "würfel"),
    "tabletop": ("tabletop", "table", "tisch"),
}
"""Words of fields that hold one of a few."""

FINAL = ("final", "endgültig", "fertig")
HALF = ("half", "halb", "hälfte")
ALL = ("all", "destroyed", "alle", "zerstört")
INJURIES: Mapping[str, tuple[str, ...]] = {
    "damaged": ("damaged", "beschädigt"),
    "immobilised": ("immobilised", "immobilized", "bewegungsunfähig"),
    "broken": ("broken", "gebrochen"),
    "returned": ("returned", "zurückgekehrt"),
}
CONNECTORS = frozenset({"to", "via", "then", "and", "nach", "über", "dann", "und"})
"""Words that may stand between the hexes of a way."""


def exactly(token: Token, words: Iterable[str]) -> bool:
    """Return whether a word of a line is one of *words*."""
    return token.word in words


EXACT: Mapping[str, tuple[str, ...]] = {
    word: tuple(name for name, known in SYNONYMS.items() if word in known)
    for synonyms in SYNONYMS.values()
    for word in synonyms
}
"""Which words of patterns a word may stand for."""


def _meanings() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {word: dict.fromkeys(names, 3) for word, names in EXACT.items()}
    for word, names in EXACT.items():
        for length in range(MIN_ABBREVIATION, len(word)):
            if word[:length].isalpha():
                short = found.setdefault(word[:length], {})
                for name in names:
                    short.setdefault(name, 2)
    return found


MEANINGS: Mapping[str, Mapping[str, int]] = _meanings()
"""The same with every abbreviation: 3 as it is, 2 abbreviated."""
_NONE: Mapping[str, int] = {}


def fits(token: Token) -> Mapping[str, int]:
    """Return which words of patterns a word of a line stands for: 3 as it is, 2 as an abbreviation."""
    return MEANINGS.get(token.word, _NONE)
