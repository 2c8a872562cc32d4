"""Everything a reader sees is said in French and Italian too: every string has its translation, with the same gaps, in the locale
folder nearest to it, and no translation has lost its string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import tablee
from tablee import games
from tablee.core import lesson
from tablee.core.words import LANGUAGES, Words, say

HOUSE = Path(str(tablee.__file__)).parent
SPOKEN = {"say": None, "note": None, "words": None, "_": None}
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def areas() -> list[Path]:
    """The platform, and each room: every one has a locale folder of its own."""
    return [HOUSE, *map(games.folder, games.known())]


def sources(area: Path) -> Iterator[Path]:
    inner = [other for other in areas() if other != area and other.is_relative_to(area)]
    for file in sorted(area.rglob("*")):
        within = file.relative_to(area)
        if file.suffix in (".py", ".html", ".svg", ".jinja") and "tests" not in within.parts and not any(map(file.is_relative_to, inner)):
            yield file


def strings(area: Path) -> dict[str, str]:
    """Every string of an area, and where it stands."""
    found: dict[str, str] = {}
    for file in sources(area):
        method = "python" if file.suffix == ".py" else "jinja2.ext:babel_extract"
        for line, message, *_ in extract_from_file(method, str(file), keywords=SPOKEN, options={"silent": "false"}):
            found[message if isinstance(message, str) else message[0]] = f"{file.relative_to(area)}:{line}"
    taught = lesson.of_folder(area)
    return found | dict.fromkeys(taught.sentences() if taught else (), lesson.FILE)


def catalogue(area: Path, language: str) -> Catalog:
    with (area / "locale" / f"{language}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def translations(area: Path, language: str) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalogue(area, language) if message.id}


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


CASES = [pytest.param(area, language, id=f"{area.name}-{language}") for area in areas() for language in TRANSLATED]


@pytest.mark.parametrize(("area", "language"), CASES)
def test_every_string_is_translated(area: Path, language: str) -> None:
    have = translations(area, language)
    missing = [f'{place}  msgid "{text}"' for text, place in strings(area).items() if not have.get(text)]
    assert not missing, f"{area.name}/locale/{language}.po lacks:\n" + "\n".join(missing)


@pytest.mark.parametrize(("area", "language"), CASES)
def test_no_translation_has_lost_its_string(area: Path, language: str) -> None:
    stale = sorted(set(translations(area, language)) - set(strings(area)))
    assert not stale, f"{area.name}/locale/{language}.po has what nobody says: {stale}"
    kept = catalogue(area, language)
    assert not kept.obsolete
    assert not [message.id for message in kept if message.id and message.fuzzy]


@pytest.mark.parametrize(("area", "language"), CASES)
def test_a_translation_has_the_same_gaps(area: Path, language: str) -> None:
    wrong = [text for text, translated in translations(area, language).items() if gaps(text) != gaps(translated)]
    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_one_string_is_translated_in_one_way(language: str) -> None:
    """The readers' catalogue is one for the whole house, so two rooms must not want the same English to mean two things."""
    ways: dict[str, set[str]] = {}
    for area in areas():
        for text, translated in translations(area, language).items():
            ways.setdefault(text, set()).add(translated)
    assert not {text: sorted(found) for text, found in ways.items() if len(found) > 1}


def french_texts() -> Iterator[tuple[str, str]]:
    """Every French sentence a person reads, with the name of its file: the translations, and other texts paragraph by paragraph."""
    for area in areas():
        for text in translations(area, "fr").values():
            yield f"{area.name}/locale/fr.po", text
        for file in sorted(area.rglob("*.fr.md")):
            for text in file.read_text(encoding="utf-8").splitlines():
                yield f"{area.name}/{file.name}", text


def badly_spaced(text: str) -> bool:
    """French: a no-break space before a colon and inside guillemets, a narrow one before ; ! and ?. Gaps and code are no prose."""
    prose = re.sub(r"\{\w*(![rs])?(:[^}]*)?\}|`[^`]*`|\"[^\"]*\"", "x", text)
    before = re.search(r"(?<!\u202f)[;!?]|(?<!\u00a0):(?=\W|$)|(?<!\u00a0)»|«(?!\u00a0)", prose.replace("«\u00a0?\u00a0»", ""))
    return before is not None


def test_french_punctuation_never_begins_a_line() -> None:
    wrong = [f"{place}: {text}" for place, text in french_texts() if badly_spaced(text)]
    assert not wrong, "a no-break space is missing:\n" + "\n".join(wrong)


@pytest.mark.parametrize("text", ["quoi ?", "quoi?", "quoi\u00a0?", "place : 1", "place:", "oui ; non", "« oui »", "{name} : {key!r}"])
def test_a_missing_no_break_space_is_found(text: str) -> None:
    assert badly_spaced(text)


@pytest.mark.parametrize("text", ["quoi\u202f?", "place\u00a0: {key!r}", "«\u00a0oui\u00a0»", "{host}:{port}", "`order: 1`", "à 12:30"])
def test_a_well_set_text_is_left_alone(text: str) -> None:
    assert not badly_spaced(text)


def test_each_reader_hears_a_sentence_in_their_own_language() -> None:
    sentence = say("it is not your turn; awaited: seat {seats}", seats=(1, 2))
    assert Words("en").speak(sentence) == "it is not your turn; awaited: seat 1, 2"
    assert Words("fr").speak(sentence) == "ce n'est pas ton tour\u202f; on attend\u00a0: place 1, 2"
    assert Words("it").speak(sentence) == "non è il tuo turno; si aspetta: posto 1, 2"


def test_a_gap_may_hold_a_sentence_and_is_translated_with_it() -> None:
    inner = say("{key} is missing from [{table}]", key="rounds", table="game")
    sentence = say("{file}, line {line}: {reason}", file="box.toml", line=3, reason=inner)
    assert Words("fr").speak(sentence) == "box.toml, ligne 3\u00a0: rounds manque dans [game]"


def test_a_fraction_is_written_as_its_reader_writes_it() -> None:
    sentence = say("+{points} points", points=2.5)
    assert [Words(language).speak(sentence) for language in ("en", "fr")] == ["+2.5 points", "+2,5 points"]
    assert Words("fr").speak(say("+{points} points", points=2.0)) == "+2 points"


def test_what_is_not_translated_and_who_is_not_understood_fall_back_to_english() -> None:
    assert Words("fr").speak("not a sentence of this house") == "not a sentence of this house"
    assert Words("de").language == "en"
