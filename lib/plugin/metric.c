/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/metric.h"

#include <string.h>

#include "lib/base/mem.h"

static const char *const better_names[] = { "", "higher", "lower" };
static const char *const mean_names[] = { "", "harmonic", "arithmetic", "geometric" };

void pw_result_done(struct pw_result *result)
{
	for (size_t i = 0; i < result->metric_count; i++) {
		free(result->metrics[i].name);
		free(result->metrics[i].unit);
	}
	free(result->metrics);
	free(result->work_unit);
	free(result->flavour);
	pw_strv_done(&result->warnings);
	pw_value_done(&result->detail);
	pw_value_done(&result->identity);
	*result = PW_RESULT_INIT;
}

void pw_result_add(struct pw_result *result, const struct pw_metric_desc *desc, double value)
{
	struct pw_metric metric = {
		.name = pw_strdup(desc->name),
		.unit = pw_strdup(desc->unit),
		.better = desc->better,
		.mean = desc->mean ? desc->mean : pw_mean_default(desc->better),
		.primary = desc->flags & PW_METRIC_PRIMARY,
		.value = value,
	};

	PW_PUSH(result->metrics, result->metric_count, result->metric_capacity, metric);
}

void pw_result_work(struct pw_result *result, double work, const char *unit)
{
	free(result->work_unit);
	result->has_work = true;
	result->work = work;
	result->work_unit = pw_strdup(unit);
}

enum pw_mean pw_mean_default(enum pw_better better)
{
	return better == PW_BETTER_HIGHER ? PW_MEAN_HARMONIC : PW_MEAN_ARITHMETIC;
}

const char *pw_better_text(enum pw_better better)
{
	return better_names[better];
}

enum pw_better pw_better_parse(const char *text)
{
	for (size_t i = 1; i < PW_LENGTH(better_names); i++) {
		if (strcmp(text, better_names[i]) == 0)
			return (enum pw_better)i;
	}
	return PW_BETTER_UNSET;
}

const char *pw_mean_text(enum pw_mean mean)
{
	return mean_names[mean];
}

enum pw_mean pw_mean_parse(const char *text)
{
	for (size_t i = 1; i < PW_LENGTH(mean_names); i++) {
		if (strcmp(text, mean_names[i]) == 0)
			return (enum pw_mean)i;
	}
	return PW_MEAN_UNSET;
}
