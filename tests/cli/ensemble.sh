#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ensembles and swept keys of suites: which cells there are, what --resume keeps, what is refused;
# the command of a record makes the same record.
# shellcheck disable=SC2016 # the words in single quotes are for awk
# shellcheck disable=SC2317 # functions are called by name
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

suite() { # keys of the cell
  cat >"$work/sweep.json" <<END
{"schema": "coulombench.suite/1", "name": "sweep", "time_limit": 60, "figures": "none",
 "cells": [{"case": "thrown-ball", "formulations": ["impulse"], "dt": [4e-3, 2e-3]$1}]}
END
}
suite ', "opt": {"law": ["ncp", "ccp"], "scheme": "gap"}, "set": {"mu": [0.1, 0.3, 0.5]}, "solver": ["pgs", "relaxation"]'
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/many"
check "every value with every other" test "$(find "$work/many" -maxdepth 1 -name '*--*.json' | wc -l)" = 24
check "named by key and value" test -f "$work/many/thrown-ball--impulse--pgs--mu-0.3--law-ccp--dt0.002.json"
suite ', "opt": {"law": ["ncp", "ccp"]}, "ensemble": {"phase": 3, "rotation": 2, "start": 1e-9}'
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/all"
expect 0 "" check "$work/all/thrown-ball--impulse--law-ncp--dt0.004.json"
expect 0 "" bench "$work/sweep.json" -j 2 --resume -o "$work/all"
check "--resume keeps ensembles" grep -q "(4 kept)" "$work/err"
expect 0 "" run thrown-ball -f impulse --opt law=ncp --dt 4e-3 --ensemble phase=3,rotation=2,start=1e-9 \
  --time-limit 60 -o "$work/all/again.json"
expect 0 "" compare "$work/all/thrown-ball--impulse--law-ncp--dt0.004.json" "$work/all/again.json" --tol 0

# --- what a group expects is expected of all that it sweeps, not of each value ---
suite ', "opt": {"law": "ccp", "max_iter": [10000, 1]}, "solver": "pgs", "expect": ["ok", "unconverged"]'
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/expected"
suite ', "opt": {"law": "ccp", "tol": [1e-8, 1e-9]}, "expect": ["ok", "unconverged"]'
expect 1 "cells of 'thrown-ball': expects 'unconverged', which none of its 4 cells ended in" bench "$work/sweep.json" -j 2 -o "$work/none"

# --- the study made of them: shares add up, the law's own error is found to be the law's ---
suite ', "set": {"mu": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, "opt": {"law": ["ncp", "ccp"], "scheme": ["gap", "velocity"], "tol": [1e-4, 1e-8]}, "ensemble": {"phase": 4}'
sed -i 's/"figures": "none"/&, "studies": ["what-is-measured"]/' "$work/sweep.json"
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/study"
expect 0 "" report "$work/study" --suite "$work/sweep.json"
shares=$work/study/report/what-is-measured.csv
check "the figure is drawn" test -s "$work/study/figures/study-what-is-measured.svg"
check "of all cells" awk -F, 'NR > 1 && $12 > 0 { if (!n++) all = left = 1; left *= $12; all *= $13 } END { exit !(n == 6 && left == 384 && all == 384) }' "$shares"
check "of which laws" grep -q '^law,.*,"ccp ncp"$' "$shares"
check "shares add up to 1" awk -F, '!/^factor/ { sum += $2 } END { exit !(sum > 0.998 && sum < 1.002) }' "$shares"
check "halves of the members beside all of them" awk -F, '$1 == "law" { exit !($8 > $3 && $8 < $4 && $9 > $3 && $9 < $4) }' "$shares"
check "and the caption says how far they are" grep -Eq 'With half of the 4 members no share moves by more than [0-9.]+ of its interval' \
  "$work/study/report/index.html"
check "between the laws, here, most of it" awk -F, '$1 == "law" { exit !($5 > 0.5) }' "$shares"
check "ncp is the better law" awk -F, '$1 == "ccp" { exit !($2 > 0.3 && $3 > 0) }' \
  "$work/study/report/what-is-measured-laws.csv"

