"""GNU gettext's PO files of translations, read and compiled to the MO files that Python's `gettext` reads."""

from __future__ import annotations

import re
import struct
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Forms = tuple[str, ...]  # a message, or its singular and plural
HEADER: Forms = ("",)  # the message whose translation holds the language and its rule of plurals
LINE = re.compile(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)? *(".*")')
MO_MAGIC, MO_HEADER = 0x950412DE, struct.Struct("<7I")


def read_po(file: Path) -> dict[Forms, Forms]:
    """Return the messages of a PO file with their translations; raise ValueError for a line that is none."""
    found: dict[Forms, Forms] = {}
    for entry in _entries(file):
        texts = {kind: "".join(parts) for kind, parts in entry.items()}
        message = tuple(text for kind, text in texts.items() if kind.startswith("msgid"))
        found[message] = tuple(text for kind, text in texts.items() if kind.startswith("msgstr"))
    return found


def _entries(file: Path) -> Iterator[dict[str, list[str]]]:
    """Yield each entry: its strings by keyword, in the parts of their lines."""
    entry: dict[str, list[str]] = {}
    kind = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        matched = LINE.fullmatch(line.strip())
        if matched is None or not (matched[1] or kind):
            raise ValueError(f"{file}, line {number}: {line}")
        kind = matched[1] or kind
        if matched[1] == "msgid" and entry:
            yield entry
            entry = {}
        entry.setdefault(kind, []).append(literal_eval(matched[2]))
    if entry:
        yield entry


def compile_mo(messages: Mapping[Forms, Forms]) -> bytes:
    """Return the MO file of these messages; those without a translation are left out."""
    translated = sorted((_joined(message), _joined(forms)) for message, forms in messages.items() if all(forms))
    count, tables = len(translated), MO_HEADER.size
    starts = tables, tables + 8 * count
    texts = [text for column in zip(*translated, strict=True) for text in column]
    end, offsets = tables + 16 * count, b""
    for text in texts:
        offsets += struct.pack("<2I", len(text), end)
        end += len(text) + 1
    return MO_HEADER.pack(MO_MAGIC, 0, count, *starts, 0, starts[0]) + offsets + b"".join(text + b"\0" for text in texts)


def _joined(forms: Iterable[str]) -> bytes:
    return "\0".join(forms).encode()
