# SPDX-License-Identifier: GPL-3.0-or-later
#
# A drawn table: the solutions with the source's digits in grey below, then the answers of runs, a
# table each, with the solution that they are; where narrow in two blocks of columns.
# size: 24 21
# narrow: 8.5 21

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
set xrange [0:1]
set yrange [-33.6:0.8]
number(x) = abs(x) < 5e-7 ? '0' : sprintf(narrow ? '%.4f' : '%.6f', x) # rounding is zero
printed_in(x, decimals) = sprintf(sprintf('%%.%df', int(decimals)), x)
solution(k) = k == 4 && narrow ? 'dissipative' : k > 0 ? word(solutions, int(k)) : narrow ? 'none' : 'none of these'
at(k) = !narrow ? 0.31 + 0.093*(k - 1) : 0.34 + (block == 1 ? 0.165 : 0.145)*(k - first + 1)
is_at = narrow ? 0.79 : 0.885
blocks = narrow ? 2 : 1
if (narrow) { set multiplot }
do for [block = 1:blocks] {
  first = block == 1 ? 1 : 5
  last = blocks == 2 && block == 1 ? 4 : 7
  set tmargin at screen (narrow ? 1.49 - 0.5*block : up(0.94))
  set bmargin at screen (narrow ? 1.01 - 0.5*block : up(0.01))
  unset label
  unset arrow
  do for [k = first:last] {
    set label word(heads, k) at at(k), (narrow ? 0.3 : 0) right font ''.pt(printed ? 12 : 10)
    set label word(units, k) at at(k), (narrow ? -0.9 : -0.8) right font ''.pt(9) textcolor rgb grey
  }
  set arrow from 0, -1.4 to 1, -1.4 nohead linecolor rgb grey
  set label 'solutions' at 0, -0.4 left
  set label (narrow ? 'answers of solvers' : 'answers of formulation and solver') at 0, -11.0 left
  if (last == 7) { set label 'is' at is_at, -11.0 left }
  set arrow from 0, -11.6 to 1, -11.6 nohead linecolor rgb grey
  do for [i = 1:4] { set label word(solutions, i) at 0, -0.2 - 2.2*i left font ''.pt(10) }
  do for [i = 1:words(answers)] { set label word(answers, i) at 0, -11.4 - i left font ''.pt(10) noenhanced }
  plot for [i = 1:4] for [k = first:last] data.'/solution'.i.'.dat' \
         using (at(k)):(-0.2 - 2.2*i):(number(column(k))) with labels right font ''.pt(9), \
       for [i = 1:4] for [k = first:last] data.'/solution'.i.'.dat' \
         using (at(k)):(-1.1 - 2.2*i):(printed_in(column(7 + k), column(14 + k))) with labels right font ''.pt(9) \
         textcolor rgb grey, \
       for [i = 1:words(answers)] for [k = first:last] data.'/'.word(answers, i).'.dat' \
         using (at(k)):(-11.4 - i):(number(column(k))) with labels right font ''.pt(9), \
       for [i = 1:words(answers)] data.'/'.word(answers, i).'.dat' \
         using (is_at):(-11.4 - i):(last == 7 ? solution($8) : '') with labels left font ''.pt(9)
}
if (narrow) { unset multiplot }
