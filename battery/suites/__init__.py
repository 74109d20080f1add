"""The suites, and the only list of them: the command line, the page and the tests read it."""

from __future__ import annotations

from battery.suite import Suite
from battery.suites import (
    around,
    bad_counts,
    cells,
    commands,
    counts,
    damage,
    disks,
    forged,
    forged_commands,
    interrupts,
    kills,
    memory,
    options,
    orders,
    pages,
    pairs,
    readers,
    twice,
    writers,
)

SUITES: dict[str, Suite] = {
    "counts": counts.SUITE,
    "bad-counts": bad_counts.SUITE,
    "options": options.SUITE,
    "pairs": pairs.SUITE,
    "readers": readers.SUITE,
    "commands": commands.SUITE,
    "damage": damage.SUITE,
    "forged": forged.SUITE,
    "forged-cli": forged_commands.SUITE,
    "kills": kills.SUITE,
    "interrupts": interrupts.SUITE,
    "disks": disks.SUITE,
    "twice": twice.SUITE,
    "writers": writers.SUITE,
    "memory": memory.SUITE,
    "around": around.SUITE,
    "pages": pages.SUITE,
    "cells": cells.SUITE,
    "orders": orders.SUITE,
}
