# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two-step integrator at 1e-3 s and the limit of Moreau's rule; tables twostep, event, limit.
# size: 17 21
# narrow: 8.5 18

set multiplot
unset title
stacked = 3
stack_top = 0.8
eval frame(0.16, 0.97, 0.70, 0.94)
set xrange [0:1]
set yrange [96:116.5]
set xlabel axis('t', 's')
set ylabel axis('x_1, x_2', 'mm') enhanced
set key inside right top horizontal
eval key_above
plot data.'/event.dat' using 1:(1e3*$2) with lines linestyle ls_reference title 'event, x_1' enhanced, \
     data.'/twostep.dat' using 1:(1e3*$2) with lines linestyle ls_consistent_twostep \
       title 'two-step, x_1' enhanced, \
     data.'/twostep.dat' using 1:(1e3*$3) with lines linestyle ls_consistent_twostep dashtype 3 \
       title 'x_2' enhanced

stack_top = 0.95
eval frame(0.16, 0.97, 0.40, 0.60)
set yrange [-2.7:0.2]
set ylabel axis('E - E_0', 'mJ') enhanced
set key inside right top vertical
if (narrow) { above_rows = 2 }
eval key_above
plot data.'/event.dat' using 1:(1e3 * $4) with lines linestyle ls_reference title 'event', \
     data.'/twostep.dat' using 1:(1e3 * $4) with lines linestyle ls_consistent_twostep \
       title 'two-step, dt = 1e-3 s'

# Growth in 400 steps against the distance of the step from the limit, logarithmic to both sides.
stack_top = 1.25
eval frame(0.16, 0.97, 0.09, 0.30)
sl(x) = x == 1 ? 0 : (x > 1 ? 1 : -1) * (log10(abs(x - 1)) + 4.5)
set xrange [-4.1:4.1]
set logscale y
set yrange [0.2:1e9]
set format y decades
set ytics (1, 1e3, 1e6)
set xtics ('-10%%' sl(0.9), '-1%%' sl(0.99), '-0.1%%' sl(0.999), '-0.01%%' sl(0.9999), \
           '+0.01%%' sl(1.0001), '+0.1%%' sl(1.001), '+1%%' sl(1.01), '+10%%' sl(1.1))
set xlabel 'moreau: dt less the limit 1e-4 s'
set ylabel 'max |x_2 - x_{eq}|/A' enhanced
set arrow 1 from 0, graph 0 to 0, graph 1 nohead linestyle ls_limit
set key inside left top
if (narrow) {
  above_rows = 3
  set xtics ('-10%%' sl(0.9), '-0.1%%' sl(0.999), '+0.1%%' sl(1.001), '+10%%' sl(1.1))
}
eval key_above
top = 1e8
plot data.'/limit.dat' using (sl($1)):2 with points linestyle ls_moreau \
       title 'm_2 alone, 400 steps' enhanced, \
     data.'/limit.dat' using ($2 == $2 ? NaN : sl($1)):(top) with points linestyle ls_moreau \
       pointtype 10 pointsize 1.4 title 'diverged', \
     data.'/limit.dat' using ($3 == 1 ? sl($1) : NaN):(0.5) with points linestyle ls_mark \
       pointtype 1 title 'survives 1 s of contacts'
unset multiplot
