"""What is there for operators names things that exist: files, commands, options, settings, addresses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from fastapi.testclient import TestClient

from server.app import create_app
from server.cli import main
from server.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
FILES = ("Dockerfile", "compose.yaml", *(f"deploy/{each.name}" for each in sorted((ROOT / "deploy").iterdir())))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def steps() -> list[tuple[str, str]]:
    """The Dockerfile's instructions."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", text("Dockerfile"), flags=re.MULTILINE)).splitlines()
    return [(word, rest) for line in lines if line for word, _, rest in [line.partition(" ")]]


def of(kind: str) -> list[str]:
    return [rest for word, rest in steps() if word == kind]


def options_of(command: str) -> set[str]:
    found = typer.main.get_command(main).commands[command].itself()  # type: ignore[attr-defined]
    return {name for param in found.params for name in param.opts}


def test_what_the_image_is_built_from_is_there_and_not_ignored() -> None:
    kept = [line[1:] for line in text(".dockerignore").splitlines() if line.startswith("!")]
    copied = [source for each in of("COPY") for source in each.split()[:-1]]
    assert [each for each in copied if not (ROOT / each).exists()] == []
    assert sorted(copied) == sorted(kept)
    force = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*force["packages"], *force["force-include"], PROJECT["project"]["readme"], "pyproject.toml"}
    assert [each for each in sorted(needed) if not {each, each.partition("/")[0]} & {*copied}] == []


def test_the_image_has_the_python_the_types_are_checked_for() -> None:
    images = {each.split()[0] for each in of("FROM")}
    assert images == {f"python:{PROJECT['tool']['mypy']['python_version']}-slim"}


def test_the_image_runs_a_command_that_exists_and_not_as_root() -> None:
    (entry,) = of("ENTRYPOINT")
    (command,) = of("CMD")
    assert json.loads(entry) == list(PROJECT["project"]["scripts"])
    name, *arguments = json.loads(command)
    assert {argument for argument in arguments if argument.startswith("--")} <= options_of(name)
    assert int(of("USER")[0]) > 0
    extras = re.findall(r"\[(\w+)\]", " ".join(of("RUN")))
    wanted = set(PROJECT["project"]["optional-dependencies"]) - {"train"}  # bots are trained elsewhere
    assert set(extras) == wanted


def test_the_image_asks_for_its_health_where_it_answers() -> None:
    (check,) = of("HEALTHCHECK")
    (asked,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", check)
    (command,) = of("CMD")
    assert asked[0] in json.loads(command)
    assert asked[0] in of("EXPOSE")
    assert TestClient(create_app(Settings(_env_file=None))).get(asked[1]).status_code == 200
    code = check[check.index("CMD") + 3 :]
    compile(json.loads(code)[2], "HEALTHCHECK", "exec")


@pytest.mark.parametrize("name", FILES)
def test_every_setting_that_is_named_exists(name: str) -> None:
    known = {f"{PREFIX}{field.upper()}" for field in Settings.model_fields}
    assert set(re.findall(rf"{PREFIX}[A-Z_]+", text(name))) <= known


def test_compose_waits_for_what_is_needed() -> None:
    services = COMPOSE["services"]
    healthy = {"condition": "service_healthy"}
    assert services["server"]["depends_on"] == {"database": healthy}
    assert services["proxy"]["depends_on"] == {"server": healthy}
    assert "healthcheck" in services["database"]
    assert "ports" not in services["server"], "two of them could not share a port"
    assert "ports" not in services["database"], "nobody but the server talks to it"
    named = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert {each for each in named if not each.startswith("./")} == set(COMPOSE["volumes"])
    assert all((ROOT / each).exists() for each in named if each.startswith("./"))


def test_what_compose_asks_for_is_in_its_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", text("compose.yaml")))
    given = set(re.findall(r"^([A-Z_]+)=", text("deploy/compose.env.example"), flags=re.MULTILINE))
    assert asked <= given


def test_there_is_time_to_stop() -> None:
    grace = Settings(_env_file=None).shutdown_grace
    (unit,) = re.findall(r"^TimeoutStopSec=(\d+)$", text("deploy/sealed-orders.service"), flags=re.MULTILINE)
    drain = Settings(_env_file=None, shutdown_drain=10).shutdown_drain
    assert int(unit) > grace + drain
    assert int(COMPOSE["services"]["server"]["stop_grace_period"].rstrip("s")) > grace


def test_the_unit_starts_a_command_that_exists() -> None:
    (start,) = re.findall(r"^ExecStart=(.+)$", text("deploy/sealed-orders.service"), flags=re.MULTILINE)
    program, command, *_ = start.split()
    assert Path(program).name in PROJECT["project"]["scripts"]
    assert options_of(command)


@pytest.mark.parametrize("name", ["deploy/Caddyfile", "deploy/haproxy.cfg"])
def test_proxies_that_can_ask_whether_a_process_is_ready(name: str) -> None:
    assert re.search(r"health_uri /readyz|option httpchk GET /readyz", text(name))
    assert TestClient(create_app(Settings(_env_file=None))).get("/readyz").status_code == 503
    assert "SEALED_ORDERS_SHUTDOWN_DRAIN" in text(name)


@pytest.mark.parametrize("name", ["deploy/nginx.conf", "deploy/Caddyfile"])
def test_proxies_do_not_hold_event_streams_back(name: str) -> None:
    assert re.search(r"proxy_buffering off|flush_interval -1", text(name))
    assert "/metrics" in text(name)


def test_nginx_knows_the_event_streams() -> None:
    (pattern,) = re.findall(r"location ~ (\S+stream\S*) {", text("deploy/nginx.conf"))
    paths = create_app(Settings(_env_file=None)).openapi()["paths"]
    streams = [path for path in paths if path.endswith("stream")]
    assert streams
    assert all(re.fullmatch(pattern, stream) for stream in streams)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is missing (package prometheus)")
@pytest.mark.parametrize("words", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")])
def test_prometheus_takes_the_alert_rules(words: tuple[str, ...]) -> None:
    done = subprocess.run(["promtool", *words], cwd=ROOT / "deploy", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["alerts.yml", "alerts_test.yml", "dashboard.json"])
def test_rules_and_dashboard_ask_for_figures_that_exist(name: str) -> None:
    """Of what the database tells there are figures only while it answers, so their names stand in the source."""
    source = text("server/http/metrics.py")
    asked = set(re.findall(r"\b(?:sealed_orders|http|process)_[a-z_]+", text(f"deploy/{name}")))
    assert len(asked) > 1
    for figure in asked:
        known = re.sub(r"_(bucket|total)$", "", figure)
        known = re.sub(r"_(waiting|failed)$", "_{state}", known)
        assert known in source, figure


def test_no_file_of_secrets_is_kept_in_the_repository() -> None:
    ignored = text(".gitignore").splitlines()
    assert any(fnmatch(".env", each) for each in ignored)
