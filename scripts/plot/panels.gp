# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 10.5
#
# Panels of curves, as a figure describes them (cases/figure/figure.h), which also says its size.
# panels, abreast: how many, in all and in a row; square: as high as wide; foot: part of the height
# that a key below all panels takes, of foot_rows; label: the part that tics and label below a panel
# take. Of a panel: heads[], x_labels[], y_labels[], logs[], keys[] (corner, or "foot"), x_lo[],
# x_hi[], y_lo[], y_hi[] (equal: from the data), leasts[] (above 0: |y| is drawn, and what is below at
# it); and its curves, by number: lines[], dashed[], linespoints[], points[], impulses[],
# verticals[], laws[]. Of a curve: tables[], xs[] and ys[] (columns), scales[], powers[], looks[],
# widths[], titles[]. levels: numbers of laws whose height is the y of a table of one row.

own = 400 # line styles of colours, behind those of formulations, style.gp and solvers
look(w) = looks[w] eq 'reference' ? ls_reference : looks[w] eq 'limit' ? ls_limit : \
    looks[w] eq 'mark' ? ls_mark : substr(looks[w], 1, 1) eq '#' ? own + w : style(looks[w])
do for [c = 1:|looks|] {
  if (substr(looks[c], 1, 1) eq '#') {
    same = c # a colour has the same points in all panels
    do for [i = c - 1:1:-1] { same = looks[i] eq looks[c] ? i : same }
    set style line own + c linecolor rgb looks[c] dashtype 1 pointsize 0.8 \
      pointtype int(word('7 5 9 13 11', (same - 1) % 5 + 1))
  }
}
table(w) = data . '/' . tables[w] . '.dat'
X(w) = column(int(xs[w]))
y(w) = scales[w]*column(int(ys[w]))
Y(w) = least > 0 ? (abs(y(w)) > least ? abs(y(w)) : least) : y(w)
array heights[|looks|]
do for [c = 1:|looks|] { heights[c] = scales[c] }
do for [w in levels] {
  stats table(int(w)) using int(ys[int(w)]) nooutput
  heights[int(w)] = scales[int(w)]*STATS_max
}
law(w, x) = heights[w]*x**powers[w]
# Curves of a panel as parts of a plot command; numbers alone get into it.
part(w, what) = sprintf('%s linestyle look(%s) ', what, w)
line(w, what) = part(w, what) . sprintf('linewidth widths[%s] ', w)
key(w) = sprintf('title titles[%s] enhanced, ', w)
points_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)) ', w, w, w)
# Tics at 1, 2 and 5 where a logarithmic axis spans less than two decades.
text(m, e) = e < -2 || e > 3 ? sprintf('%s10^{%d}', m eq '1' ? '' : m.'·', e) : \
    sprintf('%g', m*10.0**e)
heading = 0
do for [p = 1:panels] { heading = strlen(heads[p]) > 0 ? 0.035 : heading }
below = (panels - 1)/abreast + 1 # rows
if (panels > 1) { set multiplot title title noenhanced; unset title }
if (square) { set size ratio -1 }
do for [p = 1:panels] {
  row = (p - 1)/abreast
  if (panels > 1) {
    high = (0.93 - foot)/below
    set lmargin at screen ((p - 1) % abreast + 0.27/(3 - abreast))/abreast
    set rmargin at screen ((p - 1) % abreast + 0.96)/abreast
    set tmargin at screen 0.93 - 0.99*high*row - heading
    set bmargin at screen 0.93 - 0.99*high*(row + 1) + label
  } else {
    if (foot > 0) { set bmargin at screen foot + label }
  }
  least = leasts[p]
  unset logscale
  set format x '%g'
  set format y '%g'
  if (strstrt(logs[p], 'x') > 0) { set logscale x; set format x decades }
  if (strstrt(logs[p], 'y') > 0) { set logscale y; set format y decades }
  set autoscale
  set xtics autofreq
  if (x_lo[p] < x_hi[p]) {
    set xrange [x_lo[p]:x_hi[p]]
    if (strstrt(logs[p], 'x') > 0 && x_hi[p] < 100*x_lo[p]) {
      set xtics ()
      do for [e = floor(log10(x_lo[p])):ceil(log10(x_hi[p]))] {
        do for [m in '1 2 5'] { set xtics add (text(m, e) m*10.0**e) }
      }
    }
  }
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
  unset label
  if (strlen(heads[p]) > 0) { set label heads[p] at graph 0, graph 1.06 left noenhanced }
  unset arrow
  do for [w in verticals[p]] {
    set arrow from scales[int(w)], graph 0 to scales[int(w)], graph 1 nohead linestyle look(int(w))
  }
  drawn = ''
  do for [w in lines[p]] { drawn = drawn . line(w, points_of(w) . 'with lines') . key(w) }
  do for [w in dashed[p]] {
    drawn = drawn . line(w, points_of(w) . 'with lines') . 'dashtype (8,8) ' . key(w)
  }
  do for [w in linespoints[p]] { drawn = drawn . line(w, points_of(w) . 'with linespoints') . key(w) }
  do for [w in points[p]] { drawn = drawn . part(w, points_of(w) . 'with points') . key(w) }
  do for [w in impulses[p]] {
    drawn = drawn . line(w, points_of(w) . 'with impulses') . key(w) . \
            part(w, points_of(w) . 'with points') . 'notitle, '
  }
  do for [w in laws[p]] { drawn = drawn . line(w, sprintf('law(%s, x) with lines', w)) . key(w) }
  do for [w in verticals[p]] { drawn = drawn . part(w, 'NaN with lines') . key(w) }
  eval('plot ' . drawn[1:strlen(drawn) - 2])
}
if (panels > 1) { unset multiplot }
