"""Cards of farming and gathering: crops, fruits, berries, nuts, seaweed, eggs and sap."""

from __future__ import annotations

from tablee.games.amerique_1500.art import backdrops
from tablee.games.amerique_1500.art.backdrops import backdrop
from tablee.games.amerique_1500.art.shapes import Svg, dot, leaf, oval, put, shape, stick, stroke


def ear(x: float, y: float, size: float = 1, turn: float = 0) -> Svg:
    """Draw an ear of maize that stands on (x, y), 62 high, its husk open."""
    cob = shape("M0 -62C10 -58 15 -40 13 -20C12 -8 6 0 0 0S-12 -8 -13 -20C-15 -40 -10 -58 0 -62Z", "corn")
    rows = "".join(f"M{-11 + row % 2} {-48 + row * 7}q11 4 {22 - 2 * (row % 2)} 0" for row in range(6))
    kernels = stroke(f"{rows}M-5 -59C-8 -40 -8 -20 -6 -3M5 -59C8 -40 8 -20 6 -3", "kernel", 1.4)
    husk = shape("M0 4C-20 0 -24 -20 -20 -42C-12 -34 -4 -18 0 4Z", "leaf") + shape("M0 4C20 0 24 -20 20 -42C12 -34 4 -18 0 4Z", "leaf")
    return put(cob + kernels + husk, x, y, size, turn)


def maize() -> Svg:
    stalks = "".join(stroke(f"M{x} 84V40", "stem", 3) + leaf(x, 66, 24, turn) + leaf(x, 56, 22, -turn) for x, turn in ((14, 40), (87, -40)))
    return backdrop("field") + stalks + ear(34, 86, 0.86, -14) + ear(60, 90, 1.16, 8)


def potato(x: float, y: float, size: float = 1, turn: float = 0, fill: str = "fur") -> Svg:
    lump = shape("M-16 2C-18 -8 -8 -12 0 -11C10 -13 18 -6 16 3C15 11 6 12 -2 11C-10 12 -15 9 -16 2Z", fill)
    return put(lump + stroke("M-8 -3h2.5M3 -5h2.5M8 3h2.5M-3 5h2.5"), x, y, size, turn)


def potatoes() -> Svg:
    soil = shape("M0 46Q26 40 52 45T100 43V100H0Z", "earth", edge=False) + shape(
        "M0 46Q26 40 52 45T100 43V50Q74 46 52 52T0 53Z", "grass", edge=False
    )
    roots = stroke("M50 46C50 56 36 58 32 66M50 46C51 60 54 66 56 74M50 46C54 56 70 56 76 62", "cream", 1.8)
    green = "".join(leaf(50, 46, length, turn) for length, turn in ((34, 0), (32, -42), (32, 42), (26, -76), (26, 76)))
    flowers = (
        dot(38, 14, 4.5, "lilac") + dot(38, 14, 1.4, "gold", edge=False) + dot(61, 12, 4.5, "lilac") + dot(61, 12, 1.4, "gold", edge=False)
    )
    tubers = potato(29, 74, 1.05, -14) + potato(57, 84, 1.15, 8, "plum") + potato(79, 70, 0.95, 24)
    return backdrops.sky() + backdrops.sun(14, 16, 9) + soil + roots + green + flowers + tubers


def plume(x: float, y: float, fill: str) -> Svg:
    """Draw a head of quinoa: a tall plume of tiny grains on its stem."""
    head = shape(
        "M0 4C-8 4 -12 -4 -9 -9C-13 -14 -10 -20 -7 -22C-9 -28 -5 -34 0 -41C5 -34 9 -28 7 -22C10 -20 13 -14 9 -9C12 -4 8 4 0 4Z", fill
    )
    grains = "".join(
        dot(dx, dy, 1.7, "cream", edge=False) for dx, dy in ((-5, -3), (4, -1), (0, -9), (-5, -15), (5, -13), (0, -21), (-3, -27), (3, -29))
    )
    return put(head + grains, x, y)


