/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "matrix" and "exclude": configurations as the product of axes. */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/model/config_internal.h"
#include "lib/model/json.h"

/* The axes twice, parallel: as written (names are made from it) and in internal form. */
struct matrix {
	const struct pw_value *written; /* object; an axis may be a single value */
	struct pw_value axes;		/* object of lists */
	const struct pw_knob **knobs;
	struct pw_value excluded; /* list of objects, internal form */
};

static void matrix_done(struct matrix *matrix)
{
	pw_value_done(&matrix->axes);
	pw_value_done(&matrix->excluded);
	free(matrix->knobs);
}

static const struct pw_value *written_value(const struct matrix *matrix, size_t axis, size_t digit)
{
	const struct pw_value *values = &matrix->written->items[axis];

	return values->type == PW_VALUE_LIST ? &values->items[digit] : values;
}

static bool has_value(const struct pw_value *list, const struct pw_value *value)
{
	for (size_t i = 0; i < list->count; i++) {
		if (pw_value_equal(&list->items[i], value))
			return true;
	}
	return false;
}

static int add_axis_value(const struct pw_knob *knob, const struct pw_value *written,
			  struct pw_value *list, struct pw_err *err)
{
	struct pw_value value = pw_value_copy(written);
	int r = pw_knob_check_value(knob, &value, err);

	if (r == 0 && has_value(list, &value))
		r = pw_fail_at(err, "", 0, "stands twice on this axis");
	if (r == 0)
		pw_value_push(list, value);
	else
		pw_value_done(&value);
	return r;
}

static int read_axis(const struct pw_knob *knob, const struct pw_value *values,
		     struct pw_value *list, struct pw_err *err)
{
	if (values->type != PW_VALUE_LIST)
		return add_axis_value(knob, values, list, err);
	if (pw_want_list(values, PW_CONFIG_LIMIT, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < values->count; i++) {
		if (add_axis_value(knob, &values->items[i], list, err) < 0)
			return pw_err_below(err, "/%zu", i);
	}
	return 0;
}

static int read_axes(const struct pw_config_env *env, struct matrix *matrix, struct pw_err *err)
{
	const struct pw_value *written = matrix->written;

	matrix->axes = pw_value_object();
	matrix->knobs = pw_new(written->count, sizeof(struct pw_knob *));
	for (size_t i = 0; i < written->count; i++) {
		const struct pw_knob *knob = pw_find_setting(env, written->keys[i], err);
		struct pw_value list = pw_value_list();

		if (!knob)
			return -(int)err->code;
		matrix->knobs[i] = knob;
		if (read_axis(knob, &written->items[i], &list, err) < 0) {
			pw_value_done(&list);
			return pw_below_key(err, written->keys[i]);
		}
		pw_value_set(&matrix->axes, written->keys[i], list);
	}
	if (pw_product_count(&matrix->axes, PW_CONFIG_LIMIT) > PW_CONFIG_LIMIT)
		return pw_fail_at(err, "", 0, "gives more than %d configurations", PW_CONFIG_LIMIT);
	return 0;
}

/* One object of "exclude"; its values must be on the axes, or it could never match. */
static int read_rule(const struct matrix *matrix, const struct pw_value *written,
		     struct pw_value *rule, struct pw_err *err)
{
	const struct pw_value *axes = &matrix->axes;

