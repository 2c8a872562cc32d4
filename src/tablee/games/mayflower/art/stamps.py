"""Stamps: the SVG of everything that stands on the land, each defined once around its own middle and placed by `<use>`.

A stamp carries the class `up`: the style sheet turns it back by as many quarters as its tile is turned, so no roof lies on its side.
Colours come from the style sheet through classes; `roof` inherits its colour from the place of use.
"""

from __future__ import annotations

ANIMALS = ("bison", "deer", "turkey", "beaver")
HOUSES = {"hall": 10.0, "house": 7.4, "cabin": 5.4}  # the radius that each takes around its middle, largest first
TREES = {"oak": 4.6, "pine": 4.4, "hill": 7.5, "bush": 3.4}

_BISON = (
    '<path class="fur" d="M-47 12C-50 2-44-6-36-8C-33-25-20-36-6-33C8-29 20-20 34-18C43-17 48-10 47 0C46 8 44 10 45 18L48 33L40 33L37 20'
    "C36 14 32 10 26 10C16 14 4 16-6 17L-6 33L-14 33L-16 20L-20 33L-27 33L-26 18C-28 22-32 28-37 28C-36 24-39 22-41 21"
    'C-45 20-47 17-47 12Z"/>'
    '<path class="mane" d="M-36-8C-33-25-20-36-6-33C4-29 6-20 2-10C-2 2-6 10-12 20L-26 18C-28 22-32 28-37 28C-36 24-39 22-41 21'
    'C-44 14-43 0-36-8Z"/>'
    '<path class="horn" d="M-36-7C-44-8-47-16-43-22C-42-16-37-14-31-15Z"/><path class="mark" d="M44-8C52-4 52 8 50 14"/>'
)
_DEER = (
    '<path class="fur deer" d="M-47-15C-46-20-40-24-34-25L-29-32L-26-24C-22-17-18-12-12-10C0-8 14-13 26-12C32-12 36-8 38-3L34-2'
    "C34 4 32 8 30 12L33 36L28 36L22 14L21 36L16 36L15 10C6 9-2 11-8 9L-9 36L-14 36L-16 12L-19 36L-24 36L-22 6C-26-2-28-8-32-13"
    'C-37-10-43-10-47-15Z"/>'
    '<path class="antler" d="M-33-26C-39-36-37-46-29-52M-36-37L-46-43M-34-45L-42-52M-30-27C-27-38-20-45-10-48M-25-38L-27-50M-18-44'
    'L-17-53"/>'
    '<path class="scut" d="M30-10L40-3L34 2Z"/>'
)
_TURKEY = (
    '<path class="fan" d="M6 16C-10-4-6-36 16-38C42-40 56-12 46 10C38 22 18 24 6 16Z"/>'
    '<path class="ribs" d="M12 8L3-26M14 6L16-34M17 6L32-30M19 8L44-16M20 11L48 2"/>'
    '<path class="fur" d="M-24 4C-20-8-6-12 8-8C24-3 27 13 14 21C2 28-17 25-22 15C-24 11-25 8-24 4Z"/>'
    '<path class="neck" d="M-17 8C-27 2-23-14-32-20"/><path class="beak" d="M-36-25L-46-20L-36-17Z"/>'
    '<path class="wattle" d="M-35-17C-41-9-37-2-33-4C-30-8-31-13-31-17Z"/><path class="mark" d="M-5 24L-5 37L-12 37M6 23L6 37L-1 37"/>'
)
_BEAVER = (
    '<path class="fan" d="M26 15C34 2 56 0 64 10C58 24 36 26 26 20Z"/><path class="ribs" d="M36 7L46 21M46 4L56 18M33 19L48 4M44 21L58 7"/>'
    '<path class="fur beaver" d="M-47 8C-47-3-40-9-31-10C-30-16-24-16-23-10C-13-22 9-28 23-15C33-6 34 9 31 20L22 24L8 24L6 20L-14 20'
    "L-16 24L-28 24"
    'C-31 22-32 18-32 16C-39 18-46 15-47 8Z"/><path class="horn" d="M-44 13L-43 20L-38 20L-38 15Z"/>'
    '<circle class="eye" cx="-36" cy="0" r="2.6"/>'
)

