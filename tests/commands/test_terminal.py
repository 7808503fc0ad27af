"""What all commands share: errors in one line, plain output, completion, Ctrl-C; in processes of their own."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import URL
from typer.testing import CliRunner

from server.cli import main
from server.play.resolution.version import RULES_VERSION
from server.store.database import Database
from tests.commands.conftest import json_of, run


def command(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    own = {**os.environ, **environment}
    line = [sys.executable, "-m", "server", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False, env=own, stdin=subprocess.DEVNULL)


def one_line(result: subprocess.CompletedProcess[str], code: int, says: str) -> None:
    assert result.returncode == code, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert says in result.stderr


def test_version() -> None:
    assert run("--version").stdout == f"sealed-orders {RULES_VERSION}\n"


@pytest.mark.parametrize(
    ("address", "code", "says"),
    [
        ("mysql://host/name", 2, "not mysql"),
        ("sqlite://", 2, "SQLite needs a file"),
        ("secret", 2, "not the address of a database"),
        ("sqlite:////nowhere/at/all.db", 3, "/nowhere/at/all.db"),
        ("postgresql://ann:secret@127.0.0.1:1/club", 3, "refused"),
    ],
)
@pytest.mark.parametrize("words", ["user list", "campaign list", "db upgrade", "db current", "campaign create X"])
def test_a_database_that_cannot_be_had(
    address: str, code: int, says: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", address)
    if words == "db current" and "nowhere" in address:
        assert run("db", "current").stdout.startswith("none")
        return
    result = run(*words.split(), code=code)
    assert says in result.stderr
    assert "secret" not in result.stderr


def test_a_database_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file.db").write_text("hello " * 1000)
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/file.db")
    one_line(command("user", "list"), 3, "not a database")
    assert "damaged" in run("db", "check", code=1).stdout


def test_a_database_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    Database(f"sqlite:///{tmp_path}/new.db").check_ready()
    assert "sealed-orders db upgrade" in run("user", "list", code=1).stderr
    assert "9999" in run("db", "upgrade", "9999", code=1).stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("bogus", "No such command 'bogus'. See sealed-orders --help."),
        ("campaign creat", "No such command 'creat'. Did you mean 'create'? See sealed-orders campaign --help."),
        ("campaign bogus", "No such command 'bogus'. See sealed-orders campaign --help."),
        ("campaign list --bogus", "No such option: --bogus. See sealed-orders campaign list --help."),
        ("serve --prot 9", "No such option: --prot. Did you mean --port? See sealed-orders serve --help."),
        ("campaign create --users x", "No such option: --users. See sealed-orders campaign create --help."),
        ("map import", "Missing argument 'FILE'. See sealed-orders map import --help."),
        ("campaign crate", "No such command 'crate'. Did you mean 'create'? See sealed-orders campaign --help."),
        (
            "serve --port x",
            "Invalid value for '--port': 'x' is not a whole number from 1 to 65535. See sealed-orders serve --help.",
        ),
        (
            "serve --port 70000",
            "Invalid value for '--port': 70000 is not a whole number from 1 to 65535. See sealed-orders serve --help.",
        ),
        (
            "campaign rollback x y",
            "Invalid value for 'PHASE': 'y' is not a whole number of at least 1. "
            "See sealed-orders campaign rollback --help.",
        ),
    ],
)
def test_a_line_that_is_not_understood_is_answered_in_one(words: str, says: str) -> None:
    done = CliRunner().invoke(main, words.split(), prog_name="sealed-orders")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"{says}\n")
    assert json_of(*words.split(), code=2)["error"]["code"] == "usage"


def test_a_group_without_a_command_shows_its_help() -> None:
    assert "Usage:" in run("campaign", code=2).output


def test_help_names_options_and_rules() -> None:
    said = run("campaign", "create", "--help").stdout
    assert all(name in said for name in ("anonymous", "stand_in_after", "warn_hours", "turn_limit", "fleet"))
    assert "named_ids" not in said


def test_ids_stay_whole(url: URL) -> None:
    """At 80 columns and in a pipe; seen to fail with a column that is folded."""
    run("user", "add", "Ann", "--admin", "--password-stdin", said="correct horse\n")
    run("campaign", "create", "A campaign whose name fills most of a line")
    (made,) = json_of("campaign", "list")["campaigns"]
    assert made["id"] in on_a_terminal("campaign", "list")
    piped = command("campaign", "list").stdout
    assert made["id"] in piped
    assert made["name"] in piped


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_is_taken(url: URL, taken: int) -> None:
    one_line(command("serve", "--port", str(taken)), 3, f"cannot listen at 127.0.0.1, port {taken}")


def test_an_address_of_another_machine(url: URL) -> None:
    one_line(command("serve", "--host", "192.0.2.1"), 3, "cannot listen at 192.0.2.1")


def test_output_that_is_no_terminal_is_plain(url: URL) -> None:
    for words in ("--help", "campaign --help", "map list", "user list", "campaign list"):
        done = command(*words.split())
        assert done.returncode == 0
        assert "\x1b" not in done.stdout + done.stderr


def on_a_terminal(*words: str, **environment: str) -> str:
    """Run a command on a terminal of 80 columns and return what it shows."""
    ours, theirs = pty.openpty()
    own = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **environment}
    with subprocess.Popen([sys.executable, "-m", "server", *words], stdout=theirs, stderr=theirs, env=own) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            shown += more
        assert process.wait() == 0
    os.close(ours)
    return shown.decode()


def test_a_terminal_is_coloured_unless_it_must_not_be(url: URL) -> None:
    assert "\x1b[1;36m" in on_a_terminal("map", "--help") or "\x1b[36m" in on_a_terminal("map", "--help")


@pytest.mark.parametrize("words", ["map --help", "map list"])
def test_no_color_means_no_code_of_any_kind(words: str) -> None:
    """Seen to fail with titles that are bold."""
    assert "\x1b" not in on_a_terminal(*words.split(), NO_COLOR="1")


def test_progress_is_shown_on_a_terminal(record_file: Path) -> None:
    assert "Phases" in on_a_terminal("verify", str(record_file))
    assert "Phases" not in command("verify", record_file).stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    done = command("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0
    assert "COMPLETE" in done.stdout


def test_completion_knows_commands_and_options() -> None:
    program = Path(sys.executable).with_name("sealed-orders")

    def completions(typed: str) -> set[str]:
        asked = {"_SEALED_ORDERS_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
        done = subprocess.run([program], env={**os.environ, **asked}, capture_output=True, text=True, check=True)
        return {*done.stdout.split()}

    assert {"create", "rollback", "export"} <= completions("sealed-orders campaign ")
    assert completions("sealed-orders ver") == {"verify"}
    assert {"--yes", "--why"} <= completions("sealed-orders campaign advance --")


def test_ctrl_c_at_a_question_is_quiet(url: URL) -> None:
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "server", "user", "add", "Ann"]
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True) as process:
        os.close(theirs)
        assert process.stderr is not None
        asked = os.read(process.stderr.fileno(), 100)
        assert b"Password" in asked
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
    os.close(ours)
    assert (process.returncode, told.strip()) == (130, b"")


def test_ctrl_c_stops_a_server_quietly(url: URL) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    line = [sys.executable, "-m", "server", "serve", "--port", str(port)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for said in process.stdout:
            if "startup complete" in said:
                break
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert "Traceback" not in rest
    assert process.returncode in (0, 130)


def test_errors_are_one_object_with_json(url: URL) -> None:
    error = json_of("campaign", "status", "nothing", code=1)["error"]
    assert (error["code"], error["field"], error["value"]) == ("not_found", "campaign", "nothing")


def test_accounts_as_json(url: URL) -> None:
    made = json_of("user", "add", "Ann", "--admin", "--password-stdin", code=1)
    assert made["error"]["code"] == "invalid_request"
    run("user", "add", "Ann", "--admin", "--password-stdin", said="correct horse\n")
    (ann,) = json_of("user", "list")["users"]
    assert (ann["name"], ann["admin"], ann["disabled"]) == ("Ann", True, False)
    assert json_of("user", "disable", "Ann") == {"name": "Ann", "done": "is closed"}
    assert json_of("db", "check") == {"problems": []}
    assert json_of("db", "current")["revision"] == json_of("db", "upgrade")["revision"]
    assert json_of("user", "enable", "Ann")["done"] == "is open"
    assert "/link?token=" in json_of("user", "link", "Ann")["link"]
