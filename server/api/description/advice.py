"""Legal orders, previews and what they hold, as schemas."""

from __future__ import annotations

from server.api.description.orders import SETTLED, choices, settled
from server.api.description.plain import (
    Schema,
    boolean,
    camel,
    enum,
    hex_,
    id_,
    integer,
    listed,
    maybe,
    player,
    record,
    ref,
    table,
    text,
    union,
)
from server.rules.orders.build.restructure import Restructure
from server.rules.orders.registry import BY_TYPE
from server.rules.ruleset import MOBILITIES, SLOTS


def schemas() -> dict[str, Schema]:
    """Return legal orders and previews."""
    return {
        **_legal_orders(),
        "Needs": record({"units": ref("UnitNeeds")}, "What is still to be filled in."),
        "UnitNeeds": _unit_needs(),
        "TypeNeeds": record(
            {"slots": table(listed(integer(1), "At least and at most.", minItems=2, maxItems=2), "By slot.",
                            examples=[{"troops": [2, 6]}]),
             "kinds": listed(text("troops"), "What its units may be: slots, `vehicle`, `light_vehicle`"),
             "mobilities": listed(enum(MOBILITIES), "How they may move: in Setup as the ground lets them."),
             "asks": listed(text("vehicles"), "What all its units must be (D-35f).")},
            "What the units of a type of detachment may be; without `kinds` any.", ("kinds", "asks")),
        **_changes(),
        "Reach": record(
            {"hex": hex_(), "cost": integer(2, "MV spent."), "path": listed(hex_(), "A cheapest way there."),
             "exhausts": boolean("It costs more MV than there are: the force is inactive then.")},
            "A hex in reach."),
        "Preview": _preview(),
        "Payer": record({"hex": hex_(), "convoy": id_(), "before": integer(500), "after": integer(400)},
                        "Who pays, and what they have before and after.", ("hex", "convoy")),
        "Price": record({"what": text("Squad"), "bp": integer(100)}, "What one thing costs."),
        "Step": record({"hex": hex_(), "cost": integer(1), "left": integer(3, "MV."), "enemy_zoc": boolean()},
                       "A step of a path."),
        "EnemySeen": record({"force": id_(), "owner": player(), "ready_points": integer(300)},
                             "An enemy that is seen."),
    }  # fmt: skip


def _legal_orders() -> dict[str, Schema]:
    """Return the union of legal orders, and what each type of order settles, leaves open and explains."""
    names = {kind: f"Legal{camel(kind)}" for kind in BY_TYPE}
    told = "Orders of one type that may be given: fields that are settled, choices for others, and what explains them."
    found = union(names, told)
    found["examples"] = [
        {
            "type": "path",
            "order": {"type": "path", "detachment": "5f2c1a90b7de"},
            "choices": {"path": [["0405"], ["0405", "0505"]]},
            "mv": 4,
            "reach": [
                {"hex": "0405", "cost": 1, "path": ["0405"], "exhausts": False},
                {"hex": "0505", "cost": 3, "path": ["0405", "0505"], "exhausts": False},
            ],
        }
    ]
    return {"LegalOrder": found} | {names[kind]: _legal_order(kind) for kind in BY_TYPE}


def _legal_order(kind: str) -> Schema:
    known = _explanations()
    if kind == Restructure.TYPE:
        known["needs"] = ref("NeededChanges")
    explained = dict.fromkeys(name for order in BY_TYPE[kind] for name in order.EXPLAINED)
    fields = {
        "type": {"type": "string", "const": kind},
        "order": settled(kind),
        "choices": choices(kind),
    } | {name: known[name] for name in explained}
    return record(fields, f"Orders `{kind}` that may be given.", explained)


def _explanations() -> dict[str, Schema]:
    """Return what explains options (:attr:`server.rules.orders.base.Order.EXPLAINED`)."""
    return {
        "needs": ref("Needs"),
        "after": listed(ref(SETTLED), "Orders that must stand before it in the set; you give them, too."),
        "cost": integer(100, "BP. Left out where it depends on what you choose."),
        "costs": listed(integer(10), "BP for one, two, ... models."),
        "least": integer(50, "The least of the number to choose."),
        "most": integer(500, "The most of the number to choose."),
        "mv": integer(4, "The MV it may spend."),
        "reach": listed(ref("Reach"), "Where it can go."),
        "faces": table(integer(4), "The face a road needs, by hex.", examples=[{"0405": 4}]),
        "dead": integer(3, "Models of the unit that are dead."),
        "casualties": listed(text("5f2c1a90b7de/1"), "Who may be named as `casualties`."),
        "picks": listed(text("5f2c1a90b7de/1"), "Who may be named as `picks`."),
        "units": listed(text("5f2c1a90b7de/1"), "The units of the battle."),
        "why": text("D-33", "What it rests on, or why there is no more to choose from."),
    }


def _unit_needs() -> Schema:
    return record(
        {
            "types": table(ref("TypeNeeds"), "By type of detachment."),
            "most_points": integer(500, "All units together."),
            "most_of_slot": table(integer(2), "How many more units of each slot.", examples=[{"troops": 2}]),
            "kinds": listed(text("troops"), "What they may be: slots, `vehicle`, `light_vehicle`."),
            "mobilities": listed(enum(MOBILITIES), "How they may move; left out: any way."),
            "lost": listed(text("Captain Ash"), "Special characters who are dead for good."),
            "names": listed(text("Vanguard"), "Names of the seat's pool that none of its forces has."),
            "least_points": integer(100, "The least points of the detachment (D-35f)."),
            "least_of_model": table(
                integer(3),
                "The least points of a model, by mobility; `bike` is the flag (D-35f).",
                examples=[{"infantry": 3, "bike": 12}],
            ),
        },
        f"What new units may be; their slots are {', '.join(f'`{slot}`' for slot in SLOTS)}.",
        ("types", "most_of_slot", "kinds", "mobilities", "lost", "names", "least_points", "least_of_model"),
    )


