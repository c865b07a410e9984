# SPDX-License-Identifier: GPL-3.0-or-later
#
# Outlines side by side; tables main, handle, centres.
# size: 24 6.5

set size ratio -1
set lmargin at screen 0.08
set rmargin at screen 0.98
unset key
unset grid
unset border
unset xtics
set ytics 0, 10, 40 nomirror
set ylabel axis('z', 'mm') offset 1
set xrange [-25:385]
set yrange [-14:46]
set arrow 1 from -25, 0 to 385, 0 nohead linestyle ls_limit
plot data.'/main.dat' using 1:2 with lines linestyle 1, \
     data.'/handle.dat' using 1:2 with lines linestyle 4, \
     data.'/centres.dat' using 1:2 with points linestyle ls_mark pointsize 0.5, \
     data.'/centres.dat' using 1:(-4):(sprintf('t = %.1f s', $3)) with labels font ',9', \
     data.'/centres.dat' using 1:(-10):(sprintf('%.2f rad', $4)) with labels font ',9'
