"""The dwellings of the four societies, without a backdrop."""

from __future__ import annotations

from tablee.games.amerique_1500.art.shapes import Svg, shape, slab, steam, stick, stroke


def longhouse() -> Svg:
    """Draw poles and elm bark, one roof for many families, a smoke hole for each fire."""
    body = shape("M24 20L80 22C93 24 98 38 98 52V82L40 86Z", "wood")
    front = shape("M4 86V50C4 30 12 22 24 20C38 22 48 32 48 50V86Z", "tan")
    bark = stroke("M48 40H95M48 54H97M48 68H97M58 22L60 40M76 23L78 40M66 40V54M84 40V54M58 54V68M76 54V68M66 68V82M86 68V80", "bark", 1.8)
    door = shape("M16 86V62Q26 54 36 62V86Z", "hair") + stroke("M8 46Q26 40 44 46M26 22V54", "bark", 1.8)
    return steam(64, 18, 0.5) + steam(84, 19, 0.5) + body + bark + front + door + stroke("M0 87H100", "leaf", 4)


def wigwam() -> Svg:
    """Draw bent poles under sheets of birch bark."""
    poles = stick("M44 22L38 8M52 20L56 6M60 22L68 10", "wood", 2.6)
    dome = shape("M8 86C8 40 28 18 50 18S92 40 92 86Z", "cream")
    sheets = stroke(
        "M17 50Q50 40 83 50M10 70Q50 60 90 70M34 24Q30 32 30 44M66 24Q70 32 70 44M22 48Q16 58 16 67M78 48Q84 58 84 67", "bark", 2
    )
    marks = stroke("M40 34h6M56 30h6M24 58h6M70 56h6M74 76h7M20 78h6", "bark", 2.6)
    return (
        poles
        + dome
        + sheets
        + marks
        + shape("M36 86C36 64 42 56 50 56S64 64 64 86Z", "hair")
        + stroke("M34 86C34 62 42 53 50 53S66 62 66 86", "red", 3)
        + stroke("M0 87H100", "leaf", 4)
    )


def igloo() -> Svg:
    dome = shape("M6 82C6 44 26 22 50 22S94 44 94 82Z", "snow")
    blocks = "M10 64H90M18 46H82M32 30H68M34 82V64M60 64V46M76 82V64M22 64V54M40 46V30M46 64V46M80 64V50M60 46V30M50 30V22"
    porch = shape("M12 84C12 62 22 54 34 54S56 62 56 84Z", "snow") + stroke(
        "M16 70L24 74M22 60L29 67M34 54V64M46 60L39 67M52 70L44 74", "wave", 2
    )
    return (
        dome + stroke(blocks, "deep", 1.8) + porch + shape("M22 84C22 72 28 66 34 66S46 72 46 84Z", "hair") + stroke("M0 86H100", "ice", 6)
    )


def thatch(left: float, right: float, top: float, low: float) -> Svg:
    """Draw a roof of ichu grass over a gable."""
    middle = (left + right) / 2
    roof = shape(
        f"M{left} {low}L{middle - 8} {top}H{middle + 8}L{right} {low}L{right - 4} {low + 5}L{middle} {low - 2}L{left + 4} {low + 5}Z",
        "gold",
    )
    straws = "".join(f"M{middle + dx * 0.2} {top + 4}L{middle + dx} {low - 2}" for dx in (-30, -18, -6, 6, 18, 30))
    return roof + stroke(straws, "kernel", 1.8)


def adobe_house() -> Svg:
    wall = shape("M12 88L16 44H84L88 88Z", "clay")
    bricks = stroke("M15 58H85M14 73H86M30 45V58M56 45V58M42 58V73M70 58V73M22 73V88M66 73V88", "earth", 1.6)
    return (
        wall
        + bricks
        + shape("M42 88L44 60H58L60 88Z", "hair")
        + slab(20, 62, 12, 11, "hair", soft=1)
        + thatch(4, 96, 12, 48)
        + stroke("M0 89H100", "leaf", 4)
    )


def stone_house() -> Svg:
    """Draw fitted stones without mortar, and a doorway narrower at the top."""
    wall = shape("M10 88L16 46H84L90 88Z", "stone")
    joints = stroke(
        "M15 60L34 58L40 62M60 60L72 57L86 60M12 74L26 75L40 73M60 74L76 76L88 73M30 46L34 58M68 46L72 57M22 60L26 75"
        "M76 60L78 75M50 46V54M20 75V88M80 76V88",
        "slate",
        1.8,
    )
    door = shape("M40 88L44 56H56L60 88Z", "hair") + slab(40, 50, 20, 7, "peak", soft=1)
    return wall + joints + door + thatch(2, 98, 14, 50) + stroke("M0 89H100", "leaf", 4)


ITEMS = {
    "longhouse": longhouse,
    "wigwam": wigwam,
    "igloo": igloo,
    "adobe_house": adobe_house,
    "stone_house": stone_house,
}
