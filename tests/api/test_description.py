"""The description says all that a generator of clients needs; a new endpoint that lacks something is named here.

Seen to fail: with ``X-Request-Id`` left out of the headers of a response; with ``if_match`` left out of an endpoint
that reads it; with the schema of ``LegalOrder.choices`` taken out of ``refined``; with a text as an example of a
number.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient

from server.api.description import events, meanings, position, refined
from server.api.description.plain import WHERE
from server.api.routers import api
from server.referee.beginning import SettingsData
from server.referee.reading import Found, read, specs
from server.rules.codec import layout
from server.rules.orders.registry import BY_TYPE
from tests.api.asking import described, looked_up
from tests.api.club import found as found_club

METHODS = ("get", "put", "post", "patch", "delete")
TWIN = re.compile(r"-Input|-Output|__|^Page_")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every body of a question or an answer: where it is, and what describes it."""
    for _, _, each in operations():
        for kind, content in each.get("requestBody", {}).get("content", {}).items():
            yield f"{each['operationId']} asks {kind}", content
        for status, response in each["responses"].items():
            for kind, content in looked_up(response, described()).get("content", {}).items():
                yield f"{each['operationId']} {status} {kind}", content
    for name, hook in described()["webhooks"].items():
        for kind, content in hook["post"]["requestBody"]["content"].items():
            yield f"webhook {name} {kind}", content


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.Draft202012Validator(schema | {"components": described()["components"]})


def test_every_body_has_an_example_that_is_valid() -> None:
    wrong, seen = [], set()
    for where, content in contents():
        same = orjson.dumps(
            content, option=orjson.OPT_SORT_KEYS
        )  # answers to what is refused are alike in all operations
        if "example" not in content:
            wrong.append(f"{where}: no example")
        elif same not in seen and not any(kind in where for kind in ("octet-stream", "image/")):
            seen.add(same)
            errors = validator(content["schema"]).iter_errors(content["example"])
            wrong += [f"{where}: {error.instance_path}: {error.message}" for error in errors]
    assert wrong == [], "add `examples` to the fields, or to server/api/description/examples.py"


def test_every_operation_says_who_may_call_it() -> None:
    either: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
    for _, method, each in operations():
        guests = [{}, *either, {"guest": []}]
        public = [guests, [{}, *either]] if method == "get" else [guests, []]
        assert each.get("security") in [either, *public], each["operationId"]


def test_every_answer_names_its_headers() -> None:
    for _, method, each in operations():
        stream = "text/event-stream" in each["responses"].get("200", {}).get("content", {})
        for status, found in each["responses"].items():
            where = f"{each['operationId']} {status}"
            named = looked_up(found, described()).get("headers", {})
            assert {"X-Request-Id", "Link", "RateLimit-Limit"} <= named.keys(), where
            assert ("Location" in named) == (status == "201"), where
            assert ("WWW-Authenticate" in named) == (status == "401"), where
            assert status not in ("429", "503") or "Retry-After" in named, where
            assert status != "200" or method != "get" or stream or "ETag" in named, where
            assert status[0] != "2" or method == "get" or "Idempotent-Replayed" in named, where


def test_every_operation_names_the_headers_it_takes() -> None:
    for _, method, each in operations():
        names = {looked_up(one, described())["name"] for one in each.get("parameters", [])}
        stream = "text/event-stream" in each["responses"].get("200", {}).get("content", {})
        wanted = {"Idempotency-Key"} if method != "get" else set() if stream else {"If-None-Match"}
        assert wanted <= names, each["operationId"]


def test_who_reads_if_match_says_so() -> None:
    """``if_match=True`` stands at every endpoint that reads ``If-Match``, and at no other."""
    described_so = {
        each["operationId"]
        for _, _, each in operations()
        if "If-Match" in {looked_up(one, described())["name"] for one in each.get("parameters", [])}
    }
    endpoints = [route.endpoint for route in iter_route_contexts(api.routes) if route.endpoint]
    reading = {
        endpoint.__name__
        for endpoint in endpoints
        if re.search(r"call\.revision|\bif-match\b|_meant\(", inspect.getsource(endpoint))
    }
    assert described_so == reading


