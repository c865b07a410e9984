# SPDX-License-Identifier: GPL-3.0-or-later
# size: 17 10.5
#
# Panels of curves, as a figure describes them (cases/figure/figure.h), which also says its size.
# panels, abreast: how many, in all and in a row; square: as high as wide. Parts of the height: foot, of a
# key below all panels with foot_rows in foot_letters [pt]; named, of what names take below the last row
# beyond a label. Of a panel: heads[], x_labels[], y_labels[], labels[] (part of the height that tics and
# label below it take), logs[], x_names[] (of x = 0, 1, ...), keys[] (corner, "foot", or "ends"), x_lo[], x_hi[],
# y_lo[], y_hi[] (equal: from the data), leasts[] (above 0: |y| is drawn, and what is below at it); and
# its curves, by number: lines[], dashed[], linespoints[], points[], impulses[], bars[], verticals[],
# bands[], errorbars[], xbars[], texts[], rects[], frames[], laws[]; row_counts[], row_firsts[]: its part of row_names[], names of
# y = 1, 2, ..., downward; col_counts[], col_firsts[], col_names[] the same of x, above, where they take names_high [cm]; word_counts[],
# word_firsts[]: a curve's part of all_words[], what its texts say; grid: panels are small, and labels stand at the edge alone;
# fitted: axes end a little beyond the data. Of a curve: tables[],
# xs[], ys[], notes[], ends[] and x_ends[] (columns), x_scales[], scales[], powers[],
# looks[], widths[], titles[] (plains[]: as they are), steps[] (level up to the next point), everys[] (rows from point to
# point of linespoints). levels: numbers of laws whose height is the y of a table of one row;
# in_foot: of curves in the key below all panels. In print, as parts of the height too: tops[], bottoms[] of panels
# and key_tops[] of their keys below them, with key_rows_of[]; longest_of[], letters of the longest title of a panel's own key;
# key_letters [pt] is of panels' own keys, foot_longest of the one in the foot.

own = 400 # line styles of colours, behind those of formulations, style.gp and solvers
coloured(look) = substr(look, 1, 1) eq '#' ? look : look[1:10] eq 'colour of ' ? colour_of(look[11:*]) : \
    look[1:7] eq 'hue of ' ? hue_of(int(look[8:*])) : hue(look)
look(w) = looks[w] eq 'reference' ? ls_reference : looks[w] eq 'limit' ? ls_limit : \
    looks[w] eq 'mark' ? ls_mark : strlen(coloured(looks[w])) > 0 ? own + w : \
    style(looks[w]) > 0 ? style(looks[w]) : solver_style(looks[w])
do for [c = 1:|looks|] {
  if (strlen(coloured(looks[c])) > 0) {
    same = c # a colour has the same points in all panels
    do for [i = c - 1:1:-1] { same = looks[i] eq looks[c] ? i : same }
    set style line own + c linecolor rgb coloured(looks[c]) dashtype 1 pointsize 0.8 \
      pointtype int(word('7 5 9 13 11', (same - 1) % 5 + 1))
  }
}
table(w) = data . '/' . tables[w] . '.dat'
X(w) = x_scales[w]*column(int(xs[w]))
end(w) = scales[w]*column(int(ends[w])) # of bands and error bars
x_end(w) = x_scales[w]*column(int(x_ends[w])) # of error bars across
y(w) = scales[w]*column(int(ys[w]))
Y(w) = least > 0 ? (abs(y(w)) <= least ? least : abs(y(w))) : y(w) # no number stays none
array heights[|looks|]
do for [c = 1:|looks|] { heights[c] = scales[c] }
do for [w in levels] {
  stats table(int(w)) using int(ys[int(w)]) nooutput
  heights[int(w)] = scales[int(w)]*STATS_max
}
law(w, x) = heights[w]*x**powers[w]
digits(x) = sprintf(x >= 1000 && x < 1e5 ? '%.0f' : '%.3g', x)
note(w) = digits(column(int(notes[w])))
set boxwidth 0.6
# Curves of a panel as parts of a plot command; numbers alone get into it.
part(w, what) = sprintf('%s linestyle look(%s) ', what, w)
line(w, what) = part(w, what) . sprintf('linewidth widths[%s] ', w)
titled(w) = sprintf('title titles[%s] %s, ', w, plains[int(w)] ? 'noenhanced' : 'enhanced')
key(w) = footed || ended ? 'notitle, ' : titled(w)
below(w, how, more) = strstrt(in_foot, ' ' . w . ' ') == 0 ? '' : \
    (how eq 'points' ? part(w, 'NaN with points') : line(w, 'NaN with ' . how)) . more . titled(w)
