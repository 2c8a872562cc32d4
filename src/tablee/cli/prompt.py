"""Prompt for one legal move: by number, by its text, or by the beginning of its text to list fewer of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tablee.core.errors import TableeError
from tablee.core.game import Move, Seat
from tablee.core.i18n import Translator
from tablee.core.match import Match

LONG_LIST = 24
COLUMN = 24
YES = ("y", "yes", "o", "oui", "s", "si", "sì")


class PromptCommand(Enum):
    UNDO = "undo"
    LEAVE = "leave"


def ask(match: Match, seat: Seat, translator: Translator) -> Move | PromptCommand:
    moves = match.legal(seat)
    texts = [match.game.show(move) for move in moves]
    print(_list_moves(texts, "", translator))
    while True:
        answer = _read("> ")
        if answer is None or (answer == "q" and _confirm_leave(translator)):
            return PromptCommand.LEAVE
        if answer == "undo":
            return PromptCommand.UNDO
        if answer in texts:
            return moves[texts.index(answer)]
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:6]) <= len(moves):
            return moves[int(answer[:6]) - 1]
        if answer != "q":
            print(_reply(match, seat, answer, texts, translator))


def _reply(match: Match, seat: Seat, answer: str, texts: Sequence[str], translator: Translator) -> str:
    """Return the reply to input that is not one of the moves."""
    if answer in ("?", ""):
        return _list_moves(texts, "", translator) if not answer else _help(match, translator)
    if any(text.startswith(answer) for text in texts):
        return _list_moves(texts, answer, translator)
    try:
        match.check(seat, match.game.read(answer))
    except TableeError as error:
        return error.translate(translator)
    return answer


def _list_moves(texts: Sequence[str], beginning: str, translator: Translator) -> str:
    """Return the moves with this beginning and their numbers; of a long list only the beginnings."""
    chosen = [f"{number:>3} {text}" for number, text in enumerate(texts, start=1) if text.startswith(beginning)]
    if len(chosen) > LONG_LIST and not beginning:
        beginnings = sorted({text.rpartition(" ")[0] or text for text in texts})
        return translator(
            "{count} move; type how it begins: {beginnings}",
            "{count} moves; type how one begins: {beginnings}",
            count=len(texts),
            beginnings=", ".join(beginnings),
        )
    width = max(COLUMN, *(len(text) + 2 for text in chosen)) if len(chosen) > 1 else COLUMN
    return "\n".join("".join(text.ljust(width) for text in chosen[row : row + 4]).rstrip() for row in range(0, len(chosen), 4))


def _help(match: Match, translator: Translator) -> str:
    return "\n".join(
        [
            translator("a number or a move as it is written: play it"),
            translator("the beginning of a move: list the moves that begin so; Enter: list them all"),
            translator("undo: take back your last move; q: leave; ?: this help"),
            translator("the rules: tablee rules {game}", game=match.game.key),
        ]
    )


def _confirm_leave(translator: Translator) -> bool:
    answer = _read(translator("leave this game? it is not kept (y/n)") + " ")
    return answer is None or answer.lower() in YES


def _read(prompt: str) -> str | None:
    """Read one line of input with single spaces; None at the end of the input."""
    try:
        return " ".join(input(prompt).split())
    except EOFError:
        print()
        return None
