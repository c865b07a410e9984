# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cases by formulations, a coloured cell a run. All places are in cm from the upper left corner of
# a drawing of wide x high. cells.dat: x, y, kind (src/bench/report/overview/overview.h; a failure
# is 10 and its status), number, colour (from 0), mark (2: unconverged), band (-1000:
# none); framed.dat: x, y of those with a frame, absent where there are none. texts, xs, ys, kinds:
# labels (0 title, 1 row, 2 step, 3 reference, 4 group, 5 column). colour_lo, colour_hi: what the first
# and the last colour stand for, decimal logarithms; is_log: whether cells show
# those; is_ratio: values are over those of another run.

set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0:wide]
set yrange [high:0]
unset title
unset border
unset tics
unset grid
unset key

# From blue (good) over pale yellow to red, apart for all eyes; dark letters are readable on each.
anchors = '4575b4 74add1 abd9e9 e0f3f8 ffffbf fee090 fdae61 f46d43 d73027'
part(s, i) = int('0x' . s[i:i + 1])
mix(a, b, t, i) = int(part(a, i)*(1 - t) + part(b, i)*t + 0.5)
level(c) = c/(colours - 1.0)*8
low(c) = int(level(c)) > 7 ? 7 : int(level(c))
between(c, i) = mix(word(anchors, low(c) + 1), word(anchors, low(c) + 2), level(c) - low(c), i)
rgb(c) = 65536*between(c, 1) + 256*between(c, 3) + between(c, 5)
short(x) = abs(x) < 9.95 ? sprintf('%.1f', x) : sprintf('%.0f', x)
fill(kind, c) = c >= 0 ? rgb(c) : kind == 5 ? 0xe2e5e9 : kind >= 10 ? 0x6b1010 : 0xffffff
letters(kind) = kind == 12 ? 'D' : kind == 16 ? 'U' : kind == 15 ? 'T' : 'F'
number(x) = narrow ? '' : is_log ? (printed ? short(x) : sprintf('%.1f', x)) : \
    x < 0.0095 ? (printed ? '<.01' : sprintf('%.0e', x)) : x < 9.95 ? sprintf('%.2g', x) : sprintf('%.0f', x)
shown(kind, x, mark) = kind == 0 ? number(x) . (mark >= 2 ? '*' : '') : \
    kind == 1 ? (narrow ? '0' : '≈ 0') : kind == 2 ? (narrow ? 'r' : 'ref') : kind == 3 ? '–' : kind == 6 ? '·' : kind == 7 ? '=' : kind == 8 ? (narrow ? 'o' : 'ok') : \
    kind >= 10 ? letters(kind) : ''

do for [i = 1:|texts|] {
  k = int(kinds[i])
  said = k == 1 && printed ? cut(texts[i], 33) : texts[i]
  named = k == 4 && narrow ? strstrt(said, ':') : 0
  if (named > 0) { said = said[1:named - 1] }
  if (k == 0 && !printed) { set label i texts[i] at xs[i], ys[i] left noenhanced font ''.pt(13) }
  if (k == 1) { set label i said at xs[i], ys[i] right noenhanced font ''.pt(printed ? 9 : 10) }
  if (k == 2 && !narrow) { set label i texts[i] at xs[i], ys[i] right noenhanced font ''.pt(8.5) textcolor rgb '#707070' }
  if (k == 3 && !narrow) { set label i texts[i] at xs[i], ys[i] left noenhanced font ''.pt(8.5) textcolor rgb '#707070' }
  if (k == 4) { set label i said at xs[i], ys[i] left noenhanced font ''.pt(10) textcolor rgb '#205080' }
  if (k == 5 && !narrow) { set label i texts[i] at xs[i], ys[i] left rotate by 40 noenhanced font ''.pt(printed ? 9 : 10) }
  if (k == 5 && narrow) { set label i strstrt(texts[i], 'consistent-') == 1 ? 'c.'.texts[i][11:*] : texts[i] at xs[i], ys[i] left rotate by 90 noenhanced font ''.pt(9) }
}

# What the colours and letters say, at the foot.
n = |texts|
bar = printed ? 0.4 : 0.5 # of a colour
bar_top = narrow ? high - 2.95 : high - 1.75
do for [i = 0:colours - 1] {
  set object i + 1 rectangle from 0.2 + bar*i, bar_top to 0.2 + bar*(i + 1), bar_top + 0.35 \
      fillcolor rgb rgb(i) fillstyle solid noborder
}
power(x) = is_log ? sprintf('%g', x) : sprintf('%.3g', 10**x)
set label n + 1 '≤ '.power(colour_lo) at 0.2, bar_top + 0.65 left font ''.pt(8.5)
set label n + 2 '≥ '.power(colour_hi) at 0.2 + bar*colours, bar_top + 0.65 right font ''.pt(8.5)
letters_say = is_ratio ? 'D, U, T, F: it fails now   ok: it had failed   =: no change   ·: not in both   –: no number' : \
    'D diverged   U step beyond stability   T time limit   F failed   * solves unconverged   grey: cannot be expressed'
signs_say = is_ratio ? 'blue: less than in the other run   red: more' : \
    '≈ 0 rounding or below the reference   · not run at this step   – no number   framed: best, or not told from it'
if (printed) {
  to_wrap = letters_say . '   ' . signs_say
  if (narrow) { to_wrap = 'D diverged   U unstable   T time limit   F failed   grey: cannot be expressed   0 rounding   r reference   · not run   – no number   framed: best, or not told from it   c.: consistent' }
  if (narrow && is_ratio) { to_wrap = 'D, U, T, F: it fails now   o: it had failed   =: no change   ·: not in both   –: no number   c.: consistent   ' . signs_say }
  wrap_at = narrow ? 58 : 76
  eval wrap
  set label n + 3 wrapped at narrow ? 0.2 : 5.9, narrow ? high - 1.9 : high - 1.6 left noenhanced font ''.pt(9)
} else {
  set label n + 3 letters_say at 7.4, high - 1.6 left noenhanced font ''.pt(9)
  set label n + 4 signs_say at 7.4, high - 1.05 left noenhanced font ''.pt(9)
}

w = 0.5*cell - 0.02
h = 0.5*line - 0.02
cells = data . '/cells.dat'
framed = strstrt(' ' . present . ' ', ' framed ') > 0 ? data . '/framed.dat' : ''
plot cells using ($1 + 0.5*cell):($2 + 0.5*line):(w):(h):(fill($3, $5)) with boxxyerror \
       fillstyle solid 1 noborder linecolor rgb variable, \
     for [i = 1:strlen(framed) > 0 ? 1 : 0] framed using ($1 + 0.5*cell):($2 + 0.5*line):(w - 0.03):(h - 0.03) \
       with boxxyerror linecolor rgb '#000000' linewidth 2 fillstyle empty border -1, \
     cells using ($1 + 0.5*cell):($2 + 0.5*line):(shown($3, $4, $6) . ($7 >= 0 && !printed ? sprintf('±%.1f', $7) : '')): \
       ($3 >= 10 ? 0xffffff : 0x101010) with labels font ''.pt(9) textcolor rgb variable
