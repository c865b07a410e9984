/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published against measured: every check of the suite's figures that has a published value.
 */
#include <cjson/cJSON.h>

#include "base/json/json.h"
#include "bench/report/page/page.h"

void report_put_published(const struct report_page *p) {
  const cJSON *figure, *check;
  int n = 0;
  report_put(p, "<section id=\"published\">\n<h2>Published against measured</h2>\n");
  cJSON_ArrayForEach(figure, p->report->figures) {
    cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(figure, "checks")) {
      if (base_json_text_at(check, "published")[0] == '\0') {
        continue;
      }
      report_put(p, n++ > 0
                        ? ""
                        : "<div class=\"scroll tall\"><table>\n<thead><tr><th>figure</th><th>"
                          "quantity</th><th>published</th><th>measured</th><th>verdict</th></tr>"
                          "</thead>\n<tbody>\n");
      report_put(p, "<tr><th><a href=\"#");
      report_anchor(p->out, "figure-", base_json_text_at(figure, "id"));
      report_put(p, "\">");
      report_text(p->out, base_json_text_at(figure, "id"));
      report_put(p, "</a></th>");
      report_put_element(p, "td", base_json_text_at(check, "what"));
      report_put_element(p, "td", base_json_text_at(check, "published"));
      report_put(p, "<td class=\"number\">");
      report_number(p->out, base_json_real_at(check, "measured"));
      report_put(p, "</td><td>");
      report_put_badge(p, base_json_text_at(check, "verdict"));
      report_put(p, "</td></tr>\n");
    }
  }
  report_put(p,
             n > 0 ? "</tbody></table></div>\n" : "<p>No figure here has a published value.</p>\n");
  report_put(p, "</section>\n");
}
