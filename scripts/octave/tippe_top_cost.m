% SPDX-License-Identifier: GPL-3.0-or-later
%
% tippe_top_cost(states, record, kept): time of the projected Jacobi iteration (moeller 2.45) with
% recovered steps (2.63) on one-step problems of the tippe top (5.3 to 5.7, 6.50 to 6.68), with the
% ball S_F (2.52), the ellipsoid E_F and the exact friction set B_F, in an interpreter of the
% language that the source used. `states` is a record with a trajectory, whose samples with a
% closed contact pose the problems; `record`, one of the same run without, is written to `kept`
% with the times in its observables. Called by scripts/octave.sh.

function tippe_top_cost(states, record, kept)
  problems = read_problems(states);
  balls = arrayfun(@to_ball, problems);
  names = {"S", "E", "B", "B, slope by differences"};
  proxes = {@prox_ball, @prox_ellipsoid, @(z, f, R) prox_contensou(z, f, R, false), ...
            @(z, f, R) prox_contensou(z, f, R, true)};
  rounds = 5;
  for round = 0:rounds % the first is not counted
    for k = 1:numel(names)
      p = problems;
      if k == 1
        p = balls;
      end
      [iterations(k), seconds(round + 1, k)] = solve_all(p, proxes{k});
    end
  end
  each = 1e6 * median(seconds(2:end, :)) ./ iterations;
  for k = 1:numel(names)
    printf("%s: %.1f iterations a problem of %d, %.1f us an iteration, %.2f times S\n", ...
           names{k}, iterations(k) / numel(problems), numel(problems), each(k), each(k) / each(1));
  end
  printf("moeller 6.5: 2.7 (E) and 10.5 (B) times S\n");
  keep(record, kept, numel(problems), each);
end

% A checksum would no longer be that of the record.
function keep(record, kept, n, each)
  block = sprintf(["\"observables\": {\n    \"interpreter\": \"GNU Octave %s\",\n" ...
                   "    \"made\": \"%s\",\n    \"problems\": %d,\n" ...
                   "    \"S_us\": %.4g,\n    \"E_us\": %.4g,\n    \"B_us\": %.4g,\n" ...
                   "    \"B_differences_us\": %.4g\n  },\n  "], ...
                  version(), datestr(now(), "yyyy-mm-dd"), n, each);
  text = regexprep(fileread(record), ',\s*"checksum": "[0-9a-f]*"', "");
  place = "\"timing\": {";
  if numel(strfind(text, place)) != 1
    error("%s: has no one place before which observables can go", record);
  end
  file = fopen(kept, "w");
  fputs(file, strrep(text, place, [block, place]));
  fclose(file);
end

% ---- one-step problems: xi = G lambda + c, normal first, of contacts that are closed ----

function problems = read_problems(path)
  record = jsondecode(fileread(path));
  q = record.trajectory.q;
  u = record.trajectory.u;
  problems = [];
  for k = 1:numel(record.trajectory.t)
    state = struct("r", [q.x(k); q.y(k); q.z(k)], "A", [q.a0(k); q.a1(k); q.a2(k); q.a3(k)], ...
                   "u", [u.vx(k); u.vy(k); u.vz(k); u.wx(k); u.wy(k); u.wz(k)]);
    problems = [problems, contact_problem(record.xCase.parameters, state)];
  end
end

function problem = contact_problem(p, state)
  dt = 1e-5; % of moeller fig. 6.23
  a0 = state.A(1);
  a = state.A(2:4);
  R = a * a' + 2 * a0 * tilde(a) + a0^2 * eye(3) + tilde(a) * tilde(a); % (6.50)
  n = [0; 0; 1];
  omega = state.u(4:6);
  Theta = diag([p.J1, p.J1, p.J3]);
  M = blkdiag(p.m * eye(3), Theta);
  h = [-p.m * p.g * n; -cross(omega, Theta * omega)];
  centre = [p.c1, p.c2];
  radius = [p.r1, p.r2];
  W = zeros(6, 0);
  for i = 1:2
    if state.r(3) + centre(i) * R(3, 3) - radius(i) <= 1e-6 % of the samples' steps
      lever = tilde(centre(i) * R * n - radius(i) * n);
      W = [W, [eye(3)(:, [3, 1, 2]), zeros(3, 1); ...
               R' * lever * eye(3)(:, [3, 1, 2]), R' * n]]; % (6.65)
    end
  end
  problem = [];
  if ! isempty(W)
    problem = struct("G", W' * (M \ W), "c", W' * (state.u + M \ h * dt), "mu", p.mu, "R_bar", p.R_bar);
  end
end

% lambda = A lambda^ with A = diag(1, 1, 1, R_bar) (2.50, 3.123).
function q = to_ball(p)
  A = diag(repmat([1; 1; 1; p.R_bar], rows(p.G) / 4, 1));
  q = p;
  q.G = A' * p.G * A;
  q.c = A' * p.c;
end

function S = tilde(a)
  S = [0, -a(3), a(2); a(3), 0, -a(1); -a(2), a(1), 0];
end

% ---- the iteration ----

function [iterations, seconds] = solve_all(problems, prox)
  iterations = 0;
  began = cputime();
  for k = 1:numel(problems)
    [lambda, count] = solve(problems(k), prox);
    iterations += count;
  end
  seconds = cputime() - began;
