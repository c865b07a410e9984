/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time and processor time, only for measurements and time limits: no result
 * may depend on them.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double base_clock_now(void); /* [s], from an arbitrary origin */
/* A deadline is a time of base_clock_now at which work must end; 0: none. It is passed to functions
 * that may take long, which check it in every loop whose turns cost much more than reading the
 * clock. It changes no result before it has passed. */
double base_clock_deadline(double limit);            /* limit [s] from now; 0 or infinite: none */
double base_clock_earlier(double one, double other); /* of two deadlines */
int base_clock_passed(double deadline);              /* has it passed? */
int base_clock_check(double deadline); /* BASE_OK, or BASE_TIMEOUT with a message if it has */
/* Deadlines for work that cannot return a status, such as the set-up of a large model.
 * base_clock_watch sets the deadline and returns the previous one. When it has passed,
 * base_clock_ask ends the innermost running base_memory_try() with BASE_TIMEOUT. Arenas call
 * base_clock_ask whenever they take memory from the system, and so do long loops that take none.
 * The deadline belongs to one thread; parallel parts of its work never ask. */
double base_clock_watch(double deadline);
void base_clock_ask(void);
/* Processor time of the ended child processes of this process [s]. */
double base_clock_processes_cpu(void);
/* The time by which work is measured [s], from an arbitrary origin. With one thread it is the
 * processor time of this process and its ended children, which other work on the machine hardly
 * disturbs; with several threads (base/threads.h) it is base_clock_now. A call may cost a
 * microsecond. */
double base_clock_work(void);

#endif
