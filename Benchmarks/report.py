"""Writes the tables of RESULTS.md out of the runs, a line of JSON each.

    report.py RESULTS.jsonl [RESULTS.md]

Times are processor time. A ratio is taken in each round, of the median of a program's runs to the median of the C program's;
the table has the median of the rounds, with the least and the greatest. Fails if the programs disagree on a check sum.
"""
import json
import statistics
import sys
from collections import defaultdict

# The ratio to the C program that each workload is to reach.
GOALS = {
    "insert": 2.0, "insert-small-saves": 1.5, "fetch-all": 1.6, "fetch-all-one-attribute": 1.3, "fetch-predicate-sorted": 1.3,
    "fetch-by-id": 1.4, "fetch-by-id-warm": 0.25, "to-many-traverse": 1.3, "to-many-traverse-own-cache": 0.95,
    "to-many-prefetch": 1.3, "update": 1.8, "delete": 1.7, "aggregate": 1.1, "page": 1.35, "page-lazy": 1.15,
}


class Runs:
    """All runs of a workload, by program and round."""

    def __init__(self):
        self.rounds = defaultdict(lambda: defaultdict(list))

    def add(self, run):
        self.rounds[run["impl"]][run["round"]].append(run)

    def all(self, impl):
        return [run for runs in self.rounds[impl].values() for run in runs]

    def median(self, impl, key):
        return statistics.median(run[key] for run in self.all(impl))

    def ratios(self, impl, key="cpu_seconds"):
        """To the C program, a ratio for each round."""
        theirs = self.rounds["c"]
        return [medians(runs, key) / medians(theirs[round], key) for round, runs in self.rounds[impl].items() if round in theirs]

    def checks(self):
        return {run["check"] for impl in self.rounds for run in self.all(impl)}


def medians(runs, key):
    return statistics.median(run[key] for run in runs)


def read(path):
    workloads = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            run = json.loads(line)
            workloads.setdefault(run["workload"], Runs()).add(run)
    for name, runs in workloads.items():
        if len(runs.checks()) > 1:
            sys.exit(f"{name}: the programs disagree on the check sum: {runs.checks()}")
    return workloads


def ratio(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def verdict(value, goal):
    if goal is None:
        return "– | "
    return f"{goal} | {'met' if round(value, 2) <= goal else '**missed**'}"


def speed_table(workloads):
    lines = [
        "| workload | C, ms | GRDB ÷ C | CoreData ÷ C | goal | | instructions ÷ C | peak MB: C, GRDB, CoreData |",
        "|---|--:|--:|--:|--:|---|--:|--:|",
    ]
    for name, runs in workloads.items():
        if name not in GOALS:
            continue
        ours = runs.ratios("coredata")
        theirs = ratio(runs.ratios("grdb")) if runs.all("grdb") else "–"
        peaks = ", ".join(f"{runs.median(impl, 'peak_mb'):.0f}" if runs.all(impl) else "–" for impl in ("c", "grdb", "coredata"))
        figures = "– | – | | –"
        if ours:
            counted = all(run["instructions"] for run in runs.all("coredata"))
            instructions = f"{statistics.median(runs.ratios('coredata', 'instructions')):.2f}" if counted else "–"
            figures = f"{ratio(ours)} | {verdict(statistics.median(ours), GOALS[name])} | {instructions}"
        lines.append(f"| {name} | {1000 * runs.median('c', 'cpu_seconds'):.2f} | {theirs} | {figures} | {peaks} |")
    return "\n".join(lines)


def main():
    workloads = read(sys.argv[1])
    print(speed_table(workloads))


main()
