"""Write letters.csv and notes.csv into a folder: made-up letters and short notes to a town's council, for the
tutorials. Nobody wrote them, and no place is meant.

Each letter has one or two of six subjects, each note one. What is planted, so that a tutorial can be checked: letters
from the north speak of buses twice as often as those from the south; heating comes in winter; the flood begins in March
2024.
"""

import csv
import sys
from datetime import date, timedelta
from pathlib import Path

import numpy as np

N_LETTERS = 600
N_NOTES = 500
SUBJECTS = {
    "buses": "bus stop driver timetable route ticket passengers tram delay commute station fare",
    "schools": "school teacher pupils classroom lessons playground homework parents canteen headmaster exam "
    "kindergarten",
    "housing": "rent flat landlord tenants apartment lease mould deposit eviction neighbours stairs mortgage",
    "parks": "park trees benches lawn birds pond flowers gardeners dogs path roses shade",
    "heating": "heating boiler radiator gas insulation frost pipes bill thermostat winter chimney cold",
    "flood": "flood river water cellar sandbags rain dam pump embankment insurance drains storm",
}
OPENINGS = ["Dear council", "Good morning", "To whom it may concern", "Once again", "I must say", "Please listen"]
PHRASES = [
    "there is the {0}, and then there is the {1}",
    "we had no {0} and no {1}",
    "it was about the {0} and the {1}",
    "the {0} is not what it was, and neither is the {1}",
    "why is there never a {0} with a {1}",
    "they took the {0} from us, and the {1} too",
]


def subject_weights(day, district):
    weights = np.ones(len(SUBJECTS))
    weights[0] = 2.0 if district == "north" else 1.0
    weights[4] = 3.0 if day.month in (11, 12, 1, 2) else 0.4
    weights[5] = 4.0 if day >= date(2024, 3, 1) else 0.0
    return weights / weights.sum()


def letter(rng, day, district):
    words = [text.split() for text in SUBJECTS.values()]
    weights = subject_weights(day, district)
    n_subjects = 1 if rng.random() < 0.6 else min(2, np.count_nonzero(weights))
    subjects = rng.choice(len(SUBJECTS), size=n_subjects, replace=False, p=weights)
    phrases = [OPENINGS[rng.integers(len(OPENINGS))]]
    for i in range(rng.integers(6, 14)):
        chosen = rng.choice(words[subjects[i % n_subjects]], size=2, replace=False)
        phrases.append(PHRASES[rng.integers(len(PHRASES))].format(*chosen))
    return ", ".join(phrases) + "."


def note(rng):
    """One sentence about one subject."""
    words = list(SUBJECTS.values())[rng.integers(len(SUBJECTS))].split()
    chosen = rng.choice(words, size=4, replace=False)
    return ", ".join(PHRASES[rng.integers(len(PHRASES))].format(*pair) for pair in (chosen[:2], chosen[2:]))


def write_letters(path):
    rng = np.random.default_rng(0)
    days = sorted(int(day) for day in rng.integers(0, 730, size=N_LETTERS))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["text", "date", "district"])
        for number in days:
            day = date(2023, 1, 1) + timedelta(days=number)
            district = ("north", "south")[rng.integers(2)]
            writer.writerow([letter(rng, day, district), day.isoformat(), district])


def write_notes(path):
    rng = np.random.default_rng(1)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["text"])
        writer.writerows([note(rng)] for _ in range(N_NOTES))


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write_letters(folder / "letters.csv")
    write_notes(folder / "notes.csv")
