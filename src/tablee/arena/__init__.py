"""Simulation of many games between bots.

A plan names the games, an executor plays them (in one process, in several or on a cluster), and a tally gives figures with intervals.
A tournament is many plans; its standings rate all bots on one scale.
"""

from __future__ import annotations

from tablee.arena.executors import LOCAL_EXECUTOR, Executor, LocalExecutor
from tablee.arena.plan import Plan
from tablee.arena.plan_runner import Results, play_all
from tablee.arena.results_file import ResultsFile
from tablee.arena.standings import standings
from tablee.arena.tally import tally
from tablee.arena.tournament import Tournament

__all__ = ["LOCAL_EXECUTOR", "Executor", "LocalExecutor", "Plan", "Results", "ResultsFile", "Tournament", "play_all", "standings", "tally"]
