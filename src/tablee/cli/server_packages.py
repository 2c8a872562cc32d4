"""Packages of the extra `serve`: the server imports them, and no other part of Tablée does."""

from __future__ import annotations

from importlib.util import find_spec

from tablee.core.errors import TableeError
from tablee.core.i18n import msg

MODULES = ("fastapi", "starlette", "pydantic", "uvicorn", "websockets", "prometheus_client", "sqlalchemy", "markdown_it", "babel", "segno")


def installed() -> bool:
    return all(map(find_spec, MODULES))


def require() -> None:
    """Raise TableeError saying what to install, unless the server's packages are there."""
    if not installed():
        raise TableeError(msg("this command needs the packages of the server: pip install 'tablee[serve]'"))
