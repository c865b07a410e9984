#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# scripts/channel-flow.sh: a flow in pieces is the flow in one; what is done is not done again.
# shellcheck disable=SC2317 # functions are called by name
# shellcheck source=../cli_lib.sh
. "$(dirname "$0")/../cli_lib.sh"

script=$root/scripts/channel-flow.sh
flow() { # FOLDER
  "$script" -o "$work/$1" -p "$program" -n 50 0.06 0.002 0.001 >"$work/out" 2>&1
}
check "a flow in one piece" flow whole
check "leaves no half-written record" test ! -e "$work/whole/ncp-20.json.part"

# As it is left when the machine goes down behind a checkpoint: states, and no record.
mkdir "$work/pieces"
cp "$work/whole/developed.state" "$work/whole/develop.json" "$work/pieces"
check "it begins from the developed state" flow pieces
rm "$work/pieces/ncp-20.json"
check "it goes on from its checkpoint" flow pieces
check "to the same record" eval "\"$program\" compare $work/whole/ncp-20.json $work/pieces/ncp-20.json --tol 0 >$work/out"
touch -d '2001-01-01' "$work/pieces/ncp-20.json"
check "and not again" flow pieces
check "what is there stays" test ! "$work/pieces/ncp-20.json" -nt "$work/pieces/develop.json"
"$script" -x >"$work/out" 2>&1
check "words that are none are refused" test $? = 2
summary
