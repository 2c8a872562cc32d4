"""What can go wrong at a table, in words a player understands.

TableeError            a sentence for a person; nothing was changed
+-- NotationError      the text is not a move of this game
+-- Refusal            the move is not allowed
|   +-- NotYourTurn    somebody else is awaited
|   +-- IllegalMove    a rule forbids it; `rule` names the rule
|   +-- AskedOtherwise the rules allow it, the lesson goes another way (core/tutorial.py)
+-- OptionError        no such option, or no such value
+-- ComponentsError    the box's file is wrong; names the line and the reason
+-- RecordError        the record cannot be read or does not replay
+-- RulesError         a room's rules break their contract; names the rule and its file
"""

from __future__ import annotations

from tablee.core.i18n import Message, Translator


class TableeError(Exception):
    """Carries its sentence untranslated, so that each reader hears it in their own language."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return self.translate(Translator("en"))

    def translate(self, words: Translator) -> str:
        return words.translate(self.sentence)


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

    def translate(self, words: Translator) -> str:
        return f"{words.translate(self.sentence)} ({self.rule})"


class OptionError(TableeError):
    pass


class ComponentsError(TableeError):
    pass


class RecordError(TableeError):
    pass


class RulesError(TableeError):
    pass
