"""Writes the tables of RESULTS.md out of the runs, a line of JSON each.

    report.py RESULTS.jsonl MACHINE.txt [RESULTS.md]

The tables go between two marks of RESULTS.md, or to the standard output. Times are processor time. A ratio is taken in each
round, of the median of a program's runs to the median of the C program's; the table has the median of the rounds, with the least
and the greatest. It fails if the programs disagree on a check sum.
"""
import json
import statistics
import sys
from collections import defaultdict

BEGIN, END = "<!-- tables: written by ./run -->", "<!-- end of tables -->"

# The ratio to the C program that each workload is to reach.
GOALS = {
    "insert": 2.0, "insert-small-saves": 1.5, "insert-small-saves-history": 2.2, "insert-small-saves-same-history": 1.2, "fetch-all": 1.6, "fetch-all-one-attribute": 1.3, "fetch-predicate-sorted": 1.3,
    "fetch-by-id": 1.4, "fetch-by-id-warm": 0.25, "to-many-traverse": 1.3, "to-many-traverse-array": 1.4, "to-many-traverse-own-cache": 0.95,
    "to-many-prefetch": 1.3, "update": 1.8, "delete": 1.7, "aggregate": 1.1, "page": 1.35, "page-lazy": 1.15,
    "batch-insert-dictionaries": 1.8, "batch-insert-handler": 1.8, "batch-insert-objects": 1.4, "batch-update": 1.1, "batch-delete": 1.1,
}
PEAK_GOALS = {"fetch-all": 60, "insert": 120}       # MB
OPENING_GOAL = 10                                   # ms
CHANGE_GOAL = 2                                     # ms
GROWTH_GOAL, GROWTH_FROM, GROWTH_TO = 1.2, 10_000, 1_000_000
WALK_GOAL = 200                                     # MB


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

    def per_object(self, impl):
        """Microseconds of processor time."""
        return 1e6 * statistics.median(run["cpu_seconds"] / run["n"] for run in self.all(impl))

    def ratios(self, impl, key="cpu_seconds"):
        """To the C program, a ratio for each round."""
        theirs = self.rounds["c"]
        return [
            statistics.median(run[key] for run in runs) / statistics.median(run[key] for run in theirs[round])
            for round, runs in self.rounds[impl].items() if theirs[round]
        ]


def read(path):
    """The runs by part, then by workload and number of players."""
    parts = defaultdict(dict)
    checks = {}
    with open(path, encoding="utf-8") as lines:
        for run in map(json.loads, lines):
            key = run["workload"], run["players"]
            if checks.setdefault(key, run["check"]) != run["check"]:
                sys.exit(f"{run['workload']}: {run['impl']} disagrees on the check sum: {run['check']}, not {checks[key]}")
            parts[run["part"]].setdefault(key, Runs()).add(run)
    return parts


