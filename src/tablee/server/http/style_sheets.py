"""Route of the joined style sheets, beside the static files of the platform and of each room."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from tablee import games
from tablee.server.view.style_sheets import joined, sheets

router = APIRouter(include_in_schema=False)


@router.get("/static/{key}/joined/{name}.css")
def style_sheet(key: str, name: str) -> Response:
    if key not in ("platform", *games.known()) or name not in sheets(key):
        raise HTTPException(404)
    return Response(joined(key, name), media_type="text/css")
