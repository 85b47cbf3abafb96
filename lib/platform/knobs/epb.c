/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy performance bias: cpuN/power/energy_perf_bias of every online CPU (kernel
 * Documentation/admin-guide/pm/intel_epb.rst), 0 (performance) to 15 (power). Either a number or a
 * word is taken, and which of both is shown depends on the kernel. The register may be shared by
 * the CPUs of a core or package, so that only one value for all makes sense.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/parse.h"
#include "lib/platform/attr.h"
#include "lib/platform/mixed.h"
#include "lib/platform/topology.h"

#define EPB_MAX	  15
#define EPB_SIZE  32
#define PATH_SIZE 96

/* Kernel arch/x86/include/asm/msr-index.h, ENERGY_PERF_BIAS_*. */
static const struct {
	const char *word;
	uint64_t number;
} table[] = {
	{ "performance", 0 }, { "balance-performance", 4 }, { "normal", 6 }, { "balance-power", 8 },
	{ "power", 15 },
};

/* The number of a word or of a text of digits; false if it is neither. */
static bool number_of(const char *text, uint64_t *ret)
{
	struct pw_err ignored;

	for (size_t i = 0; i < PW_LENGTH(table); i++) {
		if (strcmp(table[i].word, text) == 0) {
			*ret = table[i].number;
			return true;
		}
	}
	return pw_parse_u64(text, ret, &ignored) == 0;
}

/* The value as text to write. */
static int text_of(const struct pw_value *value, char text[EPB_SIZE], struct pw_err *err)
{
	uint64_t number;

	if (value->type == PW_VALUE_INT) {
		if (value->integer < 0 || value->integer > EPB_MAX)
			return pw_fail_at(err, "", 0, "%" PRId64 " is outside 0 to %d",
					  value->integer, EPB_MAX);
		(void)snprintf(text, EPB_SIZE, "%" PRId64, value->integer);
		return 0;
	}
	if (value->type != PW_VALUE_TEXT)
		return pw_fail_at(err, "", 0, "wants a word such as \"power\" or a number, not %s",
				  pw_value_type_name(value->type));
	if (!number_of(value->text, &number))
		return pw_fail_at(err, "", 0,
				  "'%.80s' is none of: performance, balance-performance, normal, "
				  "balance-power, power, 0 to %d",
				  value->text, EPB_MAX);
	if (number > EPB_MAX)
		return pw_fail_at(err, "", 0, "%.80s is outside 0 to %d", value->text, EPB_MAX);
	if (strchr("0123456789", value->text[0])) /* "010" is octal to the kernel */
		(void)snprintf(text, EPB_SIZE, "%" PRIu64, number);
	else
		(void)snprintf(text, EPB_SIZE, "%s", value->text);
	return 0;
}

static int form(struct pw_value *value, struct pw_err *err)
{
	char text[EPB_SIZE];

	return text_of(value, text, err);
}

static bool accept(const char *shown, const void *asked)
{
	uint64_t a, b;

	return number_of(shown, &a) && number_of(asked, &b) && a == b;
}

typedef int (*visit_fn)(const struct pw_root *root, unsigned cpu, const char *path, void *context,
			struct pw_err *err);

/* Every online CPU that has the file. */
static int visit_all(const struct pw_root *root, visit_fn visit, void *context, struct pw_err *err)
{
	struct pw_cpuset online = { 0 };
	char path[PATH_SIZE];
	int r = pw_cpus_online(root, &online, err);

	for (size_t i = 0; r == 0 && i < online.count; i++) {
		(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/power/energy_perf_bias",
			       online.cpus[i]);
		if (pw_root_exists(root, path))
			r = visit(root, online.cpus[i], path, context, err);
	}
	pw_cpuset_done(&online);
	return r;
}

static int probe_cpu(const struct pw_root *root, unsigned cpu, const char *path, void *context,
		     struct pw_err *err)
{
	bool *found = context;
	char shown[EPB_SIZE];
	int r;

