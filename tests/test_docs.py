"""What is missing fails: a command without documentation, a rule without a test, a language without a rule."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

import tablee
from tablee import games
from tablee.cli import COMMANDS
from tablee.cli.arguments import Parser
from tablee.core.words import LANGUAGES

PROJECT = Path(__file__).parent.parent
COMMANDS_PAGE = (PROJECT / "docs/commands.md").read_text(encoding="utf-8")
RULE = re.compile(r"^(?:[-*#|> ]*\*\*|[-*#|]+ +|)([A-Z]\d{1,2})\b", re.MULTILINE)  # "- **V1** ...", "- V1 ...", "V1 ...", "## V1"
LONGEST_FILE = 500


def chapter(command: str) -> str:
    """What docs/commands.md says about a command."""
    found = re.search(rf"^## `tablee {command}`\n(.*?)(?=^## |\Z)", COMMANDS_PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/commands.md has no chapter on tablee {command}"
    return found[1]


def options(command: str) -> set[str]:
    parser = Parser(prog=command)
    COMMANDS[command].arguments(parser)
    actions: list[argparse.Action] = parser._actions
    return {max(action.option_strings, key=len) for action in actions if action.option_strings} - {"--help"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_every_option_is_documented(command: str) -> None:
    text = chapter(command)
    assert f"tablee [{command}]" in text or f"tablee {command}" in text
    assert {option for option in options(command) if not re.search(rf"{option}\b", text)} == set()


def test_no_command_is_documented_that_is_not_there() -> None:
    assert re.findall(r"^## `tablee (\w+)`", COMMANDS_PAGE, re.MULTILINE) == list(COMMANDS)


def test_commands_in_the_readme_are_there() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:^ {4}|`)tablee ([a-z]+)", readme, re.MULTILINE)
    assert named
    assert set(named) <= set(COMMANDS)


def rule_ids(key: str, language: str) -> list[str]:
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return RULE.findall((games.folder(key) / name).read_text(encoding="utf-8"))


def rules_with_a_test(key: str) -> set[str]:
    """The rules named in the room's tests, as in test_v7_r2_a_farther_column_waits."""
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


@pytest.mark.parametrize("key", games.known())
def test_every_rule_number_in_the_code_is_a_rule(key: str) -> None:
    """A number beside a line of code, or in a refusal, can be looked up."""
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
