# SPDX-License-Identifier: GPL-3.0-or-later
#
# Both laws, left and right: iterations and processor time to 1e-6 over contacts, and time over the
# tolerance at 100 spheres. Tables <law>-<solver>-1e-6 and <law>-<solver>-tolerances have 1 in their
# last column where the tolerance was missed (open circles); powers are in fit-*.
# size: 17 24
# narrow: 8.5 24.5

array laws[2] = ['ccp', 'ncp']
array solvers[2]
solvers[1] = 'momentum-1 relaxation pgs psor anderson apgd spg ipm ssn prox pjacobi pnewton auto'
solvers[2] = 'momentum-1 momentum-0.8 relaxation pgs anderson ssn prox fixed-point pjacobi pnewton auto'
set style line 501 linecolor rgb hue('violet') linewidth 2.4 dashtype 1 pointtype 9 pointsize 0.9
set style line 502 linecolor rgb hue('violet') linewidth 1.6 dashtype (5,3) pointtype 11 pointsize 0.9
look(name) = name eq 'momentum-1' ? 501 : name eq 'momentum-0.8' ? 502 : solver_style(name)
stem(l, i) = data.'/'.laws[l].'-'.word(solvers[l], i)
number(x, e) = sprintf('%.2f (%.2f)', x, e)

column_of_misses(k) = k < 3 ? 5 : 4
table(l, i, k) = stem(l, i).(k < 3 ? '-1e-6.dat' : '-tolerances.dat')
nth(list, j) = int(word(list, j))
# Numbers of the solvers of a panel with cells that met the tolerance, and with cells that missed it.
array who_met[6]
array who_missed[6]
do for [l = 1:2] {
  do for [k = 1:3] {
    at = 3*(l - 1) + k
    who_met[at] = ''
    who_missed[at] = ''
    do for [i = 1:words(solvers[l])] {
      stats table(l, i, k) using column_of_misses(k) nooutput
      if (STATS_sum < STATS_records) { who_met[at] = who_met[at].' '.i }
      if (STATS_sum > 0) { who_missed[at] = who_missed[at].' '.i }
    }
  }
}
# What the key says of solver i of law l, at 20 l + i.
array powers_i[60]
array powers_t[60]
array misses[60]
do for [l = 1:2] {
  do for [i = 1:words(solvers[l])] {
    missed = 0
    all = 0
    do for [t in '1e-2 1e-4 1e-8 1e-6'] {
      stats stem(l, i).'-'.t.'.dat' using 5 nooutput
      missed = missed + STATS_sum
      all = all + STATS_records
    }
    misses[20*l + i] = sprintf('%d of %d', missed, all)
    powers_i[20*l + i] = 'no fit'
    powers_t[20*l + i] = 'no fit'
    if (STATS_records - STATS_sum > 2) {
      fit = data.'/fit-'.laws[l].'-'.word(solvers[l], i).'-1e-6.dat'
      stats fit using 1:2 nooutput
      powers_i[20*l + i] = number(STATS_mean_x, STATS_mean_y)
      stats fit using 5:6 nooutput
      powers_t[20*l + i] = number(STATS_mean_x, STATS_mean_y)
    }
  }
}

