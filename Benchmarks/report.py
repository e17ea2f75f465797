"""Prints a table of medians and of ratios to the C program, which are taken within each round."""
import json
import statistics
import sys

runs = {}
for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    runs.setdefault(row["workload"], {}).setdefault(row["impl"], {}).setdefault(row["round"], []).append(row)


def median(rows, key):
    return statistics.median(row[key] for row in rows)


print("| workload | n | C seconds | CoreData seconds | CPU ratio | least–greatest | peak MB (C) |")
print("|---|--:|--:|--:|--:|--:|--:|")
for workload, impls in runs.items():
    ours, theirs = impls["coredata"], impls["c"]
    ratios = [median(ours[r], "cpu_seconds") / median(theirs[r], "cpu_seconds") for r in ours]
    everything, c = sum(ours.values(), []), sum(theirs.values(), [])
    print(
        f"| {workload} | {everything[0]['n']} | {median(c, 'seconds'):.4f} | {median(everything, 'seconds'):.4f} | "
        f"{statistics.median(ratios):.2f} | {min(ratios):.2f}–{max(ratios):.2f} | "
        f"{median(everything, 'peak_rss_mb'):.0f} ({median(c, 'peak_rss_mb'):.0f}) |")
    checks = {row["check"] for row in everything} | {row["check"] for row in c}
    if workload in ("insert", "insert-small-saves", "fetch-all", "fetch-all-one-attribute") and len(checks) != 1:
        sys.exit(f"{workload}: the programs disagree on the check sum: {checks}")
