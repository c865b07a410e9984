/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON files through cJSON, with what cJSON lacks: numbers printed so that reading them returns the
 * same double (the shortest of %.15g, %.16g, %.17g that does), non-finite numbers as null, errors
 * that name file, key and reason, and files that appear whole or not at all (written beside their
 * place, flushed, checked, renamed; the partial file is removed on any failure, a full disk
 * included, and that of a process that was killed by base_file_clean).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

struct base_arena;

/* Let cJSON take memory by base/memory/memory.h: it would give NULL where there is none, for a text
 * that it refuses as for anything else. Done before main. */
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
/* The same of a regular file alone, as one of a folder that somebody sent: a pipe would be waited
 * for. */
cJSON *base_json_read_regular(const char *path);
/* The same from text, `name` standing for the file in messages. */
cJSON *base_json_parse(const char *text, const char *name);
/* Text of a value, indented by two spaces, arrays of plain values on one line, newline at the end;
 * to be freed by free(). */
char *base_json_text(const cJSON *value);
/* Write atomically; "-" is standard output. BASE_E_IO with a message naming the file. */
int base_json_write(const char *path, const cJSON *value);
/* The file that a path stands for: where a symbolic link, be it of links, leads, whether or not
 * something is there; to be freed. NULL with errno where links lead in a circle. */
char *base_file_target(const char *path);
/* Any bytes, atomically, as above. */
int base_file_write(const char *path, const char *bytes, size_t size);
/* From now on files of this process are not flushed to the disk one by one; 0: they are again. */
void base_file_defer(int defers);
/* Flush what any process has written to the folder's file system; BASE_E_IO with a message. */
int base_file_settle(const char *folder);
/* Remove from a folder the partial files of writers that died; files that some process is writing,
 * this one or another, stay. */
void base_file_clean(const char *folder);
/* Whole file as text through *text (freed by free()), *size bytes; BASE_E_IO with a message, also
 * where it is neither a regular file nor our standard input: a pipe would keep us waiting, a device
 * has no end. */
int base_file_read(const char *path, char **text, size_t *size);
/* From now on add the bytes of every file read to *hash (hash.h), in this thread; NULL: no more. */
void base_file_watch(uint64_t *hash);
/* The same of one file, which is not kept: in pieces, whatever its size. BASE_E_IO with a message.
 */
int base_file_hash(const char *path, uint64_t *hash);
/* Are there files and folders alone in a folder? Who sent it may have put a link, a pipe or a device
 * there that leads anywhere: BASE_E_INPUT with a message that names the first one. */
int base_file_check_folder(const char *folder);
/* Create a folder and its parents; BASE_OK when it is there already. */
int base_file_make_folder(const char *path);

/* Adding to an object: reals go through cJSON numbers; non-finite ones become null. */
void base_json_add_real(cJSON *object, const char *key, double x);
/* Pairs of a key and a text, which NULL ends. */
void base_json_add_texts(cJSON *object, ...) __attribute__((sentinel));
void base_json_add_reals(cJSON *object, const char *key, int n, const double *x);
cJSON *base_json_reals(int n, const double *x); /* array */
/* Add a value to a hash (hash.h): the same for a value and for what is read back of its text. */
uint64_t base_json_hash(uint64_t hash, const cJSON *value);
/* The members of an object by key, or elements of an array as they stand: *n pointers, to free. */
const cJSON **base_json_sorted(const cJSON *value, int *n);
/* Are two values the same, the order of keys apart? NULL is the same as NULL only. In time n log n
 * of their sizes; cJSON_Compare takes 2^n for n objects inside each other. */
int base_json_same(const cJSON *a, const cJSON *b);
/* Value at a dotted path ("errors.q_final", "list.0.r", "bodies.ball.mass" of a list of objects
 * with names), or NULL. */
const cJSON *base_json_at(const cJSON *value, const char *path);
/* Deep copy into the arena, linked as cJSON links its own, so that cJSON reads it. */
cJSON *base_json_copy(const cJSON *value, struct base_arena *arena);
/* Number at a dotted path; NaN when missing or null. */
double base_json_real_at(const cJSON *value, const char *path);
/* Text at a dotted path; "" when missing. */
const char *base_json_text_at(const cJSON *value, const char *path);

/* Checked reading for input files: BASE_E_INPUT with "file: key 'a.b': reason" where the key is
 * missing, of the wrong type, not finite or out of [min, max]. */
int base_json_get_real(const cJSON *object, const char *key, const char *file, double min,
                       double max, double *x);
int base_json_get_int(const cJSON *object, const char *key, const char *file, int min, int max,
                      int *x);
int base_json_get_text(const cJSON *object, const char *key, const char *file, const char **text);
/* An array of exactly n finite numbers into x; n < 0 takes any length and x may be NULL; *count
 * gets the length (may be NULL). */
int base_json_get_reals(const cJSON *object, const char *key, const char *file, int n, double *x,
                        int *count);
int base_json_get_ints(const cJSON *object, const char *key, const char *file, int n, int *x,
                       int *count);
/* Refuse keys that are not in the NULL-terminated list. */
int base_json_refuse_unknown(const cJSON *object, const char *file, const char *where,
                             const char *const *known);
/* Check `schema`; the message names the one found and the one expected. */
int base_json_expect_schema(const cJSON *object, const char *file, const char *schema);

#endif
