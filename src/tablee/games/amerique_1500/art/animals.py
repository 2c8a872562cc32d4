"""Cards of hunting and fishing: each beast one outline that looks left, each fish in its water."""

from __future__ import annotations

from tablee.games.amerique_1500.art.backdrops import backdrop
from tablee.games.amerique_1500.art.shapes import Svg, dot, flame, leaf, oval, put, shape, stick, stroke


def eye(x: float, y: float, size: float = 1.9) -> Svg:
    return dot(x, y, size, "ink", edge=False)


def legs(places: tuple[tuple[float, float], ...], foot: float, fill: str, width: float = 4.6) -> Svg:
    """Draw straight legs from each (x, y) down to the ground, with dark hooves."""
    return "".join(stick(f"M{x} {y}V{foot}", fill, width) + stroke(f"M{x} {foot}v1", width=width) for x, y in places)


def guinea_pig() -> Svg:
    body = shape("M14 66C14 48 34 40 52 42C76 42 92 54 90 70C88 82 74 84 52 84C30 85 14 82 14 66Z", "fur")
    patch = shape("M44 42C60 40 72 44 74 60C74 76 66 84 54 84C42 84 40 60 44 42Z", "cream", edge=False) + stroke(
        "M52 42C76 42 92 54 90 70C88 82 74 84 52 84C46 84 40 84 34 83.5"
    )
    face = oval(30, 50, 6, 7.5, "clay", turn=-24) + eye(25, 62, 2.6) + dot(24.2, 61.2, 0.8, "cream", edge=False)
    nose = stroke("M15 66q3 2 2 5q3 2 6 1M20 71l-8 1M20 74l-7 4")
    feet = oval(32, 85, 6, 3, "blush") + oval(72, 85, 7, 3, "blush")
    return backdrop("mountains") + feet + body + patch + face + nose + stroke("M12 92l2 -8M20 95l1 -7M86 94l3 -8M94 92l-1 -6", "leaf", 2.4)


def hare() -> Svg:
    ears = shape("M36 38C26 24 26 6 33 5C41 6 44 24 43 38Z", "cream") + shape("M44 37C42 20 48 5 55 7C61 11 56 28 50 40Z", "cream")
    inner = stroke("M35 13Q36 24 38 32M53 14Q51 24 48 33", "blush", 3)
    body = shape("M38 52C58 46 84 58 84 78C84 88 78 90 66 90H36C30 90 30 84 36 82C32 70 32 60 38 52Z", "fur")
    thigh = stroke("M52 88C48 74 58 66 68 70") + dot(85, 80, 6.5, "snow")
    head = shape("M20 52C20 40 32 34 42 36C52 38 56 48 50 56C44 64 30 64 24 60C20 58 20 56 20 52Z", "fur")
    face = eye(34, 47, 2.4) + stroke("M20 53q3 0 4 3M24 58l-9 0M25 60l-8 4")
    return backdrop("woods") + ears + inner + body + thigh + head + face + oval(34, 89, 8, 3.4, "cream") + oval(60, 90, 11, 3.6, "cream")


def dried_meat() -> Svg:
    poles = stick("M14 94L26 24M36 94L24 24M64 94L76 24M86 94L74 24", "wood", 3.6) + stick("M8 32H92", "wood", 4)
    strip = "c-2 10 2 16 -1 26c3 3 8 3 10 0c-1 -10 2 -16 0 -26Z"
    meat = "".join(
        shape(f"M{x} 31{strip}", fill) + stroke(f"M{x + 3} 38v12", "blush", 2) for x, fill in ((32, "red"), (45, "clay"), (58, "red"))
    )
    return (
        backdrop("tundra")
        + poles
        + meat
        + stroke("M30 31q7 3 12 0M43 31q7 3 12 0M56 31q7 3 12 0")
        + flame(50, 92, 0.5)
        + stroke("M40 94l20 -3M40 91l20 3", "bark", 3)
    )


