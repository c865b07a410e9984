/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of HTML: escaped text, links, and images, also inside the page (as a data URI: the ids
 * inside one drawing then cannot meet those of another, and no script in it would run). All text of
 * the page goes through report_text, within elements and within attributes, which are in double
 * quotes throughout; links are percent-encoded.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/report/kit/report.h"

void report_text(FILE *page, const char *text) {
  static const char marks[] = "&<>\"";
  static const char *const names[] = {"amp", "lt", "gt", "quot"};
  for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
    length = base_text_character(text);
    if (length == 0) {
      fputs(BASE_TEXT_REPLACEMENT, page);
      continue;
    }
    if (base_text_is_control(text, length)) {
      fputc(' ', page);
      continue;
    }
    const char *mark = strchr(marks, *text);
    if (mark != NULL) {
      fprintf(page, "&%s;", names[mark - marks]);
    } else {
      fwrite(text, 1, length, page);
    }
  }
}

/* Width and height of a drawing, by the head of its file; of one without, nothing. */
static void put_size(FILE *page, const char *svg) {
  const char *box = strstr(svg, " viewBox=\"0 0 ");
  if (box != NULL) {
    char *end;
    const long width = strtol(box + strlen(" viewBox=\"0 0 "), &end, 10);
    const long height = strtol(end, &end, 10);
    if (width > 0 && height > 0) {
      fprintf(page, " width=\"%ld\" height=\"%ld\"", width, height);
    }
  }
}

void report_image_size(FILE *page, const char *path) {
  char head[1024];
  FILE *file = fopen(path, "r");
  if (file != NULL) {
    head[fread(head, 1, sizeof head - 1, file)] = '\0';
    put_size(page, head);
    fclose(file);
  }
}

static void put_base64(FILE *page, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    const unsigned b1 = i + 1 < size ? bytes[i + 1] : 0, b2 = i + 2 < size ? bytes[i + 2] : 0;
    const unsigned group = (unsigned)bytes[i] << 16 | b1 << 8 | b2;
    fputc(digits[group >> 18], page);
    fputc(digits[group >> 12 & 63], page);
    fputc(i + 1 < size ? digits[group >> 6 & 63] : '=', page);
    fputc(i + 2 < size ? digits[group & 63] : '=', page);
  }
}

int report_image(FILE *page, const char *path, const char *alt) {
  char *bytes;
  size_t size;
  const int status = base_file_read(path, &bytes, &size);
  if (status == BASE_OK) {
    fputs("<img", page);
    put_size(page, bytes);
    fputs(" alt=\"", page);
    report_text(page, alt);
    fputs("\" src=\"data:image/svg+xml;base64,", page);
    put_base64(page, (const unsigned char *)bytes, size);
    fputs("\"/>", page);
    free(bytes);
  }
  return status;
}

const char *report_link(struct base_arena *arena, const char *from, const char *to) {
  /* Length of the common folders. */
  size_t common = 0;
  for (size_t i = 0;; ++i) {
    const int end_from = from[i] == '\0' || from[i] == '/';
    const int end_to = to[i] == '\0' || to[i] == '/';
    if (end_from && end_to) {
      common = i;
    }
    if (from[i] != to[i] || from[i] == '\0') {
      break;
    }
  }
  const size_t length = strlen(from) + 3 * strlen(to);
  char *link = base_arena_push(arena, 3 * length + 4), *out = link;
  for (const char *c = from + common; *c != '\0'; ++c) {
    if (*c == '/' && c[1] != '\0') {
      out = memcpy(out, "../", 3);
      out += 3;
    }
  }
  for (const char *c = to + common + (to[common] == '/'); *c != '\0'; ++c) {
    if (isalnum((unsigned char)*c) || strchr("-_.~/", *c) != NULL) {
      *out++ = *c;
    } else {
      out += snprintf(out, 4, "%%%02X", (unsigned char)*c);
    }
  }
  *out = '\0';
  return link;
}
