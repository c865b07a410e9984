#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sketches of all cases and scenes: each is XML, small, and has a mark of a body within the box and its
# scale within it. A sphere on a floor is measured with the picture's own scale. Films of runs: those of the
# cases, and the loads of a table at rest by the picture's own scale.
. "$(dirname "$0")/../cli_lib.sh"

cd "$root" || exit 1
mapfile -t names < <("$program" list cases --json | python3 -c '
import json, sys
print("\n".join(entry["name"] for entry in json.load(sys.stdin)["cases"]))')
check "there are cases" test "${#names[@]}" -gt 20
scenes=(cases/scenes/*.json cases/scenes/closed/*.json)
for entry in "${names[@]}" "${scenes[@]}"; do
  [[ $entry != */schema.json ]] || continue
  "$program" describe "$entry" --svg >"$work/$(basename "$entry" .json).svg" || bad "sketch of $entry" "failed"
done

for entry in "${names[@]}"; do
  check "cases/$entry/sketch.svg is as the program draws it" cmp "cases/$entry/sketch.svg" "$work/$entry.svg"
done

cat >"$work/judge.py" <<'END'
import re, sys, xml.etree.ElementTree as tree
wrong = 0
for path in sys.argv[1:]:
    text = open(path).read()
    root = tree.fromstring(text)
    _, _, width, height = map(float, root.get("viewBox").split())
    spots = []
    for element in root.iter():
        kind, style = element.tag.split("}")[1], element.get("class")
        if style == "b" and kind == "circle":
            spots.append((float(element.get("cx")), float(element.get("cy"))))
        elif style == "b" and kind == "path":
            spots += [tuple(map(float, pair.split())) for pair in re.findall(r"[-\d.]+ [-\d.]+", element.get("d"))]
        elif kind == "text":
            x, y, letters = float(element.get("x")), float(element.get("y")), len(element.text)
            if x < 0 or x + 7 * letters > width or not 11 <= y <= height:
                print(path, "label outside of the box")
                wrong = 1
    if not spots or any(not (0 <= x <= width and 0 <= y <= height) for x, y in spots):
        print(path, "bodies outside of the box, or none")
        wrong = 1
    if len(text) > 15000:
        print(path, "is of", len(text), "bytes")
        wrong = 1
sys.exit(wrong)
END
check "sketches are XML, small, within the box" python3 "$work/judge.py" "$work"/*.svg

cat >"$work/measure.py" <<'END'
import re, sys
text = open(sys.argv[1]).read()
cy, r = map(float, re.search(r'class="b" cx="[\d.]+" cy="([\d.]+)" r="([\d.]+)"', text).groups())
ground = float(re.search(r'class="g" d="M[-\d.]+ ([\d.]+)L', text).group(1))
bar = float(re.search(r'class="s" d="M8 \d+V\d+H([\d.]+)', text).group(1)) - 8
metres = float(re.search(r">([\d.]+) m</text>", text).group(1))
radius = r / bar * metres
print("radius", radius, "m, centre", (ground - cy) / bar * metres, "m above the floor")
sys.exit(abs(radius - 0.1) > 0.003 or abs(ground - cy - r) > 0.2)
END
sed 's/"radius": *[0-9.]*/"radius": 0.1/; s/"position": *\[[^]]*\]/"position": [0, 0, 0.1]/' \
  cases/scenes/rolling-sphere.json >"$work/ball.json"
"$program" describe "$work/ball.json" --svg >"$work/ball.svg"
check "a sphere is drawn to scale, on its floor" python3 "$work/measure.py" "$work/ball.svg"
expect 2 "unknown case 'nowhere'" describe nowhere --svg

cat >"$work/film.py" <<'END'
import math, re, sys, xml.etree.ElementTree as tree
space = "{http://www.w3.org/2000/svg}"
def film(path):
    text = open(path).read()
    root = tree.fromstring(text)
    frames = root.findall(space + "svg")
    times = [float(t.text.split()[0]) for t in root.findall(space + "text") if t.get("class") == "t"]
    assert len(text) < 60000, (path, "is of", len(text), "bytes")
    assert len(times) == len(frames) and times == sorted(set(times)), (path, times)
    for a, b in zip(frames, frames[1:]):
        assert float(a.get("x")) + float(a.get("width")) <= float(b.get("x")), (path, "frames overlap")
    return root, frames, times