def quinoa() -> Svg:
    stems = "".join(stroke(f"M{x} 96V{y}", "stem", 3.4) for x, y in ((26, 56), (50, 46), (75, 58)))
    leaves = "".join(
        leaf(x, y, 22, turn) for x, y, turn in ((26, 82, -60), (26, 74, 55), (50, 86, 62), (50, 76, -58), (75, 84, -55), (75, 76, 60))
    )
    return backdrop("mountains") + stems + leaves + plume(26, 56, "rose") + plume(75, 58, "corn") + plume(50, 46, "red")


def squash() -> Svg:
    vine = stroke("M50 42C50 28 66 26 74 32C82 38 90 30 88 22", "stem", 4) + leaf(72, 32, 30, 18) + leaf(34, 46, 30, -48)
    body = oval(26, 68, 17, 21, "squash") + oval(74, 68, 17, 21, "squash") + oval(37, 69, 15, 24, "squash") + oval(63, 69, 15, 24, "squash")
    front = oval(50, 69, 13, 25, "squash") + stroke("M50 50v38M30 54q-5 14 1 28M70 54q5 14 -1 28", "gold", 2.4)
    return backdrop("field") + vine + body + front + shape("M45 46Q46 36 42 30L52 28Q51 38 55 46Z", "stem")


def beans() -> Svg:
    pole = stroke("M22 96V8", "bark", 4) + stroke("M20 92C30 84 14 74 24 64C32 56 14 46 23 36C30 28 16 20 22 12", "stem", 2.6)
    leaves = leaf(25, 64, 26, 58) + leaf(20, 40, 24, -60) + leaf(24, 24, 24, 66)
    pod = shape("M34 40C46 30 72 44 90 80C92 86 86 90 80 86C60 84 38 62 34 40Z", "leaf") + shape(
        "M40 44C54 42 74 60 84 80C66 80 46 64 40 44Z", "sprout"
    )
    seeds = "".join(oval(x, y, 6.6, 4.6, fill, turn=44) for x, y, fill in ((49, 52, "red"), (60, 62, "cream"), (71, 72, "red")))
    return backdrop("field") + pole + leaves + pod + seeds


def stalk_of_rice(x: float, lean: float, top: float) -> Svg:
    stem = stroke(f"M{x} 98Q{x} {top + 26} {x + lean} {top}", "stem", 2.8)
    steps = ((0, 0), (0.14, 7), (0.3, 14), (0.48, 21), (0.62, 28))
    return stem + "".join(
        leaf(x + lean * (1 - t * 0.8), top + down, 11, (48 if side else -48) + lean, "gold") for t, down in steps for side in (0, 1)
    )


def wild_rice() -> Svg:
    back = stroke("M10 100Q12 70 4 52M90 100Q86 72 96 50M62 100Q64 70 58 58", "stem", 3)
    return (
        backdrop("lake") + back + stalk_of_rice(30, -10, 26) + stalk_of_rice(70, 10, 24) + stalk_of_rice(50, 0, 12) + backdrops.waves(92, 1)
    )


def fruits() -> Svg:
    avocado = shape("M40 20C50 20 52 36 57 48C62 62 54 76 40 76S18 62 23 48C28 36 30 20 40 20Z", "pine") + shape(
        "M40 26C47 26 48 40 52 50C56 62 50 70 40 70S24 62 28 50C32 40 33 26 40 26Z", "sprout", edge=False
    )
    pear = (
        oval(76, 52, 13, 17, "red", turn=14)
        + stroke("M70 46v3M79 44v3M74 56v3M82 55v3", "cream", 2)
        + shape("M72 36l4 -5l4 2l3 -4l1 9Z", "leaf")
    )
    passion = dot(70, 80, 15, "plum") + dot(70, 80, 10.5, "gold", edge=False)
    seeds = "".join(oval(70 + dx, 80 + dy, 1.5, 2.4, "ink", edge=False) for dx, dy in ((0, -5), (5, -2), (4, 4), (-2, 5), (-5, 0), (0, 0)))
    return backdrop("mountains") + pear + avocado + dot(40, 57, 9, "earth") + passion + seeds + leaf(24, 88, 24, -70) + leaf(30, 92, 22, 76)


