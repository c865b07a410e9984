% SPDX-License-Identifier: GPL-3.0-or-later
%
% The median error of each formulation in a table of records: octave-cli medians.m results/quick/table/records.csv
csv = fopen(argv(){1});
h = strsplit(fgetl(csv), ',');
t = textscan(csv, repmat('%q', 1, numel(h)), 'Delimiter', ',');
column = @(name) t{strcmp(h, name)};
f = column('formulation.name');
e = str2double(column('errors.q_linf'));
for x = unique(f(~isnan(e)))'
  printf('%s %g\n', x{1}, median(e(strcmp(f, x{1}) & ~isnan(e))));
end