_ART = {
    "bison": f'<g transform="scale(.2)">{_BISON}</g>',
    "deer": f'<g transform="translate(0 1.4)scale(.19)">{_DEER}</g>',
    "turkey": f'<g transform="scale(.17)">{_TURKEY}</g>',
    "beaver": f'<g transform="translate(-1)scale(.165)">{_BEAVER}</g>',
    "cabin": (
        '<path class="shade" d="M.5 0H6V4.5H.5Z"/><path class="front" d="M-5.5 4.5V0L-2.5-4.4L.5 0V4.5Z"/>'
        '<path class="roof" d="M-2.5-4.8H3.6L6.6.2H.4Z"/><path class="dark" d="M-3.6 4.5V1.6H-1.6V4.5Z"/>'
    ),
    "house": (
        '<path class="front" d="M3.4-9.2H5.2V-4H3.4Z"/><path class="shade" d="M.8-.6H7.8V5.6H.8Z"/>'
        '<path class="front" d="M-7.2 5.6V-.6L-3.2-6.4L.8-.6V5.6Z"/><path class="roof" d="M-3.2-7H4.8L8.6-.2H.8Z"/>'
        '<path class="dark" d="M-4.4 5.6V1.6H-2V5.6ZM3-.2"/><path class="dark" d="M3 1.2H5.6V3.2H3Z"/>'
    ),
    "hall": (
        '<path class="shade" d="M-2.4 0H9V7H-2.4Z"/><path class="roof" d="M-4-6H6.4L10.2.4H-2.4Z"/>'
        '<path class="front" d="M-9 7V-4.4H-2.4V7Z"/><path class="roof two" d="M-9.8-4.2L-5.7-14.5L-1.6-4.2Z"/>'
        '<path class="pole" d="M-5.7-14.5V-17.5M-7-16.4H-4.4"/><path class="dark" d="M-6.8 7V3.4C-6.8 1.6-4.6 1.6-4.6 3.4V7Z"/>'
        '<path class="dark" d="M1 2.2H2.8V4.8H1ZM5 2.2H6.8V4.8H5Z"/><circle class="dark" cx="-5.7" cy="-1.6" r="1.1"/>'
    ),
    "oak": (
        '<path class="trunk" d="M0 1V5"/>'
        '<path class="crown" d="M-4.2.8C-5.6-1-4.4-3.4-2.8-3.6C-2.4-5.6.9-6.2 2.1-4.4C4.2-4.4 5.2-2 4.2-.4C4.6 1.6 2.6 2.6 1.2 2'
        'C-.4 3-3.4 2.8-4.2.8Z"/><path class="hatch" d="M2.8-2.6L3.4-.4M1.4-3.4L2.2.8M0-.6L.4 1.4"/>'
    ),
    "pine": (
        '<path class="trunk" d="M0 2.6V5"/>'
        '<path class="crown fir" d="M0-6.2L2.4-2.6L1.4-2.6L3.2.2L2 .2L4 3.2H-4L-2 .2L-3.2.2L-1.4-2.6L-2.4-2.6Z"/>'
        '<path class="hatch" d="M.6-3.2L1.2-1.6M.8-.4L1.8 2"/>'
    ),
    "hill": (
        '<path class="hill" d="M-8.5 3.2C-6.4-.6-4.6-3.6-2-3.6C.6-3.6 2 .2 4.4 3.2M1.6-1.2C3-2.6 5-2 6.4.2C7.2 1.4 7.8 2.4 8.6 3"/>'
        '<path class="hill fine" d="M-.2-2.4L.8 1.6M1.2-.6L2 2.6M-1.6-2.6L-1 .4M5.4.2L6.2 2.6"/>'
    ),
    "bush": (
        '<path class="crown" d="M-3.4 1.8C-4.2 0-2.6-1.6-1.6-1.2C-1-2.8 1.2-2.6 1.6-1.2C3.2-1.6 4 .6 3.2 1.8Z"/>'
        '<path class="hatch" d="M1.6-.4L2 1"/>'
    ),
    "station": (
        '<path class="shade" d="M-2.4-1.4H6.6V5H-2.4Z"/><path class="front" d="M-9 5V-1.4L-5.7-6.4L-2.4-1.4V5Z"/>'
        '<path class="roof" d="M-5.7-7H3.6L7.6-1H-2.4Z"/>'
        '<path class="dark" d="M-6.8 5V1.2H-4.6V5Z"/><circle class="sign" cx="5.2" cy="4" r="6"/>'
        '<path class="post-horn" d="M.9 2.2H5.4A2.7 2.7 0 1 1 5.3 2.2"/>'
        '<path class="dark" d="M4.4 1.5C6.6 1.4 8 .6 8.8-.6L10 3.8C8.6 3.1 6.8 2.9 4.4 2.9Z"/>'
    ),
    "well": (
        '<ellipse class="kerb" cy="1.6" rx="3.2" ry="1.9"/><path class="pole" d="M-2.6 1.4V-3M2.6 1.4V-3"/>'
        '<path class="roof" d="M-4-2.6L0-5.6L4-2.6Z"/>'
    ),
    "barn": (
        '<path class="shade barn" d="M1-5H12V4H1Z"/><path class="front barn" d="M-11 4V-6L-9-10.6L-5-13.4L-1-10.6L1-6V4Z"/>'
        '<path class="roof thatch" d="M-5-14H7L11-11L13-5.4H1.2L-.9-10.9Z"/><path class="trim" d="M-8 4V-3H-2V4M-8-3L-2 4M-2-3L-8 4"/>'
        '<path class="trim" d="M-6.2-9.4H-3.8V-6.8H-6.2Z"/>'
    ),
    "signpost": (
        '<path class="pole" d="M0 5V-7"/><path class="plank" d="M-.6-7.4H5L6.8-6L5-4.6H-.6Z"/>'
        '<path class="plank" d="M.6-3.8H-4.4L-6-2.5L-4.4-1.2H.6Z"/>'
    ),
    "shield": (
        '<path class="field" d="M-5-6H5V0C5 3.6 2.4 5.6 0 7C-2.4 5.6-5 3.6-5 0Z"/>'
        '<path class="charge" d="M0-6H5V0H0ZM-5 0H0V7C-2.4 5.6-5 3.6-5 0Z"/>'
        '<path class="edge" d="M-5-6H5V0C5 3.6 2.4 5.6 0 7C-2.4 5.6-5 3.6-5 0Z"/>'
    ),
    "boat": (
        '<path class="spar" d="M0-1V-9"/><path class="sail" d="M.6-9C4-7 5-4 5-1.6H.6Z"/>'
        '<path class="hull" d="M-6-.6H7C6 2.6 4 3.6 1 3.6H-2C-4.4 3.6-5.6 2-6-.6Z"/>'
    ),
    "bastion": '<circle class="tower" r="3.4"/><circle class="post" r="1.5"/>',
}
_MIRRORED = (*ANIMALS, *HOUSES)


def stamps() -> str:
    """Return every stamp, the mirrored ones with `-m`, for a page's <defs>."""
    plain = "".join(f'<g id="stamp-{name}" class="up">{art}</g>' for name, art in _ART.items())
    return plain + "".join(f'<g id="stamp-{name}-m" class="up"><g transform="scale(-1 1)">{_ART[name]}</g></g>' for name in _MIRRORED)
