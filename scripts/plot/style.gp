# SPDX-License-Identifier: GPL-3.0-or-later
#
# The look that all plots share. Loaded before a figure's own script, once for each output format;
# terminal and output are set by then. Defined by then (see src/bench/report/plot.c):
#
#   data           folder of the figure's tables: plot data.'/name.dat' using 1:2
#   id, title      of the figure (style.gp sets the title already)
#   formulations   names of all formulations, in the order of lists and legends
#   ls_moreau, ls_lcp_st, ls_consistent_twostep, ...   the line style of each formulation; what it
#                  looks like belongs to the formulation and is set after this file
#   all_solvers    the same of solvers, whose line styles follow on solver_styles
#
# Defined here: style("lcp-st"), the same by name; solver_style("ipm"); ls_reference, ls_limit, ls_mark for a
# reference solution, a bound and single points; axis("x", "m"); decades, the format of
# logarithmic axes. A formulation, and a solver, has the same colour, dashes and points in every plot.
# set_step_tics, to be evaluated: where steps from dt_min to dt_max span few decades, tics at 1, 2, 5.
# set_key_below, to be evaluated: a key at the foot of the page for the formulations in `present`, in
# three columns of small letters, with key_rows(n) rows for n names; key_cm(n): its height in cm.
#
# The size of a figure is 17 x 10.5 cm; a comment line in its script replaces it, in cm:
#   # size: 17 20
# Colours: Okabe and Ito's set, with wine, indigo and olive of Tol's where it has too few; all keep
# apart with red-green and blue-yellow deficiency, and dashes and points tell without colours too.

set encoding utf8
set format '%h' # the default, "% h", keeps room for a sign, and labels are off centre
set datafile missing 'NaN'
set title title noenhanced

set border 3 linecolor rgb '#404040' linewidth 1
set tics nomirror out scale 0.6 textcolor rgb '#202020'
set grid xtics ytics back linecolor rgb '#dddddd' linetype 1 linewidth 0.7
set key outside right top vertical Left reverse noenhanced samplen 2 spacing 1.15 nobox
set style increment default
set style fill solid 0.6 noborder
set pointintervalbox 0

ls_reference = 101
ls_limit = 102
ls_mark = 103
set style line 101 linecolor rgb '#707070' linewidth 1.5 dashtype 1
set style line 102 linecolor rgb '#707070' linewidth 1.2 dashtype (8,5)
set style line 103 linecolor rgb '#000000' linewidth 1.5 pointtype 7 pointsize 0.9

style(name) = sum [i = 1:words(formulations)] (word(formulations, i) eq name ? i : 0)
solver_style(name) = solver_styles + \
    sum [i = 1:words(all_solvers)] (word(all_solvers, i) eq name ? i : 0)
axis(quantity, unit) = quantity . ' [' . unit . ']'
decades = '10^{%T}'
set_key_below = "longest = 0; " . \
    "do for [name in present] { longest = strlen(name) > longest ? strlen(name) : longest }; " . \
    "set key at screen 0.5, screen 0.012 center bottom vertical Left reverse samplen 2; " . \
    "set key font ',9' maxcols 3 width (longest > 10 ? -0.26*(longest - 10) : 0)"
set_step_tics = "if (floor(log10(1.4*dt_max)) <= ceil(log10(dt_min/1.4))) { set xtics (); " . \
    "do for [e = floor(log10(dt_min)):ceil(log10(dt_max))] { do for [m in '1 2 5'] { " . \
    "set xtics add (sprintf('%s10^{%d}', m eq '1' ? '' : m.'·', e) m*10.0**e) } } }"
key_rows(n) = int(ceil(n/3.0))
key_cm(n) = 0.3 + 0.45*key_rows(n)
