# SPDX-License-Identifier: GPL-3.0-or-later
#
# Frames of the chains, 25 a second; table film: rows branch, x, y, R of a point in all frames, then
# of the next; points are the ceiling's (R = 0) and the discs of the first branch, then those of the
# second. With the bitmap terminal a film of all frames is drawn too, film.gif in the folder of the
# tables.
# size: 17 15
# narrow: 8.5 8.6

array at[12] = [0, 0.2, 0.4, 0.52, 0.6, 0.8, 1, 1.4, 2, 3, 5, 8]
stats data.'/film.dat' using 3 nooutput
frames = int(STATS_records / 22)
top = STATS_max

set multiplot
unset title
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [-1.35:1.35]
set yrange [narrow ? -0.25 : 0:top + 0.02]
hex_of(c) = int('0x'.c[2:7])
first = hex_of(hue('violet'))
second = hex_of(hue('red'))
disc(b) = b == 0 ? first : second
set style fill solid 0.55 border
do for [k = 0:11] {
  set lmargin at screen 0.01 + 0.33 * (k % 3)
  set rmargin at screen 0.33 + 0.33 * (k % 3)
  set tmargin at screen up(0.93 - 0.235 * (k / 3))
  set bmargin at screen up(0.72 - 0.235 * (k / 3))
  set label 1 sprintf('t = %.2f s', at[k + 1]) at 1.33, (narrow ? -0.16 : 0.12) right font ''.pt(10)
  set arrow 1 from -0.5, top to 0.5, top nohead linewidth 2 linecolor rgb '#404040'
  set arrow 2 from -1.35, 0 to 1.35, 0 nohead linewidth 1 linecolor rgb '#404040'
  f = int(at[k + 1] / 0.04 + 0.5)
  plot data.'/film.dat' every frames::f::11 * frames - 1 using 2:3 with lines linecolor rgb '#404040' \
       notitle, data.'/film.dat' every frames::11 * frames + f using 2:3 with lines linecolor rgb '#404040' \
       notitle, data.'/film.dat' every frames::f using 2:3:4:(disc($1)) with circles \
       linecolor rgb variable notitle
}
unset multiplot

if (GPVAL_TERM eq 'pngcairo' && !printed) {
  unset output
  set terminal gif animate delay 4 loop 0 size 540,300
  set output data.'/film.gif'
  set margins 0, 0, 0, 0
  set lmargin at screen 0
  set rmargin at screen 1
  set tmargin at screen 0.97
  set bmargin at screen 0.02
  do for [k = 0:frames - 1] {
    set label 1 sprintf('t = %.2f s', 0.04 * k) at 1.33, 0.12 right font ''.pt(10)
    plot data.'/film.dat' every frames::k::11 * frames - 1 using 2:3 with lines linecolor rgb '#404040' \
         notitle, data.'/film.dat' every frames::11 * frames + k using 2:3 with lines linecolor rgb '#404040' \
         notitle, data.'/film.dat' every frames::k using 2:3:4:(disc($1)) with circles \
         linecolor rgb variable notitle
  }
}
