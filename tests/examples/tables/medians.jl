# SPDX-License-Identifier: GPL-3.0-or-later
#
# The median error of each formulation in a table of records: julia medians.jl results/quick/table/records.csv
using DelimitedFiles, Statistics
t, h = readdlm(ARGS[1], ',', header = true)
column(name) = t[:, findfirst(==(name), vec(h))]
f, e = column("formulation.name"), column("errors.q_linf")
for x in unique(f[isa.(e, Number)])
  println(x, " ", median(e[(f .== x) .& isa.(e, Number)]))
end
