#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sketches of all cases and scenes: each is XML, small, and has a mark of a body within the box and its
# scale within it. A sphere on a floor is measured with the picture's own scale.
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
summary
