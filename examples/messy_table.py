"""From a messy table to named topics, a table of shares with dates, and a figure over time, in Python.

python messy_table.py FOLDER   (which holds posts.csv, see make_table.py)
"""

import sys
from pathlib import Path

import pandas as pd

from cotopics import TopicModel, plot
from cotopics.corpus import Preparation, read_corpus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# Fields have other names here; two languages; words of our own to leave out.
corpus = read_corpus(
    folder / "posts.csv",
    text_field="inhalt", id_field="nr", date_field="datum", label_field="sprache",
    drop_duplicates=True,
    min_length=1,  # without empty rows
    prepare=Preparation(html=True, stop_words="english, german", extra_stop_words=["https", "example"]),
)  # fmt: skip
print(corpus)
print(*corpus.notes, sep="\n")

model = TopicModel(8).fit(corpus)
names = [" ".join(words) for words in model.top_words(3)]
model.save(folder / "posts.cotopics")  # the command line prepares new texts in the same way

# Every post with its date, its language and the share of each topic.
W = model.transform(corpus)
shares = pd.DataFrame(W, columns=names, index=corpus.ids)
shares.insert(0, "date", corpus.dates)
shares.insert(1, "language", corpus.labels)
shares.to_csv(folder / "shares.csv", index_label="id")
print(shares.groupby("language")[names].mean().round(2).T)

axes = plot.topics_over_time(W, corpus.dates, model=model)
axes.figure.savefig(folder / "over_time.png", dpi=120)
