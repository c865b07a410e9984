/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text on its way into another language, one function a language, so that it stays text there.
 * Names of folders and files, titles, labels and reasons may hold any bytes. HTML has its own
 * function, report_text (bench/report/kit/report.h); a terminal base_text_line (base/text.h); JSON
 * base_json_text. VTK files (XML) hold numbers and names of the program's own, no foreign text.
 *
 * gnuplot runs commands and reads files by:
 *   `...`         in double quotes and outside of quotes; not in single quotes, nor in comments
 *   line breaks   the end of a line ends any quote, and what follows is a command
 *   @name         a macro, outside of quotes of either kind
 *   eval, load, call, system(), !, shell, print to '|...'
 *   '<...' '|...' where the name of a file begins so: in plot, load, set output
 *   '-' '+' '$x'  as the name of data: lines of the script, a range, a block
 * Escapes ("\140") are known in double quotes alone and give characters, never commands. In single
 * quotes all is taken as it stands but the end of the line and the quote itself. A quote could be
 * doubled, but gnuplot 5.4 ends a text behind the first of two pairs in a row. So text is written
 * in single quotes, and quotes and controls, line breaks among them, between its pieces as "\ooo".
 *
 * What is safe as a text is still not safe for every use:
 *   - eval, load and call get none of it; names of files are absolute, so begin with '/'
 *   - word() splits lists at blanks and takes quotes inside: names in such lists are cleaned
 *     (base_name_clean), other texts are elements of an array
 *   - labels of tics are formats: '%' is doubled, and what they give ends after 49 bytes
 *   - "enhanced" text has marks of its own ({} ^ _ @ & ~): foreign text is shown `noenhanced`
 *   - gnuplot writes bytes that are not UTF-8, and controls, into an SVG as they are, which then is
 *     no XML: what is shown has gone through base_text_clean
 * Tables of figures hold numbers alone.
 *
 * A POSIX shell takes all as it stands between single quotes but the quote itself. Words of
 * harmless characters stay bare.
 *
 * CSV (RFC 4180): in double quotes, which are doubled, where the text is not a plain word. A text
 * that begins as a formula does (= + - @ ;) gets an apostrophe, as spreadsheets run those.
 *
 * Markdown: a backslash before every character that has a meaning somewhere in it.
 *
 * LaTeX: \\ { } $ & # ^ _ ~ % are code; < > | are other letters in old fonts; [ and * behind the
 * end of a row would be arguments of it.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include <stdio.h>

#include "base/memory/arena.h"

/* An expression of gnuplot whose value is the text, byte by byte. */
const char *base_quote_gnuplot(const char *text, struct base_arena *arena);
/* A word of a shell's command whose value is the text, byte by byte. */
const char *base_quote_shell(const char *text, struct base_arena *arena);
/* The text as a field of a table, controls as blanks. */
void base_quote_csv(FILE *file, const char *text);
void base_quote_markdown(FILE *file, const char *text);
void base_quote_latex(FILE *file, const char *text);

#endif
