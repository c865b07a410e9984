# SPDX-License-Identifier: GPL-3.0-or-later
#
# Angles while sliding: a table each formulation at dt = 1e-4 s (t, six angles, errors of A and of
# B), event alike, and errors (dt, one column a formulation).
# size: 17 25

set multiplot title title noenhanced
unset title
forms = 'moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion consistent-quaternion-twostep consistent-twostep'
set xrange [0:0.9]
set xlabel axis('t', 's')
set xtics 0.3
angles = 'q_1 q_2 q_3'
color(j) = word('#0072b2 #d55e00 #009e73', j)
small(x) = x > 1e-8 ? x : NaN

set tmargin at screen 0.95
set bmargin at screen 0.73
do for [body = 0:1] {
  set lmargin at screen 0.12 + 0.5*body
  set rmargin at screen 0.47 + 0.5*body
  set ylabel axis(body == 0 ? 'angles of A' : 'angles of B, relative', 'rad')
  set yrange [-1.6:4.2]
  set key inside left top horizontal
  plot for [j = 1:3] data.'/event.dat' using 1:(column(1 + 3*body + j)) with lines \
         linewidth 2 linecolor rgb color(j) title word(angles, j) enhanced, \
       for [j = 1:3] data.'/lcp-st.dat' using 1:(column(1 + 3*body + j)) every 5 with points \
         pointtype 6 pointsize 0.7 linecolor rgb color(j) notitle
}

set logscale y
set format y decades
set yrange [1e-7:0.2]
set tmargin at screen 0.65
set bmargin at screen 0.43
unset key
do for [body = 0:1] {
  set lmargin at screen 0.12 + 0.5*body
  set rmargin at screen 0.47 + 0.5*body
  set ylabel axis(body == 0 ? 'error, A' : 'error, B', 'rad')
  plot for [name in forms] data.'/'.name.'.dat' using 1:(small(column(8 + body))) every 3 with lines \
         linestyle style(name) linewidth 1.5 notitle
}

set lmargin at screen 0.12
set rmargin at screen 0.50
set tmargin at screen 0.35
set bmargin at screen 0.07
set logscale x
set xrange [7e-5:1.5e-3]
set xtics ('10^{-4}' 1e-4, '2 10^{-4}' 2e-4, '5 10^{-4}' 5e-4, '10^{-3}' 1e-3)
set yrange [*:0.2]
set xlabel axis('dt', 's')
set ylabel axis('largest error', 'rad')
set key at screen 0.535, 0.345 left top vertical Left reverse
plot for [i = 1:words(forms)] data.'/errors.dat' using 1:(column(i + 1)) with linespoints \
       linestyle style(word(forms, i)) title word(forms, i)
unset multiplot