points_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)) ', w, w, w)
sparse_of(w) = points_of(w) . sprintf('every everys[%s] ', w)
lines_of(w) = points_of(w) . (steps[int(w)] ? 'with steps' : 'with lines')
range_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)):(end(%s)) ', w, w, w, w)
ends_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)):(0):(end(%s) - Y(%s)) ', w, w, w, w, w)
across_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)):(x_end(%s) - X(%s)):(0) ', w, w, w, w, w)
texts_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)):(note_of(%s)) ', w, w, w, w)
said(w, k) = cells_wide > 0.55 || strstrt('DUTF', all_words[k]) > 0 ? all_words[k] : '' # numbers where they fit
note_of(w) = word_counts[w] > 0 ? said(w, int(word_firsts[w]) + int(column(int(notes[w])))) : sprintf('%.0e', column(int(notes[w])))
cells_of(w) = sprintf('table(%s) using (X(%s)):(Y(%s)):(0.48):(0.46) with boxxyerror ', w, w, w)
# Ends of the curves of a panel, lowest first, and where their names stand; name_high: what a name takes [cm].
name_high = printed ? 0.28 : 0.36
of_axis(y) = strstrt(logs[p], 'y') > 0 ? log10(y) : y
on_axis(y) = strstrt(logs[p], 'y') > 0 ? 10.0**y : y
# A name has its curve's colour, darker: letters need more contrast than lines.
part_of(c, i) = int(0.65*int('0x'.c[i:i + 1]))
darker(c) = strlen(c) == 7 ? sprintf('#%02x%02x%02x', part_of(c, 2), part_of(c, 4), part_of(c, 6)) : '#404040'
ink(w) = darker(strlen(coloured(looks[w])) > 0 ? coloured(looks[w]) : colour_of(looks[w]))
array end_of[|looks|]
array end_x[|looks|]
array end_y[|looks|]
array name_at[|looks|]
# Tics of a logarithmic axis from lo to hi: at 1, 2 and 5, or 1 and 3, where it spans less than two decades, in small panels
# only where no decade has one; else at one decade in `stride`, so that numbers do not touch.
text(m, e) = e < -3 || e > 3 ? sprintf('%s10^{%d}', m == 1 ? '' : sprintf('%d·', m), e) : \
    sprintf('%g', m*10.0**e)
first_of(lo) = ceil(log10(lo) - 1e-9)
last_of(hi) = floor(log10(hi) + 1e-9)
is_short(lo, hi) = hi < 100*lo
is_within(x, lo, hi) = x > 0.999999*lo && x < 1.000001*hi
is_wide(lo, hi) = is_short(lo, hi) && !(grid || (tight && lo < 1e-2))
stride(lo, hi, few) = few > 2 ? int(ceil((last_of(hi) - first_of(lo) + 1)/(few + 0.0))) : int(ceil(log10(hi/lo)/few))
is_fine(m, lo, hi) = m == 1 || (narrow && hi > 30*lo ? m == 3 : m == 2 || m == 5)
is_named(m, e, lo, hi, few) = is_wide(lo, hi) || last_of(hi) < first_of(lo) ? is_fine(m, lo, hi) : \
    m == 1 && (few > 4 ? e : e - first_of(lo)) % stride(lo, hi, few) == 0
