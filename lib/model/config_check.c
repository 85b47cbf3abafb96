/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that more than one part of the config makes. */
#include <string.h>

#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/config_internal.h"

int pw_want_object(const struct pw_value *value, struct pw_err *err)
{
	if (value->type == PW_VALUE_OBJECT)
		return 0;
	return pw_fail_at(err, "", 0, "wants an object { ... }, not %s",
			  pw_value_type_name(value->type));
}

int pw_want_list(const struct pw_value *value, size_t limit, struct pw_err *err)
{
	if (value->type != PW_VALUE_LIST)
		return pw_fail_at(err, "", 0, "wants a list [ ... ], not %s",
				  pw_value_type_name(value->type));
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "is empty");
	if (value->count > limit)
		return pw_fail_at(err, "", 0, "has %zu items, at most %zu are possible",
				  value->count, limit);
	return 0;
}

int pw_want_text(const struct pw_value *value, size_t limit, struct pw_err *err)
{
	if (value->type != PW_VALUE_TEXT)
		return pw_fail_at(err, "", 0, "wants a text, not %s",
				  pw_value_type_name(value->type));
	if (value->text[0] == '\0')
		return pw_fail_at(err, "", 0, "is empty");
	if (strlen(value->text) > limit)
		return pw_fail_at(err, "", 0, "is longer than %zu bytes", limit);
	if (!pw_text_printable(value->text))
		return pw_fail_at(err, "", 0, "holds control or bidirectional characters");
	return 0;
}

int pw_fail_unknown_word(struct pw_err *err, const char *pointer, const char *what,
			 const char *word, const char *const *known, size_t count)
{
	pw_auto_strbuf struct pw_strbuf list = PW_STRBUF_INIT;
	const char *nearest = pw_nearest(word, known, count);

	for (size_t i = 0; i < count; i++)
		pw_strbuf_printf(&list, "%s\"%s\"", i ? ", " : "", known[i]);
	if (nearest)
		(void)pw_fail_at(err, pointer, 0, "unknown %s \"%.80s\" (did you mean \"%s\"?)",
				 what, word, nearest);
	else
		(void)pw_fail_at(err, pointer, 0, "unknown %s \"%.80s\"", what, word);
	return pw_err_hint(err, "allowed: %s", pw_strbuf_text(&list));
}

int pw_check_keys(const struct pw_value *object, const char *const *keys, struct pw_err *err)
{
	size_t count = 0;

	while (keys[count])
		count++;
	for (size_t i = 0; i < object->count; i++) {
		bool known = false;

		for (size_t k = 0; k < count && !known; k++)
			known = strcmp(object->keys[i], keys[k]) == 0;
		if (!known)
			return pw_fail_unknown_key(err, object->keys[i], "key", keys, count);
	}
	return 0;
}

int pw_below_key(struct pw_err *err, const char *key)
{
	char pointer[sizeof(err->where)] = "";

	pw_pointer_step(pointer, sizeof(pointer), key);
	return pw_err_below(err, "%s", pointer);
}