def ratio(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def verdict(value, goal, digits=2):
    return "met" if round(value, digits) <= goal else "**missed**"


def table(columns, rows):
    """Columns with a colon at their end are numbers."""
    lines = ["| " + " | ".join(column.rstrip(":") for column in columns) + " |"]
    lines.append("|" + "|".join("--:" if column.endswith(":") else "---" for column in columns) + "|")
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def speed(workloads):
    rows = []
    for (name, _), runs in workloads.items():
        row = [name, f"{1000 * runs.median('c', 'cpu_seconds'):.1f}"]
        row.append(ratio(runs.ratios("grdb")) if runs.all("grdb") else "–")
        ours = runs.ratios("coredata") if runs.all("coredata") else None
        if ours:
            counted = all(run["instructions"] for run in runs.all("coredata") + runs.all("c"))
            instructions = f"{statistics.median(runs.ratios('coredata', 'instructions')):.2f}" if counted else "–"
            row += [ratio(ours), f"{GOALS[name]}", verdict(statistics.median(ours), GOALS[name]), instructions]
        else:
            row += ["–"] * 4
        row.append(" / ".join(f"{runs.median(impl, 'peak_mb'):.0f}" if runs.all(impl) else "–" for impl in ("c", "grdb", "coredata")))
        rows.append(row)
    columns = ["workload", "C, ms:", "GRDB ÷ C:", "CoreData ÷ C:", "goal:", "", "instructions ÷ C:", "peak MB, C / GRDB / CoreData:"]
    return table(columns, rows)


def absolute(parts):
    """The goals that are no ratios."""
    rows = []
    for (name, _), runs in parts["speed"].items():
        if name in PEAK_GOALS and runs.all("coredata"):
            peak = runs.median("coredata", "peak_mb")
            rows.append([f"{name}: peak memory", f"{peak:.0f} MB", f"{PEAK_GOALS[name]} MB", verdict(peak, PEAK_GOALS[name], 0)])
    for runs in parts["open"].values():
        spent = {impl: 1000 * runs.median(impl, "cpu_seconds") for impl in runs.rounds}
        clock = 1000 * runs.median("coredata", "seconds")
        others = ", ".join(f"{title} {spent[impl]:.1f}" for impl, title in (("c", "C"), ("grdb", "GRDB")) if impl in spent)
        rows.append([
            f"opening a store of 20 entities to its first object, in a new process ({others} ms)",
            f"{spent['coredata']:.1f} ms ({clock:.1f} by the clock)", f"{OPENING_GOAL} ms",
            verdict(spent["coredata"], OPENING_GOAL, 1)])
    titles = {"results-change": "object by object", "results-change-snapshot": "as a snapshot"}
    for name, title in titles.items():
        if runs := parts["alone"].get((name, 100_000)):
            spent = runs.per_object("coredata") / 1000
            rows.append([
                f"a change of one of 100,000 objects in 500 sections told by a results controller, {title}",
                f"{spent:.3f} ms", f"{CHANGE_GOAL} ms", verdict(spent, CHANGE_GOAL, 3)])
    titles = {"walk": "an array fetched with a batch size", "walk-lazy": "the lazy collection"}
    for (name, _), runs in parts["walk"].items():
        peak = runs.median("coredata", "peak_mb")
        rows.append([
            f"1,000,000 objects walked by {titles[name]}: peak memory", f"{peak:.0f} MB", f"{WALK_GOAL} MB", verdict(peak, WALK_GOAL, 0)])
    return table(["", "CoreData:", "goal:", ""], rows) if rows else ""


def growth(workloads):
    sizes = sorted({players for _, players in workloads})
    rows = []
    for name in dict.fromkeys(name for name, _ in workloads):
        row = [name]
        for size in sizes:
            runs = workloads[name, size]
            row.append(f"{runs.per_object('c'):.2f} / {runs.per_object('coredata'):.2f}")
        few, many = workloads[name, GROWTH_FROM], workloads[name, GROWTH_TO]
        grown = {impl: many.per_object(impl) / few.per_object(impl) for impl in ("c", "coredata")}
        relative = [late / early for late, early in zip(many.ratios("coredata"), few.ratios("coredata"))]
        row += [f"× {grown['c']:.2f}", f"× {grown['coredata']:.2f}", ratio(relative), verdict(statistics.median(relative), GROWTH_GOAL)]
        rows.append(row)
    columns = ["workload"] + [f"{size:,}:" for size in sizes]
    return table(columns + ["C grows:", "CoreData grows:", f"CoreData ÷ C (goal {GROWTH_GOAL}):", ""], rows)


def reads(workloads):
    titles = {"read-scalar": "a scalar", "read-string-9": "a string of 9 bytes", "read-string-40": "one of 40 bytes"}
    least = {
        name: 1e9 * min(run["cpu_seconds"] / run["n"] for run in runs.all("coredata"))
        for (name, _), runs in workloads.items() if name in titles
    }
    return ", ".join(f"{titles[name]} {value:.1f} ns" for name, value in least.items()) + "."


def members(workloads):
    """What members cost that are known: a read, a change."""
    rows = []
    for (name, _), runs in workloads.items():
        if name.startswith("members-"):
            spent = 1000 * runs.per_object("coredata")
            rows.append([name, f"{spent:,.0f} ns"])
    return table(["of 20,000 members", "CoreData:"], rows)


def report(parts, machine):
    sections = [machine]
    if parts["speed"]:
        sections += ["## Speed", speed(parts["speed"])]
    if facts := absolute(parts):
        sections += ["## Other goals", facts]
    if parts["growth"]:
        sections += [
            "## Growth",
            "Microseconds an object, C / CoreData, for so many objects in the store; then how much more an object costs among "
            f"{GROWTH_TO:,}\nthan among {GROWTH_FROM:,}.", growth(parts["growth"])]
    if any(name.startswith("read-") for name, _ in parts["alone"]):
        sections += [
            "## Reading a property",
            "Of an object whose row is at hand, by the accessor of a generated class, least of all runs: " + reads(parts["alone"])]
    if any(name.startswith("members-") for name, _ in parts["alone"]):
        sections += ["## Members that are known", "Each read, or each change.", members(parts["alone"])]
    return "\n\n".join(sections)


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = report(read(sys.argv[1]), file.read().strip())
    if len(sys.argv) < 4:
        return print(text)
    with open(sys.argv[3], encoding="utf-8") as file:
        document = file.read()
    before, after = document.split(BEGIN)[0], document.split(END)[1]
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


main()
