"""Draw the results that other benchmarks have kept:  python benchmarks/plots.py"""

import json

import matplotlib

from common import RESULTS

matplotlib.use("svg")
import matplotlib.pyplot as plt

MARKS = ("o", "s", "^", "v", "D", "P", "X", "<", ">", "*", "h", "d")


def lines(axes, record, x, y, by, where=lambda row: True):
    """One line per value of column `by`: column y against column x."""
    at = {name: i for i, name in enumerate(record["columns"])}
    rows = [row for row in record["rows"] if where(dict(zip(record["columns"], row, strict=True)))]
    for i, name in enumerate(dict.fromkeys(row[at[by]] for row in rows)):
        points = [(row[at[x]], row[at[y]]) for row in rows if row[at[by]] == name and row[at[y]] is not None]
        if points:
            look = {"marker": MARKS[i % len(MARKS)], "color": f"C{i % 10}", "linestyle": "-" if i < 10 else "--"}
            axes.plot(*zip(*points, strict=True), markersize=4, linewidth=1, label=name, **look)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def read(name):
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def save(figure, name, below=0.0):
    """Keep a figure; `below` is the share of its height that a legend takes below the axes."""
    figure.tight_layout(rect=(0, below, 1, 1))
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
    print(RESULTS / f"{name}.svg")


def top_tuning(by_c0, by_c1):
    """004's Figures 1 and 2."""

    def column(record, name):
        return [row[record["columns"].index(name)] for row in record["rows"]]

    figure, axes = plt.subplots(1, 3, figsize=(12, 3.4))
    axes[0].plot(column(by_c0, "C0"), column(by_c0, "L1/K"), marker="o", markersize=3, linewidth=1)
    axes[0].set(xlabel="C0", ylabel="L1/K", ylim=(0, 1.1 * max(column(by_c0, "L1/K"))))
    axes[1].plot(column(by_c1, "C1"), column(by_c1, "K̂"), linewidth=1)
    axes[1].set(xlabel="C1", ylabel="K̂", ylim=(0, 1.1 * max(column(by_c1, "K̂"))))
    for name, style in (("sensitivity", "-"), ("specificity", "--")):
        axes[2].plot(column(by_c1, "C1"), column(by_c1, name), style, linewidth=1, label=name)
    axes[2].set(xlabel="C1", ylim=(0, 1.05))
    axes[2].legend(fontsize=7)
    save(figure, "top_tuning")


def top_panels(record, measure, name):
    """004's Figures 3 and 4: one panel for each number that is varied."""
    panels = list(dict.fromkeys(row[0] for row in record["rows"]))
    figure, axes = plt.subplots(1, len(panels), figsize=(14, 3.2), sharey=True)
    for panel, ax in zip(panels, axes, strict=True):
        lines(ax, record, "value", measure, "method", lambda row, panel=panel: row["varied"] == panel)
        ax.set_xlabel(panel)
        ax.label_outer()
    if measure == "seconds":
        axes[0].set_yscale("log")
    axes[0].legend(fontsize=7)
    save(figure, name)


def main() -> None:
    plt.rcParams["svg.hashsalt"] = "cotopics"  # the same file every time
    synthetic = read("anchor_free_synthetic")
    if synthetic:
        figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
        for test, ax in enumerate(axes, 1):
            lines(ax, synthetic, "F", "recovered, %", "method", lambda row, test=test: row["test"] == test)
            ax.set_title(f"planted topics, {'no anchors' if test == 1 else 'at most 15 anchored'}", fontsize=9)
        axes[0].legend(fontsize=7)
        save(figure, "anchor_free_synthetic")
    for name in ("tdt2", "reuters21578"):
        record = read(f"anchor_free_corpora_{name}")
        if record:
            figure, axes = plt.subplots(1, 3, figsize=(12, 4.4))
            for ax, measure in zip(axes, ("ClustAcc", "Coh", "SimCount"), strict=True):
                lines(ax, record, "F", measure, "method")
            lines(axes[0], record, "F", "paper's ClustAcc", "method", lambda row: row["method"] == "AnchorFree, pds")
            axes[0].lines[-1].set(linestyle=":", color="black", label="AnchorFree-PDS in the paper")
            axes[0].set_ylabel("ClustAcc")
            axes[2].set_yscale("log")
            figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", ncol=6, fontsize=7)
            save(figure, f"anchor_free_corpora_{name}", below=0.13)
    if read("top_tuning_c0"):
        top_tuning(read("top_tuning_c0"), read("top_tuning_c1"))
    if read("top_errors"):
        top_panels(read("top_errors"), "L1/K", "top_errors")
    if read("top_errors_seconds"):
        top_panels(read("top_errors_seconds"), "seconds", "top_errors_seconds")


if __name__ == "__main__":
    main()
