"""Writes posts.csv, a table as people have it: semicolons, HTML, emoji, empty rows, duplicates, European dates, and two
languages. Four subjects come and go over two years.

    python make_table.py [posts.csv]
"""

import csv
import math
import random
import sys
from datetime import date, timedelta
from pathlib import Path

SUBJECTS = {
    "football": {
        "en": "goal match referee striker league penalty coach keeper stadium transfer derby tackle",
        "de": "Tor Spiel Schiedsrichter Stürmer Liga Elfmeter Trainer Torwart Stadion Wechsel Derby Abseits",
    },
    "election": {
        "en": "vote parliament candidate ballot coalition minister campaign poll budget reform debate party",
        "de": "Wahl Bundestag Kandidat Stimmzettel Koalition Ministerin Wahlkampf Umfrage Haushalt Debatte Partei",
    },
    "space": {
        "en": "rocket orbit moon satellite launch telescope astronaut crater probe mission planet comet",
        "de": "Rakete Umlaufbahn Mond Satellit Start Teleskop Astronautin Krater Sonde Mission Planet Komet",
    },
    "kitchen": {
        "en": "recipe oven dough butter garlic sauce pan flour simmer onion soup bake",
        "de": "Rezept Ofen Teig Butter Knoblauch Soße Pfanne Mehl köcheln Zwiebel Suppe backen",
    },
}
FILLING = {
    "en": "the and with this about after there would really today people again thought said because",
    "de": "der die und mit das über nach dort würde wirklich heute Leute wieder dachte sagte weil",
}
EMOJI = ["🚀", "⚽", "🗳️", "🍲", "😀", "👍"]
N_DAYS = 730
FIRST_DAY = date(2023, 1, 1)


def weight(subject: str, day: int) -> float:
    """How much is written about a subject on a day: the election has its month, space rises, football its seasons."""
    return {
        "football": 1.2 + math.sin(2 * math.pi * day / 365),
        "election": 0.3 + 3.5 * math.exp(-(((day - 520) / 45) ** 2)),
        "space": 0.3 + 1.5 * day / N_DAYS,
        "kitchen": 1.0,
    }[subject]


def post(draw: random.Random, subject: str, language: str) -> str:
    """A post in HTML, mostly about one subject."""
    others = [name for name in SUBJECTS if name != subject]
    own = draw.choices(SUBJECTS[subject][language].split(), k=draw.randint(8, 25))
    aside = draw.choices(SUBJECTS[draw.choice(others)][language].split(), k=draw.randint(0, 3))
    words = own + aside + draw.choices(FILLING[language].split(), k=len(own))
    draw.shuffle(words)
    half = len(words) // 2
    link = f'<a href="https://example.org/{draw.randint(1, 999)}">{words[half]}</a>'
    end = f"&amp; more; {draw.choice(EMOJI)}"
    text = f"<p>{' '.join(words[:half])}&nbsp;{link}<br/>{' '.join(words[half + 1 :])} {end}</p>"
    return text.replace("ü", "&uuml;") if draw.random() < 0.3 else text


def rows(n: int, seed: int) -> list[list[str]]:
    draw = random.Random(seed)
    found = []
    for number in range(n):
        day = draw.randrange(N_DAYS)
        subject = draw.choices(list(SUBJECTS), [weight(name, day) for name in SUBJECTS])[0]
        language = "de" if draw.random() < 0.4 else "en"
        when = FIRST_DAY + timedelta(day)
        written = f"{when.day}.{when.month}.{when.year}" if draw.random() < 0.98 else "k. A."  # German for "not known"
        found.append([str(number), written, language, post(draw, subject, language)])
    for row in draw.sample(found, n // 20):  # sent twice
        found.append([str(len(found)), *row[1:]])
    for _ in range(n // 50):
        found.append([str(len(found)), "", "", ""])
    draw.shuffle(found)
    return found


def main(path: Path) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # as spreadsheets write it, with a byte order mark
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["nr", "datum", "sprache", "inhalt"])
        writer.writerows(rows(3000, seed=1))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "posts.csv"))
