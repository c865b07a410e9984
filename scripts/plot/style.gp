# SPDX-License-Identifier: GPL-3.0-or-later
#
# The look that all plots share. Loaded before a figure's own script, once for each output format;
# terminal and output are set by then. Defined by then (see src/bench/report/kit/plot.c):
#
#   data           folder of the figure's tables: plot data.'/name.dat' using 1:2
#   id, title      of the figure; page and caption have the title, a drawing does not show it again
#   formulations   names of all formulations, in the order of lists and legends
#   ls_moreau, ls_lcp_st, ls_consistent_twostep, ...   the line style of each formulation; what it
#                  looks like belongs to the formulation and is set after this file
#   form_colours   their colours, "c0072b2 ..."
#   all_solvers    the same of solvers, whose line styles follow on solver_styles
#   width_mm       in print, how wide the figure is to be; 0: it is for screens
#   narrow         in print, narrow: panels are stacked
#   page_wide, page_high, page_shown    its size [cm]; the part of the script's height that is left without title
#
# Defined here: style("lcp-st"), the same by name; solver_style("ipm"); ls_reference, ls_limit, ls_mark for a
# reference solution, a bound and single points; axis("x", "m"); decades, the format of
# logarithmic axes. A formulation, and a solver, has the same colour, dashes and points in every plot, and none
# of its colours is used for anything else: hue('violet') (hues) is one of those that none of them has, hue_of(i)
# that of the i-th of several curves.
# colour_of("ccp"): that of a formulation, without dashes and points.
# key_rows(n): rows of a key at the foot of the page for n names in key_columns; key_cm(n): its height in cm.
#
# For screens and print alike (src/bench/report/kit/terminal.h says what print asks for):
# pt(9)               a font of 9 pt beside letters of 12; in print smaller, not below 7.2
# up(0.9)             a height on the page as it is without the title's room
# frame(l, r, b, t)   to be evaluated: the margins of the next panel, parts of the page; in_grid (where
#                     narrow, unless the script says otherwise): the place behind `slot` of a grid of `stacked`
#                     panels in stack_columns, with stack_foot cm below all, and with stack_left, _right, _top
#                     and _label cm around each
# cut(text, n)        not more than n letters of it
# set_longest(list)   to be evaluated: `longest`, letters of the longest word of a list
# columns_of(longest), key_width(longest)   of a key over the page, in small letters
# wrap                to be evaluated: to_wrap, in lines of up to wrap_at letters where words end, in wrapped
# key_alone           to be evaluated: the next plot is an empty one with the key in stack_foot, of key_rows_all
# key_above           to be evaluated: where narrow the key stands above the panel, in above_rows
#
# The size of a figure is 17 x 10.5 cm; comment lines in its script replace it, in cm, those of print where
# scaling it would not do:
#   # size: 17 20
#   # wide: 17 16
#   # narrow: 8.5 16
# Colours: a family of formulations has a hue, its members differ by shade, dashes and points; engines are greys
# apart from each other. Families, engines and hues keep apart with red-green and blue-yellow deficiency
# (test_registry). Solvers have Okabe and Ito's set.

set encoding utf8
set format '%h' # the default, "% h", keeps room for a sign, and labels are off centre
set datafile missing 'NaN'

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

# Colours that no formulation and no solver has, for all else.
hues = 'violet red leaf brown turquoise gold'
hue_colours = '#7860e4 #c00c48 #009c6c #60240c #30a8b4 #e4c000'
hue_number(name) = sum [i = 1:words(hues)] (word(hues, i) eq name ? i : 0)
hue(name) = hue_number(name) > 0 ? word(hue_colours, hue_number(name)) : ''
hue_of(i) = word(hue_colours.' #000000 #909090', (i - 1) % 8 + 1)
colour_of(name) = style(name) > 0 ? '#'.word(form_colours, style(name))[2:7] : ''
style(name) = sum [i = 1:words(formulations)] (word(formulations, i) eq name ? i : 0)
solver_style(name) = solver_styles + \
    sum [i = 1:words(all_solvers)] (word(all_solvers, i) eq name ? i : 0)
