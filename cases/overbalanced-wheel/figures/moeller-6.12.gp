# SPDX-License-Identifier: GPL-3.0-or-later
#
# Phase plane of the wheel's angle; table elastic.

set xlabel axis('{/Symbol f}', 'rad') enhanced
set ylabel axis('d{/Symbol f}/dt', 'rad/s') enhanced
unset key
plot data.'/elastic.dat' using 2:3 with lines linestyle ls_consistent_twostep linewidth 1.2