	if (pw_want_object(written, err) < 0)
		return -(int)err->code;
	if (written->count == 0)
		return pw_fail_at(err, "", 0, "is empty and would leave out everything");
	for (size_t i = 0; i < written->count; i++) {
		const char *key = written->keys[i];
		struct pw_value value;
		size_t axis = 0;
		int r;

		while (axis < axes->count && strcmp(axes->keys[axis], key) != 0)
			axis++;
		if (axis == axes->count)
			return pw_fail_unknown_key(err, key, "axis",
						   (const char *const *)axes->keys, axes->count);
		value = pw_value_copy(&written->items[i]);
		r = pw_knob_check_value(matrix->knobs[axis], &value, err);
		if (r == 0 && !has_value(&axes->items[axis], &value))
			r = pw_fail_at(err, "", 0, "is not among this axis' values");
		pw_value_set(rule, key, value);
		if (r < 0)
			return pw_below_key(err, key);
	}
	return 0;
}

static int read_rules(struct matrix *matrix, const struct pw_value *exclude, struct pw_err *err)
{
	matrix->excluded = pw_value_list();
	if (!exclude)
		return 0;
	if (pw_want_list(exclude, PW_CONFIG_LIMIT, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < exclude->count; i++) {
		struct pw_value rule = pw_value_object();
		int r = read_rule(matrix, &exclude->items[i], &rule, err);

		pw_value_push(&matrix->excluded, rule);
		if (r < 0)
			return pw_err_below(err, "/%zu", i);
	}
	return 0;
}

static bool matches(const struct matrix *matrix, const struct pw_value *rule, size_t n)
{
	for (size_t axis = 0; axis < matrix->axes.count; axis++) {
		const struct pw_value *wanted = pw_value_get(rule, matrix->axes.keys[axis]);
		size_t digit = pw_product_digit(&matrix->axes, axis, n);

		if (wanted && !pw_value_equal(wanted, &matrix->axes.items[axis].items[digit]))
			return false;
	}
	return true;
}

static bool is_excluded(const struct matrix *matrix, size_t n)
{
	for (size_t i = 0; i < matrix->excluded.count; i++) {
		if (matches(matrix, &matrix->excluded.items[i], n))
			return true;
	}
	return false;
}

/* A value that says what it is ("schedutil") stands alone; others name their knob. */
static void add_name_part(const struct matrix *matrix, size_t axis, size_t digit,
			  struct pw_strbuf *name)
{
	const struct pw_knob *knob = matrix->knobs[axis];
	const struct pw_value *written = written_value(matrix, axis, digit);
	const struct pw_value *value = &matrix->axes.items[axis].items[digit];
	bool speaks = knob->value.type != PW_OPT_TIME && knob->value.type != PW_OPT_FREQ &&
		      knob->value.type != PW_OPT_POWER && knob->value.type != PW_OPT_PERCENT;

	if (value->type == PW_VALUE_BOOL)
		pw_strbuf_printf(name, "%s=%s", knob->name, value->boolean ? "on" : "off");
	else if (written->type == PW_VALUE_TEXT && speaks)
		pw_text_escape(name, written->text);
	else if (written->type == PW_VALUE_TEXT)
		pw_strbuf_printf(name, "%s=%s", knob->name, written->text);
	else if (written->type == PW_VALUE_LIST || written->type == PW_VALUE_OBJECT)
		pw_strbuf_printf(name, "%s#%zu", knob->name, digit + 1);
	else {
		pw_strbuf_printf(name, "%s=", knob->name);
		pw_json_write(written, PW_JSON_COMPACT, name);
	}
}

static bool is_taken(const struct pw_config *config, const char *name)
{
	for (size_t i = 0; i + 1 < config->config_count; i++) {
		if (strcmp(config->configs[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Cuts a name that is too long, or taken, and makes it unique by its number in the product. */
static char *fit_name(const struct pw_config *config, const char *name, size_t n)
{
	size_t length = strlen(name);
	char number[24];

	if (length <= PW_NAME_LIMIT && !is_taken(config, name))
		return pw_strdup(name);
	(void)snprintf(number, sizeof(number), "~%zu", n + 1);
	if (length > PW_NAME_LIMIT - strlen(number))
		length = PW_NAME_LIMIT - strlen(number);
	while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
		length--; /* never within a character */
	return pw_sprintf("%.*s%s", (int)length, name, number);
}

static char *make_name(const struct pw_config *config, const struct matrix *matrix, size_t n)
{
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;
	bool varies = pw_product_count(&matrix->axes, PW_CONFIG_LIMIT) > 1;

	for (size_t axis = 0; axis < matrix->axes.count; axis++) {
		if (varies && matrix->axes.items[axis].count == 1)
			continue;
		if (name.length)
			pw_strbuf_putc(&name, '/');
		add_name_part(matrix, axis, pw_product_digit(&matrix->axes, axis, n), &name);
	}
	return fit_name(config, pw_strbuf_text(&name), n);
}

static void add_combination(struct pw_config *config, const struct matrix *matrix, size_t n)
{
	struct pw_configuration *configuration;

	PW_PUSH(config->configs, config->config_count, config->config_capacity,
		((struct pw_configuration){ .name = NULL }));
	configuration = &config->configs[config->config_count - 1];
	configuration->name = make_name(config, matrix, n);
	for (size_t axis = 0; axis < matrix->axes.count; axis++) {
		size_t digit = pw_product_digit(&matrix->axes, axis, n);

		pw_add_setting(configuration, matrix->knobs[axis],
			       pw_value_copy(&matrix->axes.items[axis].items[digit]));
	}
}

int pw_read_matrix(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err)
{
	if (!value)
		return 0;
	if (pw_value_get(reader->tree, "configs"))
		return pw_fail_at(err, "", 1, "stands beside \"configs\": only one of them");
	if (pw_want_object(value, err) < 0)
		return -(int)err->code;
	return value->count ? 0 : pw_fail_at(err, "", 0, "is empty");
}

int pw_read_exclude(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err)
{
	if (value && !pw_value_get(reader->tree, "matrix"))
		return pw_fail_at(err, "", 1, "belongs to a \"matrix\", and there is none");
	return 0;
}

static int expand(const struct pw_config_reader *reader, struct matrix *matrix, struct pw_err *err)
{
	const struct pw_value *exclude = pw_value_get(reader->tree, "exclude");
	size_t count;

	if (read_axes(reader->env, matrix, err) < 0)
		return pw_err_below(err, "/matrix");
	if (read_rules(matrix, exclude, err) < 0)
		return pw_err_below(err, "/exclude");
	count = pw_product_count(&matrix->axes, PW_CONFIG_LIMIT);
	for (size_t n = 0; n < count; n++) {
		if (!is_excluded(matrix, n))
			add_combination(reader->config, matrix, n);
	}
	if (reader->config->config_count == 0)
		return pw_fail_at(err, "/exclude", 0, "leaves no configuration of the matrix");
	return 0;
}

int pw_expand_matrix(const struct pw_config_reader *reader, struct pw_err *err)
{
	pw_auto(matrix_done) struct matrix matrix = { .written = pw_value_get(reader->tree,
									      "matrix") };

	return matrix.written ? expand(reader, &matrix, err) : 0;
}
