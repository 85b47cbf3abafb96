/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The small top-level sections; their option tables are the whole truth about keys and defaults. */
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/model/config_internal.h"

#define HOUR	   (INT64_C(3600) * PW_NS_PER_S)
#define TEXT_LIMIT 4096

static const char *const scopes[] = { "package", "package+dram", NULL };
static const char *const orders[] = { "cell", NULL };
static const char *const stops[] = { "fixed", NULL };
static const char *const variances[] = { "cell", NULL };

const struct pw_option pw_machine_options[] = {
	{ .name = "label", .type = PW_OPT_TEXT, .help = "short name of the machine" },
	{ .name = "about", .type = PW_OPT_TEXT, .help = "what the machine is, in one sentence" },
	{ .name = NULL },
};

const struct pw_option pw_energy_options[] = {
	{ .name = "scope",
	  .type = PW_OPT_CHOICE,
	  .help = "which energy the efficiency is computed from",
	  .otherwise = "package",
	  .choices = scopes },
	{ .name = NULL },
};

const struct pw_option pw_repeat_options[] = {
	{ .name = "blocks",
	  .type = PW_OPT_INT,
	  .help = "how often every cell is measured",
	  .otherwise = "5",
	  .min = 1,
	  .max = 1000 },
	{ .name = "order",
	  .type = PW_OPT_CHOICE,
	  .help = "what stands next to each other",
	  .otherwise = "cell",
	  .choices = orders },
	{ .name = "warmup",
	  .type = PW_OPT_INT,
	  .help = "unrecorded runs per workload and session",
	  .otherwise = "1",
	  .min = 0,
	  .max = 100 },
	{ .name = "settle",
	  .type = PW_OPT_TIME,
	  .help = "pause before every run",
	  .otherwise = "5s",
	  .min = 0,
	  .max = HOUR },
	{ .name = "stop",
	  .type = PW_OPT_CHOICE,
	  .help = "when the session ends",
	  .otherwise = "fixed",
	  .choices = stops },
	{ .name = "retry",
	  .type = PW_OPT_INT,
	  .help = "how often a run that failed or was hit from outside is repeated",
	  .otherwise = "1",
	  .min = 0,
	  .max = 10 },
	{ .name = NULL },
};

const struct pw_option pw_analysis_options[] = {
	{ .name = "margin",
	  .type = PW_OPT_PERCENT,
	  .help = "a change of performance smaller than this does not matter",
	  .otherwise = "2%" },
	{ .name = "energy-margin",
	  .type = PW_OPT_PERCENT,
	  .help = "the same for energy and performance per watt",
	  .otherwise = "3%" },
	{ .name = "alpha",
	  .type = PW_OPT_REAL,
	  .help = "the error rate of a verdict",
	  .otherwise = "0.05" },
	{ .name = "variance",
	  .type = PW_OPT_CHOICE,
	  .help = "where the spread is taken from",
	  .otherwise = "cell",
	  .choices = variances },
	{ .name = NULL },
};

/* A section that is an object with this table; defaults if it is absent. *ret is the caller's. */
static int read_object(const struct pw_option *table, const struct pw_value *value,
		       struct pw_value *ret, struct pw_err *err)
{
	struct pw_value object = PW_VALUE_INIT;

	if (value && pw_want_object(value, err) < 0)
		return -(int)err->code;
	object = value ? pw_value_copy(value) : pw_value_object();
	if (pw_options_check(table, NULL, NULL, &object, err) < 0) {
		pw_value_done(&object);
		return -(int)err->code;
	}
	*ret = object;
	return 0;
}

int pw_read_name(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err)
{
	if (value && pw_want_text(value, PW_NAME_LIMIT, err) < 0)
		return -(int)err->code;
	reader->config->name = pw_strdup(value ? value->text : "comparison");
	return 0;
}

/* An optional text of a checked object. */
static int take_text(const struct pw_value *object, const char *key, char **ret, struct pw_err *err)
{
	const struct pw_value *value = pw_value_get(object, key);

	if (!value)
		return 0;
	if (pw_want_text(value, TEXT_LIMIT, err) < 0)
		return pw_below_key(err, key);
	*ret = pw_strdup(value->text);
	return 0;
}

int pw_read_machine(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err)
{
	pw_auto_value struct pw_value object = PW_VALUE_INIT;

	if (read_object(pw_machine_options, value, &object, err) < 0 ||
	    take_text(&object, "label", &reader->config->label, err) < 0)
		return -(int)err->code;
	return take_text(&object, "about", &reader->config->about, err);
}

int pw_read_user(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err)
{
	if (!value)
		return 0;
	if (pw_want_text(value, PW_NAME_LIMIT, err) < 0)
		return -(int)err->code;
	reader->config->user = pw_strdup(value->text);
	return 0;
}

/* A time, or false for 0; `otherwise` if it is absent. */
static int read_time_or_false(const struct pw_value *value, const struct pw_option *option,
			      int64_t *ret_ns, struct pw_err *err)
{
	pw_auto_value struct pw_value copy =
		value ? pw_value_copy(value) : pw_value_text(option->otherwise);

	if (copy.type == PW_VALUE_BOOL && !copy.boolean) {
		*ret_ns = 0;
		return 0;
	}
	if (copy.type == PW_VALUE_BOOL)
		return pw_fail_at(err, "", 0, "wants a time such as \"%s\", or false",
				  option->otherwise);
	if (pw_option_check(option, &copy, err) < 0)
		return -(int)err->code;
	*ret_ns = copy.integer;
	return 0;
}

