/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every test binary begins with; programs that measure and fuzz have a main of their own.
 */
#include "tests/test.h"

int main(int argc, char **argv) { return test_main(argc, argv); }