def _changes() -> dict[str, Schema]:
    """Return what several changes of a detachment together are chosen from."""
    unit = text("5f2c1a90b7de/1")
    return {
        "NeededChanges": record({"units": ref("UnitNeeds"), "changes": ref("ChangesOffered")},
                                "What is still to be chosen; `units` says how many points they have together at most."),
        "ChangesOffered": record(
            {"type": text("standard", "What it is now. Choose another where `types` does not have it."),
             "types": table(ref("TypeReached"), "What `detachment_type` may be."),
             "drop": listed(unit, "Of these, any may leave: all units of the detachment."),
             "to_garrison": listed(unit, "Of these, any may join the garrison."),
             "from_garrison": listed(unit, "Of these, any may come from the garrison."),
             "mounted": listed(boolean(), "What `mounted` may be."),
             "units": table(ref("UnitMoved"), "The units that are named, by id."),
             "is_mounted": boolean("Whether it is mounted now."),
             "least_points": integer(100, "The least points of the detachment afterwards (D-35f)."),
             "most_points": integer(1500, "The most points of the detachment afterwards."),
             "most_bp": maybe(integer(500, "The most BP that units from the garrison may cost (D-35d); null: free.")),
             "garrison": ref("GarrisonRoom")},
            "Several changes together: at least one field, no unit in two of them. Orders that keep to the bounds are "
            "accepted, and no others.", ("garrison",)),
        "TypeReached": record(
            {"slots": table(listed(integer(1), "At least and at most.", minItems=2, maxItems=2), "Units afterwards, by "
                            "slot.", examples=[{"troops": [2, 6]}]),
             "kinds": listed(text("troops"), "What every unit must be afterwards: slots, `vehicle`, `light_vehicle`."),
             "asks": listed(text("vehicles"), "What all units must be afterwards (D-35f).")},
            "What a detachment of a type must hold."),
        "UnitMoved": record(
            {"slot": enum(SLOTS), "kind": text("troops", "Its slot, or `vehicle`, `light_vehicle`."),
             "points": integer(100), "mobility": enum(MOBILITIES), "flags": listed(text("bike")),
             "models": integer(10), "living": integer(8, "Models ready and wounded.")}, "What counts of a unit."),
        "GarrisonRoom": record(
            {"points": integer(200, "What it has now."),
             "most_points": integer(750, "What it may have afterwards, where units join it.")},
            "The garrison of the hex."),
    }  # fmt: skip


def _preview() -> Schema:
    fields = {
        "cost": integer(100, "BP."),
        "paid_by": ref("Payer"),
        "prices": listed(ref("Price")),
        "refund": integer(50, "BP."),
        "why": text("1.2.2: complexity 2"),
        "turns": integer(2, "Turns until it is ready."),
        "ready_turn": integer(5),
        "where": text("0405", "A hex, or `orbit`."),
        "hex": hex_(),
        "size": text("town"),
        "income": integer(50, "BP each turn."),
        "maintenance": integer(10, "BP each turn."),
        "replaces": text("market", "The building that it takes the place of; empty: none."),
        "stronghold": text("fort"),
        "defences": table(integer(1), "How many of each there are then.", examples=[{"watchtower": 1}]),
        "needs": integer(4, "The face a road needs."),
        "loads": integer(100, "BP."),
        "unloads": {"anyOf": [integer(100), boolean()], "description": "BP; of a path, whether it unloads there."},
        "before": integer(100, "BP in the store."),
        "after": integer(200, "BP in the store."),
        "bp": integer(5000, "BP to begin with."),
        "left": listed(text("town"), "Sizes that are left to be placed."),
        "ready": table(integer(10), "Models fit to fight, by unit.", examples=[{"5f2c1a90b7de/1": 10}]),
        "wounded_back": integer(0, "Wounded models that change places."),
        "detachment_type": text("standard"),
        "units": listed(text("Squad")),
        "points": integer(400),
        "mv": integer(4),
        "steps": listed(ref("Step")),
        "ends_at": text("0405", "A hex, or `orbit`."),
        "stop": text("zoc", "Why it would stop; empty: it arrives."),
        "inactive": boolean("It is inactive afterwards."),
        "target": text("0405", "A hex; empty where it is not known."),
        "enemies": listed(ref("EnemySeen")),
        "ready_points": integer(300),
        "attacker_modifier": integer(1),
        "defender_modifier": integer(0),
        "attacker_ready_points": integer(300),
        "defender_ready_points": integer(200),
        "support_from": table(text("flank"), "How support from each hex would count.", examples=[{"0405": "flank"}]),
        "support_modifiers": table(integer(1), "What each is worth.", examples=[{"flank": 1}]),
        "acts": enum(("last", "in initiative order")),
        "declared": listed(player(), "With whom you have declared an alliance then."),
        "mutual": boolean("They have declared it, too."),
    }
    told = "What an order would do, as far as its player can know; empty where there is a problem."
    found = record(dict(sorted(fields.items())), told, fields)
    found["examples"] = [
        {"cost": 100, "paid_by": {"hex": "0405", "before": 500, "after": 400}, "ready_turn": 3, "why": "1.5.1"}
    ]
    return found
