# SPDX-License-Identifier: GPL-3.0-or-later
#
# A number of records against a parameter of theirs: a panel a step, a curve a formulation (and
# variant), one key below all. heads[]: of panels; names[], styles[] (numbers of line styles) and
# variants[] (0, 1, ...: which of the curves of its formulation) of curves; x_label, y_label; what
# points span, x_lo, x_hi, y_lo, y_hi, and whether that is drawn to logarithms, log_x, log_y. Tables: <panel>-<curve>, of x and y, those without points missing. The size is the report's.

abreast = |heads| > 1 ? 2 : 1
rows = int((|heads| + abreast - 1)/abreast)
high = (|heads| > 1 ? 6.2*rows : 9) + 1.6 + 0.45*int((|names| + 2)/3) # [cm], as the report has it
foot = (0.3 + 0.45*int((|names| + 2)/3))/high
top = 1 - 1.1/high
each = (top - foot - 0.1/high)/rows # of the height
if (printed) {
  do for [c = 1:|names|] { longest = strlen(names[c]) > longest ? strlen(names[c]) : longest }
  key_columns = narrow ? 1 : 3
  in_grid = 1
  stacked = |heads|
  stack_columns = narrow ? 1 : abreast
  stack_foot = key_cm(|names|)
}
columns = narrow ? 1 : abreast
file(p, c) = sprintf('%s/%d-%d.dat', data, p, c)
there(p, c) = strstrt(' ' . present . ' ', sprintf(' %d-%d ', p, c)) > 0
# The colour of the formulation; other dashes and points where it has several curves.
part(p, c) = sprintf("file(%d, %d) using 1:2 with linespoints linestyle %d pointsize 0.7 ", p, c, \
    int(styles[c])) . looks(int(variants[c]))
looks(v) = v == 0 ? '' : sprintf('dashtype %d pointtype %d ', 2 + (v - 1) % 4, 4 + 2*v)
if (log_x) { set logscale x; set format x decades }
if (log_y) { set logscale y; set format y decades }
beyond(lo, hi, log, part) = log ? hi*(hi/lo)**part : hi + part*(hi != lo ? hi - lo : 1)
set xrange [beyond(x_hi, x_lo, log_x, 0.02):beyond(x_lo, x_hi, log_x, 0.02)]
set yrange [beyond(y_hi, y_lo, log_y, 0.05):beyond(y_lo, y_hi, log_y, 0.05)]
set multiplot title title noenhanced
unset title
unset key
do for [p = 1:|heads|] {
  row = (p - 1)/abreast
  eval frame(((p - 1) % abreast + 0.135*abreast)/abreast, ((p - 1) % abreast + 0.955)/abreast, \
      top - each*(row + 1) + (p + abreast > |heads| ? 1.35 : 0.75)/high, top - each*row - 0.6/high)
  set xlabel (p + columns > |heads| ? x_label : '') noenhanced
  set ylabel ((p - 1) % columns == 0 ? y_label : '') noenhanced
  unset label
  set label heads[p] at graph 0, graph 1.06 left noenhanced
  drawn = ''
  do for [c = 1:|names|] { if (there(p, c)) { drawn = drawn . part(p, c) . 'notitle, ' } }
  eval('plot ' . drawn[1:strlen(drawn) - 2])
}
# The key alone.
unset border
unset tics
unset grid
unset logscale
unset label
set xlabel ''
set ylabel ''
set lmargin at screen 0.02
set rmargin at screen 0.98
set bmargin at screen 0
set tmargin at screen foot
set xrange [0:1]
set yrange [0:1]
set key noenhanced at screen 0.5, screen 0.012 center bottom vertical Left reverse samplen 2 \
  font ''.pt(9) maxrows int((|names| + 2)/3)
if (printed) { set key maxrows key_rows(|names|) width key_width(longest) }
drawn = ''
do for [c = 1:|names|] {
  drawn = drawn . sprintf('NaN with linespoints linestyle %d pointsize 0.7 ', int(styles[c])) . \
      looks(int(variants[c])) . sprintf('title names[%d], ', c)
}
eval('plot ' . drawn[1:strlen(drawn) - 2])
unset multiplot