def sprig(fruit: str) -> Svg:
    """Draw a twig full of berries, each with its little crown."""
    twig = stick("M12 22Q40 18 62 34T88 72", "bark", 3)
    leaves = leaf(30, 22, 28, 20) + leaf(52, 28, 30, 48) + leaf(26, 24, 26, 160) + leaf(76, 50, 26, 62)
    spots = ((44, 50, 10.5), (62, 58, 11), (48, 70, 11), (76, 74, 10), (63, 80, 10.5), (32, 62, 9.5))
    stems = stroke(
        "M44 26Q42 40 44 48M58 32Q62 44 62 52M50 28Q44 56 48 66M74 48Q78 60 76 68M68 40Q70 68 63 74M38 24Q30 48 32 58", "bark", 1.8
    )
    return (
        twig
        + stems
        + leaves
        + "".join(
            dot(x, y, r, fruit) + dot(x - 3, y - 3, 2.2, "shine", edge=False) + stroke(f"M{x - 2} {y + r - 4}l2 2l2 -2")
            for x, y, r in spots
        )
    )


def berries() -> Svg:
    return backdrops.sky("dawn") + backdrops.sun(82, 18, 10) + backdrops.ground("grass", 82) + sprig("berry")


def needles(x: float, y: float, height: float) -> Svg:
    """Draw a shoot of a low heath plant."""
    tips = "".join(f"M{x} {y - step}l-7 -4M{x} {y - step}l7 -4" for step in range(4, int(height), 6))
    return stroke(f"M{x} {y}V{y - height}{tips}", "pine", 2.6)


def crowberries() -> Svg:
    shoots = "".join(needles(x, 88, height) for x, height in ((14, 32), (28, 50), (42, 40), (56, 56), (70, 42), (85, 36)))
    spots = ((22, 62), (35, 54), (36, 74), (50, 64), (63, 50), (64, 70), (77, 62), (50, 82), (21, 79), (79, 80))
    return backdrop("tundra") + shoots + "".join(dot(x, y, 7, "plum") + dot(x - 2, y - 2.4, 1.8, "shine", edge=False) for x, y in spots)


def frond(x: float, height: float, fill: str) -> Svg:
    """Draw a ribbon of kelp that sways from the sea floor."""
    left = "c-9 -12 9 -20 0 -34c-7 -12 5 -18 2 -26"
    return put(shape(f"M0 0{left}C14 -54 6 -44 13 -34C20 -22 4 -12 11 0Z", fill), x, 94, height / 60)


def seaweed() -> Svg:
    shell = put(shape("M0 0C-10 -2 -10 -14 0 -15S10 -2 0 0Z", "blush") + stroke("M0 0V-14M0 0L-5 -12M0 0L5 -12"), 86, 95, 0.9)
    return backdrop("river") + frond(16, 62, "weed") + frond(54, 70, "weed") + frond(34, 76, "moss") + frond(70, 52, "moss") + shell


def eggs() -> Svg:
    rock = shape("M0 84Q20 70 50 74T100 80V100H0Z", "stone", edge=False)
    laid = "".join(oval(x, 56, 10.5, 15, "egg", turn=turn) + speckles(x) for x, turn in ((33, -14), (67, 14), (50, 0)))
    nest = shape("M12 58C18 66 82 66 88 58C90 76 76 88 50 88S10 76 12 58Z", "wood")
    straw = stroke(
        "M16 68q16 8 34 6t34 -8M20 76q20 6 60 -2M10 60l-5 -4M90 60l6 -3M30 84q20 -4 42 -2M26 64l14 20M60 64l12 16M46 66l-10 16", "bark", 1.8
    )
    return backdrop("shore") + rock + laid + nest + straw


