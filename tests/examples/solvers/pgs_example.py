#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projected Gauss-Seidel on Coulomb's law (moeller 2.67), with numpy: problem in, solution out."""
import json, sys, time
import numpy as np

p = json.load(sys.stdin)
ask, W, dim, mu = p["solve"], p["W"], p["dim"], p["mu"]
b, r = (np.array(x, float).reshape(-1, dim) for x in (p["b"], ask["r"]))
blocks, col = np.array(W["blocks"], float).reshape(-1, dim, dim), np.array(W["col"], int)
rows = [slice(*W["row_ptr"][i:i + 2]) for i in range(len(b))]
scale = [np.linalg.norm(blocks[s][col[s] == i][0], 2) for i, s in enumerate(rows)]
begin = time.process_time()
for sweep in range(1, ask["max_iter"] + 1):
    change = 0.0
    for i, s in enumerate(rows):
        v = b[i] + np.einsum("kij,kj->i", blocks[s], r[col[s]])
        new = r[i] - v / scale[i]
        new[0] = max(new[0], 0.0)
        new[1:] *= min(1.0, mu[i] * new[0] / max(np.linalg.norm(new[1:]), 1e-300))
        change = max(change, scale[i] * np.abs(new - r[i]).max())
        r[i] = new
    if change <= 0.1 * ask["tol"] * np.abs(b).max():
        break
json.dump({"r": r.ravel().tolist(), "iterations": sweep,
           "timing": {"solve_s": time.process_time() - begin}}, sys.stdout)
