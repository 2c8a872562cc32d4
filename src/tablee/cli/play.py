"""`tablee play`: a game in the terminal against bots. You are seat 0 and see only what that seat may know.

Rules that are not compiled yet run as Python, so that nobody waits for the compiler.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tablee import bots
from tablee.bots.warmup import python_until_warm
from tablee.cli.arguments import add_language_argument, add_table_arguments, bounded_int, table_arguments
from tablee.cli.event_text import event_lines, result_lines
from tablee.cli.prompt import PromptCommand, ask
from tablee.core import fairness
from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import Translator
from tablee.core.match import Match

YOU = Seat(0)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table_arguments(parser)
    parser.add_argument("--seed", metavar="S", type=bounded_int(0, 10**18), help="play the dice of this seed (default: new ones)")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    with python_until_warm(args.game):
        return _run(args, translator)


def _run(args: argparse.Namespace, translator: Translator) -> int:
    wanted = table_arguments(args)
    seed = fairness.new_seed() if args.seed is None else fairness.seed_for(args.seed, 1)
    match = Match(wanted.game, wanted.seats, dict(wanted.options), seed)
    names = _names(wanted.bots[: wanted.seats - 1], translator)
    print(", ".join(translator("seat {seat}: {player}", seat=seat, player=name) for seat, name in enumerate(names)))
    print(translator("the dice and cards follow from a seed whose hash is {hash}", hash=fairness.commitment(seed)))
    over = _play(match, dict(enumerate(wanted.bots, start=1)), names, translator)
    print("\n".join([*result_lines(over, translator, names), translator("the seed was {seed}", seed=seed.hex())]))
    return 0


def _names(levels: Sequence[str], translator: Translator) -> tuple[str, ...]:
    """Return the names of the seats: you, and each bot by its level, with its seat's number where several have that level."""
    named = (level if levels.count(level) == 1 else f"{level} {seat}" for seat, level in enumerate(levels, start=1))
    return (translator("you"), *named)


def _play(match: Match, levels: Mapping[int, str], names: Sequence[str], translator: Translator) -> Match:
    """Play to the end, or until you leave, and return the match."""
    while to_act := match.to_act:
        before = len(match.log)
        if to_act == (NATURE,):
            match.play_nature()
        elif YOU not in to_act:
            match.play(to_act[0], bots.choose(match, to_act[0], bots.find(levels[to_act[0]])))
        elif (answer := _your_turn(match, translator)) is PromptCommand.LEAVE:
            return match
        elif answer is PromptCommand.UNDO:
            match = _undo(match, translator)
        else:
            match.play(YOU, answer)
        _print_events(match, before, names, translator)
    print(f"\n{match.game.text_board(match.state)}")
    return match


def _your_turn(match: Match, translator: Translator) -> int | PromptCommand:
    print(f"\n{match.game.text_board(match.game.observe(match.state, YOU).state)}")
    return ask(match, YOU, translator)


def _undo(match: Match, translator: Translator) -> Match:
    try:
        return match.undone(YOU)
    except Refusal as refusal:
        print(refusal.translate(translator))
        return match


def _print_events(match: Match, before: int, names: Sequence[str], translator: Translator) -> None:
    """Print what you may know of the lines since then, each with the name of its seat; after an undo there are none."""
    width = max(map(len, names))
    for line, events in zip(match.log[before:], match.events[before:], strict=True):
        sentences = [(event.seat, sentence) for event in events for sentence in event_lines(event, YOU, translator, names)]
        for seat, sentence in sentences or [(line.seat, line.show_to(match.game, YOU).partition(" ")[2])]:
            about = line.seat if seat is None else seat
            print(f"{'-' if about == NATURE else names[about]:{width}}  {sentence}")
