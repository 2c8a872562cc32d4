"""Card and Croissant metadata of a dataset, from the file itself (`tablee dataset --card`)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from pyarrow import parquet

CROISSANT = "http://mlcommons.org/croissant/1.0"
CONTEXT = {"@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"}
KINDS = {"int": "sc:Integer", "list": "sc:Integer", "fixed_size_list": "sc:Integer", "float": "sc:Float", "double": "sc:Float"}


def write_card(file: Path) -> tuple[Path, Path]:
    """Write `NAME.md` and `NAME.croissant.json` beside a dataset, and return their paths."""
    schema, rows = parquet.read_schema(file), parquet.read_metadata(file).num_rows
    facts = json.loads(schema.metadata[b"tablee"])
    card, croissant = file.with_suffix(".md"), file.with_suffix(".croissant.json")
    card.write_text(card_text(file.name, facts, schema, rows), encoding="utf-8")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    croissant.write_text(json.dumps(croissant_metadata(file.name, facts, schema, digest), indent=1) + "\n", encoding="utf-8")
    return card, croissant


def description(facts: dict[str, Any], rows: int = 0) -> str:
    decisions = f"{rows:,} decisions" if rows else "Decisions"
    return f"{decisions} of {', '.join(facts['bots'])} in {facts['games']:,} games of {facts['game']}, played with seed {facts['seed']}."


def card_text(name: str, facts: dict[str, Any], schema: Any, rows: int) -> str:
    """Return a dataset card as Hugging Face reads it: YAML, then Markdown."""
    lines = [
        "---",
        f"pretty_name: Tablée {facts['game']}",
        "task_categories: [reinforcement-learning]",
        f"configs: [{{config_name: default, data_files: {name}}}]",
        "---",
        f"# Tablée: {facts['game']}",
        "",
        description(facts, rows),
        "",
        "Split by `game`, never by row: the rows of one game share their outcome.",
        "",
        "| | |",
        "|---|---|",
        *(f"| {key} | `{json.dumps(value)}` |" for key, value in facts.items()),
        "",
        "| column | type |",
        "|---|---|",
        *(f"| `{field.name}` | {field.type} |" for field in schema),
    ]
    return "\n".join(lines) + "\n"


def croissant_metadata(name: str, facts: dict[str, Any], schema: Any, digest: str) -> dict[str, Any]:
    """Return Croissant metadata, JSON-LD of a file and its columns."""
    file = {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"decisions/{field.name}",
            "name": field.name,
            "dataType": next((kind for prefix, kind in KINDS.items() if str(field.type).startswith(prefix)), "sc:Text"),
            "source": {"fileObject": {"@id": name}, "extract": {"column": field.name}},
        }
        for field in schema
    ]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CROISSANT,
        "name": f"tablee-{facts['game']}",
        "description": description(facts),
        "version": str(facts.get("fingerprint", facts["components"][:16])),
        "distribution": [file],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "decisions", "name": "decisions", "field": fields}],
    }
