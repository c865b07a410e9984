# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 10.5
#
# Panels of curves, as a figure describes them (cases/figure/figure.h), which also says its size.
# panels, abreast: how many, in all and in a row; square: as high as wide. Of a panel: x_labels[],
# y_labels[], logs[], keys[] (corner), x_lo[], x_hi[], y_lo[], y_hi[] (equal: from the data); and its
# curves, by number: lines[], dashed[], linespoints[], impulses[], constants[],
# firsts[] (any with a table). Of a curve: tables[],
# xs[] and ys[] (columns), scales[], looks[], widths[], titles[].

look(w) = looks[w] eq 'reference' ? ls_reference : looks[w] eq 'limit' ? ls_limit : \
    looks[w] eq 'mark' ? ls_mark : substr(looks[w], 1, 1) eq '#' ? 200 + w : style(looks[w])
do for [c = 1:|looks|] {
  if (substr(looks[c], 1, 1) eq '#') {
    set style line 200 + c linecolor rgb looks[c] pointtype 7 pointsize 0.5
  }
}
# The number that a word of a list is. An empty list is read once and not drawn, but counts in the
# range: as a curve that the panel has, firsts[p].
n(w) = strlen(w) > 0 ? int(w) : first
name(w) = strlen(w) > 0 ? titles[int(w)] : ''
constant(w) = strlen(w) > 0 ? scales[int(w)] : NaN
table(w) = data . '/' . tables[n(w)] . '.dat'
X(w) = column(int(xs[n(w)]))
Y(w) = scales[n(w)]*column(int(ys[n(w)]))
below = panels > abreast ? (panels - 1)/abreast + 1 : 1 # rows
if (panels > 1) { set multiplot title title noenhanced; unset title }
if (square) { set size ratio -1 }
do for [p = 1:panels] {
  row = (p - 1)/abreast
  if (panels > 1) {
    set lmargin at screen ((p - 1) % abreast + 0.27/(3 - abreast))/abreast
    set rmargin at screen ((p - 1) % abreast + 0.96)/abreast
    set tmargin at screen 0.93 - 0.92*row/below
    set bmargin at screen 0.93 - 0.92*(row + 1)/below + 0.115*(below > 2 ? 0.75 : 1)
  }
  first = int(firsts[p])
  unset logscale
  set format x '%g'
  set format y '%g'
  if (strstrt(logs[p], 'x') > 0) { set logscale x; set format x decades }
  if (strstrt(logs[p], 'y') > 0) { set logscale y; set format y decades }
  set autoscale
  if (x_lo[p] < x_hi[p]) { set xrange [x_lo[p]:x_hi[p]] }
  if (y_lo[p] < y_hi[p]) { set yrange [y_lo[p]:y_hi[p]] }
  set xlabel x_labels[p] enhanced
  set ylabel y_labels[p] enhanced
  unset key
  if (keys[p] eq 'right top') { set key inside right top }
  if (keys[p] eq 'right center') { set key inside right center }
  if (keys[p] eq 'right bottom') { set key inside right bottom }
  if (keys[p] eq 'left top') { set key inside left top }
  if (keys[p] eq 'left bottom') { set key inside left bottom }
  plot for [w in lines[p]] table(w) using (X(w)):(Y(w)) with lines \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in dashed[p]] table(w) using (X(w)):(Y(w)) with lines \
         linestyle look(n(w)) linewidth widths[n(w)] dashtype (8,8) title name(w) enhanced, \
       for [w in linespoints[p]] table(w) using (X(w)):(Y(w)) with linespoints \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in impulses[p]] table(w) using (X(w)):(Y(w)) with impulses \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in impulses[p]] table(w) using (X(w)):(Y(w)) with points \
         linestyle look(n(w)) notitle, \
       for [w in constants[p]] constant(w) with lines linestyle look(n(w)) \
         linewidth widths[n(w)] title name(w) enhanced
}
if (panels > 1) { unset multiplot }
