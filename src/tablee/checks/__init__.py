"""Checks that every game must pass: `tablee check-game GAME` runs them for one game, and `make test` for all.

check_rules.py      play ends, logs replay, notation round-trips, nothing hidden leaks, seats commute, lists fit, pieces are conserved
check_kernel.py     the rules compile: no allocation, and machine code, plain Python and the match play the same games
check_bots.py       `medium` is not weaker than `greedy`
check_learners.py   observations and actions for learners
check_page.py       the page in a browser: sizes, overflow, sizes of letters, accessibility
bot_protocol.py     a bot that is a program, with this game

Each is a module of pytest tests that take a game's `key`, or a `table`: `plugin.py` supplies them. A new check is a function `test_...`
in one of these files.
"""
