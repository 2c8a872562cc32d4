"""Who is at the table right now: screens that look, seats that are here, and how quickly each screen wants bots to play."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence

from tablee.core.game import Seat

GLIMPSE = 7.0  # seconds that a screen without a socket counts as here
ATTENTION = 60.0  # seconds after which nobody looks any more who has only asked
PACES = {"slow": 2.5, "normal": 1.0, "quick": 0.25}  # how many times as long a bot waits, as a screen prefers


class Attendance:
    def __init__(self) -> None:
        self.screens = 0
        self._here: Counter[Seat] = Counter()  # screens open per seat
        self._glimpsed: dict[Seat, float] = {}  # when a seat without a socket last asked
        self._left: dict[Seat, float] = {}  # when a seat's last screen was closed
        self._began = time.monotonic()
        self._asked = time.monotonic()
        self._expected = 0.0
        self._paces: dict[object, str] = {}  # by screen that holds a seat

    def come(self, seats: Sequence[Seat]) -> bool:
        """Whether that is news to the others."""
        news = not all(self.is_here(seat) for seat in seats)
        self.screens += 1
        self._here.update(seats)
        return news

    def go(self, screen: object, seats: Sequence[Seat]) -> bool:
        self.screens -= 1
        self._here.subtract(seats)
        self._paces.pop(screen, None)
        self._asked = time.monotonic()
        self._left |= dict.fromkeys(seats, self._asked)
        return not all(self.is_here(seat) for seat in seats)

    def expect(self, until: float) -> None:
        """Everybody is taken to be here until then: the house has just been opened again, and they are on their way back."""
        self._expected = until

    def ask(self) -> None:
        """Somebody wants to know something of the table."""
        self._asked = time.monotonic()

    def glimpse(self, seats: Iterable[Seat]) -> bool:
        """Somebody without a socket asks how the table stands, and will soon ask again; whether that is news."""
        news = not all(self.is_here(seat) for seat in seats)
        self._glimpsed |= dict.fromkeys(seats, time.monotonic())
        return news

    def is_here(self, seat: Seat, waiting: bool = True) -> bool:
        """Or expected, if we are `waiting`."""
        now = time.monotonic()
        return self.has_screen(seat) or (waiting and now < self._expected) or now - self._glimpsed.get(seat, -GLIMPSE) < GLIMPSE

    def has_screen(self, seat: Seat) -> bool:
        return self._here[seat] > 0

    def away(self, seat: Seat) -> float:
        """For how many seconds the seat has not been here, as far as we have been here ourselves."""
        if self.has_screen(seat):
            return 0.0
        seen = max(self._began, self._expected, self._left.get(seat, 0.0), self._glimpsed.get(seat, 0.0) + GLIMPSE)
        return max(0.0, time.monotonic() - seen)

    def here(self, seats: int, waiting: bool = True) -> tuple[bool, ...]:
        return tuple(self.is_here(Seat(seat), waiting) for seat in range(seats))

    @property
    def idle(self) -> float:
        """For how many seconds nobody has looked or asked."""
        return 0.0 if self.screens else time.monotonic() - self._asked

    @property
    def looked_at(self) -> bool:
        return bool(self.screens) or self.idle < ATTENTION

    def prefer(self, screen: object, pace: str) -> None:
        self._paces[screen] = pace

    @property
    def pace(self) -> float:
        """The slowest that anybody asks for."""
        return max((PACES[pace] for pace in self._paces.values()), default=1.0)
