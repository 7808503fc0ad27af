"""The types of orders in the client library, made of the API's description: ``python -m tests.client.order_types``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from textwrap import wrap
from typing import Any

from server.api.description import orders
from server.api.description.plain import camel
from server.rules.orders.registry import BY_TYPE

FOLDER = Path(__file__).parents[2] / "client" / "sealed_orders" / "records"
_NAMES = {orders.WANTED: "UnitMade"}
"""What the description calls a schema in the end (:mod:`server.api.description.tidy`)."""
_PLAIN = {"string": "str", "integer": "int", "boolean": "bool"}
_HEAD = '''"""{about}

Written from the API's description by ``python -m tests.client.order_types``. Do not change it by hand.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict
'''


def sources() -> dict[str, str]:
    """Return each module of the library that is made here, by its name."""
    made = {"order_parts.py": _details(), "order_types.py": _orders(), "order_options.py": _options()}
    return {name: "\n".join(parts) for name, parts in made.items()}


def _details() -> Iterator[str]:
    schemas = orders.schemas()
    yield _HEAD.format(about="The parts of orders as ``TypedDict``: units to raise, losses, results of battles.")
    for name in (orders.WANTED, orders.LOSS, orders.RESULT):
        yield from _typed_dict(_NAMES.get(name, name), schemas[name])


def _orders() -> Iterator[str]:
    schemas = orders.schemas()
    yield _HEAD.format(about="Orders as ``TypedDict``, so that type checkers know the fields of each type.")
    yield "from sealed_orders.records.order_parts import UnitLoss, UnitMade\n"
    names = [f"{camel(kind)}Order" for kind in BY_TYPE]
    for name in names:
        yield from _typed_dict(name, schemas[name])
    yield _alias("Order", " |\n    ".join(names), "An order: its `type` says which fields it has.")


def _options() -> Iterator[str]:
    settled = orders.schemas()[orders.SETTLED]
    yield _HEAD.format(
        about="The fields of legal orders as ``TypedDict``: those that are settled, and choices for others."
    )
    yield "from sealed_orders.records.order_parts import UnitLoss, UnitMade\n"
    kinds = "Literal[\n" + "".join(f'        "{kind}",\n' for kind in BY_TYPE) + "    ]"
    yield _alias("OrderType", kinds, "The type of an order.")
    fields = {name: schema for name, schema in settled["properties"].items() if name != "type"}
    yield from _typed_dict(
        "OrderFields", settled | {"description": "The fields of an order that are settled."}, {"type": "OrderType"}
    )
    lists = {"properties": {name: {"type": "array", "items": schema} for name, schema in fields.items()}}
    yield from _typed_dict("OrderChoices", lists | {"description": "The values that each further field may take."})


def _typed_dict(name: str, schema: Mapping[str, Any], known: Mapping[str, str] | None = None) -> Iterator[str]:
    needed = schema.get("required", ())
    kinds = {field: (known or {}).get(field) or _type(each) for field, each in schema["properties"].items()}
    fields = {field: kind if field in needed else f"NotRequired[{kind}]" for field, kind in kinds.items()}
    if any(map(iskeyword, fields)):
        held = "".join(f'        "{field}": {kind},\n' for field, kind in fields.items())
        yield f'{name} = TypedDict(\n    "{name}",\n    {{\n{held}    }},\n)\n{_told(schema["description"])}\n'
    else:
        held = "".join(f"    {field}: {kind}\n" for field, kind in fields.items())
        yield f"class {name}(TypedDict):\n    {_told(schema['description'])}\n\n{held}\n"


def _told(description: str) -> str:
    return "\n".join(wrap(f'"""{description.replace("`", "``")}"""', 110))


def _alias(name: str, kind: str, told: str) -> str:
    return f"{name}: TypeAlias = (\n    {kind}\n)\n{_told(told)}\n"


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "str" if name == "Hex" else _NAMES.get(name, name)
    if "const" in schema:
        return f'Literal["{schema["const"]}"]'
    if "enum" in schema:
        return f"Literal[{_words(schema['enum'])}]"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if schema["type"] == "array":
        return f"list[{_type(schema['items'])}]"
    if schema["type"] == "object":
        return f"dict[str, {_type(schema['additionalProperties'])}]"
    return _PLAIN[schema["type"]]


def _words(words: list[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


if __name__ == "__main__":
    import subprocess
    import sys

    for module, text in sources().items():
        (FOLDER / module).write_text(text, encoding="utf-8")
        for command in (["check", "--fix", "--select", "I,F401"], ["format"]):
            subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", FOLDER / module], check=True)
