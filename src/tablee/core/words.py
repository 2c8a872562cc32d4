"""A sentence stays untranslated until it meets its reader: `say` names it in English, `Words` speaks it in French, English or Italian."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = ("fr", "en", "it")
PLAIN = (str, int)  # kinds that every language writes as they are


@dataclass(frozen=True)
class Say:
    """An English sentence with named gaps; a gap may hold another sentence."""

    text: str
    gaps: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return Words("en").speak(self)


def say(text: str, /, **gaps: Any) -> Say:
    return Say(text, tuple(gaps.items()))


def note(text: str) -> str:
    """Marks a text for translation where it is only named; `Words.speak` translates it later."""
    return text


class _Point(float):
    """A number in a sentence; as short as it can be, unless the sentence says how."""

    def __format__(self, form: str) -> str:
        return super().__format__(form or "g")


class _Comma(_Point):
    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", ",")


class Words:
    """One reader's language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and other.language == self.language

    def __hash__(self) -> int:
        return hash(self.language)

    def speak(self, sentence: Say | str) -> str:
        if isinstance(sentence, str):
            return catalogue(self.language).get(sentence, sentence)
        return self._filled(sentence.text, sentence.gaps)

    def __call__(self, text: str | Say, /, **gaps: Any) -> str:
        return self._filled(text, gaps.items()) if gaps and isinstance(text, str) else self.speak(text)

    def _filled(self, text: str, gaps: Iterable[tuple[str, Any]]) -> str:
        said = catalogue(self.language).get(text, text)
        return said.format(**{name: value if type(value) in PLAIN else self._gap(value) for name, value in gaps})

    def _gap(self, value: Any) -> Any:
        if isinstance(value, Say):
            return self.speak(value)
        if isinstance(value, tuple):
            return ", ".join(str(self._gap(each)) for each in value)
        if isinstance(value, float):
            return _Point(value) if self.language == "en" else _Comma(value)
        return value


_guests: list[Path] = []  # the catalogues of rooms that other packages bring


def add_catalogues(folder: Path) -> None:
    """Translations that stand somewhere else."""
    if folder.is_dir() and folder not in locale_folders():
        _guests.append(folder)
        catalogue.cache_clear()


def locale_folders() -> list[Path]:
    """The platform's own strings first, then each room's."""
    package = Path(str(resources.files("tablee")))
    return sorted(folder for folder in package.rglob("locale") if folder.is_dir()) + _guests


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Every translated string of one language; English is what the source says."""
    if language == "en":
        return {}
    found: dict[str, str] = {}
    for folder in locale_folders():
        file = folder / f"{language}.po"
        if file.exists():
            found.update(_strings(_read(file)))
    return found


def _read(file: Path) -> Catalog:
    with file.open("rb") as stream:
        return read_po(stream)


def _strings(read: Catalog) -> dict[str, str]:
    return {
        message.id: message.string
        for message in read
        if message.id and message.string and isinstance(message.id, str) and isinstance(message.string, str)
    }