def test_nothing_is_left_open_by_mistake() -> None:
    """A field that may hold anything has a schema in ``refined``, or a reason in ``refined.FREE``."""
    found = {
        where
        for name, schema in described()["components"]["schemas"].items()
        for where in _open(schema, name)
        if where not in refined.FREE and where.partition(".")[0] not in refined.FREE
    }
    assert found == set(), "describe it in server/api/description/refined.py"


def _open(schema: Any, where: str) -> Iterator[str]:
    """Yield where a schema says nothing."""
    if not isinstance(schema, dict):
        return
    bare = schema.keys() - {"title", "description", "default", "examples", "maxItems", "maxLength", "maxProperties"}
    anything = (
        schema.get("type") == "object"
        and not schema.get("properties")
        and (schema.get("additionalProperties") in (True, None) or schema.get("additionalProperties") == {})
    )
    if not bare or anything or (schema.get("type") == "array" and not schema.get("items")):
        yield where
    for name, each in schema.get("properties", {}).items():
        yield from _open(each, f"{where}.{name}")
    for key in ("items", "additionalProperties"):
        yield from _open(schema.get(key), where)
    for key in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(key, ()):
            yield from _open(each, where)


def test_every_success_is_typed() -> None:
    open_ = [where for where, content in contents() if "json" in where and list(_open(content.get("schema"), where))]
    assert open_ == [], "give the endpoint a response_model"


def test_names_are_good_for_generated_code() -> None:
    assert [name for name in described()["components"]["schemas"] if TWIN.search(name)] == []


def test_names_are_free_in_the_languages_of_generators() -> None:
    """Go makes `NewUnit()` for `Unit`; a browser has a class `Event`; Python's readers are called like their schema."""
    schemas = described()["components"]["schemas"]
    names = schemas.keys()
    snakes = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in names}
    assert [name for name in names if snakes[name] in schemas[name].get("properties", {})] == []
    assert [name for name in names if name.startswith("New") and name[3:] in names] == []
    assert not names & {"Event", "Error", "Map", "Set", "Request", "Response", "Date", "Object", "Symbol", "Promise"}


def test_every_operation_has_one_tag_and_the_tag_is_explained() -> None:
    told = {tag["name"] for tag in described()["tags"]}
    for _, where, operation in operations():
        assert len(operation["tags"]) == 1, where
        assert set(operation["tags"]) <= told, where
    assert {tuple(hook["post"]["tags"]) for hook in described()["webhooks"].values()} == {("webhooks",)}


def test_every_property_is_described() -> None:
    """Options, rules and settings among them. Seen to fail: with a property that has neither docstring nor sentence."""
    schemas = described()["components"]["schemas"]
    assert meanings.undescribed(schemas) == []
    assert meanings.unused(schemas) == []


def test_descriptions_are_markdown_without_roles_of_sphinx() -> None:
    assert re.findall(r":\w+:`[^`]*`|``", orjson.dumps(described()).decode()) == []


def test_integers_that_may_be_large_say_so() -> None:
    revision = described()["components"]["schemas"]["OrderSetInfo"]["properties"]["revision"]
    assert revision["format"] == "int64"


def test_orders_are_a_discriminated_union() -> None:
    union = described()["components"]["schemas"]["Order"]
    assert union["discriminator"]["mapping"].keys() == BY_TYPE.keys()
    for kind, where in union["discriminator"]["mapping"].items():
        schema = described()["components"]["schemas"][where.removeprefix(WHERE)]
        fields = {field.name for order in BY_TYPE[kind] for field in order.FIELDS}
        assert schema["properties"].keys() == fields | {"type", "as"}
        assert schema["properties"]["type"]["const"] == kind


