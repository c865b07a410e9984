#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shares of the variance from the table of entries that the study `what-is-measured` writes, by
# their definition and without the program: parts of y by inclusion and exclusion of conditional
# means, then the components of Cornfield and Tukey for the random factors, scene and member.
#
# Usage: shares.py ENTRIES.csv [SHARES.csv]
#
# Prints the shares of all families, without each one in turn, and of either half of the scenes.
# With SHARES.csv, the program's own: exit status 1 where a share differs by more than 1e-6.
import csv
import itertools
import sys

FIXED = ["law", "scheme", "tolerance", "step"]
FACTORS = FIXED + ["scene", "member"]
SCENE, MEMBER = 4, 5


def read(path):
    """Rows of levels (scene and member last), y, and the family of each scene."""
    rows, family, members = [], {}, {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            cell = tuple(row[name] for name in FIXED + ["scene"])
            members[cell] = members.get(cell, -1) + 1
            family[row["scene"]] = row["family"]
            rows.append((cell + (members[cell],), float(row["log10_error_less_mean_of_scene"])))
    return rows, family


def components(rows):
    """Components V_u of the variance, by the set u of factors (a tuple of places)."""
    sets = [u for n in range(7) for u in itertools.combinations(range(6), n)]
    count = [len({levels[i] for levels, _ in rows}) for i in range(6)]
    assert len(rows) == count[0] * count[1] * count[2] * count[3] * count[4] * count[5], "a gap"
    mean = {}
    for u in sets:
        total = {}
        for levels, y in rows:
            key = tuple(levels[i] for i in u)
            total[key] = total.get(key, 0.0) + y
        size = 1
        for i in range(6):
            size *= 1 if i in u else count[i]
        mean[u] = {key: value / size for key, value in total.items()}
    square = {}
    part = {}
    for u in sets:  # smaller sets first
        part[u] = {}
        for key, value in mean[u].items():
            at = dict(zip(u, key))
            for n in range(len(u)):
                for w in itertools.combinations(u, n):
                    value -= part[w][tuple(at[i] for i in w)]
            part[u][key] = value
        square[u] = sum(x * x for x in part[u].values()) / len(part[u])
    for j in (SCENE, MEMBER):
        n = count[j]
        if n < 2:
            continue
        for u in sets:
            if j not in u:
                both = tuple(sorted(u + (j,)))
                square[u] -= square[both] / (n - 1)
                square[both] *= n / (n - 1)
    del square[()]
    nested = {}
    for u, v in square.items():  # a member is one of its scene
        u = tuple(i for i in u if not (i == SCENE and MEMBER in u))
        nested[u] = nested.get(u, 0.0) + v
    return nested


def shares(rows):
    """By the name of a factor or pair: its first-order share, and the total one of a factor."""
    v = components(rows)
    whole = sum(v.values())
    found = {}
    for i, name in enumerate(FACTORS):
        found[name] = (v[(i,)] / whole, sum(x for u, x in v.items() if i in u) / whole)
    for u in itertools.combinations(range(6), 2):
        found[" x ".join(FACTORS[i] for i in u)] = (v.get(u, 0.0) / whole, None)
    return found


def show(name, found):
    print(
        f"{name:24}"
        + "".join(f"  {100 * found[k][0]:5.1f} {100 * found[k][1]:5.1f}" for k in FIXED)
        + f"  {100 * found['law x scene'][0]:5.1f}  {100 * found['scheme x scene'][0]:5.1f}"
    )


def compare(found, path):
    worst = 0.0
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["factor"] == "higher":
                continue
            first, total = found[row["factor"]]
            worst = max(worst, abs(first - float(row["first"])))
            if total is not None and row["total"] != "":
                worst = max(worst, abs(total - float(row["total"])))
    print(f"largest difference from {path}: {worst:.2g}")
    return worst <= 1e-6


def main():
    rows, family = read(sys.argv[1])
    found = shares(rows)
    print("% of the variance       " + "".join(f"  {k[:11]:>11}" for k in FIXED) + "  law x  scheme x scene")
    show("all", found)
    if len(sys.argv) > 2:
        return 0 if compare(found, sys.argv[2]) else 1
    for name in sorted(set(family.values())):
        rest = [r for r in rows if family[r[0][SCENE]] != name]
        if rest:
            show("without " + name, shares(rest))
    scenes = sorted(family, key=int)
    for half in (0, 1):
        kept = set(scenes[half::2])
        show("half of the scenes", shares([r for r in rows if r[0][SCENE] in kept]))
    return 0


sys.exit(main())
