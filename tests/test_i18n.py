"""Translations into French and Italian are complete, and none is stale.

Every message has its translation in the nearest locale folder, with the same gaps, and with plural forms where it counts something.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import tablee
from tablee import bots, games
from tablee.cli import event_text
from tablee.core import fairness, po_files, tutorial
from tablee.core.i18n import LANGUAGES, OrList, Translator, msg
from tablee.core.match import Match

PLATFORM = Path(str(tablee.__file__)).parent
MAYBE_PLURAL: dict[int | None, tuple[int, ...]] = {None: (1,), **dict.fromkeys(range(2, 12), (1, 2))}
SPOKEN: dict[str, Any] = {**dict.fromkeys(("msg", "mark", "words", "translator", "_"), MAYBE_PLURAL), "forms": (2, 3)}
TRANSLATED = [language for language in LANGUAGES if language != "en"]

COUNT = "count"  # the gap that decides between singular and plural
NOT_COUNTED = {
    "a name, not an amount": {"number", "line", "seat", "column", "row", "action", "runner", "space", "face", "a", "b", "first", "second"},
    "a version, a report or an error": {"format", "version", "theirs", "ours", "found", "newest", "status"},
    "a bound of a range": {"low", "high", "last", "ge", "le"},
    "points that stand alone, as in a sum": {"points", "lead", "next"},
    "so many of so many": {"of", "of_all", "all", "round", "rounds", "total", "target"},
    "after a colon, in a fault": {
        "seats",
        "levels",
        "games",
        "seeds",
        "actions",
        "segments",
        "designs",
        "tiles",
        "most",
        "wanted",
        "lines",
    },
    "a factor": {"times", "rate", "gain", "percent", "weight"},
    "measured": {
        *("wait", "median", "p99", "per_second", "memory", "again", "games_per_second", "positions_per_second", "plain_games_per_second"),
        *("move_microseconds", "random", "greedy", "simulate_record", "state_bytes", "copy_nanoseconds", "undone_microseconds"),
        *("cold_compile_seconds", "warm_start_seconds", "python_lines"),
    },
}
STANDS_ALONE = ("points that stand alone, as in a sum", "after a colon, in a fault")
NUMBERS = {name for names in NOT_COUNTED.values() for name in names}


def areas() -> list[Path]:
    """Return the platform's folder and each room's: each has its own locale folder."""
    return [PLATFORM, *map(games.folder, games.known())]


def sources(area: Path) -> Iterator[Path]:
    inner = [other for other in areas() if other != area and other.is_relative_to(area)]
    for file in sorted(area.rglob("*")):
        within = file.relative_to(area)
        if file.suffix in (".py", ".html", ".svg", ".jinja") and "tests" not in within.parts and not any(map(file.is_relative_to, inner)):
            yield file


def in_python(file: Path) -> Iterator[tuple[int, str, str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SPOKEN:
            texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if texts:
                yield node.lineno, texts[0], "".join(texts[1:])


def in_template(file: Path) -> Iterator[tuple[int, str, str]]:
    for line, found, *_ in extract_from_file("jinja2.ext:babel_extract", str(file), keywords=SPOKEN, options={"silent": "false"}):
        text, plural = (found, "") if isinstance(found, str) else found
        yield line, text, plural


@cache
def strings(area: Path) -> dict[str, tuple[str, str]]:
    """Return every message of an area with its plural, if it has one, and its place in the source."""
    found: dict[str, tuple[str, str]] = {}
    for file in sources(area):
        for line, text, plural in in_python(file) if file.suffix == ".py" else in_template(file):
            found[text] = (plural or found.get(text, ("",))[0], f"{file.relative_to(area)}:{line}")
    taught = tutorial.load_tutorial(area)
    return found | dict.fromkeys(taught.sentences() if taught else (), ("", tutorial.TUTORIAL_FILE))


def catalogue(area: Path, language: str) -> Catalog:
    with (area / "locale" / f"{language}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def forms(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the forms of a message and of its translation: one each, or singular and plural."""
    each = [(part,) if isinstance(part, str) else tuple(map(str, part or ())) for part in (message.id, message.string)]
    return each[0], each[1]


