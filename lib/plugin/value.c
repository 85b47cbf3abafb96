/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/value.h"

#include <string.h>

#include "lib/base/mem.h"

void pw_value_done(struct pw_value *value)
{
	if (value->type == PW_VALUE_TEXT)
		free(value->text);
	if (value->type == PW_VALUE_LIST || value->type == PW_VALUE_OBJECT) {
		for (size_t i = 0; i < value->count; i++) {
			pw_value_done(&value->items[i]);
			if (value->type == PW_VALUE_OBJECT)
				free(value->keys[i]);
		}
		free(value->items);
		free(value->keys);
	}
	*value = PW_VALUE_INIT;
}

struct pw_value pw_value_bool(bool boolean)
{
	return (struct pw_value){ .type = PW_VALUE_BOOL, .boolean = boolean };
}

struct pw_value pw_value_int(int64_t integer)
{
	return (struct pw_value){ .type = PW_VALUE_INT, .integer = integer };
}

struct pw_value pw_value_real(double real)
{
	return (struct pw_value){ .type = PW_VALUE_REAL, .real = real };
}

struct pw_value pw_value_text(const char *text)
{
	return (struct pw_value){ .type = PW_VALUE_TEXT, .text = pw_strdup(text) };
}

struct pw_value pw_value_list(void)
{
	return (struct pw_value){ .type = PW_VALUE_LIST };
}

struct pw_value pw_value_object(void)
{
	return (struct pw_value){ .type = PW_VALUE_OBJECT };
}

/* For keys known to be new: no search for an old one. */
static void append_member(struct pw_value *object, const char *key, struct pw_value item)
{
	pw_grow(&object->keys, &object->key_capacity, object->count + 1, sizeof(*object->keys));
	object->keys[object->count] = pw_strdup(key);
	PW_PUSH(object->items, object->count, object->capacity, item);
}

struct pw_value pw_value_copy(const struct pw_value *value)
{
	struct pw_value copy = { .type = value->type };

	switch (value->type) {
	case PW_VALUE_TEXT:
		copy.text = pw_strdup(value->text);
		break;
	case PW_VALUE_LIST:
		for (size_t i = 0; i < value->count; i++)
			pw_value_push(&copy, pw_value_copy(&value->items[i]));
		break;
	case PW_VALUE_OBJECT:
		for (size_t i = 0; i < value->count; i++)
			append_member(&copy, value->keys[i], pw_value_copy(&value->items[i]));
		break;
	default:
		copy = *value;
	}
	return copy;
}

static bool equal_items(const struct pw_value *a, const struct pw_value *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct pw_value *other = &b->items[i];

		if (a->type == PW_VALUE_OBJECT)
			other = pw_value_get(b, a->keys[i]);
		if (!other || !pw_value_equal(&a->items[i], other))
			return false;
	}
	return true;
}

bool pw_value_equal(const struct pw_value *a, const struct pw_value *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case PW_VALUE_BOOL:
		return a->boolean == b->boolean;
	case PW_VALUE_INT:
		return a->integer == b->integer;
	case PW_VALUE_REAL:
		return memcmp(&a->real, &b->real, sizeof(a->real)) == 0;
	case PW_VALUE_TEXT:
		return strcmp(a->text, b->text) == 0;
	case PW_VALUE_LIST:
	case PW_VALUE_OBJECT:
		return equal_items(a, b);
	default:
		return true;
	}
}

void pw_value_push(struct pw_value *list, struct pw_value item)
{
	PW_PUSH(list->items, list->count, list->capacity, item);
}

static size_t index_of(const struct pw_value *object, const char *key)
{
	if (!object || object->type != PW_VALUE_OBJECT)
		return SIZE_MAX;
	for (size_t i = 0; i < object->count; i++) {
		if (strcmp(object->keys[i], key) == 0)
			return i;
	}
	return SIZE_MAX;
}

void pw_value_set(struct pw_value *object, const char *key, struct pw_value item)
{
	size_t at = index_of(object, key);

	if (at != SIZE_MAX) {
		pw_value_done(&object->items[at]);
		object->items[at] = item;
		return;
	}
	append_member(object, key, item);
}

void pw_value_unset(struct pw_value *object, const char *key)
{
	size_t at = index_of(object, key);

	if (at == SIZE_MAX)
		return;
	pw_value_done(&object->items[at]);
	free(object->keys[at]);
	object->count--;
	memmove(&object->items[at], &object->items[at + 1],
		(object->count - at) * sizeof(*object->items));
	memmove(&object->keys[at], &object->keys[at + 1],
		(object->count - at) * sizeof(*object->keys));
}

struct pw_value *pw_value_find(struct pw_value *object, const char *key)
{
	size_t at = index_of(object, key);

	return at == SIZE_MAX ? NULL : &object->items[at];
}

const struct pw_value *pw_value_get(const struct pw_value *object, const char *key)
{
	size_t at = index_of(object, key);

	return at == SIZE_MAX ? NULL : &object->items[at];
}

int64_t pw_value_get_int(const struct pw_value *object, const char *key, int64_t otherwise)
{
	const struct pw_value *value = pw_value_get(object, key);

	return value && value->type == PW_VALUE_INT ? value->integer : otherwise;
}

double pw_value_get_real(const struct pw_value *object, const char *key, double otherwise)
{
	const struct pw_value *value = pw_value_get(object, key);

	if (value && value->type == PW_VALUE_INT)
		return (double)value->integer;
	return value && value->type == PW_VALUE_REAL ? value->real : otherwise;
}

bool pw_value_get_bool(const struct pw_value *object, const char *key, bool otherwise)
{
	const struct pw_value *value = pw_value_get(object, key);

	return value && value->type == PW_VALUE_BOOL ? value->boolean : otherwise;
}

const char *pw_value_get_text(const struct pw_value *object, const char *key, const char *otherwise)
{
	const struct pw_value *value = pw_value_get(object, key);

	return value && value->type == PW_VALUE_TEXT ? value->text : otherwise;
}

void pw_value_get_strv(const struct pw_value *object, const char *key, struct pw_strv *list)
{
	const struct pw_value *value = pw_value_get(object, key);

	if (!value || value->type != PW_VALUE_LIST)
		return;
	for (size_t i = 0; i < value->count; i++) {
		if (value->items[i].type == PW_VALUE_TEXT)
			pw_strv_push(list, value->items[i].text);
	}
}

const char *pw_value_type_name(enum pw_value_type type)
{
	static const char *const names[] = { "nothing",	 "null",   "true/false", "a whole number",
					     "a number", "a text", "a list",	 "an object" };

	return (size_t)type < PW_LENGTH(names) ? names[type] : "?";
}