stacked = 6
stack_columns = 2
stack_foot = 10.5
stack_left = 1.4
stack_right = 0.15
stack_label = 1
set multiplot
unset title
set logscale xy
set format xy decades
set offsets graph 0.04, graph 0.04, graph 0.05, graph 0.05
set autoscale x noextend
set autoscale y noextend
unset key
set xtics font ''.pt(9) offset 0, 0.2
set ytics font ''.pt(9)
do for [l = 1:2] {
  do for [k = 1:3] {
    slot = 2*(k - 1) + l - 1
    eval frame(0.5*(l - 1) + 0.10, 0.5*(l - 1) + 0.48, 0.935 - 0.225*(k - 1) - 0.165, 0.935 - 0.225*(k - 1))
    set xlabel (k < 3 ? 'contacts [-]' : 'tolerance [-]') offset 0, 0.7 font ''.pt(9)
    if (k < 3) { set xrange [*:*] } else { set xrange [3e-2:3e-9] } # tighter to the right
    if (narrow && k == 3) { set xtics ('10^{/=7.2 -2}' 1e-2, '10^{/=7.2 -5}' 1e-5, '10^{/=7.2 -8}' 1e-8) }
    if (k == 1) { set ylabel 'iterations to 1e-6 [-]' offset 1.6 font ''.pt(9) }
    if (k == 2) { set ylabel 'time to 1e-6 [s]' offset 1.6 font ''.pt(9) }
    if (k == 3) { set ylabel 'time, 100 spheres [s]' offset 1.6 font ''.pt(9) }
    unset label
    if (k == 1) {
      set label 1 (l == 1 ? 'ccp, the convex law' : 'ncp, exact Coulomb') at graph 0, graph 1.07 left font ''.pt(10)
    }
    c = k == 1 ? 2 : 3
    m = column_of_misses(k)
    met = who_met[3*(l - 1) + k]
    missed = who_missed[3*(l - 1) + k]
    if (missed eq '') { # an empty loop is drawn once
      plot for [i = 1:words(solvers[l])] table(l, i, k) using 1:c with linespoints \
             linestyle look(word(solvers[l], i))
    } else {
      plot for [i = 1:words(solvers[l])] table(l, i, k) using 1:c with lines \
             linestyle look(word(solvers[l], i)), \
           for [j = 1:words(met)] table(l, nth(met, j), k) \
             using 1:(column(m) == 0 ? column(c) : NaN) with points \
             linestyle look(word(solvers[l], nth(met, j))), \
           for [j = 1:words(missed)] table(l, nth(missed, j), k) \
             using 1:(column(m) == 1 ? column(c) : NaN) with points \
             linestyle look(word(solvers[l], nth(missed, j))) pointtype 6 pointsize 1.2
    }
  }
}
set offsets 0, 0, 0, 0

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset label
set xrange [0:1]
set yrange [0:1]
do for [l = 1:2] {
  unset label
  unset arrow
  if (narrow) {
    set lmargin at screen 0.03
    set rmargin at screen 0.97
    set tmargin at screen (5.2*(3 - l))/page_high
    set bmargin at screen (5.2*(2 - l) + 0.1)/page_high
  } else {
    eval frame(0.5*(l - 1) + 0.03, 0.5*(l - 1) + 0.49, 0.01, 0.245)
  }
  set label 1 'powers to 1e-6:' at graph 0.13, 0.97 left font ''.pt(7)
  set label 2 'iterations' at graph 0.42, 0.97 left font ''.pt(7)
  set label 3 'time' at graph 0.64, 0.97 left font ''.pt(7)
  set label 4 'missed' at graph 0.86, 0.97 left font ''.pt(7)
  do for [i = 1:words(solvers[l])] {
    y = 0.97 - 0.06*i
    set arrow i from graph 0.01, y to graph 0.10, y nohead linestyle look(word(solvers[l], i))
    set label 10*i '' at graph 0.055, y point linestyle look(word(solvers[l], i))
    set label 10*i + 1 word(solvers[l], i) at graph 0.13, y left noenhanced font ''.pt(8)
    set label 10*i + 2 powers_i[20*l + i] at graph 0.42, y left font ''.pt(8)
    set label 10*i + 3 powers_t[20*l + i] at graph 0.64, y left font ''.pt(8)
    set label 10*i + 4 misses[20*l + i] at graph 0.86, y left font ''.pt(8)
  }
  if (l == 2) {
    set label 900 'In brackets: twice the standard error.' \
        at graph 0.01, 0.235 left font ''.pt(7)
    set label 901 'Open circles: tolerance missed, not in the fit.' \
        at graph 0.01, 0.190 left font ''.pt(7)
    set label 902 'An iteration is a sweep over all contacts (pgs, psor,' \
        at graph 0.01, 0.145 left font ''.pt(7)
    set label 903 'pjacobi, anderson, relaxation, momentum), a product or two' \
        at graph 0.01, 0.100 left font ''.pt(7)
    set label 904 'with W (apgd, spg), or a' \
        at graph 0.01, 0.055 left font ''.pt(7)
    set label 905 'factorisation (ipm, ssn, prox, pnewton, fixed-point).' \
        at graph 0.01, 0.010 left font ''.pt(7)
  }
  plot NaN notitle
}
unset multiplot
