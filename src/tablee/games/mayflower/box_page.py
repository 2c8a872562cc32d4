"""What lies in the box as one page: every face with its letter, its count and its line in the file, and the coast beside them.

The lines below a face are the file's own, so that an owner can hold a real tile beside its picture and correct the line below it.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from tablee.core.words import Words, note
from tablee.games.mayflower.art.chart import chart_defs
from tablee.games.mayflower.art.coast_svg import coast_svg
from tablee.games.mayflower.art.faces_svg import tile
from tablee.games.mayflower.art.sea_svg import EAST
from tablee.games.mayflower.box import Pieces
from tablee.games.mayflower.faces import Coast, Face

SHEET = Path(__file__).parent / "static" / "mayflower.css"
STYLE = """
:root {
  color-scheme: light dark; --page: #faf5ea; --text: #2b2620; --quiet: #665d50;
  --serif: "Iowan Old Style", Palatino, Georgia, "DejaVu Serif", serif;
}
@media (prefers-color-scheme: dark) { :root { --page: #12262b; --text: #f0e9da; --quiet: #b3bdb6; } }
body { margin: 0; padding: 1.5rem clamp(1rem, 3vw, 3rem); background: var(--page); color: var(--text); font: 1rem/1.4 sans-serif; }
h1 { font: 600 clamp(2rem, 5vw, 3.2rem)/1.1 var(--serif); margin: 0 0 1.2rem; }
h1 small { font-size: .45em; color: var(--quiet); font-weight: 400; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(14rem, 24rem); gap: 2rem; align-items: start; }
.faces { list-style: none; margin: 0; padding: 0; display: grid; gap: 1.4rem 1.2rem; }
.faces { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
.faces svg { width: 100%; display: block; overflow: visible; } .faces p { margin: .5rem 0 0; font: 600 1.25rem/1.2 var(--serif); }
.faces span, .faces code { color: var(--quiet); font-weight: 400; }
.faces code { font-size: .78rem; display: block; overflow-wrap: anywhere; }
.coast-board { width: 100%; border-radius: .6rem; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); }
@media (max-width: 48rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  .coast-board { position: static; max-height: none; }
}
"""


RECONSTRUCTED = note(
    "How many tiles each letter has is a fact. What each letter shows, and which start space carries what, is a reconstruction: "
    "the pictures are lost. If you own the box, compare, correct the file and play with it."
)


def picture(pieces: Pieces, language: str) -> str:
    words, faces, coast = Words(language), pieces.faces, pieces.coast
    total = sum(face.count for face in faces)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mayflower</title><style>{_sheet()}</style>'
    shared = f'<svg class="chart" width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{chart_defs(faces)}</defs></svg>'
    counted = words("{designs} faces, {tiles} tiles", designs=len(faces), tiles=total)
    title = f"<h1>Mayflower <small>{escape(counted)}</small></h1><p class=note>{escape(words(RECONSTRUCTED))}</p>"
    shown = f'<ul class="faces">{"".join(_item(face, 137 * number) for number, face in enumerate(faces))}</ul>{_coast_board(coast)}'
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body>{shared}{title}<main>{shown}</main></body></html>'


def _sheet() -> str:
    return f"{SHEET.read_text(encoding='utf-8')}{STYLE}"


def _item(face: Face, x: int) -> str:
    """`x` only picks the meadow below the tile."""
    drawn = f'<svg class="chart" viewBox="{x} 0 100 100" role="img" aria-label="{face.letter}">{tile(face.letter, x=x)}</svg>'
    lines = "".join(f"<code>{escape(line)}</code>" for line in in_the_file(face))
    return f"<li>{drawn}<p>{face.letter} <span>× {face.count}</span></p>{lines}</li>"


def in_the_file(face: Face) -> list[str]:
    """The face as components.toml writes it."""
    towns = ", ".join(f'"{town.edges}{"+" * town.shields}"' for town in face.towns)
    roads = ", ".join(f'"{road.edges}{road.stop}{"*" * road.station}"' for road in face.roads)
    animals = ", ".join(f"{plain.halves[0]} = {plain.animals}" for plain in face.plains if plain.animals)
    lines = {"towns": f"[{towns}]" if towns else "", "roads": f"[{roads}]" if roads else "", "farm": "true" if face.farm else ""}
    lines["animals"] = f"{{ {animals} }}" if animals else ""
    return [f"{key} = {value}" for key, value in lines.items() if value]


def _coast_board(coast: Coast) -> str:
    height = 100 * len(coast.spaces) + 120
    names = escape(", ".join(space.name for space in coast.spaces if space.name))
    paper = f'<rect class="paper" x="-30" y="-60" width="60" height="{height}"/>'
    frame = f'viewBox="-30 -60 {EAST + 30:.0f} {height}" role="img" aria-label="{names}"'
    return f'<svg class="chart coast-board" {frame}>{paper}{coast_svg(coast)}</svg>'
