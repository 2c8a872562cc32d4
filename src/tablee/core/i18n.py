"""Lazy translation: `msg` creates a message in English, `Translator` translates it for one reader with gettext.

A message that counts something has two forms, `msg("{count} tile", "{count} tiles", count=3)`: msgid and msgid_plural in the .po files.
The parameter that selects the form is always called `count`, and messages without a plural have no such parameter (tests/test_i18n.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import TypeVar, overload

from tablee.core.po_files import Forms, compile_mo, read_po
from tablee.core.prepared import PREPARED_FOLDER

T = TypeVar("T")
LANGUAGES = ("fr", "en", "it")
UNFORMATTED_TYPES = (str, int)  # types that every language writes alike


@dataclass(frozen=True)
class Message:
    """English message with named parameters; a parameter may be another message, or a tuple, which becomes a list with "and"."""

    text: str
    params: tuple[tuple[str, object], ...] = ()
    plural: str = ""

    def __str__(self) -> str:
        return Translator("en").translate(self)


def msg(text: str, plural: str = "", /, **params: object) -> Message:
    """Return a lazily translated message; with a plural, the parameter `count` selects the form."""
    return Message(text, tuple(params.items()), plural)


@overload
def mark(text: str, /) -> str: ...
@overload
def mark(text: str, plural: str, /) -> tuple[str, str]: ...
def mark(text: str, plural: str = "", /) -> str | tuple[str, str]:
    """Mark a constant for extraction into the catalogues; use it by `msg(TEXT)`, or `msg(*TEXT, count=3)` if it has a plural."""
    return (text, plural) if plural else text


class OrList(tuple[T, ...]):
    """Tuple that translates into a list with "or"; a plain tuple becomes a list with "and"."""


class _PointDecimal(float):
    """Float in a sentence, in the shortest form unless the sentence has a format specifier."""

    def __format__(self, form: str) -> str:
        return super().__format__(form or "g")


class _CommaDecimal(_PointDecimal):
    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", ",")


class Translator:
    """Translator into one reader's language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Translator) and other.language == self.language

    def __hash__(self) -> int:
        return hash(self.language)

    def translate(self, sentence: Message | str) -> str:
        if isinstance(sentence, str):
            return self._gettext(sentence)
        return self._format(sentence.text, sentence.plural, dict(sentence.params))

    def __call__(self, text: str | Message, plural: str = "", /, **params: object) -> str:
        return self._format(text, plural, params) if params and isinstance(text, str) else self.translate(text)

    def forms(self, text: str, plural: str) -> tuple[str, str]:
        """Return both plural forms unformatted, for a script that selects by `Intl.PluralRules`."""
        translations = catalogue(self.language)
        return translations.ngettext(text, plural, 1), translations.ngettext(text, plural, 2)

    def join_list(self, values: Iterable[object]) -> str:
        """Return a list as prose: "Ada, Bob and Cem"."""
        *some, last = [str(self._format_param(value)) for value in values] or [""]
        joined = mark("{some} or {last}") if isinstance(values, OrList) else mark("{some} and {last}")
        return self._format(joined, "", {"some": ", ".join(some), "last": last}) if some else last

    def _gettext(self, text: str) -> str:
        return catalogue(self.language).gettext(text) if text else text  # the empty msgid is the catalogue's header

    def _format(self, text: str, plural: str, params: Mapping[str, object]) -> str:
        template = catalogue(self.language).ngettext(text, plural, self._plural_number(params["count"])) if plural else self._gettext(text)
        return template.format(
            **{name: value if type(value) in UNFORMATTED_TYPES else self._format_param(value) for name, value in params.items()}
        )

    def _plural_number(self, count: object) -> int:
        """Return the integer that selects the plural form: in French 1.5 is singular, elsewhere every fraction is plural."""
        assert isinstance(count, int | float)
        return int(count) if self.language == "fr" or count == int(count) else 2

    def _format_param(self, value: object) -> object:
        if isinstance(value, Message):
            return self.translate(value)
        if isinstance(value, tuple):
            return self.join_list(value)
        if isinstance(value, float):
            return _PointDecimal(value) if self.language == "en" else _CommaDecimal(value)
        return value


_extra_folders: list[Path] = []  # catalogues of rooms in other packages


def add_catalogues(folder: Path) -> None:
    """Add a folder of .po files from outside this package."""
    if folder.is_dir() and folder not in locale_folders():
        _extra_folders.append(folder)
        catalogue.cache_clear()


def locale_folders() -> list[Path]:
    """Return the folders of .po files: the platform's first, then each room's."""
    package = Path(str(resources.files("tablee")))
    return sorted(folder for folder in package.rglob("locale") if folder.is_dir()) + _extra_folders


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the compiled translations of one language; English is the source text itself."""
    if language == "en":
        return NullTranslations()
    if (prepared := compiled_catalogue(PREPARED_FOLDER, language)).exists():
        return GNUTranslations(BytesIO(prepared.read_bytes()))
    return GNUTranslations(BytesIO(compile_catalogue(language)))


def compiled_catalogue(folder: Path, language: str) -> Path:
    """Return the file of a prepared catalogue."""
    return folder / f"{language}.mo"


def compile_catalogue(language: str) -> bytes:
    return compile_mo(messages(language))


def messages(language: str) -> dict[Forms, Forms]:
    """Return the messages of the platform and of all rooms with their translations."""
    files = (folder / f"{language}.po" for folder in locale_folders())
    return {message: forms for file in files if file.exists() for message, forms in read_po(file).items()}


def terminal_language() -> str:
    """Return the language of this terminal, English if it is not supported."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := os.environ.get(name):
            return locale[:2] if locale[:2] in LANGUAGES else "en"
    return "en"
