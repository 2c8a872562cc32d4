"""English names of the pieces, marked for translation; a piece that an owner adds is named by its key."""

from __future__ import annotations

from collections.abc import Mapping

from tablee.core.i18n import mark

GOODS: Mapping[str, str] = {
    "G": mark("Gathering"),
    "M": mark("Meat"),
    "F": mark("Fish"),
    "C": mark("Crop"),
    "W": mark("Wood"),
    "S": mark("Stone"),
}
COUNTED: Mapping[str, tuple[str, str]] = {
    "G": mark("{count} gathering", "{count} gathering"),
    "M": mark("{count} meat", "{count} meat"),
    "F": mark("{count} fish", "{count} fish"),
    "C": mark("{count} crop", "{count} crops"),
    "W": mark("{count} wood", "{count} wood"),
    "S": mark("{count} stone", "{count} stones"),
}

SOCIETIES: Mapping[str, str] = {
    "incas": mark("Incas"),
    "inuits": mark("Inuit"),
    "iroquois": mark("Iroquois"),
    "algonquiens": mark("Algonquians"),
}

ACTIONS: Mapping[str, str] = {
    "explore": mark("Explore"),
    "barter": mark("Barter"),
    "cards": mark("Play cards"),
    "craft": mark("Craft"),
}

KINDS: Mapping[str, str] = {
    "tool": mark("Tool"),
    "travel": mark("Travel"),
    "dwelling": mark("Dwelling"),
}

ITEMS: Mapping[str, str] = {
    "bow": mark("Bow and arrows"),
    "basket": mark("Basket"),
    "hoe": mark("Hoe"),
    "axe": mark("Stone axe"),
    "harpoon": mark("Harpoon"),
    "spear": mark("Spear"),
    "canoe": mark("Bark canoe"),
    "snowshoes": mark("Snowshoes"),
    "kayak": mark("Kayak"),
    "sled": mark("Dog sled"),
    "llamas": mark("Llama caravan"),
    "longhouse": mark("Longhouse"),
    "wigwam": mark("Wigwam"),
    "igloo": mark("Igloo"),
    "adobe_house": mark("Adobe house"),
    "stone_house": mark("Stone house"),
}

CARDS: Mapping[str, str] = {
    "maize": mark("Maize"),
    "potatoes": mark("Potatoes"),
    "quinoa": mark("Quinoa"),
    "squash": mark("Squash"),
    "beans": mark("Beans"),
    "wild_rice": mark("Wild rice"),
    "fruits": mark("Fruits"),
    "berries": mark("Berries"),
    "crowberries": mark("Crowberries"),
    "seaweed": mark("Seaweed"),
    "eggs": mark("Birds' eggs"),
    "nuts": mark("Nuts"),
    "maple_sap": mark("Maple sap"),
    "guinea_pig": mark("Guinea pig"),
    "hare": mark("Hare"),
    "dried_meat": mark("Dried meat"),
    "vicuna": mark("Vicuña"),
    "seal": mark("Seal"),
    "caribou": mark("Caribou"),
    "deer": mark("Deer"),
    "moose": mark("Moose"),
    "char": mark("Arctic char"),
    "sturgeon": mark("Sturgeon"),
    "cod": mark("Cod"),
    "perch": mark("Perch"),
    "lake_fish": mark("Lake fish"),
    "grove": mark("Grove"),
    "forest": mark("Forest"),
    "driftwood": mark("Driftwood"),
    "birch_bark": mark("Birch bark"),
    "quarry": mark("Quarry"),
    "soapstone": mark("Soapstone"),
    "flint": mark("Flint"),
    "feast": mark("Hold a feast"),
    "neighbours": mark("Good neighbours"),
    "exchange": mark("Profitable exchange"),
}

REQUESTS: Mapping[str, str] = {
    "pemmican": mark("Pemmican"),
    "chowder": mark("Fish chowder"),
    "harvest": mark("Harvest basket"),
    "smoke": mark("Smokehouse"),
    "stew": mark("Great stew"),
    "platter": mark("Fish platter"),
    "banquet": mark("Banquet"),
    "market": mark("Market stall"),
}

DESCRIPTIONS: Mapping[str, str] = {
    "explore": mark("Draw 2 cards."),
    "barter": mark("Swap goods with the reserve."),
    "cards": mark("Play up to 2 cards."),
    "craft": mark("Make one item."),
    "feast": mark("Take 3 goods of your choice."),
    "neighbours": mark("Every other player gives you 1 good."),
    "exchange": mark("Give a player 2 goods, then take 4 of your choice."),
    "tool": mark("Its cards give more."),
    "travel": mark("1 more card on Explore; all barter 1 for 1."),
    "dwelling": mark("1 more card on Play cards; 1 more item on Craft."),
}

EVERY: Mapping[str, Mapping[str, str]] = {
    "good": GOODS,
    "society": SOCIETIES,
    "action": ACTIONS,
    "kind": KINDS,
    "item": ITEMS,
    "card": CARDS,
    "request": REQUESTS,
}


def name(family: str, key: str) -> str:
    """Return the name of a piece: `name("card", "maize")` is "Maize"; an unknown key is its own name: "black_bear" is "Black bear"."""
    return EVERY[family].get(key) or key.replace("_", " ").capitalize()
