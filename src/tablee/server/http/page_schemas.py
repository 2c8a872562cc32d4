"""What the API tells of a table beyond its state, as the page shows it: players, log and news in words, notices, and a draft tried out.

It is read from the same message `TableView` as the page.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from tablee.core.game import Seat
from tablee.core.narration import NarrationEntry
from tablee.server.view.table_view import LogPart, TableView


class PageModel(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class PlayerSeen(PageModel):
    seat: int = Field(description="the player's seat")
    name: str = Field(description="the display name, in the reader's language where the player gave none")
    bot: bool = Field(description="whether a bot sits here")
    has_stand_in: bool = Field(description="whether a bot plays for the player, who is away")
    here: bool = Field(description="whether the player is present")
    awaited: bool = Field(description="whether the player is to act")
    won: bool = Field(description="whether the player has won")


class EntrySeen(PageModel):
    position: int = Field(description="the index of the line of the game; of an aside, that of the next line")
    aside: bool = Field(description="whether it is no line of the game, such as a pause")
    kind: str = Field(description="the kind of event, in the game's own words")
    seat: int | None = Field(description="the seat that it is about; null for nobody's, such as a draw")
    name: str = Field(description="the name of that player; empty for nobody's")
    sentence: str = Field(description="what happened, in the reader's language; the name comes before it")
    points: int = Field(description="the points that it brought")
    parts: list[tuple[str, int]] = Field(description="what the points are for")
    place: str = Field(description="where on the board, in the game's own words; empty without a place")


class SummarySeen(PageModel):
    seat: int = Field(description="the seat that acted")
    name: str = Field(description="the player's name")
    position: int = Field(description="the index of the last line of the game that it sums up")
    words: str = Field(description="what the seat did in its turn, in the reader's language")
    points: int = Field(description="the points that this brought")


class SeatNoticeSeen(PageModel):
    seat: int = Field(description="the seat")
    name: str = Field(description="the name of the player")
    late: bool = Field(description="whether the clock of the seat has run out")
    wanted: list[str] = Field(description="the names of those who want to give the seat to somebody else")


class UndoNoticeSeen(PageModel):
    name: str = Field(description="the name of the player who asks")
    what: str = Field(description="the turn to be undone, as far as the reader may know it")
    answers: int | None = Field(description="the reader's seat that is asked, null if none is")
    waiting: list[str] = Field(description="the names of those who have not answered")


class NoticesSeen(PageModel):
    request: UndoNoticeSeen | None = Field(description="a request to undo a turn, told to players")
    absent: list[SeatNoticeSeen] = Field(description="the players who keep the others waiting, told to players")
    paused: bool = Field(description="whether a player has paused the game")
    club_paused: bool = Field(description="whether the organiser of the class has paused all tables")


class RuleSeen(PageModel):
    rule: str = Field(description="the number of the rule")
    sentence: str = Field(description="the text of the rule")
    link: str = Field(description="the path of the rule in the rule book's page")


class DraftSeen(PageModel):
    draft: list[str] = Field(description="the moves of the draft that are legal one after the other")
    ready: bool = Field(description="whether these moves make a complete turn")
    preview: list[EntrySeen] = Field(description="what the draft would add to the log; draws of nature are not foreseen")
    refused: str = Field(description="why the next move of the draft is refused; empty if none is")
    why: RuleSeen | None = Field(description="the rule that forbids it, null for another reason")


class PageSeen(PageModel):
    """Fields that a past version does not have: they are null there."""

    players: list[PlayerSeen] | None = Field(None, description="the players, in seat order")
    told: list[EntrySeen] | None = Field(
        None,
        description="the log in words: what happened after this seat's last move, for a spectator in the last turn; with `since` from that "
        "line on. In simultaneous turns the moves of the others are told after this seat's own",
    )
    news: list[SummarySeen] | None = Field(None, description="the same in short: what the others did, one line for each turn and seat")
    notices: NoticesSeen | None = Field(None, description="what the people at the table ask or wait for")
    tried: DraftSeen | None = Field(None, description="the draft that was sent along, tried out; null without one")


def page_fields(message: TableView, seat: Seat | None, since: int | None) -> dict[str, Any]:
    """Return the fields of `PageSeen` for the reader in this seat."""
    return {
        "players": [PlayerSeen.model_validate(each) for each in message.players.players],
        "told": [EntrySeen.model_validate(each) for each in _told(message.log, seat, since)],
        "news": [SummarySeen.model_validate(each) for each in message.log.news],
        "notices": NoticesSeen.model_validate(message.company.notices),
        "tried": DraftSeen.model_validate(message.draft) if message.draft.draft or message.draft.refused else None,
    }


def _told(log: LogPart, seat: Seat | None, since: int | None) -> list[NarrationEntry]:
    if since is None and seat is None:
        return [*log.log[-1].entries] if log.log else []
    if since is None:
        own = (entry.position for entry in log.narration if entry.seat == seat and not entry.by_nature and not entry.aside)
        since = max(own, default=-1) + 1
    return [entry for entry in log.narration if entry.position >= since]
