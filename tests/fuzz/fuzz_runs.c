/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs.jsonl with foreign content, through the reader and all of the text report: the records meet
 * a fixed plan of two configurations and two workloads.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/model/json.h"
#include "lib/model/runs.h"
#include "report/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char session[] =
	"{\"schema\":1,\"type\":\"session\",\"id\":\"f\",\"baseline\":\"a\",\"plan\":{\"blocks\":2,"
	"\"configs\":[{\"name\":\"a\",\"set\":{}},{\"name\":\"b\",\"set\":{}}],\"cells\":["
	"{\"workload\":\"tbench\",\"name\":\"t\",\"sweep\":\"c\",\"kind\":\"fixed-time\","
	"\"points\":[{\"c\":1},{\"c\":2}]},{\"workload\":\"exec\",\"name\":\"e\",\"points\":[{}]}]}"
	"}";

static int each(void *context, struct pw_value *record, struct pw_err *err)
{
	(void)err;
	pw_results_add(context, record);
	return 0;
}

static void render(const struct pw_results *results)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_analysis analysis;

	pw_analyse(results, &analysis);
	pw_text_heading(&analysis, &text);
	pw_text_summary(&analysis, &text);
	for (size_t i = 0; i < results->entry_count; i++) {
		pw_text_detail(&analysis, i, &text);
		pw_text_energy(&analysis, i, &text);
	}
	pw_analysis_done(&analysis);
	/* Whatever the records hold, what is shown is fit to be shown. */
	for (size_t i = 0; i < text.length; i++) {
		if ((unsigned char)text.text[i] < ' ' && text.text[i] != '\n')
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pw_auto(pw_results_done) struct pw_results results = { .folder = pw_strdup("f") };
	struct pw_err err = PW_ERR_INIT;
	FILE *file;

	if (size == 0)
		return 0;
	file = fmemopen((void *)(uintptr_t)data, size, "r");
	if (!file || pw_json_parse(session, strlen(session), &results.session, &err) < 0 ||
	    pw_results_plan(&results, NULL, &err) < 0)
		abort();
	if (pw_runs_each(file, "runs.jsonl", NULL, each, &results, &err) < 0 && !*err.text)
		abort();
	render(&results);
	(void)fclose(file);
	return 0;
}