name_of(m, e, lo, hi) = is_short(lo, hi) ? text(m, e) : gprintf(decades, 10.0**e)
# Tics of a narrow panel: the next of 1, 2, 5 or 10 times a power of ten.
step(x) = step_of(x/10.0**floor(log10(x)))*10.0**floor(log10(x))
step_of(m) = m < 1.001 ? 1 : m < 2.001 ? 2 : m < 5.001 ? 5 : 10
# An index or exponent is drawn smaller than the rest.
is_marked(text) = strstrt(text, '_') > 0 || strstrt(text, '^') > 0
heading = 0
rows = (panels - 1)/abreast + 1
do for [p = 1:panels] { heading = strlen(heads[p]) > 0 ? (rows > 1 ? 0.55/page_high : 0.035) : heading }
many = panels > 1 || foot > 0 || printed
tight = narrow && abreast > 1 # panels of some 2.5 cm
top = rows > 1 ? 1 - 1.1/page_high : 0.90
if (grid || row_counts[1] > 0) { top = 1 - (grid ? 1.2 : col_counts[1] > 0 ? names_high : 1.0)/page_high }
if (many) { set multiplot }
if (square) { set size ratio -1 }
array shown[|looks|]
if (printed) {
  letters_of_key = sprintf(',%g', key_letters)
  narrower(longest, letters) = (letters < 9 ? 3 - 0.22*longest : -0.07*longest) # gnuplot takes letters for those of labels
}
longest = 0
do for [w in in_foot] {
  longest = strlen(titles[int(w)]) > longest ? strlen(titles[int(w)]) : longest
}
do for [p = 1:panels] {
  row = (p - 1)/abreast
  wide = row == rows - 1 && !grid ? panels - row*abreast : abreast
  if (printed) {
    set lmargin at screen ((p - 1) % abreast + (tight && grid ? 1.15 : tight ? 1.5 : 1.95)*wide/page_wide)/wide
    set rmargin at screen ((p - 1) % abreast + 1 - (tight ? 0.3 : 0.55)*wide/page_wide)/wide
    set tmargin at screen tops[p]
    set bmargin at screen bottoms[p]
  }
  if (many && !printed) {
    high = (top - foot - named)/rows
    set lmargin at screen ((p - 1) % abreast + (grid ? 0.27 : 2.295*wide/page_wide))/wide
    set rmargin at screen ((p - 1) % abreast + 0.96)/wide
    set tmargin at screen top - 0.99*high*row - heading
    set bmargin at screen top - 0.99*high*(row + 1) - (row == rows - 1 ? named : 0) + labels[p]
  }
  ended = keys[p] eq 'ends'
  axes_high = (printed ? tops[p] - bottoms[p] : many ? 0.99*high - labels[p] : 0.8)*page_high
  if (ended) {
    set rmargin at screen ((p - 1) % abreast + 1)/(many ? wide + 0.0 : 1.0) - (0.5 + (printed ? 0.13 : 0.155)*longest_of[p])/page_wide
  }
  rest = int(row_counts[p]) # names of y down the page
  lengthy = 0
  if (rest > 0) {
    do for [i = 1:rest] {
      k = int(row_firsts[p]) + i
      if (printed) { row_names[k] = cut(row_names[k], !narrow ? 45 : col_counts[p] > 0 ? 28 : 34) }
      lengthy = strlen(row_names[k]) > lengthy ? strlen(row_names[k]) : lengthy
    }
    set lmargin at screen (0.3 + (printed ? 0.145 : 0.19)*lengthy)/page_wide
    set rmargin at screen 0.97
  }
  tabled = int(col_counts[p]) # names of x above
  cells_wide = tabled > 0 ? (0.97*page_wide - 0.3 - (printed ? 0.145 : 0.19)*lengthy)/(tabled + (narrow ? 0.2 : 3)) : 1
  unset x2tics
  if (!many && strlen(x_names[p]) > 0) { set bmargin at screen labels[p] }
  least = leasts[p]
  unset logscale
  set format x '%g'
  set format y '%g'
  if (strstrt(logs[p], 'x') > 0) { set logscale x; set format x decades }
  if (strstrt(logs[p], 'y') > 0) { set logscale y; set format y decades }
  set autoscale
  set xtics autofreq norotate center enhanced font ''.pt(12)
  if (strlen(x_names[p]) > 0) {
    set xtics rotate by 35 right enhanced font ''.pt(printed && is_marked(x_names[p]) ? 12 : 10) ()
    do for [i = 1:words(x_names[p])] { set xtics add (word(x_names[p], i) i - 1) }
    set xrange [-0.6:words(x_names[p]) - 0.4]
  }
  if (x_lo[p] < x_hi[p]) {
    set xrange [x_lo[p]:x_hi[p]]
    if (strstrt(logs[p], 'x') == 0 && (narrow || (many && wide > 1))) { set xtics step((x_hi[p] - x_lo[p])/(tight ? 3.0 : printed ? 5.0 : 5)) }
    if (strstrt(logs[p], 'x') > 0) {
      set xtics () font ''.pt(12)
      few = grid && tight ? 2 : tight || grid || (rest > 0 && narrow) ? 3 : wide > 1 || narrow ? 6 : 12
      do for [e = first_of(x_lo[p]) - 1:last_of(x_hi[p])] {
        do for [m = 1:9] {
          at = m*10.0**e
          if (is_within(at, x_lo[p], x_hi[p])) {
            if (is_named(m, e, x_lo[p], x_hi[p], few)) {
              set xtics add (name_of(m, e, x_lo[p], x_hi[p]) at)
            } else {
              set xtics add ('' at 1)
            }
          }
        }
      }
    }
  }
  set ytics autofreq
  if (rest > 0) {
    set ytics () scale 0 noenhanced font ''.pt(printed ? 9 : 10)
    do for [i = 1:rest] { set ytics add (row_names[int(row_firsts[p]) + i] i) }
  }
  flat = rest == 0 && printed && (tops[p] - bottoms[p])*page_high < 3
  if (flat && strstrt(logs[p], 'y') > 0) { set ytics 1e3 }
  if (rest > 0 && narrow && x_lo[p] >= x_hi[p] && strstrt(logs[p], 'x') > 0) { set xtics 1e4 }
  if (flat || tight) {
    set ytics font ''.pt(9)
    set ylabel font ''.pt(is_marked(y_labels[p]) ? 12 : 9)
  }
  if (tight) {
    set xtics font ''.pt(9)
    set xlabel font ''.pt(is_marked(x_labels[p]) ? 12 : 9)
    set ylabel offset 1.5, 0
  }
  if (grid) {
    set xtics font ''.pt(8)
    set ytics font ''.pt(8)
    set ylabel font ''.pt(9) offset (tight ? 1.2 : 1.9), 0
    set xlabel font ''.pt(9) offset 0, 0.6
  }
  if (y_lo[p] < y_hi[p]) {
    set yrange [y_lo[p]:y_hi[p]]
    if (strstrt(logs[p], 'y') > 0) {
      set ytics () font ''.pt(grid ? 8 : flat || tight || (y_lo[p] < 1e-3 && y_hi[p] < 100*y_lo[p]) ? 9 : 12)
      few = flat || grid ? 4 : tight ? 6 : printed ? 8 : 12
      do for [e = first_of(y_lo[p]) - 1:last_of(y_hi[p])] {
        do for [m = 1:9] {
          at = m*10.0**e
          if (is_within(at, y_lo[p], y_hi[p])) {
            if (is_named(m, e, y_lo[p], y_hi[p], few) && !(tight && grid && at > y_hi[p]**0.92*y_lo[p]**0.08)) { # below the title
              set ytics add (name_of(m, e, y_lo[p], y_hi[p]) at)
            } else {
              set ytics add ('' at 1)
            }
          }
        }
      }
    }
  }
  unset offsets
  if (fitted) {
    if (x_lo[p] >= x_hi[p] && strlen(x_names[p]) == 0) { set autoscale x noextend }
    if (y_lo[p] >= y_hi[p]) { set autoscale y noextend }
    set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
    if (rest > 0) { set offsets graph 0.05, graph 0.05, 0, 0 }
  }
  if (strlen(bars[p]) > 0 && strstrt(logs[p], 'y') == 0) {
    set yrange [0:*]
    set offsets 0, 0, graph 0.1, 0
  }
  if (rest > 0) { set yrange [rest + 0.6:0.4] }
  if (tabled > 0) {
    unset xtics
    unset grid
    set border 0
    set xrange [0.4:tabled + (narrow ? 0.6 : 3.4)]
    set x2range [0.4:tabled + (narrow ? 0.6 : 3.4)]
    set x2tics () scale 0 rotate by (narrow ? 90 : 60) left noenhanced font ''.pt(printed ? 9 : 10)
    do for [i = 1:tabled] { set x2tics add (col_names[int(col_firsts[p]) + i] i) }
  }
  set xlabel (tabled > 0 ? '' : !grid || (p + abreast > panels && (!tight || (p - 1) % abreast == 1)) ? (tight && grid ? y_labels[p].' against ' : '').x_labels[p] : '') enhanced
  set ylabel (!grid || (!tight && (p - 1) % abreast == 0) ? y_labels[p] : '') enhanced
  if (abreast > 1) { set key font ''.pt(9) samplen 1.5 spacing 1 }
  if (printed) { set key font letters_of_key samplen 1.5 spacing (key_letters < 9 ? 1 : 1.2) width narrower(longest_of[p], key_letters) }
  unset key
  if (keys[p] eq 'right top') { set key inside right top }
  if (keys[p] eq 'right center') { set key inside right center }
  if (keys[p] eq 'right bottom') { set key inside right bottom }
  if (keys[p] eq 'left top') { set key inside left top }
  if (keys[p] eq 'left center') { set key inside left center }
  if (keys[p] eq 'left bottom') { set key inside left bottom }
  footed = keys[p] eq 'foot'
  if (printed && !footed && key_rows_of[p] > 0) {
    set key at screen ((p - 1) % abreast + 0.5)/wide, screen key_tops[p] center top vertical maxrows int(key_rows_of[p])
  }
  unset label
  if (rest > 0 && narrow && tabled == 0) { # beside long names the axis is shorter than its title
    set xlabel ''
    set label x_labels[p] at screen 0.97, graph 0 right offset 0, -2.4 font ''.pt(9) enhanced
  }
  if (strlen(heads[p]) > 0 && tight && grid) {
    to_wrap = heads[p]
    wrap_at = 18
    eval wrap
    set label wrapped at graph -0.65, graph 1 + (strstrt(wrapped, "\n") > 0 ? 0.56 : 0.28)/axes_high left noenhanced font ''.pt(9)
  }
  if (strlen(heads[p]) > 0 && !(tight && grid)) { set label heads[p] at graph 0, graph 1.06 left noenhanced font ''.pt(!grid ? 12 : strlen(heads[p]) > 26 ? 7 : 9) }
  if (tabled > 0) {
    to_wrap = x_labels[p]
    wrap_at = int(page_wide/0.18)
    eval wrap
    set label wrapped at screen 0.5, graph 0 center noenhanced font ''.pt(9) offset 0, -0.8
  }
  unset arrow
  do for [i = 1:tabled > 0 ? 0 : rest - 1] {
    set arrow from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead linecolor rgb '#dddddd'
  }
  do for [w in verticals[p]] {
    set arrow from scales[int(w)], graph 0 to scales[int(w)], graph 1 nohead linestyle look(int(w))
  }
  if (ended) { # names at the right ends, apart; the axis of y is that of the curves
    ends_n = 0
    low = 1e300
    high = -1e300
    do for [w in lines[p].' '.dashed[p].' '.linespoints[p]] {
      v = int(w)
      last_x = NaN
      last_y = NaN
      stats table(v) using (Y(v) == Y(v) && !(X(v) < last_x) ? (last_x = X(v), last_y = Y(v)) : 0, Y(v)) nooutput
      if (last_y == last_y) {
        low = low < STATS_min ? low : STATS_min
        high = high > STATS_max ? high : STATS_max
      }
      if (last_y == last_y && strlen(titles[v]) > 0) {
        ends_n = ends_n + 1
        k = ends_n
        do for [i = ends_n - 1:1:-1] {
          if (end_y[i] > last_y) {
            end_of[i + 1] = end_of[i]
            end_x[i + 1] = end_x[i]
            end_y[i + 1] = end_y[i]
            k = i
          }
        }
        end_of[k] = v
        end_x[k] = last_x
        end_y[k] = last_y
      }
    }
    if (y_lo[p] < y_hi[p]) {
      low = y_lo[p]
      high = y_hi[p]
    }
    edge = y_lo[p] < y_hi[p] ? 0 : 0.05*(of_axis(high) - of_axis(low)) + 1e-12
    low = of_axis(low) - edge
    high = of_axis(high) + edge
    apart = name_high/axes_high
    do for [i = 1:ends_n] { name_at[i] = (of_axis(end_y[i]) - low)/(high - low) }
    do for [turn = 1:40] { # those too close go apart by half of what they lack
      do for [i = 1:ends_n - 1] {
        lack = apart - name_at[i + 1] + name_at[i]
        if (lack > 0) {
          name_at[i] = name_at[i] - lack/2
          name_at[i + 1] = name_at[i + 1] + lack/2
        }
      }
    }
    if (ends_n > 0) { name_at[1] = name_at[1] > 0 ? name_at[1] : 0 }
    do for [i = 2:ends_n] { name_at[i] = name_at[i] > name_at[i - 1] + apart ? name_at[i] : name_at[i - 1] + apart }
    if (ends_n > 0) { name_at[ends_n] = name_at[ends_n] < 1 ? name_at[ends_n] : 1 }
    do for [i = ends_n - 1:1:-1] { name_at[i] = name_at[i] < name_at[i + 1] - apart ? name_at[i] : name_at[i + 1] - apart }
    if (ends_n > 0) { set yrange [on_axis(low):on_axis(high)] }
    do for [i = 1:ends_n] {
      v = end_of[i]
      set arrow from first end_x[i], end_y[i] to graph 1.03, name_at[i] nohead linestyle look(v) linewidth 0.6 dashtype (2,3)
      if (plains[v]) {
        set label titles[v] at graph 1.035, name_at[i] left noenhanced font ''.pt(9) textcolor rgb ink(v)
      } else {
        set label titles[v] at graph 1.035, name_at[i] left enhanced font ''.pt(9) textcolor rgb ink(v)
      }
    }
  }
  drawn = ''
  do for [w in laws[p]] {
    drawn = drawn . line(w, sprintf('law(%s, x) with lines', w)) . key(w)
    shown[int(w)] = below(w, 'lines', '')
  }
  do for [w in bands[p]] {
    drawn = drawn . part(w, range_of(w) . 'with filledcurves fillstyle transparent solid 0.2 noborder') . key(w)
  }
  do for [w in errorbars[p]] {
    drawn = drawn . line(w, ends_of(w) . 'with vectors heads size graph 0.005,90') . key(w)
    shown[int(w)] = below(w, 'lines', '')
  }
  do for [w in xbars[p]] {
    drawn = drawn . line(w, across_of(w) . 'with vectors heads size graph 0.005,90') . 'dashtype 1 ' . key(w)
    shown[int(w)] = below(w, 'lines', '')
  }
  do for [w in rects[p]] {
    drawn = drawn . part(w, cells_of(w)) . 'fillstyle solid 1 noborder ' . key(w)
    shown[int(w)] = below(w, 'boxes', 'fillstyle solid 1 noborder ')
  }
  do for [w in frames[p]] {
    drawn = drawn . line(w, cells_of(w)) . 'fillstyle empty border ' . key(w)
    shown[int(w)] = below(w, 'boxes', 'fillstyle empty border ')
  }
  do for [w in tight ? '' : texts[p]] {
    drawn = drawn . texts_of(w) . (word_counts[int(w)] > 0 ? "with labels center font '" . pt(9) . "' textcolor linestyle look(" . w . ") " : \
            "with labels left offset 0.3, 0.5 font '" . pt(8) . "' textcolor rgb '#707070' ") . key(w)
  }
  do for [w in lines[p]] {
    drawn = drawn . line(w, lines_of(w)) . key(w)
    shown[int(w)] = below(w, 'lines', '')
  }
  do for [w in dashed[p]] {
    drawn = drawn . line(w, lines_of(w)) . 'dashtype (8,8) ' . key(w)
    shown[int(w)] = below(w, 'lines', 'dashtype (8,8) ')
  }
  do for [w in linespoints[p]] {
    if (steps[int(w)] || everys[int(w)] > 1) {
      drawn = drawn . line(w, lines_of(w)) . 'notitle, ' . part(w, sparse_of(w) . 'with points') . 'notitle, ' . \
              (footed || ended ? '' : line(w, 'NaN with linespoints') . titled(w))
    } else {
      drawn = drawn . line(w, points_of(w) . 'with linespoints') . key(w)
    }
    shown[int(w)] = below(w, 'linespoints', '')
  }
  do for [w in points[p]] {
    drawn = drawn . part(w, points_of(w) . 'with points') . key(w)
    shown[int(w)] = below(w, 'points', '')
  }
  do for [w in impulses[p]] {
    drawn = drawn . line(w, points_of(w) . 'with impulses') . key(w) . \
            part(w, points_of(w) . 'with points') . 'notitle, '
    shown[int(w)] = below(w, 'impulses', '')
  }
  do for [w in bars[p]] {
    drawn = drawn . line(w, points_of(w) . 'with boxes') . key(w) . \
            sprintf('table(%s) using (X(%s)):(Y(%s)):(note(%s)) ', w, w, w, w) . \
            (narrow && words(x_names[p]) > 8 ? "with labels left rotate by 90 offset 0, 0.3 font '" : "with labels offset 0, 0.6 font '") . pt(words(x_names[p]) > 14 ? 8 : narrow ? 9 : 10) . "' notitle, "
    shown[int(w)] = below(w, 'boxes', '')
  }
  do for [w in verticals[p]] {
    drawn = drawn . part(w, 'NaN with lines') . key(w)
    shown[int(w)] = below(w, 'lines', '')
  }
  if (strlen(drawn) == 0) { # the others of the row have curves
    set label 'none' at graph 0.5, graph 0.5 center textcolor rgb '#707070'
    if (x_lo[p] >= x_hi[p]) { set xrange [1:10] }
    if (y_lo[p] >= y_hi[p]) { set yrange [1:10] }
    drawn = 'NaN notitle, '
  }
  eval('plot ' . drawn[1:strlen(drawn) - 2])
}
if (foot > 0) { # the key alone
  unset border
  unset tics
  unset grid
  unset logscale
  unset label
  unset arrow
  set xlabel ''
  set ylabel ''
  set size noratio
  set lmargin at screen 0.02
  set rmargin at screen 0.98
  set bmargin at screen 0
  set tmargin at screen foot
  set xrange [0:1]
  set yrange [0:1]
  set key at screen 0.5, screen 0.012 center bottom vertical Left reverse samplen 2 maxrows foot_rows
  letters = sprintf(',%g', foot_letters)
  marked = 0
  do for [w in in_foot] { marked = marked || (!plains[int(w)] && is_marked(titles[int(w)])) }
  set key font letters spacing (marked ? 1.2 : 1) width (printed ? narrower(foot_longest, foot_letters) : 2) # on screen letters are wider than gnuplot takes them for
  drawn = ''
  do for [w in in_foot] { drawn = drawn . shown[int(w)] }
  eval('plot ' . drawn[1:strlen(drawn) - 2])
}
if (many) { unset multiplot }
