"""Exceptions of the platform, each with a sentence that a player understands.

TableeError            a sentence for a person; nothing was changed
+-- NotationError      the text is not a move of this game
+-- Refusal            the move is not allowed
|   +-- NotYourTurn    another seat is to act
|   +-- IllegalMove    a rule forbids it; `rule` names the rule
|   +-- OffScript      the rules allow it, the tutorial asks for another move (core/tutorial.py)
+-- OptionError        no such option, or no such value
+-- ComponentsError    the box's file is wrong; names the file, the line and the reason
+-- RecordError        the record cannot be read or does not replay
+-- RulesError         a room's rules break their contract; names the rule and its file
"""

from __future__ import annotations

from tablee.core.i18n import Message, Translator


class TableeError(Exception):
    """Base of all errors for players; carries its sentence untranslated, so that each reader gets their own language."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return self.translate(Translator("en"))

    def translate(self, translator: Translator) -> str:
        return translator.translate(self.sentence)


class NotationError(TableeError):
    pass


class Refusal(TableeError):
    pass


class NotYourTurn(Refusal):
    pass


class IllegalMove(Refusal):
    def __init__(self, sentence: Message, rule: str) -> None:
        super().__init__(sentence)
        self.rule = rule

    def translate(self, translator: Translator) -> str:
        return f"{translator.translate(self.sentence)} ({self.rule})"


class OptionError(TableeError):
    pass


class ComponentsError(TableeError):
    pass


class RecordError(TableeError):
    pass


class RulesError(TableeError):
    pass