def camel(coat: str, foot: float = 94) -> Svg:
    """Draw a vicuña or llama: long neck, pricked ears, a woolly back."""
    far = legs(((48, 66), (74, 64)), foot - 2, coat, 5)
    ears = leaf(29, 17, 13, -14, coat) + leaf(35, 17, 13, 14, coat)
    trunk = (
        "M16 25C17 19 24 14 32 14C40 15 43 22 42 32C42 40 44 45 52 45C66 42 84 44 86 56C87 66 82 74 73 72"
        "C62 72 52 76 44 72C34 67 30 54 31 34C27 34 22 34 18 31C15 29 15 27 16 25Z"
    )
    face = eye(28, 21, 2.2) + stroke("M16 28q3 2 6 0M17 24h1.5")
    return far + legs(((40, 68), (80, 66)), foot, coat, 5) + ears + shape(trunk, coat) + stroke("M85 52q7 3 5 12", width=3.4) + face


def vicuna() -> Svg:
    bib = shape("M32 46C37 58 48 62 52 71C48 80 38 76 36 69C32 62 31 54 32 46Z", "cream")
    return backdrop("mountains") + camel("tan") + bib


def seal() -> Svg:
    floe = shape("M4 82L16 74H90L97 84L84 92H14Z", "ice") + stroke("M16 74L22 84H88M22 84L18 91", "wave")
    return backdrop("ice") + floe + seal_alone()


def seal_alone() -> Svg:
    tail = shape("M80 72C88 68 92 58 97 60C98 66 94 70 98 76C94 82 86 80 80 78Z", "slate")
    body = shape(
        "M20 44C20 30 32 22 42 26C52 30 54 42 62 48C74 56 86 62 86 74C84 82 66 82 48 82C32 82 26 74 27 62C22 58 20 52 20 44Z", "stone"
    )
    spots = "".join(
        oval(x, y, 2.6, 2, "slate", edge=False) for x, y in ((52, 48), (60, 56), (70, 62), (56, 64), (66, 72), (78, 70), (46, 40))
    )
    face = (
        eye(31, 40, 3)
        + dot(30, 39, 0.9, "cream", edge=False)
        + oval(22, 46, 2.6, 2, "ink", edge=False)
        + stroke("M23 50q4 3 7 1M24 52l-10 3M25 54l-8 6")
    )
    return tail + body + spots + face + shape("M42 70C40 80 46 88 56 86C56 80 52 72 48 68Z", "slate")


def antlers_of_caribou() -> Svg:
    near = "M32 30C38 22 46 22 52 8M42 23L38 12M48 17L46 6M52 14L58 9M30 30C24 24 24 16 28 8M25 20L17 14M28 28L18 24"
    return stick(near, "cream", 2.2)


def caribou() -> Svg:
    far = legs(((48, 66), (76, 64)), 90, "dun", 5)
    body = shape(
        "M16 40C16 32 24 26 34 28C42 32 46 40 58 40C74 38 88 44 87 56C88 68 82 72 74 70C62 72 52 74 46 70"
        "C38 66 36 58 34 48C30 50 24 50 19 47C16 46 15 43 16 40Z",
        "dun",
    )
    mane = shape("M31 47C36 42 44 40 48 44C52 54 50 66 46 70C40 68 34 60 31 47Z", "cream")
    return (
        backdrop("tundra")
        + far
        + legs(((42, 68), (82, 64)), 92, "dun", 5)
        + body
        + mane
        + antlers_of_caribou()
        + leaf(35, 32, 10, 70, "dun")
        + eye(26, 36)
        + stroke("M86 46q5 2 4 8", "cream", 4)
        + stroke("M17 44q3 1 5 0")
    )


