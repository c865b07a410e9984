# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 10.5
#
# Panels of curves, as a figure describes them (cases/figure/figure.h), which also says its size.
# panels, abreast: how many, in all and in a row; square: as high as wide; foot: part of the height
# that a key below all panels takes, of foot_rows; label:
# the part that tics and label below a panel take. Of a panel: x_labels[], y_labels[], logs[], keys[]
# (corner, or "foot"), x_lo[], x_hi[], y_lo[], y_hi[] (equal: from the data); and its curves, by number: lines[],
# dashed[], linespoints[], points[], impulses[], verticals[], laws[], firsts[] (any with a table). Of a
# curve: tables[], xs[] and ys[] (columns), scales[], powers[], looks[], widths[], titles[].

look(w) = looks[w] eq 'reference' ? ls_reference : looks[w] eq 'limit' ? ls_limit : \
    looks[w] eq 'mark' ? ls_mark : substr(looks[w], 1, 1) eq '#' ? 200 + w : style(looks[w])
do for [c = 1:|looks|] {
  if (substr(looks[c], 1, 1) eq '#') {
    same = c # a colour has the same points in all panels
    do for [i = c - 1:1:-1] { same = looks[i] eq looks[c] ? i : same }
    set style line 200 + c linecolor rgb looks[c] pointsize 0.8 \
      pointtype int(word('7 5 9 13 11', (same - 1) % 5 + 1))
  }
}
# The number that a word of a list is. An empty list is read once and not drawn, but counts in the
# range: as a curve that the panel has, firsts[p].
n(w) = strlen(w) > 0 ? int(w) : first
name(w) = strlen(w) > 0 ? titles[int(w)] : ''
law(w, x) = strlen(w) > 0 ? scales[int(w)]*x**powers[int(w)] : NaN
table(w) = data . '/' . tables[n(w)] . '.dat'
X(w) = column(int(xs[n(w)]))
Y(w) = scales[n(w)]*column(int(ys[n(w)]))
below = (panels - 1)/abreast + 1 # rows
if (panels > 1) { set multiplot title title noenhanced; unset title }
if (square) { set size ratio -1 }
do for [p = 1:panels] {
  row = (p - 1)/abreast
  if (panels > 1) {
    high = (0.93 - foot)/below
    set lmargin at screen ((p - 1) % abreast + 0.27/(3 - abreast))/abreast
    set rmargin at screen ((p - 1) % abreast + 0.96)/abreast
    set tmargin at screen 0.93 - 0.99*high*row
    set bmargin at screen 0.93 - 0.99*high*(row + 1) + label
  } else {
    if (foot > 0) { set bmargin at screen foot + label }
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
  if (keys[p] eq 'left center') { set key inside left center }
  if (keys[p] eq 'left bottom') { set key inside left bottom }
  if (keys[p] eq 'foot') {
    set key at screen 0.5, screen 0.012 center bottom vertical Left reverse samplen 2 maxrows foot_rows
  }
  unset arrow
  do for [w in verticals[p]] {
    set arrow from scales[int(w)], graph 0 to scales[int(w)], graph 1 nohead linestyle look(int(w))
  }
  plot for [w in lines[p]] table(w) using (X(w)):(Y(w)) with lines \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in dashed[p]] table(w) using (X(w)):(Y(w)) with lines \
         linestyle look(n(w)) linewidth widths[n(w)] dashtype (8,8) title name(w) enhanced, \
       for [w in linespoints[p]] table(w) using (X(w)):(Y(w)) with linespoints \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in points[p]] table(w) using (X(w)):(Y(w)) with points \
         linestyle look(n(w)) title name(w) enhanced, \
       for [w in impulses[p]] table(w) using (X(w)):(Y(w)) with impulses \
         linestyle look(n(w)) linewidth widths[n(w)] title name(w) enhanced, \
       for [w in impulses[p]] table(w) using (X(w)):(Y(w)) with points \
         linestyle look(n(w)) notitle, \
       for [w in laws[p]] law(w, x) with lines linestyle look(n(w)) \
         linewidth widths[n(w)] title name(w) enhanced, \
       for [w in verticals[p]] NaN with lines linestyle look(n(w)) title name(w) enhanced
}
if (panels > 1) { unset multiplot }
