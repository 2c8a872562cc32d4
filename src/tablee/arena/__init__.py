"""Many games between bots: a plan says which, they are played in one process, in several or on a cluster, and tallied with intervals. A
tournament is many plans; its standings put the bots on one scale.
"""

from __future__ import annotations

from tablee.arena.executors import HERE, Here, Place
from tablee.arena.plan import Plan
from tablee.arena.plan_runner import Results, play_all
from tablee.arena.results_file import Notebook
from tablee.arena.standings import standings
from tablee.arena.tally import tally
from tablee.arena.tournament import Tournament

__all__ = ["HERE", "Here", "Notebook", "Place", "Plan", "Results", "Tournament", "play_all", "standings", "tally"]
