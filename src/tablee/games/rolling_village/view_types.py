"""Fields of the view, for the description of the HTTP API; cells are named by column and row, `2B`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tablee.core.game import Doc

Project = Literal["house", "forest", "lake", "park"]


class ToBuild(TypedDict, total=False):
    type: Annotated[Project, Doc("the project that is to be built")]
    column: Annotated[int, Doc("the column in which it is to be built")]


class Duty(ToBuild):
    do: Annotated[Literal["setup", "build", "park", "bonus", "avenue"], Doc("what is to be done")]


class Task(Duty):
    die: Annotated[int | None, Doc("the die that asks for it; null for a bonus and a free avenue")]


class Round(TypedDict):
    avenue: Annotated[str, Doc("the avenue that was scored")]
    points: Annotated[int, Doc("what it brought")]


class Sheet(TypedDict):
    cells: Annotated[dict[str, Project], Doc("what is drawn, by cell")]
    duties: Annotated[list[Duty], Doc("what the seat still has to do in this round")]
    bonus: Annotated[list[Project], Doc("the projects whose bonus is not used yet")]
    rounds: Annotated[list[Round], Doc("what the rounds so far have brought")]
    avenues: Annotated[list[int], Doc("what each avenue would score now, from A to E")]
    earning: Annotated[dict[str, int], Doc("what each project earns on the avenue of this round")]
    counted: Annotated[list[str], Doc("the cells of the groups that reach the avenue of this round")]
    good_parks: Annotated[list[str], Doc("the cells of the parks that count")]
    parks: Annotated[int, Doc("the points of the parks, once they are scored")]
    park_points: Annotated[int, Doc("what the parks would score as they stand")]
    total: Annotated[int, Doc("the points so far")]


class View(TypedDict):
    round: Annotated[int, Doc("the round, from 1; 0 during set-up")]
    rounds: Annotated[int, Doc("how many rounds a game has")]
    setup: Annotated[bool, Doc("whether the first projects are being drawn")]
    over: Annotated[bool, Doc("whether the game is over")]
    dice: Annotated[list[int] | None, Doc("the two dice; null before the first roll")]
    tasks: Annotated[list[Task], Doc("what the dice ask of every seat in this round; empty before the first roll")]
    avenue: Annotated[str | None, Doc("the avenue of this round, null when any may be picked")]
    avenues: Annotated[list[str], Doc("the names of the avenues, rows A to E, by the sums that score them")]
    printed: Annotated[list[list[int]], Doc("the points printed on the cells, row by row")]
    legend: Annotated[dict[str, Project], Doc("which project each face of a die builds")]
    bonus_rounds: Annotated[list[int], Doc("the rounds in which a bonus may be used")]
    park_points: Annotated[int, Doc("what a park that counts is worth")]
    solo_target: Annotated[int, Doc("how many points win alone")]
    sheets: Annotated[list[Sheet], Doc("everybody's sheet, seat by seat")]
    forecast: Annotated[dict[str, int], Doc("by legal move of the reader, what it adds to the active avenue or what an avenue scores")]
