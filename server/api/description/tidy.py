"""What makes the description short and its names good for generated clients."""

from __future__ import annotations

import re
from typing import Any

from server.api.description.plain import WHERE

_PAGE = re.compile(r"^Page_(\w+)_$")
_INT32 = 2**31 - 1


def tidy(described: dict[str, Any]) -> None:
    """Leave titles of fields out, give pages plain names, and take out what one tool or another does not understand."""
    components = described["components"]["schemas"]
    renamed = {name: short for name in components if (short := _short(name)) != name}
    for old, new in renamed.items():
        components[new] = components.pop(old)
    described["components"]["schemas"] = dict(sorted(components.items()))
    _walk(described, {WHERE + old: WHERE + new for old, new in renamed.items()})


def _short(name: str) -> str:
    """Return a name as generated code may have it: ``TokenInfoPage``; of two ``SeatInfo`` one is ``TableSeatInfo``."""
    paged = _PAGE.match(name)
    if paged is not None:
        return f"{_short(paged[1])}Page"
    module, _, short = name.rpartition("__")
    return f"Table{short}" if "table" in module else short


def _walk(node: Any, renamed: dict[str, str]) -> None:
    if isinstance(node, list):
        for child in node:
            _walk(child, renamed)
    elif isinstance(node, dict):
        if node.get("$ref") in renamed:
            node["$ref"] = renamed[node["$ref"]]
        if _is_schema(node):
            node.pop("title", None)
            _tidy_schema(node)
        for key, child in node.items():
            if key not in ("example", "examples", "default"):
                _walk(child, renamed)


def _is_schema(node: dict[str, Any]) -> bool:
    return "version" not in node and (isinstance(node.get("type"), str) or "anyOf" in node or "$ref" in node)


def _tidy_schema(node: dict[str, Any]) -> None:
    """Make a schema plain.

    A tuple is a list of items of one kind; some generators take a field with a default for a needed one; an
    integer without a bound has 64 bits, which Go and others must know.
    """
    if node.get("type") == "integer" and node.get("maximum", node.get("exclusiveMaximum", _INT32 + 1)) > _INT32:
        node["format"] = "int64"
    if "prefixItems" in node:
        node["items"] = node.pop("prefixItems")[0]
    for field in node.get("properties", {}).values():
        default = field.pop("default", None)
        if isinstance(default, bool | int | str) and default != "":
            told = field.get("description", "")
            field["description"] = f"{told} Left out: `{str(default).lower()}`.".strip()


def for_generators(described: dict[str, Any]) -> None:
    """Give names that no language has already, and say which integers need 64 bits.

    Go makes a constructor ``NewUnit`` for ``Unit``. ``Event`` is a class of every browser. The reader of ``Problems``
    in Python has a variable ``problems``, so no field may have that name.
    """
    components = described["components"]["schemas"]
    renamed = {name: f"{name[3:]}Made" for name in components if name.startswith("New") and name[3:] in components}
    renamed |= {"Event": "GameEvent"} if "Event" in components else {}
    renamed |= {
        name: f"{name}Document" for name, schema in components.items() if _snake(name) in schema.get("properties", {})
    }
    for old, new in renamed.items():
        components[new] = components.pop(old)
    _walk(described, {WHERE + old: WHERE + new for old, new in renamed.items()})


def _snake(name: str) -> str:
    """Return a schema's name as variables are called: ``StandIn`` is ``stand_in``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def pruned(described: dict[str, Any]) -> None:
    """Leave schemas out that nothing refers to."""
    components = described["components"]["schemas"]
    todo = _refs({key: value for key, value in described.items() if key != "components"})
    todo |= _refs({key: value for key, value in described["components"].items() if key != "schemas"})
    used: dict[str, None] = {}
    waiting = list(todo)
    while waiting:
        name = waiting.pop()
        if name not in used and name in components:
            used[name] = None
            waiting += _refs(components[name])
    described["components"]["schemas"] = {name: component for name, component in components.items() if name in used}


def _refs(node: Any) -> dict[str, None]:
    found: dict[str, None] = {}
    todo = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            reference = each.get("$ref")
            if isinstance(reference, str) and reference.startswith(WHERE):
                found[reference.removeprefix(WHERE)] = None
            mapping = each.get("mapping")
            if isinstance(mapping, dict):
                found |= {str(value).removeprefix(WHERE): None for value in mapping.values()}
            todo += each.values()
        elif isinstance(each, list):
            todo += each
    return found
