#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shares of the variance from the table of entries that the study `what-is-measured` writes, by
# their definition and without the program: parts of y by inclusion and exclusion of conditional
# means, then the components of Cornfield and Tukey for the random factors, scene and member.
#
# Usage: shares.py ENTRIES.csv [SHARES.csv [OVER_FAMILIES.csv]]
#        shares.py ENTRIES.csv --groups GROUPS.csv
#
# Prints total shares of all families, without each one in turn, and of either half of the scenes, as
# CSV. Scenes without friction are left out.
# With GROUPS.csv: exit status 1 where a share of the scenes with one kind of friction, of the error over
# the length, differs by more than 1e-6.
# With SHARES.csv, the program's own: exit status 1 where a share differs by more than 1e-6. Where
# numpy is installed, intervals too, by bootstrap over the scenes, and with OVER_FAMILIES.csv over the
# families, with random numbers of its own.
import csv
import itertools
import math
import statistics
import sys

try:
    import numpy
except ImportError:
    numpy = None

FIXED = ["law", "scheme", "tolerance", "step"]
FACTORS = FIXED + ["scene", "member"]
SCENE, MEMBER = 4, 5


def read(path, wanted, column="log10_error_less_mean_of_scene"):
    """Rows of levels (scene and member last), y, and the family of each scene, of wanted frictions."""
    rows, family, members = [], {}, {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["friction"] not in wanted:
                continue
            cell = tuple(row[name] for name in FIXED + ["scene"])
            members[cell] = members.get(cell, -1) + 1
            family[row["scene"]] = row["family"]
            rows.append((cell + (members[cell],), float(row[column])))
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


# ---- intervals ----


def within_scenes(rows):
    """Of each set of fixed factors and the member, the mean products of the scenes' parts (n x n)."""
    names = [sorted({levels[i] for levels, _ in rows}) for i in range(6)]
    names[SCENE] = sorted(names[SCENE], key=int)
    y = numpy.full([len(n) for n in names], math.nan)
    for levels, value in rows:
        y[tuple(names[i].index(levels[i]) for i in range(6))] = value
    y = numpy.moveaxis(y, SCENE, 0)  # scene, law, scheme, tolerance, step, member
    inner = [0, 1, 2, 3, 5]
    mean, part, products = {}, {}, {}
    for u in (u for n in range(6) for u in itertools.combinations(inner, n)):
        out = tuple(1 + k for k, i in enumerate(inner) if i not in u)
        mean[u] = y.mean(axis=out, keepdims=True) if out else y
        part[u] = mean[u] - sum(part[w] for w in part if set(w) < set(u))
        flat = part[u].reshape(len(y), -1)
        products[u] = flat @ flat.T / flat.shape[1]
    return products, names[SCENE], len(names[MEMBER])


def drawn_shares(products, members, draw):
    """Shares by name, of scenes that may be drawn several times."""
    n = len(draw)
    count = numpy.bincount(draw, minlength=len(next(iter(products.values()))))
    pairs = numpy.outer(count, count) - numpy.diag(count * count)  # of two different scenes
    square = {}
    for u, g in products.items():
        square[u] = (pairs * g).sum() / pairs.sum()  # what is common to scenes
        square[tuple(sorted(u + (SCENE,)))] = count @ numpy.diag(g) / n - square[u]
    for u in [u for u in square if MEMBER not in u and members > 1]:
        both = tuple(sorted(u + (MEMBER,)))
        square[u] -= square[both] / (members - 1)
        square[both] *= members / (members - 1)
    del square[()]
    v = {}
    for u, x in square.items():
        u = tuple(i for i in u if not (i == SCENE and MEMBER in u))
        v[u] = v.get(u, 0.0) + x
    whole = sum(v.values())
    total = {FACTORS[i]: sum(x for u, x in v.items() if i in u) / whole for i in range(6)}
    first = {FACTORS[i]: v[(i,)] / whole for i in range(6)}
    for u in itertools.combinations(range(6), 2):
        first[" x ".join(FACTORS[i] for i in u)] = v.get(u, 0.0) / whole
    return first, total


def student(p, n):
    """The quantile p > 1/2 of Student's t of n degrees of freedom, by bisection of its integral."""
    scale = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(n * math.pi)
    lo, hi = 0.0, 100.0
    for _ in range(60):
        t = (lo + hi) / 2
        x = numpy.linspace(0, t, 2001)
        f = scale * (1 + x * x / n) ** (-(n + 1) / 2)
        area = (f[0] + f[-1] + 4 * f[1:-1:2].sum() + 2 * f[2:-1:2].sum()) * t / 6000
        lo, hi = (t, hi) if 0.5 + area < p else (lo, t)
    return lo


def places(value, replicates, left_out):
    """Which quantiles of the replicates are the ends of Efron's bias-corrected and accelerated
    interval, with Student's quantile."""
    normal = statistics.NormalDist()
    n = len(left_out)
    z0 = normal.inv_cdf(min(max(numpy.mean(replicates < value), 1e-4), 1 - 1e-4))
    d = numpy.mean(left_out) - left_out
    a = (d**3).sum() / (6 * (d**2).sum() ** 1.5) if (d**2).sum() > 0 else 0.0
    z = math.sqrt(n / (n - 1)) * student(0.975, n - 1)
    return [normal.cdf(z0 + (z0 + x) / (1 - a * (z0 + x))) for x in (-z, z)]


def off(end, place, replicates):
    """By how much of the replicates an end is off the quantile that it is to be."""
    fuzz = 1e-9 * numpy.ptp(replicates)
    lo, hi = numpy.mean(replicates < end - fuzz), numpy.mean(replicates <= end + fuzz)
    return max(lo - place, place - hi, 0.0)


def check_intervals(rows, group, path, error):
    """Are the program's ends the quantiles that they are to be? group: what a scene is drawn with.
    The place of an end is known to some 0.007 from 1000 replicates."""
    products, scenes, members = within_scenes(rows)
    groups = sorted(set(group.values()))
    of = [[k for k, s in enumerate(scenes) if group[s] == g] for g in groups]
    if len(of) < 6:
        return True
    numpy.seterr(invalid="ignore")  # of one scene alone, drawn each time: no share
    rng = numpy.random.default_rng(1)
    everyone = list(range(len(scenes)))
    value = drawn_shares(products, members, everyone)
    drawn = [
        drawn_shares(products, members, sum((of[k] for k in rng.integers(0, len(of), len(of))), []))
        for _ in range(1000)
    ]
    left = [drawn_shares(products, members, [k for k in everyone if k not in out]) for out in of]
    found = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["factor"] == "higher" or row.get("error", error) != error:
                continue
            name = row["factor"]
            for kind, which in enumerate(("first", "total")):
                if row[which] == "":
                    continue
                replicates = numpy.array([x[kind][name] for x in drawn])
                replicates = replicates[~numpy.isnan(replicates)]
                out = numpy.array([x[kind][name] for x in left])
                for end, place in zip(("_lo", "_hi"), places(value[kind][name], replicates, out)):
                    found.append(off(float(row[which + end]), place, replicates))
    print(
        f"{len(found)} ends of {path} are off their quantiles by {numpy.mean(found):.2g} in the mean,"
        f" {max(found):.2g} at most"
    )
    return len(found) > 0 and numpy.mean(found) <= 0.008 and max(found) <= 0.03


def show(name, found):
    print(",".join([name] + [f"{found[k][1]:.4f}" for k in FIXED]))


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


def compare_groups(entries, path):
    worst, groups = 0.0, set()
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for friction in {row["friction"] for row in rows}:
        found = shares(read(entries, (friction,), "over_length")[0])
        for row in (row for row in rows if row["friction"] == friction):
            first, total = found[row["factor"]]
            worst = max(worst, abs(first - float(row["first"])), abs(total - float(row["total"])))
            groups.add(friction)
    print(f"largest difference from {path}: {worst:.2g}, groups: {' '.join(sorted(groups))}")
    return len(groups) > 0 and worst <= 1e-6


def main():
    if len(sys.argv) > 3 and sys.argv[2] == "--groups":
        return 0 if compare_groups(sys.argv[1], sys.argv[3]) else 1
    rows, family = read(sys.argv[1], ("uncoupled", "coupled"))
    found = shares(rows)
    if len(sys.argv) > 2:
        good = compare(found, sys.argv[2])
        if numpy is not None:
            good &= check_intervals(rows, {s: s for s in family}, sys.argv[2], "")
        if numpy is not None and len(sys.argv) > 3:
            good &= check_intervals(rows, family, sys.argv[3], "mass_norm")
        return 0 if good else 1
    print(",".join(["scenes"] + FIXED))
    show("all", found)
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
