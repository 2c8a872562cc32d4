"""Records: a whole game as JSON (`tablee/1`).

Options and log determine the game; `verify` recomputes and compares everything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic

from tablee.core import fairness
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import NATURE, Game, Move, Options, Outcome, S
from tablee.core.i18n import msg
from tablee.core.match import Match, Origin, read_line

FORMAT = "tablee/1"
Record = dict[str, Any]  # as JSON
TABLE = re.compile(r"[0-9A-Za-z_-]{0,16}")  # a table's id


def write(match: Match[S]) -> Record:
    """Return the record of a match; an unfinished one has no scores, winners or seed."""
    return compose(match.game, match.seats, match.options, match.lines(), match.outcome, match.seed, match.derivation, match.origin)


def compose(
    game: Game[S],
    seats: int,
    options: Options,
    lines: list[str],
    outcome: Outcome | None,
    seed: bytes | None,
    derivation: int = fairness.NEWEST,
    origin: Origin | None = None,
) -> Record:
    """Return a record made of these parts; its `fairness` covers only the draws after the lines of `origin`."""
    record: Record = {
        "format": FORMAT,
        "game": game.key,
        "rules": game.rules,
        "seats": seats,
        "options": dict(options),
        "components": game.components.sha256,
        "log": lines,
        "scores": list(outcome.scores) if outcome else None,
        "winners": list(outcome.winners) if outcome else None,
        "fairness": None,
    }
    if outcome and outcome.won is not None:
        record["won"] = outcome.won
    if seed is not None:
        record["fairness"] = {
            "commitment": fairness.commitment(seed),
            "seed": seed.hex() if outcome else None,
            "version": derivation,
        }
    if origin is not None:
        record["from"] = {"lines": origin.lines} | ({"table": origin.table} if origin.table else {})
    return record


def dump(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def parse(text: str) -> Record:
    """Parse the JSON of a record; raise RecordError naming the first key that is missing or has the wrong type."""
    try:
        record = json.loads(text)
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RecordError(msg("the record contains half a character (a lone surrogate)")) from None
    except (ValueError, RecursionError) as error:
        raise RecordError(msg("this is not JSON: {reason}", reason=str(error))) from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError(msg("this is not a record of format {format}", format=FORMAT))
    for key, kind in _SHAPE.items():
        if type(record.get(key)) is not kind:
            raise RecordError(msg("the record's {key} is missing or of the wrong kind", key=key))
    if not all(isinstance(line, str) for line in record["log"]):
        raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="log"))
    return record


_SHAPE = {"game": str, "rules": int, "seats": int, "options": dict, "components": str, "log": list}


def replay(game: Game[S], record: Record) -> Match[S]:
    """Replay a parsed record; raise RecordError naming the first illegal line."""
    if record["rules"] != game.rules:
        raise RecordError(msg("this record was played by rules {theirs}; these are rules {ours}", theirs=record["rules"], ours=game.rules))
    if record["components"] != game.components.sha256:
        raise RecordError(
            msg("this record was played with another box: its components have the hash {hash}", hash=record["components"][:12])
        )
    match = Match(game, record["seats"], record["options"], derivation=_derivation(record), origin=_origin(record))
    for number, line in enumerate(record["log"], start=1):
        try:
            _play_line(match, line)
        except TableeError as error:
            raise RecordError(msg("line {number}, {line!r}: {reason}", number=number, line=line, reason=error.sentence)) from error
    return match


def _derivation(record: Record) -> int:
    """Return the version of the draw derivation; the first records had none, which means 1."""
    claim = record.get("fairness")
    version = claim.get("version", 1) if isinstance(claim, dict) else fairness.NEWEST
    if type(version) is not int:
        raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="fairness.version"))
    return version


def _origin(record: Record) -> Origin | None:
    """Return the origin of a forked game, if the record has one."""
    if record.get("from") is None:
        return None
    claim = record["from"] if isinstance(record["from"], dict) else {}
    lines, table = claim.get("lines"), claim.get("table", "")
    if type(lines) is not int or not 0 <= lines <= len(record["log"]) or not isinstance(table, str) or not TABLE.fullmatch(table):
        raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="from"))
    return Origin(lines, table)


def _play_line(match: Match[S], line: str) -> None:
    parsed = read_line(match.game, line)
    match.play(parsed.seat, parsed.move)


@dataclass(frozen=True)
class Verdict(Generic[S]):
    """Result of `verify`: the replayed match, and the number of draws checked."""

    match: Match[S]
    draws: int


def verify(find: Callable[[str], Game[S]], text: str) -> Verdict[S]:
    """Replay a record and check its result, its commitment and every draw; raise RecordError at the first difference."""
    record = parse(text)
    match = replay(find(record["game"]), record)
    _check_outcome(match, record)
    match.seed = _check_fairness(record)
    return Verdict(match, _check_draws(match, match.seed) if match.seed else 0)


def _check_outcome(match: Match[S], record: Record) -> None:
    fresh = write(match)
    for key in ("scores", "winners", "won"):
        if record.get(key) != fresh.get(key):
            raise RecordError(
                msg("the record says {key} {theirs}, the log gives {ours}", key=key, theirs=str(record.get(key)), ours=str(fresh.get(key)))
            )


def _check_fairness(record: Record) -> bytes | None:
    claim = record.get("fairness")
    if not isinstance(claim, dict) or not isinstance(claim.get("seed"), str):
        return None
    try:
        seed = bytes.fromhex(claim["seed"])
    except ValueError:
        raise RecordError(msg("the seed is not a hexadecimal number")) from None
    if fairness.commitment(seed) != claim.get("commitment"):
        raise RecordError(msg("the seed does not match the commitment shown at the start"))
    return seed


def _check_draws(match: Match[S], seed: bytes) -> int:
    """Check every draw against the seed and return their number; raise RecordError naming the first that differs."""
    checked = 0
    for each in draws(match):
        fair = fairness.draw(seed, match.derivation, each.position, each.before, each.odds)
        if fair != each.move:
            raise RecordError(
                msg(
                    "line {number}: the seed draws {fair!r}, the record says {line!r}",
                    number=each.position + 1,
                    fair=match.game.show(fair),
                    line=match.game.show(each.move),
                )
            )
        checked += 1
    return checked


@dataclass(frozen=True)
class Draw:
    """Draw of nature: its position in the log, the number of draws before it, the odds and the outcome."""

    position: int
    before: int
    odds: list[tuple[Move, int]]
    move: Move


def draws(match: Match[S]) -> Iterator[Draw]:
    """Yield the draws made from the match's own seed, without those of the game that it was forked from."""
    state, before = match.game.setup(match.seats, match.options), 0
    for position, line in enumerate(match.log):
        if line.seat == NATURE:
            if position >= (match.origin.lines if match.origin else 0):
                yield Draw(position, before, match.game.odds(state), line.move)
            before += 1
        state = match.game.kernel.apply(state, line.seat, line.move)
