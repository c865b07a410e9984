#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulator for -f exec:COMMAND: symplectic Euler of spheres and points that do not turn, over a
horizontal plane without friction, perfectly inelastic."""
import json
import sys

asked = json.load(sys.stdin)
scene = asked["scene"]
told = {"name": "euler", "version": "1", "options": asked["options"]}


def refuse(key, reason):
    json.dump({"simulator": told, "status": "unsupported", "key": key, "reason": reason}, sys.stdout)
    sys.exit(0)


if scene["dimension"] != 3:
    refuse("dimension", "takes scenes in space")
for key in ("joints", "forces"):
    if scene.get(key):
        refuse(key, "takes none")
if any(p["mu"] > 0 or p["eps_N"] > 0 for p in scene["pairs"]):
    refuse("pairs", "has neither friction nor restitution")
bodies = {b["name"]: b for b in scene["bodies"]}
moving, radius = [bodies[name] for name in asked["bodies"]], {}
for i, b in enumerate(scene["bodies"]):
    for shape in b["shapes"]:
        if not b.get("fixed") and shape["type"] not in ("sphere", "point"):
            refuse(f"bodies[{i}].shapes", f"has no {shape['type']}")
        radius[b["name"]] = shape.get("radius", 0)

t, states, g = 0.0, [], scene["gravity"]
for end in asked["times"]:
    h, t = end - t, end
    for b in moving:
        b["velocity"] = [v + h * a for v, a in zip(b["velocity"], g)]
        gap = b["position"][2] - radius[b["name"]]
        b["velocity"][2] = max(b["velocity"][2], -gap / h)
        b["position"] = [x + h * v for x, v in zip(b["position"], b["velocity"])]
    states.append({"q": sum((b["position"] + b["orientation"] for b in moving), []),
                   "u": sum((b["velocity"] + b["angular_velocity"] for b in moving), [])})
json.dump({"simulator": told, "states": states, "velocities": "half-step"}, sys.stdout)
