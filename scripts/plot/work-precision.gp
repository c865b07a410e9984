# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 15
# narrow: 8.5 13
#
# Error against wall time for one case. A formulation's table: time, q_linf, dt, first and third
# quartile of the time (NaN: none). present: formulations with a table; strip: smaller errors, from
# strip_lo to strip_hi, are drawn there (0: there are none).

set logscale xy
set format xy decades
set autoscale noextend
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
set xlabel axis('wall time of all steps', 's')
set ylabel 'largest error of q [m, rad]'
names = words(present) + (strip > 0)
eval set_key_below
set key maxrows key_rows(names)
set bmargin at screen (key_cm(names) + (printed ? 1.3 : 1.6))/page_high
bar(i) = valid(i) ? column(i) : column(1)
table(name) = data . '/' . name . '.dat'
error(e) = strip > 0 && e < strip ? strip : e
plot for [i = 1:words(present)] table(word(present, i)) using 1:(error($2)) with linespoints \
       linestyle style(word(present, i)) title word(present, i), \
     for [i = 1:words(present)] table(word(present, i)) \
       using (bar(4)):(error($2)):(bar(5) - bar(4)):(0) with vectors nohead \
       linestyle style(word(present, i)) dashtype solid notitle, \
     (strip > 0 ? strip : NaN) with lines linestyle ls_limit \
       title (strip > 0 ? (strip_lo < strip_hi ? sprintf('below: %.0e to %.0e', strip_lo, strip_hi) : sprintf('below: %.0e', strip_lo)) : '')
