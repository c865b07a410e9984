# SPDX-License-Identifier: GPL-3.0-or-later
#
# A drawn table: the solutions with the source's digits in grey below, then the answers of runs, a
# table each, with the solution that they are.
# size: 24 21

answers = 'ncp-relaxation moreau-relaxation consistent-twostep consistent-quaternion event ncp-pgs '. \
          'ncp-pjacobi ncp-pnewton ncp-prox ncp-ssn moreau-pgs penalty mdp-relaxation ccp-relaxation ccp-apgd ccp-psor '. \
          'ccp-pgs lcp-ap-4 lcp-ap-16 lcp-ap-32 lcp-ap-128'
solutions = '"Coulomb 1" "Coulomb 2" "Coulomb 3" "most dissipative"'
heads = 'r_N r_t r_o v_N v_t v_o energy'
units = '[Ns] [Ns] [Ns] [m/s] [m/s] [m/s] [J]'
grey = '#707070'

unset border
unset tics
unset key
unset grid
set lmargin at screen 0.01
set rmargin at screen 0.99
set tmargin at screen 0.94
set bmargin at screen 0.01
set xrange [0:1]
set yrange [-33.6:0.8]
at(k) = 0.31 + 0.093*(k - 1)
number(x) = abs(x) < 5e-7 ? '0' : sprintf('%.6f', x) # rounding is zero
printed(x, decimals) = sprintf(sprintf('%%.%df', int(decimals)), x)
solution(k) = k > 0 ? word(solutions, int(k)) : 'none of these'

do for [k = 1:7] {
  set label word(heads, k) at at(k), 0 right font ',10'
  set label word(units, k) at at(k), -0.8 right font ',9' textcolor rgb grey
}
set arrow from 0, -1.4 to 1, -1.4 nohead linecolor rgb grey
set label 'solutions' at 0, -0.4 left
set label 'answers of formulation and solver' at 0, -11.0 left
set label 'is' at 0.885, -11.0 left
set arrow from 0, -11.6 to 1, -11.6 nohead linecolor rgb grey
do for [i = 1:4] { set label word(solutions, i) at 0, -0.2 - 2.2*i left font ',10' }
do for [i = 1:words(answers)] { set label word(answers, i) at 0, -11.4 - i left font ',10' noenhanced }
plot for [i = 1:4] for [k = 1:7] data.'/solution'.i.'.dat' \
       using (at(k)):(-0.2 - 2.2*i):(number(column(k))) with labels right font ',9', \
     for [i = 1:4] for [k = 1:7] data.'/solution'.i.'.dat' \
       using (at(k)):(-1.1 - 2.2*i):(printed(column(7 + k), column(14 + k))) with labels right font ',9' \
       textcolor rgb grey, \
     for [i = 1:words(answers)] for [k = 1:7] data.'/'.word(answers, i).'.dat' \
       using (at(k)):(-11.4 - i):(number(column(k))) with labels right font ',9', \
     for [i = 1:words(answers)] data.'/'.word(answers, i).'.dat' \
       using (0.885):(-11.4 - i):(solution($8)) with labels left font ',9'
