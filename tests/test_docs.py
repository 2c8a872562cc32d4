"""The documentation is complete: every command is documented, every rule has a test and a text in every language."""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import tablee
from tablee import bots, games
from tablee.cli import COMMANDS, module_of
from tablee.cli.arguments import Parser
from tablee.core import fairness, record
from tablee.core.i18n import LANGUAGES
from tablee.core.match import Match
from tests.server.process import ServerProcess

PROJECT = Path(__file__).parent.parent
COMMANDS_PAGE = (PROJECT / "docs/commands.md").read_text(encoding="utf-8")
RULE = re.compile(r"^(?:[-*#|> ]*\*\*|[-*#|]+ +|)([A-Z]\d{1,2})\b", re.MULTILINE)  # "- **V1** ...", "- V1 ...", "V1 ...", "## V1"
LONGEST_FILE = 500


def chapter(command: str) -> str:
    """Return the chapter of docs/commands.md about a command."""
    found = re.search(rf"^## `tablee {command}`\n(.*?)(?=^## |\Z)", COMMANDS_PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/commands.md has no chapter on tablee {command}"
    return found[1]


def options(command: str) -> set[str]:
    parser = Parser(prog=command)
    module_of(command).arguments(parser)
    actions: list[argparse.Action] = parser._actions
    shown = [action.option_strings for action in actions if action.option_strings and action.help != argparse.SUPPRESS]
    return {max(names, key=len) for names in shown} - {"--help"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_every_option_is_documented(command: str) -> None:
    text = chapter(command)
    assert f"tablee [{command}]" in text or f"tablee {command}" in text
    assert {option for option in options(command) if not re.search(rf"{option}\b", text)} == set()


def test_no_command_is_documented_that_is_not_there() -> None:
    assert re.findall(r"^## `tablee ([\w-]+)`", COMMANDS_PAGE, re.MULTILINE) == list(COMMANDS)


def test_the_programs_of_the_readme_run(tmp_path: Path) -> None:
    """Each program is saved to a file and run, as a reader would, with fewer games."""
    chapter = (PROJECT / "README.md").read_text(encoding="utf-8").partition("## Study")[2]
    programs = [textwrap.dedent(block) for block in re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", chapter, re.MULTILINE)]
    assert len(programs) == 2
    for number, program in enumerate(programs):
        file = tmp_path / f"{number}.py"
        file.write_text(program.replace("2000", "20"), encoding="utf-8")
        assert subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True).stdout


def test_commands_in_the_readme_are_there() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:^ {4}|`)tablee ([a-z-]+)", readme, re.MULTILINE)
    assert named
    assert set(named) <= set(COMMANDS)


def program(page: str) -> str:
    """Return the Python program that a page shows."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    return textwrap.dedent(text[text.index("    import ") :])


@pytest.mark.parametrize("key", games.known())
def test_the_program_that_checks_the_dice_does(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games.find(key)
    match = bots.play_out(Match(game, game.seats[-1], {}, fairness.new_seed()), [bots.RANDOM] * game.seats[-1])
    saved = record.write(match)
    monkeypatch.chdir(tmp_path)
    Path("game.json").write_text(record.dump(saved), encoding="utf-8")
    exec(program("docs/fairness.md"), {})
    assert capsys.readouterr().out == f"{match.draw_count} draws follow from the seed\n"
    saved["fairness"] |= {"seed": bytes(32).hex(), "commitment": fairness.commitment(bytes(32))}
    Path("game.json").write_text(record.dump(saved), encoding="utf-8")
    with pytest.raises(AssertionError, match="line "):
        exec(program("docs/fairness.md"), {})


def test_the_player_of_the_api_page_plays_a_game(tmp_path: Path, server: ServerProcess) -> None:
    (tmp_path / "player.py").write_text(program("docs/api.md"), encoding="utf-8")
    command = [sys.executable, str(tmp_path / "player.py"), server.address]
    watch, _, scores = subprocess.run(command, capture_output=True, text=True, check=True).stdout.partition(" ")
    seen = server.ask("GET", f"/api/tables/{watch.rpartition('/')[2]}")
    assert (seen["status"], seen["scores"]) == ("over", json.loads(scores))


def rule_ids(key: str, language: str) -> list[str]:
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return RULE.findall((games.folder(key) / name).read_text(encoding="utf-8"))


def rules_with_a_test(key: str) -> set[str]:
    """Return the rules named in the room's tests, as in test_v7_r2_a_farther_column_waits."""
    names = [
        name
        for file in games.folder(key).glob("tests/test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))
    ]
    return {part.upper() for name in names for part in name.split("_") if re.fullmatch(r"[a-z]\d{1,2}", part)}


@pytest.mark.parametrize("key", games.known())
def test_every_rule_has_a_test_that_carries_its_number(key: str) -> None:
    rules = rule_ids(key, "en")
    assert rules
    assert len(set(rules)) == len(rules), "a number is given once"
    assert [rule for rule in rules if rule not in rules_with_a_test(key)] == []


@pytest.mark.parametrize("key", games.known())
def test_no_test_names_a_rule_that_is_not_there(key: str) -> None:
    assert sorted(rules_with_a_test(key) - set(rule_ids(key, "en"))) == []


@pytest.mark.parametrize("key", games.known())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_the_same_in_every_language(key: str, language: str) -> None:
    assert rule_ids(key, language) == rule_ids(key, "en")


TOLD_THRICE = [
    file for folder in [Path(str(tablee.__file__)).parent, *map(games.folder, games.known())] for file in folder.rglob("*.it.md")
]


@pytest.mark.parametrize("italian", sorted(set(TOLD_THRICE)), ids=lambda file: f"{file.parent.name}-{file.name}")
def test_a_text_has_the_same_chapters_points_and_rows_in_every_language(italian: Path) -> None:
    shapes = {_shape(italian.with_name(italian.name.replace(".it.", ending))) for ending in (".", ".fr.", ".it.")}
    assert len(shapes) == 1


def _shape(file: Path) -> tuple[int, ...]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(sum(line.startswith(mark) for line in lines) for mark in ("# ", "## ", "- ", "1. ", "|"))


@pytest.mark.parametrize("key", games.known())
def test_every_rule_number_in_the_code_is_a_rule(key: str) -> None:
    """A rule number in a comment or in a refusal can be looked up."""
    known = set(rule_ids(key, "en"))
    letters = "".join({rule[0] for rule in known})
    cited = {
        rule
        for file in games.folder(key).glob("*.py")
        for comment in re.findall(r"#.*|\"\"\".*?\"\"\"|\"[A-Z]\d+\"", file.read_text(encoding="utf-8"))
        for rule in re.findall(rf"\b[{letters}]\d{{1,2}}\b", comment)
    }
    assert sorted(cited - known) == []


def test_no_file_is_too_long_to_read() -> None:
    long = {
        str(file.relative_to(PROJECT)): length
        for root in (Path(str(tablee.__file__)).parent, PROJECT / "tests")
        for file in root.rglob("*.py")
        if (length := len(file.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE
    }
    assert long == {}


JOB = re.compile(r"^\| (`[^|]+`) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)


def jobs() -> dict[str, str]:
    """Return the files of a room by docs/rooms.md, with the rooms that have them."""
    chapter = (PROJECT / "docs/rooms.md").read_text(encoding="utf-8").partition("\n## The files of a room\n")[2]
    return {name: where for names, where in JOB.findall(chapter) for name in re.findall(r"`([^`]+)`", names)}


@pytest.mark.parametrize("key", games.known())
def test_the_same_job_has_the_same_file_name_in_every_room(key: str) -> None:
    assert len(jobs()) > 15
    needed = ("every game",) if key in games.example_rooms() else ("every game", "ours")
    missing = [name for name, where in jobs().items() if where in needed and not (games.folder(key) / name).exists()]
    assert missing == []
    if games.find(key).secrets:
        assert (games.folder(key) / "hidden_information.py").exists()


def test_a_file_of_the_same_job_is_in_some_room() -> None:
    rooms = [file.parent for root in ("src/tablee/games", "src/tablee/games/examples") for file in (PROJECT / root).glob("*/__init__.py")]
    assert [name for name in jobs() if not any((room / name).exists() for room in rooms)] == []


@pytest.mark.parametrize("key", games.known())
def test_a_rooms_table_of_contents_names_its_files(key: str) -> None:
    """The table names every file, and no other."""
    folder = games.folder(key)
    contents = str(ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))))
    named = set(re.findall(r"\b\w+\.py\b", contents))
    there = {file.name for file in folder.glob("*.py")} - {"__init__.py"}
    assert named == there


CRITERIA = """
    1.1.1 1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.3.3 1.3.4 1.3.5 1.4.1 1.4.2 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13
    2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.4.5 2.4.6 2.4.7 2.4.11 2.5.1 2.5.2 2.5.3 2.5.4 2.5.7 2.5.8
    3.1.1 3.1.2 3.2.1 3.2.2 3.2.3 3.2.4 3.2.6 3.3.1 3.3.2 3.3.3 3.3.4 3.3.7 3.3.8 4.1.2 4.1.3
"""  # of WCAG 2.2, levels A and AA
CRITERION = re.compile(r"^\| ([\d.]+) [^|]+\| ([^|]+) \| (?:`([^`]+)::([^`]+)` )?\|$", re.MULTILINE)


def test_every_criterion_of_accessibility_is_declared_with_a_test_that_exists() -> None:
    declared = CRITERION.findall((PROJECT / "docs/accessibility.md").read_text(encoding="utf-8"))
    assert [number for number, *_ in declared] == CRITERIA.split()
    assert [number for number, how, file, _ in declared if not file and not how.startswith("by design")] == []
    tests = [(number, file, test) for number, _, file, test in declared if file]
    assert [each for each in tests if f"\ndef {each[2]}(" not in (PROJECT / each[1]).read_text(encoding="utf-8")] == []
