/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --vtk DIR[:DT]`: pictures of a run of an assembly for ParaView, in DIR:
 *
 *   bodies.pvd    a point a body: id, radius, mass, velocity, angular_velocity (both in the world's
 *                 axes), orientation (unit quaternion, scalar first)
 *   shapes.pvd    boxes, capsules, cylinders, and spheres that are not a body by themselves, as
 *                 polygons: body, shape, kind, speed of the body
 *   contacts.pvd  a point a contact that is closed or carried in the step: id, bodies (-1: the
 *                 world), gap, mu, normal, force on the second body (the step's impulse over its
 *                 length in the frame at the step's end; not there where the formulation tells
 *                 none)
 *   planes.vtp    half-spaces as squares as large as the scene at the start
 *
 * The radius of a body is that of its sphere where one sphere about its centre is all its shape,
 * else 0: spheres drawn at the points with it (glyphs) and the polygons together show everything.
 * Bodies that are not active are left out.
 */
#ifndef BENCH_VTK_H
#define BENCH_VTK_H

#include "mech/assembly/assembly.h"

struct bench_vtk;

/* Complete lists; BASE_OK or the first failure, with its message. */
int bench_vtk_end(struct bench_vtk *vtk);

/* --- vtk_shapes.c --- */
struct bench_vtk_shapes;
struct bench_vtk_shapes *bench_vtk_shapes_alloc(const struct mech_assembly *a,
                                                struct base_arena *arena);
double bench_vtk_radius(const struct bench_vtk_shapes *s, int body); /* see above [m] */
int bench_vtk_has_polygons(const struct bench_vtk_shapes *s);        /* any but half-spaces */
/* Files of the polygons at q, and of the half-spaces. speed: of every body [m/s]. */
int bench_vtk_write_shapes(const struct bench_vtk_shapes *s, double t, const double *q,
                           const double *speed, const char *path, struct base_arena *arena);
int bench_vtk_write_planes(const struct bench_vtk_shapes *s, double t, const double *q,
                           const char *path, struct base_arena *arena);

#endif