int pw_read_idle(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err)
{
	static const struct pw_option option = {
		.name = "idle", .type = PW_OPT_TIME, .otherwise = "30s", .min = 0, .max = HOUR
	};

	return read_time_or_false(value, &option, &reader->config->idle_ns, err);
}

int pw_read_energy(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err)
{
	pw_auto_value struct pw_value object = PW_VALUE_INIT;

	if (read_object(pw_energy_options, value, &object, err) < 0)
		return -(int)err->code;
	reader->config->scope = pw_strdup(pw_value_get_text(&object, "scope", ""));
	return 0;
}

/* "timeline", "msr", and the collectors that take options. Borrowed names; the list is the
 * caller's. */
static const char **collector_keys(const struct pw_catalog *catalog)
{
	const char **keys = NULL;
	size_t count = 0, capacity = 0;

	PW_PUSH(keys, count, capacity, "timeline");
	PW_PUSH(keys, count, capacity, "msr");
	for (const struct pw_collector *const *c = catalog->collectors; *c; c++) {
		if ((*c)->options)
			PW_PUSH(keys, count, capacity, (*c)->name);
	}
	PW_PUSH(keys, count, capacity, NULL);
	return keys;
}

/* Fills config->collectors: one object of checked options for each collector that takes any. */
static int read_collector_options(const struct pw_config_reader *reader,
				  const struct pw_value *value, struct pw_err *err)
{
	reader->config->collectors = pw_value_object();
	for (const struct pw_collector *const *c = reader->env->catalog->collectors; *c; c++) {
		const struct pw_value *given = value ? pw_value_get(value, (*c)->name) : NULL;
		struct pw_value object;

		if (!(*c)->options)
			continue;
		if (read_object((*c)->options, given, &object, err) == 0)
			pw_value_set(&reader->config->collectors, (*c)->name, object);
		else if (given)
			return pw_below_key(err, (*c)->name);
		/* else: it needs an option that nobody gave; it stays without options */
	}
	return 0;
}

/* Registers are read only where this says so. */
static int read_msr(const struct pw_value *value, bool *ret, struct pw_err *err)
{
	static const struct pw_option option = { .name = "msr", .type = PW_OPT_SWITCH };
	pw_auto_value struct pw_value copy = value ? pw_value_copy(value) : pw_value_bool(false);

	if (pw_option_check(&option, &copy, err) < 0)
		return pw_below_key(err, option.name);
	*ret = copy.boolean;
	return 0;
}

int pw_read_collectors(const struct pw_config_reader *reader, const struct pw_value *value,
		       struct pw_err *err)
{
	/* Shorter periods would measure the reading itself. */
	static const struct pw_option timeline = { .name = "timeline",
						   .type = PW_OPT_TIME,
						   .otherwise = "1s",
						   .min = 10 * PW_NS_PER_MS,
						   .max = HOUR };
	pw_auto_free const char **keys = collector_keys(reader->env->catalog);
	const struct pw_value *period = value ? pw_value_get(value, timeline.name) : NULL;

	if (value && (pw_want_object(value, err) < 0 || pw_check_keys(value, keys, err) < 0))
		return -(int)err->code;
	if (read_time_or_false(period, &timeline, &reader->config->timeline_ns, err) < 0)
		return pw_below_key(err, timeline.name);
	if (read_msr(value ? pw_value_get(value, "msr") : NULL, &reader->config->msr, err) < 0)
		return -(int)err->code;
	return read_collector_options(reader, value, err);
}

int pw_read_repeat(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err)
{
	pw_auto_value struct pw_value object = PW_VALUE_INIT;
	struct pw_config *config = reader->config;

	if (read_object(pw_repeat_options, value, &object, err) < 0)
		return -(int)err->code;
	config->repeat.blocks = (unsigned)pw_value_get_int(&object, "blocks", 0);
	config->repeat.warmup = (unsigned)pw_value_get_int(&object, "warmup", 0);
	config->repeat.retry = (unsigned)pw_value_get_int(&object, "retry", 0);
	config->repeat.settle_ns = pw_value_get_int(&object, "settle", 0);
	config->repeat.order = PW_ORDER_CELL; /* the only one the table lets through */
	config->repeat.stop = pw_strdup(pw_value_get_text(&object, "stop", ""));
	return 0;
}

static int take_margin(const struct pw_value *object, const char *key, double *ret,
		       struct pw_err *err)
{
	double margin = pw_value_get_real(object, key, 0);

	if (margin >= 1)
		(void)pw_fail_at(err, "", 0, "a margin lies below 100%%");
	else
		*ret = margin;
	return margin >= 1 ? pw_below_key(err, key) : 0;
}

int pw_read_analysis(const struct pw_config_reader *reader, const struct pw_value *value,
		     struct pw_err *err)
{
	pw_auto_value struct pw_value object = PW_VALUE_INIT;
	struct pw_config *config = reader->config;

	if (read_object(pw_analysis_options, value, &object, err) < 0 ||
	    take_margin(&object, "margin", &config->analysis.margin, err) < 0 ||
	    take_margin(&object, "energy-margin", &config->analysis.energy_margin, err) < 0)
		return -(int)err->code;
	config->analysis.alpha = pw_value_get_real(&object, "alpha", 0);
	if (!(config->analysis.alpha > 0 && config->analysis.alpha < 0.5))
		return pw_fail_at(err, "/alpha", 0, "lies between 0 and 0.5, both excluded");
	config->analysis.variance = pw_strdup(pw_value_get_text(&object, "variance", ""));
	return 0;
}
