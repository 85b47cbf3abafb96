/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/samples.h"

#include <errno.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/model/json.h"

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_of(const char *line, size_t length, const struct pw_strv *sorted)
{
	pw_auto_value struct pw_value row = PW_VALUE_INIT;
	const char *run;
	struct pw_err ignored;

	if (length == 0 || line[length - 1] != '\n' || sorted->count == 0 ||
	    pw_json_parse(line, length - 1, &row, &ignored) < 0)
		return false;
	run = pw_value_get_text(&row, "run", NULL);
	return run && bsearch(&run, sorted->items, sorted->count, sizeof(*sorted->items), compare);
}

int pw_samples_kept(FILE *file, const struct pw_strv *runs, long long *ret_length,
		    struct pw_err *err)
{
	pw_auto_strv struct pw_strv sorted = PW_STRV_INIT;
	pw_auto_free char *line = NULL;
	long long read = 0, kept = 0;
	size_t capacity = 0;
	ssize_t n;

	pw_strv_append(&sorted, runs);
	if (sorted.count)
		qsort(sorted.items, sorted.count, sizeof(*sorted.items), compare);
	rewind(file);
	errno = 0;
	while ((n = getline(&line, &capacity, file)) > 0) {
		read += n;
		if (is_of(line, (size_t)n, &sorted))
			kept = read;
	}
	if (ferror(file))
		return pw_fail_errno(err, errno, "read the samples");
	*ret_length = kept;
	return 0;
}
