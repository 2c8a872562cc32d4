"""`tablee play`: a game in the terminal against bots. You are seat 0 and see only what that seat may know.
Nobody waits for the compiler: rules that are not compiled yet are played as Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tablee import bots
from tablee.bots.warmup import nobody_waits
from tablee.cli.arguments import ask_language, ask_table, table, whole
from tablee.cli.event_text import result, sentences
from tablee.cli.prompt import Answer, ask
from tablee.core import fairness
from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import Words
from tablee.core.match import Match

HELP = "play in this terminal against bots"
YOU = Seat(0)


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_table(parser)
    parser.add_argument("--seed", metavar="S", type=whole(0, 10**18), help="play the dice of this seed (default: new ones)")
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    with nobody_waits(args.game):
        return _run(args, words)


def _run(args: argparse.Namespace, words: Words) -> int:
    wanted = table(args)
    seed = fairness.new_seed() if args.seed is None else fairness.seed_for(args.seed, 1)
    match = Match(wanted.game, wanted.seats, dict(wanted.options), seed)
    names = _names(wanted.bots[: wanted.seats - 1], words)
    print(", ".join(words("seat {seat}: {player}", seat=seat, player=name) for seat, name in enumerate(names)))
    print(words("the dice and cards follow from a seed whose hash is {hash}", hash=fairness.commitment(seed)))
    over = _play(match, dict(enumerate(wanted.bots, start=1)), names, words)
    print("\n".join([*result(over, words, names), words("the seed was {seed}", seed=seed.hex())]))
    return 0


def _names(levels: Sequence[str], words: Words) -> tuple[str, ...]:
    """Return what each seat is called: you, and each bot by its level, with its seat's number where several play alike."""
    named = (level if levels.count(level) == 1 else f"{level} {seat}" for seat, level in enumerate(levels, start=1))
    return (words("you"), *named)


def _play(match: Match, levels: Mapping[int, str], names: Sequence[str], words: Words) -> Match:
    """The match at its end, or where you left it."""
    while awaited := match.to_act:
        before = len(match.log)
        if awaited == (NATURE,):
            match.play_nature()
        elif YOU not in awaited:
            match.play(awaited[0], bots.choose(match, awaited[0], bots.find(levels[awaited[0]])))
        elif (answer := _your_turn(match, words)) is Answer.LEAVE:
            return match
        elif answer is Answer.UNDO:
            match = _undo(match, words)
        else:
            match.play(YOU, answer)
        _tell(match, before, names, words)
    print(f"\n{match.game.draw(match.state)}")
    return match


def _your_turn(match: Match, words: Words) -> int | Answer:
    print(f"\n{match.game.draw(match.game.observe(match.state, YOU).state)}")
    return ask(match, YOU, words)


def _undo(match: Match, words: Words) -> Match:
    try:
        return match.undone(YOU)
    except Refusal as refusal:
        print(refusal.tell(words))
        return match


def _tell(match: Match, before: int, names: Sequence[str], words: Words) -> None:
    """What you hear of the lines that came since, each with the name of the seat it is about; after an undo there are none."""
    width = max(map(len, names))
    for line, events in zip(match.log[before:], match.told[before:], strict=True):
        said = [(event.seat, sentence) for event in events for sentence in sentences(event, YOU, words, names)]
        for seat, sentence in said or [(line.seat, line.heard(match.game, YOU).partition(" ")[2])]:
            about = line.seat if seat is None else seat
            print(f"{'-' if about == NATURE else names[about]:{width}}  {sentence}")