def speckles(x: float) -> Svg:
    return "".join(dot(x + dx, 50 + dy, 1.3, "bark", edge=False) for dx, dy in ((-4, -2), (3, -6), (5, 3), (-1, 4)))


def acorn(x: float, y: float, size: float = 1, turn: float = 0) -> Svg:
    nut = shape("M-12 0C-13 16 -4 24 0 28C4 24 13 16 12 0Z", "wood")
    cup = (
        shape("M-15 1C-16 -12 16 -12 15 1Q0 6 -15 1Z", "earth")
        + stroke("M0 -9q-1 -5 2 -8", width=2.6)
        + stroke("M-8 -3l3 -3M-1 -2l3 -3M6 -3l3 -3")
    )
    return put(nut + cup, x, y, size, turn)


def hazelnut(x: float, y: float, size: float = 1, turn: float = 0) -> Svg:
    nut = shape("M0 18C-14 16 -15 0 -9 -6Q0 -12 9 -6C15 0 14 16 0 18Z", "clay")
    frill = shape("M-12 0Q-16 -12 -8 -16L-4 -10L0 -18L4 -10L8 -16Q16 -12 12 0L7 -4L4 3L0 -3L-4 3L-7 -4Z", "leaf")
    return put(nut + frill, x, y, size, turn)


def nuts() -> Svg:
    oak = put(
        shape(
            "M0 0C-8 -4 -16 -4 -14 -12C-22 -14 -20 -24 -13 -24C-18 -34 -8 -40 -4 -35C-2 -44 8 -42 6 -34C14 -36 18 -28 13 -23"
            "C22 -20 18 -12 11 -12C12 -4 4 -4 0 0Z",
            "leaf",
        )
        + stroke("M0 6V-34"),
        26,
        54,
        1,
        -22,
    )
    return (
        backdrop("woods")
        + oak
        + acorn(66, 32, 1.15, 14)
        + hazelnut(30, 76, 1.25, -10)
        + acorn(54, 62, 0.95, -14)
        + hazelnut(79, 78, 1.05, 14)
    )


def maple_leaf(x: float, y: float, size: float = 1, turn: float = 0, fill: str = "red") -> Svg:
    half = "L3 -10L12 -8L10 -13L19 -20L16 -22L18 -29L12 -28L10 -32L4 -25L6 -38L2 -36"
    other = "L-2 -36L-6 -38L-4 -25L-10 -32L-12 -28L-18 -29L-16 -22L-19 -20L-10 -13L-12 -8L-3 -10"
    return put(stroke("M0 4V-20", width=2) + shape(f"M0 -9{half}L0 -43{other}Z", fill), x, y, size, turn)


def maple_sap() -> Svg:
    trunk = shape("M8 0H46Q42 46 50 100H2Q12 50 8 0Z", "bark") + stroke(
        "M18 6q4 20 0 40M34 10q-4 16 2 34M20 60q2 18 -2 32M38 62q-3 14 2 30"
    )
    spout = shape("M38 42L64 48L63 53L37 50Z", "wood") + shape("M64 55q4 6 0 9q-4 -3 0 -9Z", "water")
    pail = shape("M48 68H82L78 96H52Z", "cream") + oval(65, 68, 17, 4, "gold") + stroke("M50 78H80M54 86h4M66 88h6M62 82h5", "bark", 1.8)
    return backdrop("woods") + trunk + spout + pail + maple_leaf(76, 44, 0.85, 18)


CARDS = {
    "maize": maize,
    "potatoes": potatoes,
    "quinoa": quinoa,
    "squash": squash,
    "beans": beans,
    "wild_rice": wild_rice,
    "fruits": fruits,
    "berries": berries,
    "crowberries": crowberries,
    "seaweed": seaweed,
    "eggs": eggs,
    "nuts": nuts,
    "maple_sap": maple_sap,
}
