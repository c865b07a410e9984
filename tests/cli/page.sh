#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The report page in a browser, as a reader uses it: sorts, filters, opens a cell, copies a command,
# follows links, sees no message on the console, wide and narrow, with script and without. A copy of
# the page with tests/page_test.js behind it says what it saw in its document, which is printed.
# shellcheck disable=SC2317 # functions are called by name
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)

for needed in chromium gnuplot; do
  if ! command -v $needed >/dev/null; then
    skip "the page in a browser" "$needed is not installed (make BROWSER=1 test T=page)"
    summary
  fi
done

cat >"$work/tiny.json" <<'S'
{ "schema": "coulombench.suite/1", "name": "tiny", "title": "A page to be read",
  "cells": [ { "case": "falling-particle", "formulations": ["moreau", "ncp", "lcp-st", "consistent-onestep", "event"], "dt": [1e-2, 3e-3, 1e-3] },
             { "case": "falling-particle", "formulations": ["ncp"], "solver": ["pgs", "prox"], "dt": 1e-2 },
             { "case": "falling-particle", "label": "far", "set": {"vx0": 3}, "formulations": ["moreau", "ncp"], "dt": [0.3, 1e-2, 1e-3] },
             { "case": "falling-particle", "label": "far", "set": {"vx0": 3}, "formulations": ["ccp"], "dt": 1e-3 },
             { "case": "falling-particle", "label": "far", "set": {"vx0": 3}, "formulations": ["ccp"], "solver": ["ipm"], "opt": {"max_iter": 2}, "dt": 1e-3, "ensemble": {"phase": 4}, "study": "overview", "expect": ["unconverged"] },
             { "case": "falling-particle", "label": "<img src=x onerror=alert(1)>", "set": {"vx0": 5}, "formulations": ["ncp"], "dt": 1e-2 },
             { "case": "oscillator", "formulations": ["moreau"], "dt": 1e-3, "t_end": 0.2, "expect": ["diverged"] },
             { "case": "tippe-top", "formulations": ["moreau", "moreau-theta"], "dt": 1e-3, "t_end": 0.02 },
             { "case": "free-top", "formulations": ["moreau", "consistent-onestep"], "set": {"body": "affine"}, "t_end": 0.1, "dt": 1e-2 } ],
  "studies": ["overview", "data-profile", "order", "energy"] }
S
expect 0 "" bench "$work/tiny.json" -j 2 -o "$work/tiny"
expect 0 "" report "$work/tiny" --suite "$work/tiny.json"
page=$work/tiny/report/index.html
check "the page is light" test "$(stat -c %s "$page")" -lt 1500000

# The test stands behind the page's own script, at its end.
sed '$d' "$page" | sed '$d' >"$work/tiny/report/tested.html"
{
  printf '<script>\n'
  cat "$tests/page_test.js"
  printf '</script></body></html>\n'
} >>"$work/tiny/report/tested.html"

browse() { # page [dark]: the document into $work/dom, messages into $work/console
  timeout -k 1 180 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --blink-settings=preferredColorScheme="$([ "${2:-}" = dark ] && echo 0 || echo 1)" --enable-logging=stderr --virtual-time-budget=4000 \
    --window-size=1400,1000 --dump-dom "file://$1" \
    >"$work/dom" 2>"$work/console"
}

# A window has 500 px at least: widths are those of a frame, to which the test reports.
frame() { # page, width, dark or light
  cat >"$work/frame.html" <<F
<!DOCTYPE html><html><body><pre id="test"></pre>
<script>addEventListener('message', function (e) { document.getElementById('test').textContent = e.data; });</script>
<iframe width="$2" height="900" style="border: 0" src="tiny/report/$1"></iframe></body></html>
F
  browse "$work/frame.html" "$3"
}

for look in 1280.light 1280.dark 768.light 768.dark 400.light 400.dark; do
  width=${look%.*} shade=${look#*.}
  check "$look: the browser ends well" frame tested.html "$width" "$shade"
  check "$look: the page is $shade" grep -q "^ok the page is $shade" <(sed 's/<[^>]*>//g' "$work/dom")
  check "$look: no message on the console: $(grep CONSOLE "$work/console" | head -n 1)" \
    sh -c "! grep -q CONSOLE '$work/console'"
  check "$look: the test ran to its end, in a frame of that width" grep -q "^end of the test at $width px" "$work/dom"
  while read -r verdict what; do
    check "$look: $what" test "$verdict" = ok
  done < <(sed 's/<[^>]*>//g' "$work/dom" | grep -E '^(ok|FAIL) ')
done

# The command that a reader copies runs as it stands, in the folder of the project.
command=$(sed 's/<[^>]*>//g; s/&quot;/"/g; s/&amp;/\&/g' "$work/dom" | sed -n 's/^command //p')
check "a command was copied: $command" test -n "$command"
check "it runs in a shell as it stands" sh -c "cd '$tests/..' && $command -o '$work/again.json'"
check "and gives the record again" test -s "$work/again.json"

# A browser that runs no script does not print its document: the same page without any, then.
sed '/^<script>/,/<\/script>$/d' "$page" >"$work/tiny/report/plain.html"
check "no script: the browser ends well" browse "$work/tiny/report/plain.html"
check "no script: the static table stands" grep -q '<td class="c[0-9]*[ a-z]*" data-of="[^"]*"><a href=' "$work/dom"
check "no script: no empty controls" grep -q 'id="controls" hidden' "$work/dom"
check "no script: no message" sh -c "! grep -q CONSOLE '$work/console'"

# Moved without its folder it says what is missing, and where it belongs.
mkdir "$work/alone"
cp "$page" "$work/alone/index.html"
check "moved alone: it opens" browse "$work/alone/index.html#studies-order"
check "moved alone: it says what is missing" grep -q 'was the page moved without its folder' "$work/dom"
check "moved alone: and where links lead" grep -q 'Links lead to records in <code>' "$work/dom"
summary