def deer() -> Svg:
    far = legs(((46, 64), (74, 62)), 92, "clay", 4)
    body = shape(
        "M16 34C16 28 26 22 34 24C40 28 41 38 46 43C58 46 76 40 84 48C88 56 84 68 76 68C64 66 54 72 46 68"
        "C38 62 36 52 33 40C28 42 22 42 18 40C15 39 15 36 16 34Z",
        "clay",
    )
    belly = shape("M46 68C54 64 66 66 74 67C66 69 54 72 46 68Z", "cream", edge=False) + shape(
        "M82 46C90 44 94 52 90 60C86 60 82 54 82 46Z", "snow"
    )
    antlers = stick("M32 24C34 14 42 12 42 4M35 15L29 7M28 24C24 18 18 16 20 6M22 15L15 11", "cream", 2.2)
    return (
        backdrop("woods")
        + far
        + legs(((41, 66), (80, 62)), 94, "clay", 4)
        + body
        + belly
        + antlers
        + leaf(35, 27, 11, 78, "clay")
        + eye(27, 31)
        + dot(16.5, 36, 2, "ink", edge=False)
    )


def palm(x: float, y: float, flip: bool = False) -> Svg:
    """Draw a moose's antler: a stem that opens into a broad hand with points."""
    hand = "M0 0C6 -4 8 -8 8 -12C4 -16 2 -22 4 -27L9 -21L12 -30L17 -22L23 -29L25 -20L33 -23L31 -14L38 -13C36 -6 26 -3 18 -4C12 -5 8 0 4 4Z"
    return put(shape(hand, "tan"), x, y, 0.86, flip=flip)


def moose() -> Svg:
    far = legs(((50, 68), (78, 66)), 94, "bark", 5.4)
    body = shape(
        "M8 46C8 40 20 32 32 29C42 28 48 34 58 36C74 38 92 40 92 56C92 66 88 72 80 70C66 74 56 76 48 72"
        "C40 68 40 60 34 56C28 56 20 58 13 56C8 54 7 50 8 46Z",
        "bark",
    )
    beard = shape("M28 57C30 62 30 68 27 72C23 68 24 62 24 57Z", "bark")
    beast = (
        far
        + legs(((43, 70), (86, 64)), 96, "bark", 5.4)
        + beard
        + body
        + palm(38, 33)
        + palm(32, 33, flip=True)
        + leaf(40, 36, 12, 84, "bark")
        + eye(28, 42)
        + stroke("M9 50q3 2 6 1M11 46h1", width=2.2)
    )
    return backdrop("pond") + put(beast, 7, 4, 0.95)


def fish(body: str, back: str = "", fins: str = "", tail: str = "M76 52L95 38Q91 54 95 68Z") -> Svg:
    """Draw a fish 80 long that looks left, its mouth at (10, 54), with the colours of belly, back and fins."""
    outline = "M10 54C22 38 50 34 64 42C70 45 75 49 80 52C74 60 68 64 60 67C44 74 22 68 10 54Z"
    upper = shape("M10 54C22 38 50 34 64 42C70 45 75 49 80 52C60 46 30 46 10 54Z", back or body, edge=False)
    top = shape("M36 39Q44 24 60 28Q58 36 62 42Z", fins or body) + shape("M44 69Q46 80 56 80Q57 72 56 68Z", fins or body)
    gill = stroke("M27 44Q33 55 27 66") + stroke("M11 55q5 2 8 1")
    side = shape("M34 56Q42 52 48 58Q42 64 34 60Z", fins or body)
    return (
        shape(tail, fins or body)
        + top
        + shape(outline, body)
        + upper
        + stroke(outline + "Z")
        + gill
        + side
        + dot(20, 51, 3.2, "cream")
        + eye(19.5, 51, 1.5)
    )


def char() -> Svg:
    spots = "".join(
        dot(x, y, 1.5, "cream", edge=False) for x, y in ((36, 48), (44, 45), (52, 48), (60, 47), (66, 51), (48, 52), (57, 54), (40, 42))
    )
    return backdrop("sea") + put(fish("orange", "weed", "red") + spots, -1, 0)


