/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/identity.h"

#include <inttypes.h>

#include "lib/base/mem.h"
#include "report/results.h"

size_t pw_identity_add(struct pw_identities *identities, const struct pw_value *identity)
{
	if (!identity || identity->type != PW_VALUE_OBJECT)
		return PW_NONE;
	/* The last one first: runs of one kind follow each other. */
	for (size_t i = identities->count; i > 0; i--) {
		if (pw_value_equal(&identities->items[i - 1], identity))
			return i - 1;
	}
	PW_PUSH(identities->items, identities->count, identities->capacity,
		pw_value_copy(identity));
	return identities->count - 1;
}

static char *value_text(const struct pw_value *value)
{
	if (!value)
		return pw_strdup("not recorded");
	switch (value->type) {
	case PW_VALUE_TEXT:
		return pw_strdup(value->text);
	case PW_VALUE_INT:
		return pw_sprintf("%" PRId64, value->integer);
	case PW_VALUE_REAL:
		return pw_sprintf("%g", value->real);
	case PW_VALUE_BOOL:
		return pw_strdup(value->boolean ? "yes" : "no");
	default:
		return pw_strdup("something else");
	}
}

static char *part_difference(const char *name, const struct pw_value *a, const struct pw_value *b)
{
	pw_auto_free char *left = NULL;
	pw_auto_free char *right = NULL;

	if (a && b && pw_value_equal(a, b))
		return NULL;
	left = value_text(a);
	right = value_text(b);
	return pw_sprintf("%s differs (%s / %s)", name, left, right);
}

char *pw_identity_difference(const struct pw_identities *identities, size_t a, size_t b)
{
	const struct pw_value nothing = PW_VALUE_INIT;
	const struct pw_value *left = a == PW_NONE ? &nothing : &identities->items[a];
	const struct pw_value *right = b == PW_NONE ? &nothing : &identities->items[b];

	if (a == b)
		return NULL;
	for (size_t i = 0; i < left->count; i++) {
		const char *name = left->keys[i];
		char *why = part_difference(name, &left->items[i], pw_value_get(right, name));

		if (why)
			return why;
	}
	for (size_t i = 0; i < right->count; i++) {
		const char *name = right->keys[i];

		if (!pw_value_get(left, name))
			return part_difference(name, NULL, &right->items[i]);
	}
	return NULL;
}

void pw_identities_done(struct pw_identities *identities)
{
	for (size_t i = 0; i < identities->count; i++)
		pw_value_done(&identities->items[i]);
	free(identities->items);
	*identities = (struct pw_identities){ 0 };
}
