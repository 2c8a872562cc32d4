"""Choice of the reader's language: the one that they chose, else their browser's preference, else English."""

from __future__ import annotations

from babel import negotiate_locale
from starlette.requests import HTTPConnection

from tablee.core.i18n import LANGUAGES, Translator

COOKIE = "tablee_lang"


def translator_for(request: HTTPConnection) -> Translator:
    for chosen in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if chosen in LANGUAGES:
            return Translator(str(chosen))
    return Translator(negotiate_language(request.headers.get("accept-language", "")))


def negotiate_language(header: str) -> str:
    """Return the supported language that an Accept-Language header prefers, else English."""
    wanted = sorted((_parse_language(part) for part in header.split(",") if part.strip()), reverse=True)
    preferred = [code for weight, _, code in wanted if weight > 0]
    return negotiate_locale(preferred, LANGUAGES, sep="-") or "en"


def _parse_language(part: str) -> tuple[float, int, str]:
    code, _, quality = part.strip().partition(";q=")
    try:
        return float(quality or 1), -len(code), code.strip()
    except ValueError:
        return 0.0, 0, code
