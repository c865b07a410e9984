/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is in a bundle, for programs of others: RO-Crate 1.1 (Sefton et al., 2019), a JSON-LD file.
 * Every file with its size and kind, and for each record an action: the command, what ran it and
 * what it read.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/bundle/parts.h"
#include "bench/report/kit/report.h"

#define LICENSE "https://spdx.org/licenses/GPL-3.0-or-later"

/* Of names of files; others are application/octet-stream. */
static const char *const formats[][2] = {
    {".json", "application/json"}, {".csv", "text/csv"},
    {".svg", "image/svg+xml"},     {".png", "image/png"},
    {".pdf", "application/pdf"},   {".html", "text/html"},
    {".md", "text/markdown"},      {".hdf5", "application/x-hdf5"},
    {".h5", "application/x-hdf5"}, {".dat", "text/plain"},
    {".txt", "text/plain"},        {BUNDLE_SUMS, "text/plain"}};

static const char *format_of(const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    const size_t own = strlen(formats[i][0]);
    if (length >= own && strcmp(name + length - own, formats[i][0]) == 0) {
      return formats[i][1];
    }
  }
  return "application/octet-stream";
}

/* A file's name as a reference. */
static const char *link_to(const struct bundle *b, const char *name) {
  return report_link(b->arena, "/", base_arena_printf(b->arena, "/%s", name));
}

static cJSON *reference(const char *id) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "@id", id);
  return object;
}

static cJSON *entity(const char *id, const char *type, const char *name) {
  cJSON *object = reference(id);
  cJSON_AddStringToObject(object, "@type", type);
  cJSON_AddStringToObject(object, "name", name);
  return object;
}

void bundle_crate_begin(struct bundle *b) {
  b->inputs = cJSON_CreateObject();
  b->schemas = cJSON_CreateObject();
  b->software = cJSON_CreateObject();
  b->parts = cJSON_CreateArray();
  b->described = cJSON_CreateArray();
  b->actions = cJSON_CreateArray();
}

void bundle_crate_add(struct bundle *b, const char *name, const char *schema) {
  struct stat info;
  const char *link = link_to(b, name), *slash = strrchr(name, '/');
  cJSON *file = entity(link, "File", slash != NULL ? slash + 1 : name);
  cJSON_AddStringToObject(file, "encodingFormat", format_of(name));
  if (stat(base_arena_printf(b->arena, "%s/%s", b->folder, name), &info) == 0) {
    cJSON_AddStringToObject(file, "contentSize",
                            base_arena_printf(b->arena, "%lld", (long long)info.st_size));
  }
  if (schema != NULL) {
    cJSON_AddItemToObject(file, "conformsTo", reference(link_to(b, schema)));
  }
  cJSON_AddItemToArray(b->parts, reference(link));
  cJSON_AddItemToArray(b->described, file);
  bundle_list_add(&b->files, name, b->arena);
}

/* The program that made a record: its id. */
static const char *add_software(struct bundle *b, const cJSON *from) {
  const char *version = base_json_text_at(from, "version");
  const char *commit = base_json_text_at(from, "commit");
  const char *id = base_arena_printf(b->arena, "#coulombench-%s-%s%s", version, commit,
                                     cJSON_IsTrue(base_json_at(from, "dirty")) ? "-changed" : "");
  if (cJSON_GetObjectItemCaseSensitive(b->software, id) == NULL) {
    cJSON *software = entity(id, "SoftwareApplication", "coulombench");
    cJSON_AddStringToObject(software, "version", version);
    cJSON_AddStringToObject(software, "identifier", commit);
    cJSON_AddItemToObject(software, "license", reference(LICENSE));
    cJSON_AddItemToObject(b->software, id, software);
  }
  return id;
}

void bundle_crate_add_record(struct bundle *b, const char *name, const cJSON *record) {
  struct bundle_command command;
  const char *link = link_to(b, name);
  cJSON *action = entity(base_arena_printf(b->arena, "#run-%s", link), "CreateAction",
                         base_json_text_at(record, "provenance.command"));
  cJSON_AddItemToObject(action, "instrument",
                        reference(add_software(b, base_json_at(record, "provenance"))));
  cJSON_AddItemToObject(action, "result", reference(link));
  cJSON *read = cJSON_AddArrayToObject(action, "object");
  const int can_run = bundle_command_read(record, b->arena, &command) == BASE_OK;
  for (int i = 0; can_run && i < command.n; ++i) {
    const cJSON *input =
        command.is_file[i] ? cJSON_GetObjectItemCaseSensitive(b->inputs, command.words[i]) : NULL;
    if (input != NULL) {
      cJSON_AddItemToArray(read, reference(link_to(b, input->valuestring)));
    }
  }
  cJSON_AddItemToArray(b->actions, action);
}

/* The members of a list to the end of another. */
static void move_all(cJSON *from, cJSON *to) {
  while (from->child != NULL) {
    cJSON_AddItemToArray(to, cJSON_DetachItemViaPointer(from, from->child));
  }
  cJSON_Delete(from);
}

int bundle_crate_write(struct bundle *b) {
  cJSON *crate = cJSON_CreateObject();
  cJSON_AddStringToObject(crate, "@context", "https://w3id.org/ro/crate/1.1/context");
  cJSON *graph = cJSON_AddArrayToObject(crate, "@graph"), *action;
  cJSON *own = reference(BUNDLE_CRATE);
  cJSON_AddStringToObject(own, "@type", "CreativeWork");
  cJSON_AddItemToObject(own, "conformsTo", reference("https://w3id.org/ro/crate/1.1"));
  cJSON_AddItemToObject(own, "about", reference("./"));
  cJSON *root = entity("./", "Dataset", b->name);
  cJSON_AddStringToObject(
      root, "description",
      base_arena_printf(b->arena, "%d records of coulombench, with their inputs", b->n_records));
  cJSON_AddStringToObject(root, "datePublished", b->date);
  cJSON_AddItemToObject(root, "license", reference(LICENSE));
  cJSON_AddItemToObject(root, "hasPart", b->parts);
  cJSON *mentions = cJSON_AddArrayToObject(root, "mentions");
  cJSON_ArrayForEach(action, b->actions) {
    cJSON_AddItemToArray(mentions, reference(base_json_text_at(action, "@id")));
  }
  cJSON_AddItemToArray(graph, own);
  cJSON_AddItemToArray(graph, root);
  cJSON_AddItemToArray(graph, entity(LICENSE, "CreativeWork", "GPL-3.0-or-later"));
  move_all(b->described, graph);
  move_all(b->software, graph);
  move_all(b->actions, graph);
  const int status =
      base_json_write(base_arena_printf(b->arena, "%s/" BUNDLE_CRATE, b->folder), crate);
  cJSON_Delete(crate);
  bundle_list_add(&b->files, BUNDLE_CRATE, b->arena);
  return status;
}