	(void)cpu;
	if (*found)
		return 0;
	*found = true;
	r = pw_attr_read(root, path, shown, sizeof(shown), err);
	return r < 0 ? r : pw_attr_writable(root, path, err);
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	bool found = false;
	int r = visit_all(env->root, probe_cpu, &found, err);

	if (r < 0 || found)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no CPU has a file power/energy_perf_bias below " PW_CPU_DIR
		       " (Intel's processors have an energy performance bias)");
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	char text[EPB_SIZE];

	(void)env;
	return text_of(value, text, err);
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	(void)env;
	(void)err;
	for (size_t i = 0; i < PW_LENGTH(table); i++)
		pw_strv_push(values, table[i].word);
	return 0;
}

static int save_cpu(const struct pw_root *root, unsigned cpu, const char *path, void *context,
		    struct pw_err *err)
{
	(void)cpu;
	return pw_attr_save(root, path, context, err);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return visit_all(env->root, save_cpu, saved, err);
}

/* What stands already is left alone: the register may be a core's or a package's. */
static int apply_cpu(const struct pw_root *root, unsigned cpu, const char *path, void *context,
		     struct pw_err *err)
{
	char now[EPB_SIZE];

	(void)cpu;
	if (pw_attr_get(root, path, now, sizeof(now)) && accept(now, context))
		return 0;
	return pw_attr_write(root, path, context, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	char text[EPB_SIZE];
	int r = text_of(value, text, err);

	return r < 0 ? r : visit_all(env->root, apply_cpu, text, err);
}

static int settle(const struct pw_root *root, const char *path, const char *asked,
		  struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_settle(root, path, accept, asked, shown, sizeof(shown), err);

	if (r == -PW_ETIMEOUT && err->text[0] == '\0')
		return pw_fail(err, PW_ETIMEOUT, "%s: asked '%s', is '%s'", path, asked, shown);
	return r;
}

static int verify_cpu(const struct pw_root *root, unsigned cpu, const char *path, void *context,
		      struct pw_err *err)
{
	(void)cpu;
	return settle(root, path, context, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	char text[EPB_SIZE];
	int r = text_of(value, text, err);

	return r < 0 ? r : visit_all(env->root, verify_cpu, text, err);
}

static int note_cpu(const struct pw_root *root, unsigned cpu, const char *path, void *context,
		    struct pw_err *err)
{
	char shown[EPB_SIZE], name[16];
	int r = pw_attr_read(root, path, shown, sizeof(shown), err);

	if (r < 0)
		return r;
	(void)snprintf(name, sizeof(name), "%u", cpu);
	pw_mixed_note(context, shown, name);
	return 0;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_mixed struct pw_mixed mixed = PW_MIXED_INIT;
	int r = visit_all(env->root, note_cpu, &mixed, err);

	if (r == 0 && mixed.count == 0)
		r = probe(env, err);
	if (r == 0 && mixed.count)
		*ret = pw_mixed_value(&mixed, "cpu");
	return r;
}

/* A kernel that shows words may show another one of the same number. */
static bool is_back(const struct pw_knob_env *env, const struct pw_saved_item *item)
{
	char shown[EPB_SIZE];

	if (pw_root_plain(env->root))
		return pw_attr_is_back(env, item);
	return pw_attr_get(env->root, item->path, shown, sizeof(shown)) &&
	       accept(shown, item->value);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	int r;

	if (pw_root_plain(env->root))
		return pw_attr_restore(env->root, item, err);
	if (is_back(env, item))
		return 0;
	r = pw_attr_write(env->root, item->path, item->value, err);
	return r < 0 ? r : settle(env->root, item->path, item->value, err);
}

const struct pw_knob pw_knob_epb = {
	.name = "epb",
	.summary = "Energy Performance Bias, of every online CPU",
	.scope = PW_KNOB_CPU,
	.order = PW_ORDER_EPP + 10,
	.value = { .name = "epb",
		   .type = PW_OPT_TREE,
		   .help = "performance, balance-performance, normal, balance-power, power, or 0 "
			   "to 15" },
	.form = form,
	.probe = probe,
	.check = check,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = is_back,
};
