"""The suites, and the only list of them: the command line, the page and the tests read it."""

from __future__ import annotations

from battery import counts, disks, documents, hostile_counts, kills, orders, saved, surroundings, texts
from battery.suite import Suite

SUITES: dict[str, Suite] = {
    "counts": counts.SUITE,
    "bad-counts": hostile_counts.COUNTS,
    "options": hostile_counts.OPTIONS_SUITE,
    "pairs": hostile_counts.PAIRS,
    "readers": documents.READERS,
    "commands": documents.COMMANDS_SUITE,
    "damage": saved.DAMAGE,
    "forged": saved.FORGED,
    "forged-cli": saved.FORGED_COMMANDS,
    "kills": kills.KILLS,
    "interrupts": kills.INTERRUPTS,
    "disks": disks.DISKS,
    "twice": disks.TWICE,
    "writers": disks.WRITERS_SUITE,
    "memory": disks.MEMORY,
    "around": surroundings.SUITE,
    "pages": texts.PAGES,
    "cells": texts.CELLS,
    "orders": orders.SUITE,
}
