"""What every thing in the box is called, in English, to be translated where it is read. What an owner adds by hand is called by its key."""

from __future__ import annotations

from collections.abc import Mapping

from tablee.core.i18n import note

GOODS: Mapping[str, str] = {
    "G": note("Gathering"),
    "M": note("Meat"),
    "F": note("Fish"),
    "C": note("Crop"),
    "W": note("Wood"),
    "S": note("Stone"),
}
COUNTED: Mapping[str, tuple[str, str]] = {
    "G": note("{count} gathering", "{count} gathering"),
    "M": note("{count} meat", "{count} meat"),
    "F": note("{count} fish", "{count} fish"),
    "C": note("{count} crop", "{count} crops"),
    "W": note("{count} wood", "{count} wood"),
    "S": note("{count} stone", "{count} stones"),
}

SOCIETIES: Mapping[str, str] = {
    "incas": note("Incas"),
    "inuits": note("Inuit"),
    "iroquois": note("Iroquois"),
    "algonquiens": note("Algonquians"),
}

ACTIONS: Mapping[str, str] = {
    "explore": note("Explore"),
    "barter": note("Barter"),
    "cards": note("Play cards"),
    "craft": note("Craft"),
}

KINDS: Mapping[str, str] = {
    "tool": note("Tool"),
    "travel": note("Travel"),
    "dwelling": note("Dwelling"),
}

ITEMS: Mapping[str, str] = {
    "bow": note("Bow and arrows"),
    "basket": note("Basket"),
    "hoe": note("Hoe"),
    "axe": note("Stone axe"),
    "harpoon": note("Harpoon"),
    "spear": note("Spear"),
    "canoe": note("Bark canoe"),
    "snowshoes": note("Snowshoes"),
    "kayak": note("Kayak"),
    "sled": note("Dog sled"),
    "llamas": note("Llama caravan"),
    "longhouse": note("Longhouse"),
    "wigwam": note("Wigwam"),
    "igloo": note("Igloo"),
    "adobe_house": note("Adobe house"),
    "stone_house": note("Stone house"),
}

CARDS: Mapping[str, str] = {
    "maize": note("Maize"),
    "potatoes": note("Potatoes"),
    "quinoa": note("Quinoa"),
    "squash": note("Squash"),
    "beans": note("Beans"),
    "wild_rice": note("Wild rice"),
    "fruits": note("Fruits"),
    "berries": note("Berries"),
    "crowberries": note("Crowberries"),
    "seaweed": note("Seaweed"),
    "eggs": note("Birds' eggs"),
    "nuts": note("Nuts"),
    "maple_sap": note("Maple sap"),
    "guinea_pig": note("Guinea pig"),
    "hare": note("Hare"),
    "dried_meat": note("Dried meat"),
    "vicuna": note("Vicuña"),
    "seal": note("Seal"),
    "caribou": note("Caribou"),
    "deer": note("Deer"),
    "moose": note("Moose"),
    "char": note("Arctic char"),
    "sturgeon": note("Sturgeon"),
    "cod": note("Cod"),
    "perch": note("Perch"),
    "lake_fish": note("Lake fish"),
    "grove": note("Grove"),
    "forest": note("Forest"),
    "driftwood": note("Driftwood"),
    "birch_bark": note("Birch bark"),
    "quarry": note("Quarry"),
    "soapstone": note("Soapstone"),
    "flint": note("Flint"),
    "feast": note("Hold a feast"),
    "neighbours": note("Good neighbours"),
    "exchange": note("Profitable exchange"),
}

REQUESTS: Mapping[str, str] = {
    "pemmican": note("Pemmican"),
    "chowder": note("Fish chowder"),
    "harvest": note("Harvest basket"),
    "smoke": note("Smokehouse"),
    "stew": note("Great stew"),
    "platter": note("Fish platter"),
    "banquet": note("Banquet"),
    "market": note("Market stall"),
}

DESCRIPTIONS: Mapping[str, str] = {
    "explore": note("Draw 2 cards."),
    "barter": note("Swap goods with the reserve."),
    "cards": note("Play up to 2 cards."),
    "craft": note("Make one item."),
    "feast": note("Take 3 goods of your choice."),
    "neighbours": note("Every other player gives you 1 good."),
    "exchange": note("Give a player 2 goods, then take 4 of your choice."),
    "tool": note("Its cards give more."),
    "travel": note("1 more card on Explore; all barter 1 for 1."),
    "dwelling": note("1 more card on Play cards; 1 more item on Craft."),
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
    """`name("card", "maize")` is "Maize"; a key nobody foresaw is its own name: "black_bear" is "Black bear"."""
    return EVERY[family].get(key) or key.replace("_", " ").capitalize()
