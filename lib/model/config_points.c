/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an entry's sweep to its points, and from a point to what a plug-in's run sees. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/model/config_internal.h"
#include "lib/model/json.h"

/* A TREE option of this name is an object of sweeps: the entry runs their product. */
#define SWEEP_OBJECT "sweep"

static const struct pw_option *find_option(const struct pw_workload *workload, const char *name)
{
	for (const struct pw_option *o = workload->options; o && o->name; o++) {
		if (strcmp(o->name, name) == 0)
			return o;
	}
	return NULL;
}

static bool has_sweep_object(const struct pw_workload *workload)
{
	const struct pw_option *option = find_option(workload, SWEEP_OBJECT);

	return !workload->sweep && option && option->type == PW_OPT_TREE;
}

/* Names that can stand in "{name}" and in "name=value,name=value". */
static bool is_sweep_key(const char *key)
{
	size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-");

	return length > 0 && length <= PW_NAME_LIMIT && key[length] == '\0';
}

static int fail_sweep_key(const char *key, struct pw_err *err)
{
	(void)pw_fail_at(err, "", 1, "a sweep's name has letters, digits, '-' and '_', at most %d",
			 PW_NAME_LIMIT);
	return pw_below_key(err, key);
}

/* An object of lists, one for each thing that varies; empty without a sweep. */
static int read_sweep_object(const struct pw_value *value, unsigned cpus, struct pw_value *axes,
			     struct pw_err *err)
{
	if (pw_want_object(value, err) < 0)
		return -(int)err->code;
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "is empty: a sweep has at least one value");
	if (value->count > PW_POINT_LIMIT)
		return pw_fail_at(err, "", 0, "has more than %d keys", PW_POINT_LIMIT);
	for (size_t i = 0; i < value->count; i++) {
		struct pw_value list;

		if (!is_sweep_key(value->keys[i]))
			return fail_sweep_key(value->keys[i], err);
		if (pw_sweep_expand_any(&value->items[i], cpus, &list, err) < 0)
			return pw_below_key(err, value->keys[i]);
		pw_value_set(axes, value->keys[i], list);
	}
	return 0;
}

static int read_axes(const struct pw_entry *entry, unsigned cpus, const char *key,
		     struct pw_value *axes, struct pw_err *err)
{
	const struct pw_value *value = pw_value_get(&entry->options, key);
	const struct pw_option *option = find_option(entry->workload, key);
	struct pw_value list;

	if (!value || !option)
		return 0;
	if (!entry->workload->sweep)
		return read_sweep_object(value, cpus, axes, err);
	if (pw_sweep_expand(value, option, cpus, &list, err) < 0)
		return -(int)err->code;
	pw_value_set(axes, key, list);
	return 0;
}

static void add_value_text(struct pw_strbuf *text, const struct pw_value *value)
{
	if (value->type == PW_VALUE_INT)
		pw_strbuf_printf(text, "%" PRId64, value->integer);
	else if (value->type == PW_VALUE_REAL)
		pw_json_real(value->real, text);
	else
		pw_strbuf_puts(text, value->text);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *point_text(const struct pw_value *point)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	pw_auto_free const char **keys = pw_new(point->count, sizeof(*keys));

	for (size_t i = 0; i < point->count; i++)
		keys[i] = point->keys[i];
	qsort(keys, point->count, sizeof(*keys), compare_text);
	for (size_t i = 0; i < point->count; i++) {
		pw_strbuf_printf(&text, "%s%s=", i ? "," : "", keys[i]);
		add_value_text(&text, pw_value_get(point, keys[i]));
	}
	return pw_strbuf_take(&text);
}

static int add_point(struct pw_entry *entry, const struct pw_value *axes, size_t n,
		     struct pw_err *err)
{
	struct pw_point point = { .value = pw_value_object() };

	for (size_t axis = 0; axis < axes->count; axis++) {
		size_t digit = pw_product_digit(axes, axis, n);

		pw_value_set(&point.value, axes->keys[axis],
			     pw_value_copy(&axes->items[axis].items[digit]));
	}
	point.text = point_text(&point.value);
	PW_PUSH(entry->points, entry->point_count, entry->point_capacity, point);
	/* The text is the point's identity in seeds and records ("1" and 1 give the same). */
	for (size_t i = 0; i + 1 < entry->point_count; i++) {
		if (strcmp(entry->points[i].text, point.text) == 0)
			return pw_fail_at(err, "", 0, "two points would both be written '%.200s'",
					  point.text);
	}
	return 0;
}

static int make_points(struct pw_entry *entry, unsigned cpus, const char *key,
		       struct pw_value *axes, struct pw_err *err)
{
	size_t count;

	if (key && read_axes(entry, cpus, key, axes, err) < 0)
		return -(int)err->code;
	count = pw_product_count(axes, PW_POINT_LIMIT);
	if (count > PW_POINT_LIMIT)
		return pw_fail_at(err, "", 0, "gives more than %d points", PW_POINT_LIMIT);
	for (size_t n = 0; n < count; n++) {
		if (add_point(entry, axes, n, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

int pw_make_points(struct pw_entry *entry, unsigned cpus, struct pw_err *err)
{
	const char *key = has_sweep_object(entry->workload) ? SWEEP_OBJECT : entry->workload->sweep;
	pw_auto_value struct pw_value axes = pw_value_object();

	if (make_points(entry, cpus, key, &axes, err) < 0)
		return pw_below_key(err, key);
	return 0;
}

struct pw_value pw_entry_options(const struct pw_entry *entry, const struct pw_point *point)
{
	struct pw_value options = pw_value_copy(&entry->options);

	if (has_sweep_object(entry->workload)) {
		if (point->value.count)
			pw_value_set(&options, SWEEP_OBJECT, pw_value_copy(&point->value));
		return options;
	}
	for (size_t i = 0; i < point->value.count; i++)
		pw_value_set(&options, point->value.keys[i], pw_value_copy(&point->value.items[i]));
	return options;
}
