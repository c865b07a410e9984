/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time and processor time, for measurements and time limits only; no result
 * may depend on them.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double base_clock_now(void); /* [s], from an arbitrary origin */
/* A deadline is a time of base_clock_now by which work is to end; 0: none. It is handed down to
 * whatever may take long, and asked in every loop there whose turns cost much more than a look at
 * the clock. Nothing depends on it until it has passed. */
double base_clock_deadline(double limit);            /* limit [s] from now; 0 or infinite: none */
double base_clock_earlier(double one, double other); /* of two deadlines */
int base_clock_passed(double deadline);
int base_clock_check(double deadline); /* BASE_OK, or BASE_TIMEOUT with a message once it has */
/* The same for work that may take long where no status can be handed upwards, such as setting up a
 * large model: from base_clock_watch on, until it is given another deadline, base_clock_ask ends
 * the innermost base_memory_try() under way with BASE_TIMEOUT once the deadline has passed. Every
 * piece of memory that arenas take from the system asks, and so do the long loops that take none.
 * Of one thread; what it lets others do in parallel never asks. The deadline before is returned. */
double base_clock_watch(double deadline);
void base_clock_ask(void);
/* Processor time of the processes that this one started and has seen the end of [s]. */
double base_clock_processes_cpu(void);
/* What work is timed by [s], from an arbitrary origin: where one thread runs the processor time of
 * this process and of those, which other work on the machine hardly disturbs; where several do
 * (base/threads.h) base_clock_now. A look may cost a microsecond. */
double base_clock_work(void);

#endif
