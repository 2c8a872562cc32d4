"""Reports of unexpected errors: users read a number, under which operators find a file in the data folder and a line in the log.

The log omits the error's message, because it may name a player, except for a RulesError, whose message never does.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from tablee.core.errors import RulesError
from tablee.core.i18n import Message, msg
from tablee.server.ops import metrics

MAX_REPORTS, MAX_CHARACTERS = 50, 50_000
SERVER = Path(__file__).parent.parent

logger = logging.getLogger(__name__)
_folder: Path | None = None
_explaining = False
_explanations: dict[int, str] = {}  # of the last reports, for authors


def set_folder(folder: Path | None) -> None:
    """Set the folder of the report files; without one, reports are only logged."""
    global _folder  # noqa: PLW0603  one folder for the process
    _folder = folder


def set_explaining(explaining: bool) -> None:
    """Say in each report's message what happened and where, for authors of games; it may name players."""
    global _explaining  # noqa: PLW0603  likewise
    _explaining = explaining


def explanation(error: BaseException) -> str:
    """Return an error with the file and the line in which it happened: the innermost one outside of installed libraries."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename and not frame.filename.startswith(str(SERVER))] or frames
    return f"{type(error).__name__}: {error} ({own[-1].filename}, line {own[-1].lineno})" if own else f"{type(error).__name__}: {error}"


def report(error: BaseException) -> int:
    """Write a report of this error and return its number."""
    number = 100_000 + secrets.randbelow(900_000)
    metrics.count_report()
    where, what = "".join(traceback.format_tb(error.__traceback__)), type(error).__name__
    logger.error("report %d: %s\n%s", number, f"{what}: {error}" if isinstance(error, RulesError) else what, where.rstrip())
    if _explaining:
        _explanations[number] = explanation(error)
    if _folder is not None:
        with suppress(OSError):  # a full disk must not hide what happened: the log has it
            _write(_folder, number, error)
    return number


def report_message(number: int) -> Message:
    if number in _explanations:
        return msg("{error}; this is report {number}", error=_explanations[number], number=number)
    return msg("something went wrong on our side; it is recorded as report {number}", number=number)


def _write(folder: Path, number: int, error: BaseException) -> None:
    """Write the report file, of a long traceback only the end, which names the error; delete all but the newest files."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    text = "".join(traceback.format_exception(error))[-MAX_CHARACTERS:]
    file = folder / f"{now:%Y%m%d-%H%M%S-%f}-{number}.txt"
    file.write_text(f"report {number}, {now:%Y-%m-%d %H:%M:%S} UTC\n\n{text}", encoding="utf-8", errors="replace")
    for old in sorted(folder.glob("*.txt"))[:-MAX_REPORTS]:
        old.unlink(missing_ok=True)
