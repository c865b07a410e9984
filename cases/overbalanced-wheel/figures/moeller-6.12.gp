# SPDX-License-Identifier: GPL-3.0-or-later
#
# Phase plane of the wheel's angle; table elastic.

set xlabel axis('φ', 'rad') enhanced
set ylabel axis('dφ/dt', 'rad/s') enhanced
unset key
plot data.'/elastic.dat' using 2:3 with lines linestyle ls_consistent_twostep linewidth 1.2
