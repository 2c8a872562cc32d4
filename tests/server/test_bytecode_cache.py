"""Template bytecode is compiled once for each build and language, and then read from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee.core.i18n import Translator
from tablee.server.view.bytecode_cache import TemplateBytecodeCache
from tablee.server.view.rendering import JINJA_SETTINGS, TablePageEnvironment, loader, with_globals

pytestmark = pytest.mark.one_engine


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path))
    return tmp_path


def compiled_pages(build: str, language: str = "fr") -> int:
    """Return the number of pages that a starting server had to compile."""

    class Counting(TablePageEnvironment):
        made = 0

        def _generate(self, *given: object, **named: object) -> str:
            self.made += 1
            return super()._generate(*given, **named)  # type: ignore[arg-type]

    environment = with_globals(
        Counting(Translator(language), loader=loader(), bytecode_cache=TemplateBytecodeCache(build, language), **JINJA_SETTINGS)
    )
    environment.compile_page("rolling-village")
    return environment.made


def test_a_server_that_starts_again_puts_nothing_together(folder: Path) -> None:
    assert compiled_pages("this build") == 1
    assert compiled_pages("this build") == 0


def test_another_build_and_another_language_have_code_of_their_own(folder: Path) -> None:
    compiled_pages("this build")
    assert compiled_pages("that build") == compiled_pages("this build", "it") == 1


def test_damaged_code_is_put_together_again(folder: Path) -> None:
    compiled_pages("this build")
    (file,) = folder.rglob("*.page")
    file.write_bytes(file.read_bytes()[:-100] + b"\0" * 100)
    assert compiled_pages("this build") == 1
    assert compiled_pages("this build") == 0


def test_where_nothing_can_be_written_pages_are_put_together_each_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.core.cache._cache_root", lambda: None)
    assert compiled_pages("this build") == compiled_pages("this build") == 1
