/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quoting of text for other languages, one function per language, so that it is never read as code
 * there. Names of folders and files, titles, labels and reasons may contain any bytes. For HTML see
 * report_text (bench/report/kit/report.h), for a terminal base_text_line (base/text.h), for JSON
 * base_json_text. VTK files (XML) contain only numbers and names of the program itself.
 *
 * gnuplot runs commands and reads files by:
 *   `...`         in double quotes and outside of quotes; not in single quotes, nor in comments
 *   line breaks   the end of a line ends any quote; the next line is a command
 *   @name         a macro, outside of quotes of either kind
 *   eval, load, call, system(), !, shell, print to '|...'
 *   '<...' '|...' where the name of a file begins so: in plot, load, set output
 *   '-' '+' '$x'  as the name of data: lines of the script, a range, a block
 * Escapes ("\140") exist only in double quotes and give characters, never commands. Single quotes
 * keep every character except the end of the line and the quote itself. A quote could be doubled,
 * but gnuplot 5.4 ends the text after the first of two pairs in a row. Text is therefore written in
 * single quotes, interrupted by "\ooo" for quotes and control characters (also line breaks).
 *
 * Quoted text still needs care in some uses:
 *   - eval, load and call never get it; names of files are absolute, so they begin with '/'
 *   - word() splits lists at blanks and interprets quotes inside: names in such lists are cleaned
 *     (base_name_clean), other texts are elements of an array
 *   - labels of tics are formats: '%' is doubled, and the label is cut after 49 bytes
 *   - "enhanced" text interprets {} ^ _ @ & ~: foreign text is shown `noenhanced`
 *   - gnuplot copies control characters and bytes that are not UTF-8 into an SVG, which makes it
 *     invalid XML: displayed text has gone through base_text_clean
 * Tables of figures contain only numbers.
 *
 * POSIX shell: single quotes keep every character except the quote itself. Words of harmless
 * characters are not quoted.
 *
 * CSV (RFC 4180): a text that is not a plain word stands in double quotes, inner ones doubled. A
 * text that begins like a formula (= + - @ ;) gets an apostrophe, because spreadsheets evaluate
 * formulas.
 *
 * Markdown: a backslash before every character that has a meaning anywhere in Markdown.
 *
 * LaTeX: \\ { } $ & # ^ _ ~ % are code; < > | are other letters in old fonts; [ and * after the end
 * of a row would be its arguments.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include <stdio.h>

#include "base/memory/arena.h"

/* An expression of gnuplot whose value is the text, byte by byte. */
const char *base_quote_gnuplot(const char *text, struct base_arena *arena);
/* A word of a shell's command whose value is the text, byte by byte. */
const char *base_quote_shell(const char *text, struct base_arena *arena);
/* Write the text as a field of a table; control characters become blanks. */
void base_quote_csv(FILE *file, const char *text);
void base_quote_markdown(FILE *file, const char *text);
void base_quote_latex(FILE *file, const char *text);

#endif