@cache
def translations(area: Path, language: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    return dict(forms(message) for message in catalogue(area, language) if message.id)


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


CASES = [pytest.param(area, language, id=f"{area.name}-{language}") for area in areas() for language in TRANSLATED]


@pytest.mark.parametrize(("area", "language"), CASES)
def test_every_string_is_translated(area: Path, language: str) -> None:
    have = translations(area, language)
    wanted = {(text, plural) if plural else (text,): place for text, (plural, place) in strings(area).items()}
    missing = [f'{place}  msgid "{text}"' for text, place in wanted.items() if not all(have.get(text, ("",)))]
    assert not missing, f"{area.name}/locale/{language}.po lacks:\n" + "\n".join(missing)


@pytest.mark.parametrize(("area", "language"), CASES)
def test_no_translation_has_lost_its_string(area: Path, language: str) -> None:
    stale = sorted({text for text, *_ in translations(area, language)} - set(strings(area)))
    assert not stale, f"{area.name}/locale/{language}.po has what nobody says: {stale}"
    messages = catalogue(area, language)
    assert not messages.obsolete
    assert not [message.id for message in messages if message.id and message.fuzzy]


@pytest.mark.parametrize(("area", "language"), CASES)
def test_our_reader_of_translations_finds_what_babel_finds(area: Path, language: str) -> None:
    """Babel merges the two entries of a word that is used both alone and with a number."""
    found = po_files.read_po(area / "locale" / f"{language}.po")
    assert translations(area, language).items() <= found.items()
    compiled = GNUTranslations(BytesIO(po_files.compile_mo(found)))
    for message, forms in found.items():
        read = (
            tuple(compiled.ngettext(message[0], message[1], number) for number in (1, 2))
            if message[1:]
            else (compiled.gettext(message[0]),)
        )
        assert message == po_files.HEADER or read == forms


@pytest.mark.parametrize(("area", "language"), CASES)
def test_a_translation_has_the_same_gaps(area: Path, language: str) -> None:
    """A singular may leave the number out: "Which good do you take?"."""
    wrong = []
    for text, translated in translations(area, language).items():
        wanted = gaps(text[-1])
        fits = all(gaps(form) in (wanted, wanted - {COUNT}) for form in (text[0], translated[0])) and gaps(translated[-1]) == wanted
        wrong += [text] if not fits or (len(text) == 1 and gaps(translated[0]) != wanted) else []
    assert not wrong


@pytest.mark.parametrize(("area", "language"), CASES)
def test_a_plural_has_a_form_for_each_number(area: Path, language: str) -> None:
    messages = catalogue(area, language)
    header = dict(messages.mime_headers)["Plural-Forms"]
    assert f"Plural-Forms: {header}\\n" in (area / "locale" / f"{language}.po").read_text(encoding="utf-8"), "by the language's own rule"
    plural = {text: translated for text, translated in translations(area, language).items() if len(text) > 1}
    assert all(len(translated) == messages.num_plurals and all(translated) for translated in plural.values())
    says_one = [translated[0] for translated in plural.values() if re.search(r"\b1\b", translated[0])]
    assert not says_one or language != "fr", f"in French the singular speaks of 0 as well: {says_one}"


@pytest.mark.parametrize("area", areas(), ids=lambda area: area.name)
def test_no_message_counts_without_a_plural(area: Path) -> None:
    """An amount is called `count`, and what is called `count` has a plural. Points and faults name their number after the noun."""
    messages = strings(area)
    assert not [text for text, (plural, _) in messages.items() if COUNT in gaps(text) and not plural]
    alone = "|".join(sorted({name for why in STANDS_ALONE for name in NOT_COUNTED[why]}))
    before_a_noun = re.compile(rf"\{{({alone})\}} [a-z]+s\b")
    assert not [f"{place}: {text}" for text, (_, place) in messages.items() if before_a_noun.search(text)]


@pytest.mark.parametrize("key", games.known())
def test_every_number_in_a_sentence_is_a_count_or_known_not_to_be(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks every event text of random games."""
    filled, unknown = Translator._format, set[tuple[str, str]]()

    def watch(translator: Translator, text: str, plural: str, found: Mapping[str, Any]) -> str:
        amounts = {name for name, value in found.items() if isinstance(value, int | float)}
        unknown.update((name, text) for name in amounts - NUMBERS - ({COUNT} if plural else set()))
        return filled(translator, text, plural, found)

    monkeypatch.setattr(Translator, "_format", watch)
    game = games.find(key)
    for number, seats in enumerate((game.seats[0], game.seats[-1])):
        match = bots.play_out(Match(game, seats, {}, fairness.seed_for(3, number)), [bots.RANDOM] * seats)
        for language in LANGUAGES:
            lines = [event_text.event_lines(event, None, Translator(language)) for events in match.events for event in events]
            assert lines
    assert not unknown


@pytest.mark.parametrize("language", TRANSLATED)
def test_one_string_is_translated_in_one_way(language: str) -> None:
    """One catalogue serves platform and rooms, so two rooms must not translate the same English differently."""
    ways: dict[str, set[tuple[tuple[str, ...], ...]]] = {}
    for area in areas():
        for text, translated in translations(area, language).items():
            ways.setdefault(text[0], set()).add((text, translated))
    assert not {text: sorted(found) for text, found in ways.items() if len(found) > 1}


def french_texts() -> Iterator[tuple[str, str]]:
    """Yield every French sentence that a person reads, with its file name: translations, and other texts by paragraph."""
    for area in areas():
        for translated in translations(area, "fr").values():
            yield from ((f"{area.name}/locale/fr.po", text) for text in translated)
        for file in sorted(area.rglob("*.fr.md")):
            for text in file.read_text(encoding="utf-8").splitlines():
                yield f"{area.name}/{file.name}", text


def badly_spaced(text: str) -> bool:
    """Tell whether a French text lacks a no-break space before : or inside « », or a narrow one before ; ! ?; skip gaps and code."""
    prose = re.sub(r"\{\w*(![rs])?(:[^}]*)?\}|`[^`]*`|\"[^\"]*\"", "x", text)
    before = re.search(r"(?<!\u202f)[;!?]|(?<!\u00a0):(?=\W|$)|(?<!\u00a0)»|«(?!\u00a0)", prose.replace("«\u00a0?\u00a0»", ""))
    return before is not None


def test_french_punctuation_never_begins_a_line() -> None:
    wrong = [f"{place}: {text}" for place, text in french_texts() if badly_spaced(text)]
    assert not wrong, "a no-break space is missing:\n" + "\n".join(wrong)


def test_no_article_stands_before_a_name_that_may_begin_with_a_vowel() -> None:
    """Neither "une table de Amérique" nor "plus que Ada"."""
    names = "game|name|names|second|author|title|club|society"
    wrong = [f"{place}: {text}" for place, text in french_texts() if re.search(rf"\b(de|que|le|la|du|si|ce|ne|se) \{{({names})\}}", text)]
    assert not wrong


@pytest.mark.parametrize("text", ["quoi ?", "quoi?", "quoi\u00a0?", "place : 1", "place:", "oui ; non", "« oui »", "{name} : {key!r}"])
def test_a_missing_no_break_space_is_found(text: str) -> None:
    assert badly_spaced(text)


@pytest.mark.parametrize("text", ["quoi\u202f?", "place\u00a0: {key!r}", "«\u00a0oui\u00a0»", "{host}:{port}", "`order: 1`", "à 12:30"])
def test_a_well_set_text_is_left_alone(text: str) -> None:
    assert not badly_spaced(text)


def test_each_reader_hears_a_sentence_in_their_own_language() -> None:
    sentence = msg("{key} is missing from [{table}]", key="rounds", table="game")
    assert Translator("en").translate(sentence) == "rounds is missing from [game]"
    assert Translator("fr").translate(sentence) == "rounds manque dans [game]"
    assert Translator("it").translate(sentence) == "rounds manca in [game]"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["0 members", "1 member", "1.5 members", "2 members"]),
        ("fr", ["0 membre", "1 membre", "1,5 membre", "2 membres"]),
        ("it", ["0 membri", "1 membro", "1,5 membri", "2 membri"]),
    ],
)
def test_an_amount_has_the_plural_of_its_reader(language: str, expected: list[str]) -> None:
    assert [Translator(language)("{count} member", "{count} members", count=count) for count in (0, 1, 1.5, 2)] == expected
    assert [Translator(language)(msg("{count} member", "{count} members", count=count)) for count in (0, 1, 1.5, 2)] == expected
    assert [
        form.format(count=count)
        for form, count in zip(Translator(language).forms("{count} member", "{count} members"), (1, 2), strict=True)
    ] == [expected[1], expected[3]]


@pytest.mark.parametrize(
    ("language", "both", "one_of"),
    [
        ("en", "Ada, Bob and Cem", "Ada, Bob or Cem"),
        ("fr", "Ada, Bob et Cem", "Ada, Bob ou Cem"),
        ("it", "Ada, Bob e Cem", "Ada, Bob o Cem"),
    ],
)
def test_a_list_ends_as_its_reader_would_end_it(language: str, both: str, one_of: str) -> None:
    translator, names = Translator(language), ("Ada", "Bob", "Cem")
    assert translator("{file} is {names}", file="x", names=names).endswith(both)
    assert translator("{file} is {names}", file="x", names=OrList(names)).endswith(one_of)
    assert [translator.join_list(names[:2]), translator.join_list(names[:1]), translator.join_list(())] == [
        both.replace(", Bob", "").replace("Cem", "Bob"),
        "Ada",
        "",
    ]


def test_a_gap_may_hold_a_sentence_and_is_translated_with_it() -> None:
    inner = msg("{key} is missing from [{table}]", key="rounds", table="game")
    sentence = msg("{file}, line {line}: {reason}", file="box.toml", line=3, reason=inner)
    assert Translator("fr").translate(sentence) == "box.toml, ligne 3\u00a0: rounds manque dans [game]"


def test_a_fraction_is_written_as_its_reader_writes_it() -> None:
    sentence = msg("+{count} point", "+{count} points", count=2.5)
    assert [Translator(language).translate(sentence) for language in ("en", "fr")] == ["+2.5 points", "+2,5 points"]
    assert Translator("fr").translate(msg("+{count} point", "+{count} points", count=2.0)) == "+2 points"


def test_what_is_not_translated_and_who_is_not_understood_fall_back_to_english() -> None:
    assert Translator("fr").translate("not a sentence of this house") == "not a sentence of this house"
    assert Translator("de").language == "en"