def newtons(root):
    paths = root.findall(space + "path")
    start, end = map(float, re.match(r"M([\d.]+) .*H([\d.]+)V", paths[-1].get("d")).groups())
    return float(re.match(r"([\d.]+) N$", root.findall(space + "text")[-1].text).group(1)) / (end - start)
def forces(frame):
    return [tuple(map(float, f)) for path in frame.findall(space + "path") if path.get("class") == "f"
            for f in re.findall(r"l([-\d.]+) ([-\d.]+)", path.get("d"))]
if sys.argv[1] == "table":
    root, frames, times = film(sys.argv[2])
    assert times == [0, 0.025, 0.05, 0.075, 0.1], times
    loads = [sum(-f[1] for f in forces(frame)) * newtons(root) for frame in frames]
    print("loads", loads, "N")
    assert loads[0] == 0 and all(len(forces(frame)) == 4 for frame in frames[1:])
    assert all(abs(load / 98.1 - 1) < 0.02 for load in loads[1:])
elif sys.argv[1] == "sliding":  # to the right
    root, frames, times = film(sys.argv[2])
    for frame in frames[1:]:
        lines = [tuple(map(float, line)) for path in frame.findall(space + "path") if path.get("class") == "f"
                 for line in re.findall(r"M([-\d.]+) [-\d.]+l([-\d.]+) ([-\d.]+)", path.get("d"))]
        loads = [-f[2] for f in sorted(lines)]
        assert len(loads) == 4 and sum(loads[2:]) > 1.2 * sum(loads[:2]) and all(f[1] < 0 for f in lines), lines
else:
    for path in sys.argv[2:]:
        root, frames, times = film(path)
        assert len(frames) == 6 and any(forces(frame) for frame in frames) and newtons(root) > 0, path
END
check "films of cases: six frames with times, small, with forces" python3 "$work/film.py" films cases/*/film.svg
expect 0 "" run table -f ncp --set v0=0 --t-end 0.1 --film "$work/table.film:5"
expect 0 "" run table -f ncp --set angle=0.5 --t-end 0.1 --film "$work/sliding.film"
check "a table that slides loads the legs ahead" python3 "$work/film.py" sliding "$work/sliding.film"
check "loads of a table at rest are its weight" python3 "$work/film.py" table "$work/table.film"
expect 0 "" run table -f penalty --set v0=0 --t-end 0.01 --film "$work/penalty.film"
check "forces that are not told are not drawn" grep -q "forces of contacts are not told" "$work/penalty.film"
expect 0 "" run woodpecker -f moreau --t-end 0.02 --film "$work/woodpecker.film:2"
check "a model in coordinates of its own is drawn by its sketch" grep -c '<svg x=' "$work/woodpecker.film"
expect 0 "" run cases/scenes/rolling-sphere.json -f ncp --t-end 1e-3 --dt 1e-3 --film "$work/short.film"
check "one step has two frames" test "$(grep -c '<svg x=' "$work/short.film")" -eq 2
expect 2 "falling-particle is a model in coordinates of its own" run falling-particle -f ncp --film "$work/no.film"
expect 2 "bodies of channel-flow come and go" run channel-flow -f ncp --t-end 1e-3 --film "$work/no.film"
for words in "" ":6" "a:1" "a:13" "a:2.5" "a:b" "a:"; do
  expect 2 "want FILE or FILE:N, N frames, 2 to 12" run table -f ncp --film "$words"
done
expect 2 "nor pictures are kept" run table -f ncp --repeat 2 --film "$work/no.film"
expect 2 "no/such: cannot write" run table -f ncp --film "$work/no/such"
check "what is refused leaves no film" test ! -e "$work/no.film"
summary