end

function [lambda, count] = solve(p, prox)
  tolerance = 1e-8; % (2.46), of the impulses
  most = 20000;
  lambda = zeros(size(p.c));
  contacts = numel(p.c) / 4;
  for i = 1:contacts
    block = 4 * i - 3 + (1:3);
    d = diag(p.G)(block);
    r_N(i) = 1 / p.G(4 * i - 3, 4 * i - 3);
    r_T(i) = 1 / max(d); % (2.44), alpha = 1
    Q(:, i) = 1 ./ (r_T(i) * d); % (2.62)
  end
  for count = 1:most
    xi = p.G * lambda + p.c;
    before = lambda;
    for i = 1:contacts
      at = 4 * i - 3;
      block = at + (1:3);
      lambda(at) = max(0, before(at) - r_N(i) * xi(at));
      z = -before(block) + r_T(i) * xi(block);
      [x, inside] = prox(z, p.mu * lambda(at), p.R_bar);
      if inside
        lambda(block) = before(block) - Q(:, i) .* (x + before(block));
      else
        lambda(block) = -x;
      end
    end
    if norm(lambda - before) <= tolerance * norm(lambda)
      return;
    end
  end
  error("a problem is not solved in %d iterations", most);
end

% ---- proximal points; f: mu lambda_N ----

function [x, inside] = prox_ball(z, f, R_bar)
  length = norm(z);
  inside = length <= f;
  x = z;
  if ! inside
    x = f / length * z; % (2.19)
  end
end

% The nearest point is z_i a_i^2 / (a_i^2 + t) with t > 0 where it lies on the surface; Newton's
% method for t on the reciprocal of the ellipsoid's norm, which is nearly linear in t.
function [x, inside] = prox_ellipsoid(z, f, R_bar)
  axes = [f; f; R_bar * f];
  inside = f > 0 && norm(z ./ axes) <= 1;
  if inside
    x = z;
  elseif f <= 0
    x = zeros(3, 1);
  else
    square = axes .^ 2;
    weighted = (z .* axes) .^ 2;
    t = 0;
    for step = 1:100
      s = square + t;
      value = sum(weighted ./ s .^ 2);
      change = value * (sqrt(value) - 1) / sum(weighted ./ s .^ 3);
      t += change;
      if abs(change) <= 1e-12 * t
        break;
      end
    end
    x = z .* square ./ (square + t);
  end
end

% The boundary by its parameter u (3.118, 3.119); the nearest point is where z less it is along the
% normal (kappa u, 1), kappa = 16 / (3 pi), in units of f and R_bar f: a root, by Newton's method
% for v = u / (1 + u), kept in a bracket, with the slope in closed form or by differences.
function [x, inside] = prox_contensou(z, f, R_bar, by_differences)
  x = zeros(3, 1);
  inside = false;
  if f <= 0
    return;
  end
  kappa = 16 / (3 * pi);
  gain = kappa * R_bar^2;
  z_T = norm(z(1:2)) / f;
  z_tau = abs(z(3)) / (R_bar * f);
  lo = 0;
  hi = 1;
  v = min(max(z_T / (z_T + gain * z_tau), 1e-6), 1 - 1e-6);
  for step = 1:60
    u = v / (1 - v);
    [b_T, b_tau, slope] = boundary(u);
    value = (z_T - b_T) - gain * u * (z_tau - b_tau);
    if value > 0
      lo = v;
    else
      hi = v;
    end
    if by_differences
      delta = 1e-7 * min(v, 1 - v);
      near = (v + delta) / (1 - v - delta);
      [near_T, near_tau] = boundary(near);
      derivative = ((z_T - near_T) - gain * near * (z_tau - near_tau) - value) / delta;
    else
      derivative = -(slope + gain * (z_tau - b_tau + kappa * u^2 * slope)) / (1 - v)^2;
    end
    next = v - value / derivative;
    if ! (next > lo && next < hi)
      next = 0.5 * (lo + hi);
    end
    done = abs(next - v) <= 1e-12 * min(v, 1 - v);
    v = next;
    if done
      break;
    end
  end
  u = v / (1 - v);
  [b_T, b_tau] = boundary(u);
  inside = (z_T - b_T) * kappa * u + (z_tau - b_tau) <= 0;
  if inside
    x = z;
  else
    x(1:2) = z(1:2) * (b_T / max(z_T, realmin));
    x(3) = sign(z(3)) * R_bar * f * b_tau;
  end
end

% slope: of b_T; that of b_tau is -kappa u times it.
function [b_T, b_tau, slope] = boundary(u)
  if u <= 1
    b_T = 3 * pi / 32 * (4 * u - u^3);
    b_tau = (3 * u^4 - 8 * u^2 + 8) / 8;
    slope = 3 * pi / 32 * (4 - 3 * u^2);
  else
    s = asin(1 / u);
    w = sqrt(u^2 - 1);
    b_T = 3 / 16 * ((4 * u - u^3) * s + (u^2 + 2) / u * w);
    b_tau = ((3 * u^4 - 8 * u^2 + 8) * s + (6 - 3 * u^2) * w) / (4 * pi);
    slope = 3 / 16 * ((4 - 3 * u^2) * s + (3 - 2 / u^2) * w);
  end
end
