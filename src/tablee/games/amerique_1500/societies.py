"""How the four peoples of the game lived around 1500, in our own words for a child and its teacher; an added society has no story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablee.core.i18n import mark


@dataclass(frozen=True)
class Society:
    """Texts about a society: its name for itself (`today`), a `story` to read aloud, and the source of its border pattern (`weave`)."""

    today: str
    story: str
    weave: str


STORIES: Mapping[str, Society] = {
    "incas": Society(
        mark("Quechua, Aymara and other Andean peoples; the Inca state was called Tawantinsuyu, the four regions together"),
        mark(
            "Around 1500 millions of people lived in the Andes and on the Pacific coast in one great state, Tawantinsuyu, ruled by "
            "the Incas from Cusco. They built terraces on the mountainsides for maize, potatoes and quinoa, kept llamas and "
            "alpacas, and wove splendid cloth. Taxes were not paid with money but with work: families took turns on fields, roads "
            "and stone walls. Runners carried messages, and knotted cords, called khipu, kept count of everything. Quechua and "
            "Aymara people farm, weave, teach and study in the Andes today."
        ),
        mark("The border shows steps and squares, as in Andean weaving."),
    ),
    "inuits": Society(
        mark("Inuit, which means the people"),
        mark(
            "Around 1500 Inuit families lived along the Arctic coasts, from Alaska to Greenland. They hunted seals, whales and "
            "caribou and fished for char: by kayak on the summer sea, by dog sled over the winter ice. In summer they lived in "
            "tents of skin, in winter in houses of stone, turf and whalebone or in igloos built of snow. A stone lamp, the qulliq, "
            "gave light and warmth. Inuit live in the Arctic and in cities today, and many children learn Inuktitut, "
            "Kalaallisut or another Inuit language at school."
        ),
        mark("The border shows bands and points, as in clothes sewn from light and dark sealskin."),
    ),
    "iroquois": Society(
        mark("Haudenosaunee, the people of the longhouse: Mohawk, Oneida, Onondaga, Cayuga, Seneca and Tuscarora"),
        mark(
            "The nations whom others named Iroquois call themselves Haudenosaunee. Around 1500 they lived south and east of Lake "
            "Ontario, in villages with a palisade. Many families of one clan shared a longhouse of poles and elm bark. Women grew "
            "maize, beans and squash side by side, the three sisters; men hunted, fished and built. Children belonged to their "
            "mother's clan, and clan mothers chose the chiefs. Five nations, since about 1722 six, are joined by a Great Law of "
            "Peace, which they keep to this day."
        ),
        mark("The border shows rows of shell beads, as in wampum belts."),
    ),
    "algonquiens": Society(
        mark("Anishinaabe (Algonquin), Innu, Atikamekw, Cree, Mi'kmaq, Abenaki and other nations"),
        mark(
            "The Algonquians are many nations with related languages. Around 1500 those of the northern forest moved with the "
            "seasons. In winter small groups hunted moose and hare on snowshoes; in spring some drew sap from the maples; in summer"
            " many families met by lakes and rivers to fish, pick berries, trade and celebrate. Birch bark covered their wigwams "
            "and light canoes and was folded into boxes and pots. Innu, Cree, Anishinaabe, Mi'kmaq and others still live in these "
            "lands, and in cities too."
        ),
        mark("The border shows double curves, as on birch bark boxes and embroidered clothes."),
    ),
}
