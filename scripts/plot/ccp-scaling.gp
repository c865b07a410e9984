# SPDX-License-Identifier: GPL-3.0-or-later
#
# Iterations a solve, time an iteration, time a step over contacts; one table a solver, with 1 in the
# last column where the tolerance was missed (open circles). Powers from the tables fit-*.
# size: 17 18
# narrow: 8.5 23

solvers = 'relaxation pgs psor apgd spg ipm'
look(i) = solver_style(word(solvers, i))
table(i) = data.'/'.word(solvers, i).'.dat'
array iterations[6]
array cost[6]
array step[6]
number(x, e) = sprintf('%.2f (%.2f)', x, e)
# Numbers of the solvers with runs that missed the tolerance, and with runs that met it.
nth(list, j) = int(word(list, j))
have_missed = ''
have_met = ''
do for [i = 1:6] {
  f = data.'/fit-'.word(solvers, i).'.dat'
  iterations[i] = 'no fit'
  cost[i] = 'no fit'
  step[i] = 'no fit'
  stats f using 7 nooutput
  missed = STATS_max
  stats table(i) using 1 nooutput
  if (missed > 0) { have_missed = have_missed.' '.i }
  if (STATS_records > missed) { have_met = have_met.' '.i }
  if (STATS_records - missed > 2) {
    stats f using 1:2 nooutput
    iterations[i] = number(STATS_mean_x, STATS_mean_y)
    stats f using 3:4 nooutput
    cost[i] = number(STATS_mean_x, STATS_mean_y)
    stats f using 5:6 nooutput
    step[i] = number(STATS_mean_x, STATS_mean_y)
  }
}

stacked = 4
stack_top = 0.3
set multiplot
unset title
set logscale xy
set format xy decades
set autoscale x noextend
set autoscale y noextend
set offsets graph 0.04, graph 0.04, graph 0.05, graph 0.05
unset key
do for [k = 1:3] {
  eval frame(k == 2 ? 0.62 : 0.12, k == 2 ? 0.97 : 0.48, k == 3 ? 0.10 : 0.58, k == 3 ? 0.44 : 0.92)
  set xlabel 'contacts [-]' offset 0, 0.4
  if (k == 1) { set ylabel 'iterations a solve [-]' offset 0.5 }
  if (k == 2) { set ylabel 'time an iteration [s]' offset 0.5 }
  if (k == 3) { set ylabel 'time a step [s]' offset 0.5 }
  c = (k == 1 ? 2 : k == 2 ? 4 : 3)
  least = 1e300
  most = 0
  do for [i = 1:6] {
    stats table(i) using c nooutput
    least = STATS_min < least ? STATS_min : least
    most = STATS_max > most ? STATS_max : most
  }
  set ytics autofreq
  set format y decades
  if (most < 100*least) { # a decade or two need tics within them
    set format y '%g'
    set ytics ()
    do for [e = floor(log10(least)):ceil(log10(most))] {
      do for [m in '1 2 5'] { set ytics add (sprintf('%g', m*10.0**e) m*10.0**e) }
    }
  }
  if (have_missed eq '') { # an empty loop is drawn once
    plot for [i = 1:6] table(i) using 1:c with linespoints linestyle look(i)
  } else {
    plot for [i = 1:6] table(i) using 1:c with lines linestyle look(i), \
         for [j = 1:words(have_missed)] table(nth(have_missed, j)) \
           using 1:($5 == 1 ? column(c) : NaN) with points linestyle look(nth(have_missed, j)) \
           pointtype 6 pointsize 1.4, \
         for [j = 1:words(have_met)] table(nth(have_met, j)) \
           using 1:($5 == 1 ? NaN : column(c)) with points linestyle look(nth(have_met, j))
  }
}
set offsets 0, 0, 0, 0

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
stack_left = 0.3
stack_label = 0.1
eval frame(0.52, 0.99, 0.08, 0.44)
set xrange [0:1]
set yrange [0:1]
set label 1 'Powers of contacts (twice the standard error)' at graph 0.02, 1.0 left font ''.pt(8)
set label 2 'iterations' at graph 0.37, 0.90 left font ''.pt(8)
set label 3 'cost of one' at graph 0.58, 0.90 left font ''.pt(8)
set label 4 'step' at graph 0.82, 0.90 left font ''.pt(8)
do for [i = 1:6] {
  y = 0.90 - 0.09*i
  set label 10*i     iterations[i] at graph 0.37, y left font ''.pt(8)
  set label 10*i + 1 cost[i] at graph 0.58, y left font ''.pt(8)
  set label 10*i + 2 step[i] at graph 0.82, y left font ''.pt(8)
  set label 10*i + 3 word(solvers, i) at graph 0.12, y left font ''.pt(8) textcolor linestyle look(i)
  set arrow i from graph 0.01, y to graph 0.10, y nohead linestyle look(i)
  set label 10*i + 4 '' at graph 0.055, y point linestyle look(i)
}
set label 90 'open circles: 1e-8 not reached, not in the fit' at graph 0.02, 0.16 left font ''.pt(8)
plot NaN notitle
unset multiplot
