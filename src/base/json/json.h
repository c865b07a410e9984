/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON files by cJSON, which lacks the following. Numbers are printed so that reading them returns
 * the same double (by the shortest of %.15g, %.16g, %.17g that does), non-finite ones as null.
 * Errors name file, key and reason. Files are written atomically: under a temporary name, flushed,
 * checked, then renamed. After any failure, also a full disk, the partial file is removed;
 * base_file_clean removes those of killed processes.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

struct base_arena;

/* Let cJSON allocate by base/memory/memory.h, which ends the work when memory runs out; cJSON
 * itself would return NULL, as for a malformed text. Called before main. */
void base_json_start(void);

#define BASE_JSON_NUMBER_SIZE 32
/* x as JSON text; "null" when not finite. Returns buffer. */
const char *base_json_number(double x, char buffer[BASE_JSON_NUMBER_SIZE]);

/* For scandir(): is it a visible file named *.json? */
int base_json_is_name(const struct dirent *entry);
/* Parse a file; NULL with a message "file: reason, line L column C" when it cannot be read, is
 * empty, truncated or malformed, is not UTF-8, has NUL in a string, a number too large for a double
 * or anything after its value, or holds an object with a repeated key. */
cJSON *base_json_read(const char *path);
/* The same, but refuses anything except a regular file: in a folder that somebody sent, a pipe
 * would block the program. */
cJSON *base_json_read_regular(const char *path);
/* The same from text; `name` stands for the file in messages. */
cJSON *base_json_parse(const char *text, const char *name);
/* Text of a value, indented by two spaces, arrays of plain values on one line, newline at the end;
 * to be freed by free(). */
char *base_json_text(const cJSON *value);
/* Write atomically; "-" is standard output. BASE_E_IO with a message naming the file. */
int base_json_write(const char *path, const cJSON *value);
/* The path, or the target if its last part is a symbolic link (of links); the target need not
 * exist. To be freed. NULL with errno if links form a circle. */
char *base_file_target(const char *path);
/* Write any bytes atomically, as above. */
int base_file_write(const char *path, const char *bytes, size_t size);
/* defers 1: from now on files of this process are not flushed to the disk one by one; 0: they are
 * again. */
void base_file_defer(int defers);
/* Flush everything written to the folder's file system; BASE_E_IO with a message. */
int base_file_settle(const char *folder);
/* Remove from a folder the partial files of writers that died. Files that a process is still
 * writing stay. */
void base_file_clean(const char *folder);
/* *text: the whole file, *size bytes and a NUL, to be freed by free(). BASE_E_IO with a message,
 * also if the file is neither regular nor our standard input: a pipe would block, a device has no
 * end. */
int base_file_read(const char *path, char **text, size_t *size);
/* From now on add the bytes of every file that this thread reads to *hash (hash.h); NULL ends
 * this. */
void base_file_watch(uint64_t *hash);
/* Add the bytes of one file to *hash, read in pieces, so of any size. BASE_E_IO with a message. */
int base_file_hash(const char *path, uint64_t *hash);
/* Check that a folder contains only files and folders. A link, pipe or device in a folder that
 * somebody sent may lead anywhere: BASE_E_INPUT with a message that names the first one. */
int base_file_check_folder(const char *folder);
/* Create a folder and its parents; BASE_OK also if it exists. BASE_E_IO with a message. */
int base_file_make_folder(const char *path);

/* Add a number to an object; a non-finite one becomes null. */
void base_json_add_real(cJSON *object, const char *key, double x);
/* Add pairs of a key and a text; (char *)NULL ends the arguments. */
void base_json_add_texts(cJSON *object, ...) __attribute__((sentinel));
/* Add x: n as an array, or make the array alone. */
void base_json_add_reals(cJSON *object, const char *key, int n, const double *x);
cJSON *base_json_reals(int n, const double *x);
/* The hash (hash.h) with a value added; a value that was printed and read again gives the same. */
uint64_t base_json_hash(uint64_t hash, const cJSON *value);
/* Pointers to the members of an object in the order of their keys, or to the elements of an array
 * in their own; *n of them, to be freed. */
const cJSON **base_json_sorted(const cJSON *value, int *n);
/* Are two values equal up to the order of keys? NULL equals only NULL. It takes O(n log n) time in
 * their sizes; cJSON_Compare takes 2^n for n nested objects. */
int base_json_same(const cJSON *a, const cJSON *b);
/* Value at a dotted path ("errors.q_final", "list.0.r", "bodies.ball.mass" of a list of objects
 * with names), or NULL. */
const cJSON *base_json_at(const cJSON *value, const char *path);
/* Deep copy in the arena, which cJSON's functions can read but not delete. */
cJSON *base_json_copy(const cJSON *value, struct base_arena *arena);
/* Number at a dotted path; NaN when missing or null. */
double base_json_real_at(const cJSON *value, const char *path);
/* Text at a dotted path; "" when missing. */
const char *base_json_text_at(const cJSON *value, const char *path);

/* Checked reading of input files: BASE_E_INPUT with "file: key 'a.b': reason" if the key is
 * missing, of the wrong type, not finite or not in [min, max]. */
int base_json_get_real(const cJSON *object, const char *key, const char *file, double min,
                       double max, double *x);
int base_json_get_int(const cJSON *object, const char *key, const char *file, int min, int max,
                      int *x);
int base_json_get_text(const cJSON *object, const char *key, const char *file, const char **text);
/* Read an array of exactly n finite numbers into x: n; n < 0 accepts any length, and x may be NULL.
 * *count: the length; count may be NULL. */
int base_json_get_reals(const cJSON *object, const char *key, const char *file, int n, double *x,
                        int *count);
int base_json_get_ints(const cJSON *object, const char *key, const char *file, int n, int *x,
                       int *count);
/* BASE_E_INPUT if the object has a key that is not in the NULL-terminated list. */
int base_json_refuse_unknown(const cJSON *object, const char *file, const char *where,
                             const char *const *known);
/* BASE_E_INPUT if the key `schema` is not the one expected; the message names both. */
int base_json_expect_schema(const cJSON *object, const char *file, const char *schema);

#endif
