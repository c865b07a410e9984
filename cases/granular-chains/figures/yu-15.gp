# SPDX-License-Identifier: GPL-3.0-or-later
#
# Frames of the chains; tables stills, times, film: a frame is a block, rows x, y, R, branch. With
# the bitmap terminal a film of all frames is drawn too, film.gif in the folder of the tables.
# size: 17 15
# narrow: 8.5 7.6

array at[12]
stats data.'/times.dat' using (at[int($1) + 1] = $2) nooutput
stats data.'/film.dat' using 2 nooutput
frames = int(STATS_records / 22)
top = STATS_max

set multiplot title title noenhanced
unset title
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [-1.35:1.35]
set yrange [0:top + 0.02]
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
  set label 1 sprintf('t = %.2f s', at[k + 1]) at 1.33, 0.12 right font ''.pt(10)
  set arrow 1 from -0.5, top to 0.5, top nohead linewidth 2 linecolor rgb '#404040'
  set arrow 2 from -1.35, 0 to 1.35, 0 nohead linewidth 1 linecolor rgb '#404040'
  plot data.'/stills.dat' every ::0:k:10:k using 1:2 with lines linecolor rgb '#404040' notitle, \
       data.'/stills.dat' every ::11:k:21:k using 1:2 with lines linecolor rgb '#404040' notitle, \
       data.'/stills.dat' every :::k::k using 1:2:3:(disc($4)) with circles linecolor rgb variable \
         notitle
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
    plot data.'/film.dat' every ::0:k:10:k using 1:2 with lines linecolor rgb '#404040' notitle, \
         data.'/film.dat' every ::11:k:21:k using 1:2 with lines linecolor rgb '#404040' notitle, \
         data.'/film.dat' every :::k::k using 1:2:3:(disc($4)) with circles linecolor rgb variable \
           notitle
  }
}
