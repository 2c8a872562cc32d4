"""Fields of the view, for the description of the HTTP API."""

from __future__ import annotations

from typing import Annotated, TypedDict

from tablee.core.game import Doc


class View(TypedDict):
    length: Annotated[int, Doc("how many spaces the track has")]
    puddles: Annotated[list[int], Doc("the spaces with a puddle")]
    active: Annotated[int, Doc("the seat whose turn it is")]
    die: Annotated[int | None, Doc("the die as rolled; null before that")]
    runners: Annotated[list[list[int]], Doc("seat by seat, the space of each runner")]
