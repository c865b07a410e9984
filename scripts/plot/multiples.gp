# SPDX-License-Identifier: GPL-3.0-or-later
#
# Small panels with one legend: the second column over the first of the tables <number>-<formulation>,
# both logarithmic. panels: how many, abreast: in a row; panel_titles[], x_label, y_label: their
# texts; head, foot: parts of the height that are left to title and legend; strips[], strip_los[]:
# what is below is drawn there, and not to scale, and the least of it (0: there is none).

set multiplot title title noenhanced
unset title
unset key
set logscale xy
set yrange [1e-15 < * : *]
set autoscale x noextend
set offsets graph 0.05, graph 0.05, 0, 0
set format xy decades
set tics font ''.pt(8) offset 0.3, 0.2
set xtics autofreq
has(name) = strstrt(' ' . present . ' ', ' ' . name . ' ') > 0
rows = int(ceil(panels/(abreast + 0.0)))
high = (1 - head - foot)/rows
left = printed ? 0.4/page_wide : 0.03 # for the axes' name
lower = printed ? 0.6/page_high : 0.2*high # of a panel, for its numbers
upper = printed ? 0.85/page_high : 0.14*high # for its name
eval set_longest('formulations')
key_columns = columns_of(longest)
wrap_at = narrow ? 17 : 22
wide = (0.99 - left)/abreast
do for [p = 1:panels] {
  row = (p - 1)/abreast
  column = (p - 1)%abreast
  set lmargin at screen left + wide*column + (printed ? 0.9/page_wide : 0.2*wide)
  set rmargin at screen left + wide*(column + 1) - 0.03*wide
  set tmargin at screen 1 - head - high*row - upper
  set bmargin at screen 1 - head - high*(row + 1) + lower
  if (printed) {
    to_wrap = panel_titles[p]
    eval wrap
    set label 1 wrapped at screen left + wide*column + 0.4/page_wide, \
        screen 1 - head - high*row - 0.2/page_high left noenhanced font ''.pt(9)
    set xtics 100
    set ytics 100
  } else {
    set label 1 panel_titles[p] at graph 0, graph 1.08 left noenhanced \
        font ''.pt(strlen(panel_titles[p]) > 26 ? 7 : 9)
  }
  set xlabel (p + abreast > panels ? x_label : '') noenhanced font ''.pt(9) offset 0, 0.6
  # Where it stands must not depend on how wide the numbers are.
  set label 2 (column == 0 && !printed ? y_label : '') at screen 0.012, graph 0.5 center rotate noenhanced font ''.pt(9)
  if (printed && p == 1) {
    set label 2 y_label at screen 0.22/page_wide, screen foot + (1 - foot)/2 center rotate noenhanced font ''.pt(9)
  }
  # Names of tables are joined here and not in the command: numbers alone get into it.
  at_least(e) = strips[p] > 0 && e < strips[p] ? strips[p] : e
  curves = strips[p] > 0 ? 'strips[p] with lines linestyle ls_limit notitle, ' : ''
  unset label 3
  set offsets graph 0.05, graph 0.05, 0, 0
  if (strips[p] > 0) {
    set label 3 sprintf('%.0e', strip_los[p]) at graph 0.02, first strips[p] left offset 0, -0.55 font ''.pt(8) \
        textcolor rgb '#707070' front
    set offsets graph 0.05, graph 0.05, 0, graph 0.2
  }
  do for [i = 1:words(formulations)] {
    if (has(sprintf('%d-', p) . word(formulations, i))) {
      curves = curves . sprintf("data . '/%d-' . word(formulations, %d) . '.dat' using 1:(at_least($2)) with linespoints linestyle %d linewidth 1.2 pointsize 0.5 notitle, ", p, i, i)
    }
  }
  eval('plot ' . curves[1:strlen(curves) - 2])
  unset label
}
set offsets 0, 0, 0, 0
# The legend: an empty plot with the key of all formulations that any panel has.
any(name) = sum [p = 1:panels] (has(sprintf('%d-', p) . name) ? 1 : 0)
unset border
unset tics
unset xlabel
unset grid
unset logscale
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.9*foot
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, screen 0.005 center bottom vertical Left reverse samplen 3 maxcols 4 font ''.pt(10) noenhanced
any_of = 0
do for [i = 1:words(formulations)] { any_of = any_of + (any(word(formulations, i)) > 0) }
if (printed) { set key vertical maxrows key_rows(any_of) font ''.pt(9) width key_width(longest) }
curves = ''
do for [i = 1:words(formulations)] {
  if (any(word(formulations, i)) > 0) {
    curves = curves . sprintf("-1 with linespoints linestyle %d title word(formulations, %d), ", i, i)
  }
}
eval('plot ' . curves[1:strlen(curves) - 2])
unset multiplot