# --- softness, a factor of the combinations that vary it; what is said of rigid contacts stays, to the byte ---
suite ', "set": {"mu": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, "opt": {"law": ["ncp", "ccp"], "scheme": ["gap", "velocity"], "softness": ["sap", "mujoco"], "tol": 1e-8}, "ensemble": {"phase": 4}'
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/soft"
cp "$work"/study/thrown-ball--*.json "$work/soft"
sed 's/"studies": \["what-is-measured"\]/"studies": ["what-is-measured", "softness"]/' "$work/study/suite.json" >"$work/soft/suite.json"
expect 0 "" report "$work/soft"
soft=$work/soft/report/softness.csv
check "softness has a row" grep -q '^softness,.*,3,3,"mujoco sap rigid"$' "$soft"
check "and one with law and with scheme" test "$(grep -cE '^"(law|scheme) x softness",' "$soft")" = 2
check "of all cells that vary it" awk -F, '$9 > 0 { if (!n++) all = left = 1; left *= $8; all *= $9 } END { exit !(n == 6 && left == 576 && all == 576) }' <(tail -n +2 "$soft")
check "their shares add up to 1" awk -F, '!/^factor/ { sum += $2 } END { exit !(sum > 0.998 && sum < 1.002) }' "$soft"
check "soft contacts of some kind hide what the relaxation costs" awk -F, '/^"law x softness"/ { exit !($2 > 0.1) }' "$soft"
for table in "$work"/study/report/what-is-measured*.csv; do
  check "$(basename "$table") is of rigid contacts" cmp -s "$table" "$work/soft/report/$(basename "$table")"
done
check "the caption says which contacts" grep -q 'contacts of each kind, mujoco sap rigid, in 6 scenes' "$work/soft/report/index.html"