def cod() -> Svg:
    fins = (
        shape("M30 40Q36 26 44 30L44 38Z", "moss") + shape("M46 37Q52 26 60 31L60 40Z", "moss") + shape("M62 41Q68 33 74 38L74 47Z", "moss")
    )
    below = shape("M42 70Q46 79 54 78L55 68ZM57 68Q62 75 68 73L69 62Z", "moss")
    flank = "M10 54C22 36 50 32 64 41C70 45 75 49 80 52C74 60 68 65 60 68C44 76 20 70 10 54Z"
    back = shape("M10 54C22 36 50 32 64 41C70 45 75 49 80 52C60 50 40 60 10 54Z", "moss", edge=False)
    spots = "".join(dot(x, y, 1.5, "bark", edge=False) for x, y in ((34, 44), (42, 40), (50, 45), (58, 43), (40, 50), (66, 48)))
    face = stroke("M27 44Q33 55 27 66M11 56q5 3 9 1M15 60q-1 5 -4 7") + dot(20, 51, 3.2, "cream") + eye(19.5, 51, 1.5)
    return (
        backdrop("sea")
        + shape("M78 52L93 42V64Z", "moss")
        + fins
        + below
        + shape(flank, "cream")
        + back
        + spots
        + stroke(flank)
        + stroke("M30 52Q50 48 78 52", "cream", 1.6)
        + face
    )


def perch() -> Svg:
    spikes = shape("M32 40L36 26L42 30L46 22L51 29L56 24L60 32L63 42Z", "moss")
    bars = stroke("M38 42Q41 52 38 62M47 40Q50 52 47 64M56 41Q59 52 56 64M65 45Q67 52 65 60", "moss", 4)
    return backdrop("river") + spikes + fish("corn", "gold", "orange") + bars + stroke("M34 56Q42 52 48 58Q42 64 34 60Z")


def sturgeon() -> Svg:
    outline = "M4 60C12 54 18 50 26 48C44 38 66 42 84 46L97 26Q96 42 92 50Q96 56 95 62L82 56C66 66 44 70 28 64C20 63 10 63 4 60Z"
    scutes = "".join(shape(f"M{x} {y}l4 -6l4 5Z", "cream") for x, y in ((30, 46), (39, 43.5), (48, 42), (57, 42), (66, 43), (75, 44.5)))
    side = "".join(
        shape(f"M{x} {y}l3.5 -3l3.5 3l-3.5 3Z", "cream", edge=False) for x, y in ((32, 55), (42, 54), (52, 53.5), (62, 52.5), (72, 51.5))
    )
    fins = shape("M74 46L82 34L86 46ZM38 67Q36 78 46 80L50 67ZM68 63Q68 74 77 72L77 59Z", "stone")
    face = eye(21, 54, 1.9) + stroke("M27 50Q32 57 27 64M14 62v6M18 63v6M10 61v5")
    return backdrop("river") + fins + scutes + shape(outline, "slate") + side + face


def lake_fish() -> Svg:
    reeds = stroke("M8 100V8M17 100V20M84 100V14M93 100V4", "stem", 4) + stroke("M8 20V8M93 18V4M84 26V14", "bark", 5)
    school = "".join(
        put(fish(body, back, "slate"), x, y, size)
        for x, y, size, body, back in ((4, -8, 0.62, "snow", "slate"), (34, 20, 0.6, "tan", "moss"), (10, 46, 0.66, "snow", "slate"))
    )
    return backdrop("river") + reeds + school


CARDS = {
    "guinea_pig": guinea_pig,
    "hare": hare,
    "dried_meat": dried_meat,
    "vicuna": vicuna,
    "seal": seal,
    "caribou": caribou,
    "deer": deer,
    "moose": moose,
    "char": char,
    "sturgeon": sturgeon,
    "cod": cod,
    "perch": perch,
    "lake_fish": lake_fish,
}
