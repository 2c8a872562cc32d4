"""`--data`, `--database` and TABLEE_DATABASE: options override the environment, exclude each other, and accept only PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee.cli import main, parser
from tablee.cli.storage_options import storage_options

ADDRESS = "postgresql://tablee:secret@db.example.org/tablee"


@pytest.mark.parametrize(
    ("typed", "folder", "database"),
    [([], None, ADDRESS), (["--data", "old"], Path("old"), ""), (["--database", "postgres://other/one"], None, "postgres://other/one")],
)
def test_what_is_typed_counts_before_what_is_in_the_environment(
    typed: list[str], folder: Path | None, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEE_DATABASE", ADDRESS)
    for command in (["serve"], ["export", "--out", "x"], ["backup", "x"]):
        chosen = storage_options(parser(command[0]).parse_args([*command, *typed]))
        assert chosen.database == database
        assert folder in (None, chosen.folder)


@pytest.mark.parametrize("command", ["serve", "export --out x", "backup x"])
@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (f"--data old --database {ADDRESS}", "--data or --database, not both"),
        ("--database sqlite:////tmp/secret.db", "named by the address of a PostgreSQL"),
        ("--database mysql://tablee:secret@localhost/tablee", "named by the address of a PostgreSQL"),
    ],
)
def test_everything_else_is_refused_in_one_sentence_that_repeats_no_password(
    command: str, typed: str, reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), *typed.split()]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1
    assert "secret" not in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("typed", [[], ["--database", ADDRESS]])
def test_a_backup_of_postgresql_says_who_makes_one(
    typed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLEE_DATABASE", "" if typed else ADDRESS)
    assert main(["backup", "copy.db", *typed, "--lang", "en"]) == 2
    assert capsys.readouterr().err == "tablee: a PostgreSQL database is saved with pg_dump; tablee backup copies a data folder\n"


def test_a_wrong_address_in_the_environment_is_refused_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TABLEE_DATABASE", "db.example.org")
    assert main(["backup", "copy.db", "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith("tablee: a database is named by the address of a PostgreSQL")