# --- scenes too few for intervals: shares without them, and the caption says so ---
mkdir "$work/few"
cp "$work"/study/*mu-0.[12]--*.json "$work/few"
expect 0 "" report "$work/few" --suite "$work/study/suite.json"
check "two scenes are drawn" grep -q '^what-is-measured ok ' "$work/out"
check "and said to be too few" grep -q 'Scenes here: 2; below 6 there are no intervals' "$work/few/report/index.html"

# --- where the error is made: a fall by semi-implicit Euler is off before the impact, the midpoint rule at it ---
suite ', "set": {"mu": [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]}, "opt": {"law": ["ncp", "ccp"], "scheme": ["gap", "midpoint"], "tol": [1e-4, 1e-8]}, "ensemble": {"phase": 3}'
sed -i 's/"figures": "none"/&, "studies": ["what-is-measured"]/; s/thrown-ball/falling-particle/' "$work/sweep.json"
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/falls"
expect 0 "" report "$work/falls" --suite "$work/sweep.json"
sources() { # a condition on of["law,scheme,source"], shares of the largest error with intervals lo and hi
  awk -F, "NR > 1 { of[\$1 \",\" \$2 \",\" \$3] = \$5; lo[\$1 \",\" \$2 \",\" \$3] = \$6 } END { exit !($1) }" \
    "$work/falls/report/what-is-measured-sources.csv"
}
check "at gap level in flight" sources 'lo["ncp,gap,flight"] > 0.9 && of["ncp,gap,impact"] < 0.05'
check "by the midpoint rule at the impact" sources 'lo["ncp,midpoint,impact"] > 0.9 && of["ncp,midpoint,flight"] < 1e-6'
check "by the relaxation there too" sources 'of["ccp,gap,impact"] > 2 * of["ncp,gap,impact"]'

# --- n_dir as an axis: the error of facets does not fall with the step; cold starts: the same error for more work ---
suite ', "set": {"mu": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]}, "opt": {"law": "ncp", "scheme": "gap", "tol": 1e-8, "warm_start": ["yes", "no"]}, "ensemble": {"phase": 2, "rotation": 2}},
  {"case": "thrown-ball", "formulations": ["impulse"], "dt": [4e-3, 2e-3], "set": {"mu": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]}, "opt": {"law": "lcp", "n_dir": [4, 32], "scheme": "gap", "tol": 1e-8}, "ensemble": {"phase": 2, "rotation": 2}'
sed -i 's/"figures": "none"/&, "studies": ["what-is-measured"]/' "$work/sweep.json"
expect 0 "" bench "$work/sweep.json" -j 2 -o "$work/axes"
expect 0 "" report "$work/axes" --suite "$work/sweep.json"
axes() { # a condition on e["law,start,step"], errors, and w, work over that of ncp
  awk -F, "NR > 1 { k = \$1 \",\" \$2 \",\" \$3; if (\$4 == \"error\") e[k] = \$5; if (\$4 == \"work_over_ncp\") w[k] = \$5 }
    END { exit !($1) }" \
    "$work/axes/report/what-is-measured-axes.csv"
}
check "facets end on a plateau" axes 'e["lcp-4,warm,2"] > 0.9 * e["lcp-4,warm,1"] && e["lcp-32,warm,2"] < 0.2 * e["lcp-4,warm,2"]'
check "exact Coulomb does not" axes 'e["ncp,warm,2"] < 0.6 * e["ncp,warm,1"]'
check "cold starts cost work and change nothing" axes 'e["ncp,cold,2"] / e["ncp,warm,2"] - 1 < 1e-4 && e["ncp,warm,2"] / e["ncp,cold,2"] - 1 < 1e-4 && w["ncp,cold,2"] > 1.5 && w["ncp,warm,2"] == 1'

# --- one-step problems: law against solver against tolerance ---
group() { # tolerance
  echo "{\"problems\": \"tests/problems\", \"label\": \"own-$1\", \"laws\": [\"ncp\", \"ccp\"],
    \"solvers\": [\"pgs\", \"relaxation\"], \"time_limit\": 20, \"opt\": {\"tol\": $1}}"
}
cat >"$work/solves.json" <<END
{"schema": "coulombench.suite/1", "name": "solves", "figures": "none", "studies": ["what-is-measured"],
 "cells": [$(group 1e-4), $(group 1e-10)]}
END
expect 0 "" bench "$work/solves.json" -j 2 -o "$work/solves"
expect 0 "" report "$work/solves" --suite "$work/solves.json"
solves=$work/solves/report/what-is-measured-solves.csv
check "of both laws, solvers and tolerances" test "$(grep -c '^[lst][a-z]*,.*,2,2,".* .*"$' "$solves")" = 3
check "the law counts for more than the solver" awk -F, \
  '$1 == "law" { law = $3 } $1 == "solver" { solver = $4 } END { exit !(law > solver) }' "$solves"
check "shares of one-step problems add up to 1" awk -F, \
  '!/^factor/ { sum += $2 } END { exit !(sum > 0.998 && sum < 1.002) }' "$solves"

suite ', "opt": {"law": []}'
expect 2 "law: the list is empty" bench "$work/sweep.json" -o "$work/none"
suite ', "ensemble": {"phase": 1}'
expect 2 "from 2 to" bench "$work/sweep.json" -o "$work/none"
suite ', "ensemble": {"phases": 3}'
expect 2 "unknown key 'phases'" bench "$work/sweep.json" -o "$work/none"
suite ', "ensemble": 3'
expect 2 "must be an object" bench "$work/sweep.json" -o "$work/none"
expect 2 "a search is one of single runs" run thrown-ball -f ncp --ensemble phase=3 --search 1e-4,1e-3 -o "$work/x.json"
expect 2 "names no parameter that turns it" run falling-particle -f ncp --ensemble rotation=3 -o "$work/x.json"
expect 2 "they have no --opt beside it" run thrown-ball -f ncp --ensemble phase=3 --opt phase=0.5 -o "$work/x.json"
check "and nothing is written" test ! -e "$work/x.json"
summary
