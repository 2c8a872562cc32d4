"""The commands: what they print, what they write, and how they refuse: one line on stderr, status 2, nothing written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tablee import games
from tablee.arena import plan_runner
from tablee.cli import COMMANDS, main
from tests.plugin_game import PluginGame
from tests.rounds import rounds

GAME = "rolling-village"
GOLDEN = games.find(GAME).folder / "tests/golden.json"


@pytest.fixture(autouse=True)
def an_english_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, so that the test sees every file a command writes."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


Printed = pytest.CaptureFixture[str]

REFUSED = [
    ("juggle", "invalid choice: 'juggle'"),
    ("simulate", "the following arguments are required: GAME"),
    ("simulate chess", "there is no game 'chess'; there are: "),
    (f"simulate {GAME} --seats 13", "Rolling Village is for 1 to 12 players, not 13"),
    (f"simulate {GAME} --seats two", "must be a whole number from 1 to 99, not 'two'"),
    (f"simulate {GAME} --games 0", "must be a whole number from 1 to"),
    (f"simulate {GAME} --games 1e3", "must be a whole number from 1 to"),
    (f"simulate {GAME} --games ²", "must be a whole number from 1 to"),
    (f"simulate {GAME} --jobs -1", "must be a whole number from 1 to"),
    (f"simulate {GAME} --seed --", "--seed"),
    (f"simulate {GAME} --bots greedy,clever", "there is no bot 'clever'; there are: random, easy, greedy"),
    (f"simulate {GAME} --bots ,", "there is no bot ''"),
    (f"simulate {GAME} --option setup_types=maybe", "option setup_types cannot be 'maybe'; it is one of: different, free"),
    (f"simulate {GAME} --option colour=red", "Rolling Village has no option 'colour'; it has: setup_types"),
    (f"simulate {GAME} --option setup_types", "must look like KEY=VALUE, not 'setup_types'"),
    (f"simulate {GAME} --components nowhere.toml", "must look like GAME=FILE, not 'nowhere.toml'"),
    (f"simulate {GAME} --components {GAME}=nowhere.toml", "nowhere.toml cannot be read: No such file or directory"),
    (f"simulate {GAME} --components chess=nowhere.toml", "there is no game 'chess'"),
    (f"simulate {GAME} --record {Path(__file__).parent} --games 1", "is not empty; --record wants a new or an empty folder"),
    (f"simulate {GAME} --record {__file__} --games 1", "File exists"),
    (f"simulate {GAME} --bots search:nodes=0", "there are: random, easy, greedy, medium, hard, search:nodes=N or search:ms=N"),
    ("arena chess", "there is no game 'chess'"),
    (f"arena {GAME} --bots greedy", "an arena needs two different bots and two seats at least"),
    (f"arena {GAME} --bots greedy,greedy,greedy --resume kept --picture ladder.svg", "an arena needs two different bots"),
    (f"arena {GAME} --seats 1", "an arena needs two different bots and two seats at least"),
    (f"arena {GAME} --bots greedy,clever --resume kept", "there is no bot 'clever'; there are: random, easy, greedy, medium, hard"),
    (f"arena {GAME} --games 0", "must be a whole number from 1 to"),
    (f"arena {GAME} --option colour=red", "Rolling Village has no option 'colour'"),
    (f"arena {GAME} --picture nowhere/ladder.svg --resume kept", "nowhere/ladder.svg cannot be written there"),
    (f"arena {GAME} --picture {Path(__file__).parent}", "cannot be written there"),
    (f"arena {GAME} --resume nowhere/kept", "No such file or directory"),
    (f"arena {GAME} --resume {__file__}", "test_cli.py belongs to another tournament, or to none"),
    (f"arena {GAME} --resume {sys.executable}", "is not a text file"),
    ("arena amerique-1500 --option cooperative=true", "at this table everybody plays together, so there is nobody to compare with"),
    (f"dataset {GAME}", "the following arguments are required: --out"),
    ("dataset chess --out d.parquet", "there is no game 'chess'"),
    (f"dataset {GAME} --bots clever --out d.parquet", "there is no bot 'clever'"),
    (f"dataset {GAME} --games 0 --out d.parquet", "must be a whole number from 1 to"),
    (f"dataset {GAME} --out nowhere/d.parquet", "nowhere/d.parquet cannot be written there"),
    (f"dataset {GAME} --out {Path(__file__).parent}", "cannot be written there"),
    ("play chess", "there is no game 'chess'"),
    (f"play {GAME} --lang de", "invalid choice: 'de'"),
    ("bench chess", "there is no game 'chess'"),
    ("replay nowhere.json", "nowhere.json: No such file or directory"),
    (f"replay {__file__}", "this is not JSON"),
    (f"replay {GOLDEN} --to 99999", "golden.json ends with line 85; there is no line 99999"),
    (f"replay {Path(__file__).parent}", "Is a directory"),
    (f"replay {sys.executable}", "is not a text file"),
    ("verify nowhere.json", "nowhere.json: No such file or directory"),
    (f"verify {__file__}", "this is not JSON"),
    ("rules chess", "there is no game 'chess'"),
    (f"components {GAME} --check nowhere.toml", "nowhere.toml cannot be read: No such file or directory"),
    (f"components {GAME} --check {__file__}", "test_cli.py is not valid TOML"),
    (f"components {GAME} --out nowhere/page.html", "No such file or directory"),
    ("components chess", "there is no game 'chess'"),
    ("serve --port 65536", "must be a whole number from 0 to 65535, not '65536'"),
    ("serve chess", "unrecognized arguments: chess"),
    (f"--components {GAME}=nowhere.toml", "nowhere.toml cannot be read"),
    ("--prot 80", "unrecognized arguments: --prot 80"),
    (f"serve --data {__file__} --port 0 --no-open", "test_cli.py"),
    ("serve --host 203.0.113.1 --port 0 --no-open --data data", "cannot listen on 203.0.113.1"),
    ("warm rolling-village chess", "there is no game 'chess'"),
    ("warm --bogus", "unrecognized arguments: --bogus (tablee warm --help says more)"),
    ("games --jsn", "unrecognized arguments: --jsn (tablee games --help says more)"),
]


@pytest.mark.parametrize(("command", "sentence"), REFUSED, ids=[command[:60].replace("/", "_") for command, _ in REFUSED])
def test_bad_input_is_one_line_and_status_2(command: str, sentence: str, capsys: Printed, tmp_path: Path) -> None:
    assert main(command.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("tablee: ")
    assert printed.err.count("\n") == 1
    assert sentence in printed.err
    assert list(tmp_path.iterdir()) == [], "nothing is written"


def test_errors_are_told_in_the_terminals_language(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert main(["rules", "chess"]) == 2
    assert "il n'y a pas de jeu 'chess'" in capsys.readouterr().err
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["rules", "chess"]) == 2
    assert "there is no game 'chess'" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)])
def test_help_and_version(command: list[str], capsys: Printed) -> None:
    with pytest.raises(SystemExit) as stop:
        main(command)
    assert stop.value.code == 0
    assert "tablee" in capsys.readouterr().out


@pytest.mark.parametrize("key", games.known())
def test_rules_in_three_languages(key: str, capsys: Printed) -> None:
    texts = set()
    for language in ("en", "fr", "it"):
        assert main(["rules", key, "--lang", language]) == 0
        texts.add(capsys.readouterr().out)
    assert len(texts) == 3
    assert all(text.startswith("# ") for text in texts)


def test_games_lists_seats_and_options(capsys: Printed) -> None:
    assert main(["games"]) == 0
    output = capsys.readouterr().out
    for key in games.known():
        game = games.find(key)
        (chapter,) = (text for text in output.split("\n\n") if text.startswith(f"{key}: {game.title}, seats: "))
        assert f"seats: {game.seats[0]}-{game.seats[-1]}" in chapter
        assert [line.split()[0] for line in chapter.splitlines()[1:]] == [option.key for option in game.options]
    assert "    first  random | 0 | 1 | 2 | 3 | 4  Who goes first\n" in output, "Mayflower is for five"


def test_games_gives_one_json_object_and_nothing_else(capsys: Printed) -> None:
    assert main(["games", "--json", "--lang", "fr"]) == 0
    found = {game["game"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    assert tuple(found) == games.known()
    assert found["mayflower"]["seats"] == [2, 3, 4, 5]
    first = {"key": "first", "label": "Qui commence", "values": ["random", 0, 1, 2, 3, 4], "default": "random"}
    assert first in found["mayflower"]["options"]


@pytest.mark.parametrize("key", games.known())
def test_components_are_printed_into_a_pipe_and_written_where_asked(key: str, capsys: Printed, tmp_path: Path) -> None:
    assert main(["components", key]) == 0
    page = capsys.readouterr().out
    assert page.lower().startswith("<!doctype html>")
    assert main(["components", key, "--out", "box.html"]) == 0
    assert (tmp_path / "box.html").read_text(encoding="utf-8").strip() == page.strip()
    assert capsys.readouterr().out == "box.html shows what lies in the box; open it in a browser\n"


def test_components_on_a_terminal_go_to_a_file(capsys: Printed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["components", GAME]) == 0
    assert [file.name for file in tmp_path.iterdir()] == [f"{GAME}-components.html"]


@pytest.mark.parametrize("key", games.known())
def test_a_corrected_box_is_checked_and_drawn(key: str, capsys: Printed, tmp_path: Path) -> None:
    box = tmp_path / "mine.toml"
    box.write_text(games.find(key).components.text + "\n# checked\n", encoding="utf-8")
    assert main(["components", key, "--check", str(box)]) == 0
    assert capsys.readouterr().out.startswith(f"{box} is a valid box: ")
    assert main(["components", key, "--components", f"{key}={box}"]) == 0


@pytest.mark.parametrize("key", games.known())
def test_simulate_gives_one_json_object_and_nothing_else(key: str, capsys: Printed) -> None:
    seats = games.find(key).seats[-1]
    assert main(["simulate", key, "--seats", str(seats), "--bots", "random", "--games", "3", "--seed", "5", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    found = json.loads(printed.out)
    assert (found["game"], found["seats"], found["games"], found["bots"]) == (key, seats, 3, ["random"] * seats)
    assert len(found["wins"]) == len(found["shares"]) == len(found["mean_scores"]) == seats
    assert found["lengths"]["least"] <= found["lengths"]["mean"] <= found["lengths"]["most"]


def test_simulate_tells_people_in_a_table(capsys: Printed) -> None:
    assert main(["simulate", GAME, "--seats", "3", "--bots", "greedy,random", "--games", "4", "--lang", "it"]) == 0
    head, titles, *seats = capsys.readouterr().out.splitlines()
    assert head.startswith("rolling-village: 4 partite in ")
    assert titles.split() == ["posto", "bot", "vittorie", "quota", "delle", "vittorie", "punteggio", "medio"]
    assert [line.split()[1] for line in seats] == ["greedy", "random", "greedy"], "the list repeats over the seats"


@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=games.known()))
def test_the_same_seed_gives_the_same_records_whatever_the_jobs(
    key: str, capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_runner, "CHUNK_SIZE", 2)
    command = ["simulate", key, "--bots", "random", "--games", "7", "--seed", "9", "--json"]
    assert main([*command, "--jobs", "1", "--record", "one"]) == 0
    assert main([*command, "--jobs", "2", "--record", "two"]) == 0
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / folder).iterdir()} for folder in ("one", "two"))
    assert sorted(one) == [f"game-{number:05}.json" for number in range(1, 8)]
    assert one == two
    lines = capsys.readouterr().out.splitlines()
    figures = [{k: v for k, v in json.loads(line).items() if k not in ("jobs", "seconds", "games_per_second")} for line in lines]
    assert figures[0] == figures[1]
    assert main(["verify", "one/game-00007.json"]) == 0


def test_another_seed_gives_other_games(tmp_path: Path, capsys: Printed) -> None:
    for seed in ("1", "2"):
        assert main(["simulate", GAME, "--bots", "random", "--games", "1", "--seed", seed, "--record", seed]) == 0
    assert (tmp_path / "1/game-00001.json").read_bytes() != (tmp_path / "2/game-00001.json").read_bytes()


def test_options_reach_the_game(tmp_path: Path, capsys: Printed) -> None:
    assert main(["simulate", GAME, "--bots", "random", "--games", "1", "--option", "setup_types=Free", "--record", "r"]) == 0
    assert json.loads((tmp_path / "r/game-00001.json").read_text(encoding="utf-8"))["options"] == {"setup_types": "free"}


def test_a_record_of_a_corrected_box_needs_that_box(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "mine.toml").write_text(games.find(GAME).components.text.replace("park_points = 10", "park_points = 7"), encoding="utf-8")
    mine = ["--components", f"{GAME}=mine.toml"]
    assert main(["simulate", GAME, "--bots", "random", "--games", "1", "--record", "r", *mine]) == 0
    assert main(["verify", "r/game-00001.json", *mine]) == 0
    assert main(["replay", "r/game-00001.json", *mine]) == 0
    capsys.readouterr()
    assert main(["verify", "r/game-00001.json"]) == 2
    assert "this record was played with another box" in capsys.readouterr().err


def test_verify_says_what_it_checked(capsys: Printed, tmp_path: Path) -> None:
    assert main(["verify", str(GOLDEN)]) == 0
    checked, fair = capsys.readouterr().out.splitlines()
    assert checked == f"{GOLDEN}: all 85 lines follow the rules, and the result is right"
    assert fair == "the seed is the one promised at the start, and all 10 draws follow from it"
    unsigned = json.loads(GOLDEN.read_text(encoding="utf-8")) | {"fairness": None}
    (tmp_path / "unsigned.json").write_text(json.dumps(unsigned), encoding="utf-8")
    assert main(["verify", "unsigned.json"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "no seed is in the record, so its draws were not checked"


def test_a_record_that_does_not_hold_is_refused(capsys: Printed, tmp_path: Path) -> None:
    forged = json.loads(GOLDEN.read_text(encoding="utf-8")) | {"scores": [99, 99, 99]}
    (tmp_path / "forged.json").write_text(json.dumps(forged), encoding="utf-8")
    assert main(["verify", "forged.json"]) == 2
    assert "the record says scores [99, 99, 99], the log gives [95, 34, 81]" in capsys.readouterr().err


def test_replay_tells_the_game(capsys: Printed) -> None:
    assert main(["replay", str(GOLDEN), "--lang", "fr"]) == 0
    output = capsys.readouterr().out
    assert " 1  - roll " in output
    assert "marque 18 points sur l'avenue [5-6] (Maison 5 + Forêt 6 + Lac 7)" in output
    assert output.endswith("gagnant\u00a0: place 0\nplace 0\u00a0: 95, place 1\u00a0: 34, place 2\u00a0: 81\n")


def test_replay_stops_where_asked(capsys: Printed) -> None:
    assert main(["replay", str(GOLDEN), "--to", "3"]) == 0
    output = capsys.readouterr().out
    assert output.endswith("the game is not over: line 3\n")
    assert "\n4  " not in output


def test_warm_compiles_every_room_and_says_so(capsys: Printed) -> None:
    assert main(["warm"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert [line.split(" of ")[1].split(" ")[0] for line in lines[:-1]] == list(games.known())
    assert lines[-1] == "the rules are compiled"


def test_warm_compiles_only_the_games_that_are_named(capsys: Printed) -> None:
    assert main(["warm", "dice-race"]) == 0
    assert capsys.readouterr().err.splitlines() == ["compiling the rules of dice-race (1 of 1)", "the rules are compiled"]


def program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tablee", *arguments]


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with subprocess.Popen(program("replay", str(GOLDEN)), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr.read() == b""


def test_an_interrupt_is_status_130_without_a_trace(tmp_path: Path) -> None:
    """The interrupt comes once some of the games are recorded."""
    command = program("simulate", "mayflower", "--games", "300000", "--jobs", "2", "--record", "records")
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not list(tmp_path.glob("records/*.json")):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        assert running.stderr is not None
        assert running.stderr.read() == b"interrupted; the records so far stay in records, and the same command again completes them\n"


def test_an_interrupted_recording_is_completed_by_the_same_command(tmp_path: Path, capsys: Printed) -> None:
    command = ["simulate", GAME, "--bots", "random", "--games", "5", "--seed", "3", "--json", "--record"]
    assert main([*command, "whole"]) == 0
    whole = {file.name: file.read_bytes() for file in (tmp_path / "whole").iterdir()}
    (tmp_path / "half").mkdir()
    for name in ("game-00001.json", "game-00002.json"):
        (tmp_path / "half" / name).write_bytes(whole[name])
    (tmp_path / "half/.game-00003.json.part").write_text("{")
    assert main([*command, "half"]) == 0
    assert {file.name: file.read_bytes() for file in (tmp_path / "half").iterdir()} == whole
    one, other = ({**json.loads(line), "seconds": 0, "games_per_second": 0} for line in capsys.readouterr().out.splitlines())
    assert one == other, "the figures are those of all games"


def test_a_recording_writes_over_no_other_games(tmp_path: Path, capsys: Printed) -> None:
    command = ["simulate", GAME, "--bots", "random", "--record", "records"]
    assert main([*command, "--games", "2", "--seed", "1"]) == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "records").iterdir()}
    capsys.readouterr()
    assert main([*command, "--games", "2", "--seed", "2"]) == 2
    assert "records/game-00001.json is the record of another game" in capsys.readouterr().err
    assert main([*command, "--games", "1", "--seed", "1"]) == 2, "there are more games than these"
    assert {file.name: file.read_bytes() for file in (tmp_path / "records").iterdir()} == before


def test_compiling_is_said_where_nobody_sees_a_terminal_too(cold_plugin_game: PluginGame) -> None:
    """The message comes once: the second run finds the machine code."""
    command = program("simulate", "sticks", "--bots", "random", "--games", "1", "--json")
    first, again = (subprocess.run(command, env=cold_plugin_game.environment, capture_output=True, text=True, check=True) for _ in range(2))
    assert (first.stderr, again.stderr) == ("compiling the rules of sticks, once and for all\n", "")
    assert json.loads(first.stdout)["games"] == json.loads(again.stdout)["games"] == 1


def test_rules_in_a_language_that_a_game_lacks_are_in_english(plugin_game: PluginGame) -> None:
    command = program("rules", "sticks", "--lang", "fr")
    none = subprocess.run(command, env=plugin_game.environment, capture_output=True, text=True, check=False)
    assert (none.returncode, none.stderr) == (2, "tablee: le jeu 'sticks' n'a pas de règles écrites\n")
    (plugin_game.room / "RULES.md").write_text("# Sticks\n\n- **S1** Take one or two.\n")
    completed = subprocess.run(command, env=plugin_game.environment, capture_output=True, text=True, check=True)
    assert completed.stdout == "# Sticks\n\n- **S1** Take one or two.\n"


@pytest.mark.parametrize("module", ["tablee", "tablee.cli"])
def test_it_is_a_program(module: str) -> None:
    completed = subprocess.run(
        [sys.executable, "-m", module, "rules", GAME], capture_output=True, text=True, check=True, env=os.environ | {"LANG": "C"}
    )
    assert completed.stdout.startswith("# Rolling Village")
