"""Generator of the tables in docs/research/, from the games' code: `python docs/research_tables.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gymnasium

from tablee import games
from tablee.core.game import Game, Option, choose_options
from tablee.core.tensors import Action, Field
from tablee.research.spaces import Spaces, known

FOLDER = Path(__file__).with_name("research")
BEGIN = "<!-- begin generated: `python docs/research_tables.py` writes this part from the code -->\n"
END = "<!-- end generated -->\n"
LISTED_VALUES = 4  # values of an option; a longer list shows only its default


def pages() -> dict[Path, str]:
    """Return the generated part of every page that has one."""
    found = {FOLDER / "index.md": "\n".join(index_table()) + "\n"}
    for key in own_games():
        found[FOLDER / "envs" / f"{module_name(key)}.md"] = "\n".join(environment(games.find(key))) + "\n"
    return found


def written(page: Path) -> str:
    """Return the text of a page with its generated part replaced by the present tables."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} has no generated part")
    return before + BEGIN + pages()[page] + END + after


def own_games() -> list[str]:
    """Return the keys of this package's games that have an environment; games of other packages are not documented here."""
    return [key for key in known() if games.package(key).rpartition(".")[0] == games.__name__]


def module_name(key: str) -> str:
    return key.replace("-", "_")


def index_table() -> Iterator[str]:
    yield "| environment | players | hidden information | observation, fewest players | actions | decisions at most | draws at most |"
    yield "|---|---|---|---|---|---|---|"
    for key in own_games():
        game = games.find(key)
        few = game.seats[0]
        spaces = Spaces(game, few)
        page, hidden = f"[{game.title}](envs/{module_name(key)}.md)", "yes" if game.secrets else "no"
        limits = " | ".join(limits_of(game, spaces, few))
        yield f"| {page} | {few} to {game.seats[-1]} | {hidden} | {spaces.size:,} | {spaces.actions:,} | {limits} |"


def environment(game: Game) -> Iterator[str]:
    """Yield the generated part of one game's page: names, sizes, options, box, fields and actions."""
    few = game.seats[0]
    spaces = Spaces(game, few)
    yield "## Specification\n"
    yield from names(game)
    yield from sizes(game)
    yield "\n## Observation\n"
    yield "Fields of the table come first, then the fields of each seat: the observing seat first, the others clockwise.\n"
    yield from fields(spaces.table_fields, "")
    yield from fields(spaces.seat_fields, "seats x ")
    yield f"## Actions\n\n{spaces.actions:,} actions.\n"
    yield from actions(spaces.action_kinds)
    if spaces.feature_size:
        yield "\n## Features of candidates\n"
        yield f"{spaces.feature_size} numbers with {few} {'seat' if few == 1 else 'seats'}, of the position after a move.\n"
        yield from fields(spaces.table_features, "")
        yield from fields(spaces.seat_features, "seats x ")


def names(game: Game) -> Iterator[str]:
    ids = [name for name, spec in gymnasium.registry.items() if name.startswith("tablee/") and spec.kwargs.get("game") == game.key]
    yield "| | |\n|---|---|"
    yield f'| `Vector` | `Vector("{game.key}")` |'
    yield f"| Gymnasium | {', '.join(f'`{name}`' for name in ids)} |"
    yield f"| PettingZoo | `tablee.research.pettingzoo.{module_name(game.key)}_v0` |"
    yield f"| OpenSpiel | `tablee_{module_name(game.key)}` |"
    yield f"| players | {game.seats[0]} to {game.seats[-1]} |"
    yield f"| hidden information | {'yes' if game.secrets else 'no'} |"
    for option in game.options:
        yield f"| option `{option.key}` | {values(option)} |"
    yield f"| version of the rules | {game.rules} |"
    yield f"| fingerprint | `{Spaces(game, game.seats[0]).fingerprint}` |"
    yield f"| box | `{game.components.name}`, SHA-256 `{game.components.sha256}` |"


def values(option: Option) -> str:
    """Return an option's values, the default first."""
    shown = [f"`{str(value).lower()}`" for value in option.values]
    if option.key == "first":
        return f"{shown[0]}, or the number of a seat"
    if len(shown) > LISTED_VALUES:
        return f"{shown[0]}, or another order: one of {len(shown)}"
    return ", ".join(shown)


def sizes(game: Game) -> Iterator[str]:
    yield "\n| seats | numbers in an observation | decisions at most | draws at most |\n|---|---|---|---|"
    for seats in game.seats:
        spaces = Spaces(game, seats)
        yield f"| {seats} | {spaces.size:,} | {' | '.join(limits_of(game, spaces, seats))} |"


def limits_of(game: Game, spaces: Spaces, seats: int) -> tuple[str, str]:
    """Return the most decisions and the most draws of a game with the default options."""
    limits = spaces.game_bounds(game.setup(seats, choose_options(game, seats, {})))
    return (f"{limits.decisions:,}", f"{limits.draws:,}") if limits else ("no limit", "no limit")


def fields(listed: tuple[Field, ...], lead: str) -> Iterator[str]:
    yield f"| field of {'each seat' if lead else 'the table'} | shape | from | to | meaning |\n|---|---|---|---|---|"
    for field in listed:
        yield f"| `{field.name}` | {lead}{' x '.join(map(str, field.shape))} | {field.least} | {field.most} | {field.description} |"
    yield ""


def actions(kinds: tuple[Action, ...]) -> Iterator[str]:
    yield "| numbers | kind | meaning |\n|---|---|---|"
    first = 0
    for kind in kinds:
        span = f"{first}" if kind.size == 1 else f"{first} to {first + kind.size - 1}"
        yield f"| {span} | {kind.name} | {kind.description} |"
        first += kind.size


if __name__ == "__main__":
    for each in pages():
        each.write_text(written(each), encoding="utf-8")
