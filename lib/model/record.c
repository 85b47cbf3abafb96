/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/record.h"

#include <string.h>

static const char *const status_names[] = {
	[PW_STATUS_OK] = "ok",
	[PW_STATUS_FAILED] = "failed",
	[PW_STATUS_INVALIDATED] = "invalidated",
	[PW_STATUS_SKIPPED] = "skipped",
};

const char *pw_status_text(enum pw_status status)
{
	size_t index = (size_t)status;

	return index > 0 && index < PW_LENGTH(status_names) ? status_names[index] : "unknown";
}

enum pw_status pw_status_parse(const char *text)
{
	for (size_t i = 1; i < PW_LENGTH(status_names); i++) {
		if (text && strcmp(text, status_names[i]) == 0)
			return (enum pw_status)i;
	}
	return PW_STATUS_UNSET;
}

/* The member `key` of an object, made as an empty one of the kind given if it is not there. */
static struct pw_value *member(struct pw_value *object, const char *key, struct pw_value empty)
{
	const struct pw_value *old = pw_value_get(object, key);

	if (!old || old->type != empty.type)
		pw_value_set(object, key, empty);
	return pw_value_find(object, key);
}

void pw_record_warning(struct pw_value *record, const char *text)
{
	pw_value_push(member(record, "warnings", pw_value_list()), pw_value_text(text));
}

void pw_record_unavailable(struct pw_value *record, const char *what, const char *why,
			   const char *hint)
{
	struct pw_value item = pw_value_object();

	pw_value_set(&item, "what", pw_value_text(what));
	pw_value_set(&item, "why", pw_value_text(why));
	if (hint && *hint)
		pw_value_set(&item, "hint", pw_value_text(hint));
	pw_value_push(member(record, "unavailable", pw_value_list()), item);
}

static struct pw_value metric_value(const struct pw_metric *metric)
{
	enum pw_mean mean = metric->mean ? metric->mean : pw_mean_default(metric->better);
	struct pw_value value = pw_value_object();

	pw_value_set(&value, "name", pw_value_text(metric->name));
	pw_value_set(&value, "unit", pw_value_text(metric->unit ? metric->unit : ""));
	pw_value_set(&value, "better", pw_value_text(pw_better_text(metric->better)));
	pw_value_set(&value, "mean", pw_value_text(pw_mean_text(mean)));
	pw_value_set(&value, "primary", pw_value_bool(metric->primary));
	pw_value_set(&value, "value", pw_value_real(metric->value));
	return value;
}

static void set_work(struct pw_value *record, const struct pw_result *result)
{
	struct pw_value work = pw_value_object();

	pw_value_set(&work, "value", pw_value_real(result->work));
	pw_value_set(&work, "unit", pw_value_text(result->work_unit ? result->work_unit : ""));
	pw_value_set(record, "work", work);
}

static void set_operations(struct pw_value *record, const struct pw_result *result)
{
	struct pw_value operations = pw_value_object();

	pw_value_set(&operations, "ok", pw_value_int((int64_t)result->operations_ok));
	pw_value_set(&operations, "failed", pw_value_int((int64_t)result->operations_failed));
	pw_value_set(record, "operations", operations);
}

/* What the engine has put under the key already stays; the result's own keys join it. */
static void merge(struct pw_value *record, const char *key, const struct pw_value *from)
{
	struct pw_value *to;

	if (from->type != PW_VALUE_OBJECT)
		return;
	to = member(record, key, pw_value_object());
	for (size_t i = 0; i < from->count; i++)
		pw_value_set(to, from->keys[i], pw_value_copy(&from->items[i]));
}

void pw_record_result(struct pw_value *record, const struct pw_result *result)
{
	struct pw_value metrics = pw_value_list();

	for (size_t i = 0; i < result->metric_count; i++)
		pw_value_push(&metrics, metric_value(&result->metrics[i]));
	pw_value_set(record, "metrics", metrics);
	if (result->has_work)
		set_work(record, result);
	if (result->has_operations)
		set_operations(record, result);
	if (result->flavour)
		pw_value_set(record, "flavour", pw_value_text(result->flavour));
	for (size_t i = 0; i < result->warnings.count; i++)
		pw_record_warning(record, result->warnings.items[i]);
	merge(record, "detail", &result->detail);
	merge(record, "identity", &result->identity);
}