axis(quantity, unit) = quantity . ' [' . unit . ']'
printed = width_mm > 0
pt(letters) = sprintf(',%g', !printed ? letters : 0.75*letters > 7.2 ? 0.75*letters : 7.2)
up(y) = y/page_shown
decades = printed ? '10^{/=7.2 %T}' : '10^{%T}'

in_grid = narrow
slot = 0
stacked = 1
stack_columns = 1
stack_foot = 0
stack_left = 1.75
stack_right = 0.35
stack_top = 0.6
stack_label = 1.25
slot_high = '((page_high - stack_foot)/(ceil(stacked/(stack_columns + 0.0)) + 0.0))'
slot_left = '((slot - 1) % stack_columns)*page_wide/stack_columns'
slot_top = '(page_high - int((slot - 1)/stack_columns)*'.slot_high.')'
in_stack = "slot = slot + 1; " . \
    "set lmargin at screen (".slot_left." + stack_left)/page_wide; " . \
    "set rmargin at screen (".slot_left." + page_wide/stack_columns - stack_right)/page_wide; " . \
    "set tmargin at screen (".slot_top." - stack_top)/page_high; " . \
    "set bmargin at screen (".slot_top." - ".slot_high." + stack_label)/page_high"
frame(l, r, b, t) = in_grid ? in_stack : \
    sprintf("set lmargin at screen %.17g; set rmargin at screen %.17g; ", l, r) . \
    sprintf("set bmargin at screen %.17g; set tmargin at screen %.17g", up(b), up(t))

# Of the longest name of a list; columns of a key over the page for names of so many letters, and how
# much wider gnuplot takes small letters for than they are.
longest = 0
set_longest(list) = "longest = 0; do for [name in ".list."] { longest = strlen(name) > longest ? strlen(name) : longest }"
cut(text, most) = strlen(text) > most ? text[1:most - 1].'…' : text
key_columns = 3
above_rows = 1
columns_of(length) = page_wide < 0.14*length + 2 ? 1 : int(page_wide/(0.14*length + 1))
key_width(length) = printed ? -0.19*length : length > 10 ? -0.26*(length - 10) : 0
wrap = "wrapped = ''; row_of = ''; part_of = ''; do for [k_wrap = 1:strlen(to_wrap)] { " . \
    "part_of = part_of . to_wrap[k_wrap:k_wrap]; " . \
    "if (strstrt(' -', to_wrap[k_wrap:k_wrap]) > 0 || k_wrap == strlen(to_wrap)) { " . \
    "if (strlen(row_of) > 0 && strlen(row_of . part_of) > wrap_at) { " . \
    "wrapped = wrapped . row_of . \"\\n\"; row_of = '' }; " . \
    "row_of = row_of . part_of; part_of = '' } }; wrapped = wrapped . row_of"
key_alone = "unset border; unset tics; unset grid; unset logscale; unset label; unset arrow; " . \
    "set xlabel ''; set ylabel ''; set size noratio; set xrange [0:1]; set yrange [0:1]; " . \
    "set lmargin at screen 0.02; set rmargin at screen 0.98; set bmargin at screen 0; " . \
    "set tmargin at screen stack_foot/page_high; " . \
    "set key at screen 0.5, screen 0.12/page_high center bottom vertical Left reverse noenhanced " . \
    "samplen 2 font ''.pt(9) maxrows key_rows_all width key_width(longest)"
# The key of a panel above it where narrow, so that it covers no curve, in rows of n columns.
key_above = "if (narrow) { set key at graph 0.5, graph 1.02 center bottom vertical Left reverse " . \
    "maxrows above_rows samplen 1.5 spacing 1 }"
key_rows(n) = int(ceil(n/(key_columns + 0.0)))
key_cm(n) = printed ? 0.25 + 0.34*key_rows(n) : 0.3 + 0.45*key_rows(n)
