"""What within v1 may not change: compares two descriptions of the API and names what would break a program.

Allowed: new operations, new optional parameters and fields of questions, new fields of answers, new words and new types
of orders and events, new codes. The guide to the API (docs/api.md) promises this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

METHODS = ("get", "put", "post", "patch", "delete")


class Comparison:
    """Two descriptions: the last release's and today's."""

    def __init__(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        self.before = before
        self.after = after
        self._seen: set[tuple[str, str, bool]] = set()

    def breaks(self) -> Iterator[str]:
        """Yield what would break a program that was written for the description before."""
        for path, ways in self.before["paths"].items():
            for method in (each for each in METHODS if each in ways):
                now = self.after["paths"].get(path, {}).get(method)
                if now is None:
                    yield f"{method.upper()} {path} is gone"
                else:
                    yield from self._operation(f"{method.upper()} {path}", ways[method], now)
        for name, hook in self.before.get("webhooks", {}).items():
            now = self.after.get("webhooks", {}).get(name)
            if now is None:
                yield f"webhook {name} is gone"
            else:
                yield from self._sent(f"webhook {name}", hook["post"]["requestBody"], now["post"]["requestBody"])

    def _operation(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{where}: operationId"
        if {} in old["security"] and {} not in new["security"]:
            yield f"{where}: needs signing in now"
        yield from self._parameters(where, old, new)
        asked, asks = (
            self._json(each, one.get("requestBody", {})) for one, each in ((old, self.before), (new, self.after))
        )
        if asks is not None and asked is None:
            yield f"{where}: needs a body now"
        elif asked is not None and asks is not None:
            yield from self._schema(f"{where} body", asked, asks, question=True)
        for status, response in old["responses"].items():
            if not status.startswith("2"):
                yield from self._sent(f"{where} {status}", response, new["responses"].get(status, {}))
                continue
            if status not in new["responses"]:
                yield f"{where}: {status} is gone"
                continue
            answered = self._json(self.before, response)
            answers = self._json(self.after, new["responses"][status])
            if answered is not None and answers is None:
                yield f"{where}: {status} has no JSON any more"
            elif answered is not None and answers is not None:
                yield from self._schema(f"{where} {status}", answered, answers, question=False)
            headers = _found(self.before, response).get("headers", {})
            gone = headers.keys() - _found(self.after, new["responses"][status]).get("headers", {}).keys()
            yield from (f"{where}: header {name} is gone" for name in sorted(gone))

    def _sent(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        """Compare what the server sends beside answers of success: problems, webhooks."""
        before, after = self._json(self.before, old), self._json(self.after, new)
        if before is not None and after is not None:
            yield from self._schema(where, before, after, question=False)

    def _parameters(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        before = {(each["in"], each["name"]): each for each in map(self._old, old.get("parameters", []))}
        after = {(each["in"], each["name"]): each for each in map(self._new, new.get("parameters", []))}
        for key, each in before.items():
            if key not in after:
                yield f"{where}: parameter {key[1]} is gone"
            else:
                yield from self._schema(f"{where} {key[1]}", each["schema"], after[key]["schema"], question=True)
        for key, each in after.items():
            if each.get("required") and not before.get(key, {}).get("required"):
                yield f"{where}: parameter {key[1]} is needed now"

    def _old(self, part: dict[str, Any]) -> dict[str, Any]:
        return _found(self.before, part)

    def _new(self, part: dict[str, Any]) -> dict[str, Any]:
        return _found(self.after, part)

    def _json(self, description: dict[str, Any], part: dict[str, Any]) -> dict[str, Any] | None:
        sent = _found(description, part).get("content", {})
        content = sent.get("application/json", sent.get("application/problem+json"))
        return None if content is None else content["schema"]

    def _schema(self, where: str, old: dict[str, Any], new: dict[str, Any], *, question: bool) -> Iterator[str]:
        key = (old.get("$ref", where), new.get("$ref", where), question)
        if key in self._seen:
            return
        self._seen.add(key)
        old, new = _found(self.before, old), _found(self.after, new)
        if not question and "properties" in old and "discriminator" in new:
            yield from self._parted(where, old, new)
            return
        if old.get("type") != new.get("type") and "type" in old and "type" in new:
            yield f"{where}: {old['type']} became {new['type']}"
            return
        yield from self._fields(where, old, new, question=question)
        for part in ("items", "additionalProperties"):
            if isinstance(old.get(part), dict) and isinstance(new.get(part), dict):
                yield from self._schema(f"{where}[]", old[part], new[part], question=question)
        for name, one in _alternatives(old).items():
            other = _alternatives(new).get(name)
            if other is not None:
                yield from self._schema(where, one, other, question=question)
        words = set(old.get("enum", ())) - set(new.get("enum", old.get("enum", ())))
        yield from (f"{where}: the word {word!r} is gone" for word in sorted(map(str, words)))
        for bound, worse in (("maximum", -1), ("maxLength", -1), ("maxItems", -1), ("minimum", 1), ("minLength", 1)):
            if question and bound in new and (bound not in old or (new[bound] - old[bound]) * worse > 0):
                yield f"{where}: {bound} is tighter"
        mapping = old.get("discriminator", {}).get("mapping", {})
        now = new.get("discriminator", {}).get("mapping", {})
        for kind, place in mapping.items():
            if kind not in now:
                yield f"{where}: the type {kind} is gone"
            else:
                yield from self._schema(f"{where} {kind}", {"$ref": place}, {"$ref": now[kind]}, question=question)

    def _parted(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        """An answer that is told apart by a type now: every type has what was always there, as it was."""
        members = [_found(self.after, {"$ref": place}) for place in new["discriminator"]["mapping"].values()]
        for name in old["properties"]:
            if not any(name in member["properties"] for member in members):
                yield f"{where}.{name} is gone from every type"
        for kind, place in new["discriminator"]["mapping"].items():
            member = _found(self.after, {"$ref": place})
            yield from self._schema(f"{where} {kind}", self._narrowed(old, member), member, question=False)

    def _narrowed(self, old: dict[str, Any], member: dict[str, Any]) -> dict[str, Any]:
        """Return a schema of before without the fields that could be left out, and are with one type."""
        old, member = _found(self.before, old), _found(self.after, member)
        if "properties" not in old or "properties" not in member:
            return old
        left_out = old["properties"].keys() - member["properties"].keys() - set(old.get("required", ()))
        fields = {
            name: self._narrowed(each, member["properties"].get(name, {}))
            for name, each in old["properties"].items()
            if name not in left_out
        }
        return old | {"properties": fields}

    def _fields(self, where: str, old: dict[str, Any], new: dict[str, Any], *, question: bool) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, each in before.items():
            if name not in after:
                yield f"{where}.{name} is gone"
            else:
                yield from self._schema(f"{where}.{name}", each, after[name], question=question)
        needed, needs = set(old.get("required", ())), set(new.get("required", ()))
        if question:
            yield from (f"{where}.{name} is needed now" for name in sorted(needs - needed))
        else:
            yield from (f"{where}.{name} may be left out now" for name in sorted((needed - needs) & after.keys()))


def _alternatives(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the schemas that a value may have (one of them is often ``null``), by name, type or place."""
    if "discriminator" in schema:
        return {}
    ways = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    return {str(way.get("$ref", way.get("type", place))): way for place, way in enumerate(ways)}


def _found(description: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a description, or what it refers to."""
    while "$ref" in part:
        found: Any = description
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        part = found
    return part