def test_legal_orders_are_told_apart_by_their_type(client: TestClient) -> None:
    """The type stands beside what it decides: fields that are settled, choices, and what explains them."""
    schemas = described()["components"]["schemas"]
    union = schemas["LegalOrder"]
    assert union["discriminator"]["propertyName"] == "type"
    assert union["discriminator"]["mapping"].keys() == BY_TYPE.keys()
    for kind, where in union["discriminator"]["mapping"].items():
        legal = schemas[where.removeprefix(WHERE)]["properties"]
        fields = {field.name for order in BY_TYPE[kind] for field in order.FIELDS}
        explained = {name for order in BY_TYPE[kind] for name in order.EXPLAINED}
        assert legal.keys() == {"type", "order", "choices"} | explained
        assert legal["type"]["const"] == legal["order"]["properties"]["type"]["const"] == kind
        assert legal["order"]["properties"].keys() - {"type"} == legal["choices"]["properties"].keys() == fields
    club = found_club(client)
    asked = [club.players[0].ask("GET", f"{club.path}/legal-orders").json()["items"]]
    asked.append(club.players[0].ask("POST", f"{club.path}/orders/draft", {"orders": []}).json()["options"])
    for options in asked:
        assert options
        assert all(option["type"] == option["order"]["type"] for option in options)


def test_the_state_has_every_field_of_its_layout() -> None:
    nouns = position.schemas()
    assert nouns["State"]["properties"].keys() == layout.STATE.keys()
    assert nouns["Detachment"]["properties"].keys() == layout.DETACHMENT.keys()


def test_every_event_is_described() -> None:
    union = described()["components"]["schemas"]["GameEvent"]
    assert union["discriminator"]["mapping"].keys() == events.FIELDS.keys()


# --- where it is served ---


def test_it_is_sent_gzipped_and_once(client: TestClient) -> None:
    plain = client.get("/api/v1/openapi.json", headers={"Accept-Encoding": "identity"})
    zipped = client.get("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert (plain.status_code, zipped.headers["content-encoding"]) == (200, "gzip")
    assert plain.json() == zipped.json()
    assert int(zipped.headers["content-length"]) < len(plain.content) // 5
    for first in (plain, zipped):
        encoding = "gzip" if first is zipped else "identity"
        asked = {"Accept-Encoding": encoding, "If-None-Match": first.headers["etag"]}
        again = client.get("/api/v1/openapi.json", headers=asked)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert client.head("/api/v1/openapi.json").headers["etag"]


def test_the_guide_says_how_large_it_is(client: TestClient) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    told = re.search(r"The description has (\d+) kB\. It is sent gzipped, which is (\d+) kB", guide)
    assert told is not None
    for encoding, size in zip(("identity", "gzip"), map(int, told.groups()), strict=True):
        answer = client.get("/api/v1/openapi.json", headers={"Accept-Encoding": encoding})
        assert int(answer.headers["content-length"]) == pytest.approx(size * 1000, rel=0.1)


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/openapi.json", "/api/v1/openapi.json"),
        ("/docs", "/api/docs"),
        ("/api", "/api/docs"),
        ("/api/v1", "/api/docs"),
    ],
)
def test_where_one_looks_leads_there(client: TestClient, path: str, leads_to: str) -> None:
    found = client.get(path, follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (308, leads_to)
    assert client.get(path).status_code == 200


def test_answers_say_where_the_description_is(client: TestClient) -> None:
    for path in ("/", "/api/v1/scenarios", "/api/v1/nothing"):
        link = client.get(path).headers["link"]
        assert '</api/v1/openapi.json>; rel="service-desc"' in link
        assert '</api/docs>; rel="service-doc"' in link


def test_the_catalog_names_the_api(client: TestClient) -> None:
    found = client.get("/.well-known/api-catalog")
    assert found.headers["content-type"].startswith("application/linkset+json")
    (api,) = found.json()["linkset"]
    for relation in ("service-desc", "service-doc", "status"):
        (place,) = api[relation]
        assert client.get(place["href"]).status_code == 200


def test_rulings_of_table_games_are_described_as_the_referee_reads_them() -> None:
    """Seen to fail with a setting left out, and with settings left open."""
    components = described()["components"]["schemas"]
    fields = components["TableSettings"]["properties"]
    assert list(fields) == list(specs(SettingsData))
    found: Found = []
    assert "Left out: `strict`." in fields["secured"]["description"]
    for model in ("TableWanted", "TableChanges", "MissionProposed"):
        settings = components[model]["properties"]["settings"]
        assert "TableSettings" in str(settings), model
    for name, schema in fields.items():
        for value in schema.get("enum", (True, False)):
            assert read(SettingsData, {name: value}, "", found), found
    assert not found
