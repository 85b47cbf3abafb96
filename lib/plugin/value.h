/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small typed tree: what a plug-in gets as options and gives back as results, whatever the
 * format outside. An owning struct; objects keep the order in which keys were set.
 */
#ifndef PW_PLUGIN_VALUE_H
#define PW_PLUGIN_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/cleanup.h"
#include "lib/base/strv.h"

enum pw_value_type {
	PW_VALUE_UNSET,
	PW_VALUE_NULL,
	PW_VALUE_BOOL,
	PW_VALUE_INT,
	PW_VALUE_REAL,
	PW_VALUE_TEXT,
	PW_VALUE_LIST,
	PW_VALUE_OBJECT,
};

struct pw_value {
	enum pw_value_type type;
	union {
		bool boolean;
		int64_t integer;
		double real;
		char *text;
		struct {
			struct pw_value *items;
			char **keys; /* objects only, parallel to items */
			size_t count;
			size_t capacity;
			size_t key_capacity;
		};
	};
};

#define PW_VALUE_INIT ((struct pw_value){ .type = PW_VALUE_UNSET })
#define pw_auto_value pw_auto(pw_value_done)

void pw_value_done(struct pw_value *value);
struct pw_value pw_value_bool(bool boolean);
struct pw_value pw_value_int(int64_t integer);
struct pw_value pw_value_real(double real);
struct pw_value pw_value_text(const char *text);
struct pw_value pw_value_list(void);
struct pw_value pw_value_object(void);
struct pw_value pw_value_copy(const struct pw_value *value);
bool pw_value_equal(const struct pw_value *a, const struct pw_value *b);

/* Take ownership of `item`. pw_value_set replaces an old value of the key in its place. */
void pw_value_push(struct pw_value *list, struct pw_value item);
void pw_value_set(struct pw_value *object, const char *key, struct pw_value item);
/* Removes a key; unknown is fine. */
void pw_value_unset(struct pw_value *object, const char *key);

/* Borrowed; NULL when absent or when `object` is no object. */
const struct pw_value *pw_value_get(const struct pw_value *object, const char *key);
struct pw_value *pw_value_find(struct pw_value *object, const char *key);
/* With a default for absent or other type. Text is borrowed. */
int64_t pw_value_get_int(const struct pw_value *object, const char *key, int64_t otherwise);
double pw_value_get_real(const struct pw_value *object, const char *key, double otherwise);
bool pw_value_get_bool(const struct pw_value *object, const char *key, bool otherwise);
const char *pw_value_get_text(const struct pw_value *object, const char *key,
			      const char *otherwise);
/* Adds the texts of a list of texts. */
void pw_value_get_strv(const struct pw_value *object, const char *key, struct pw_strv *list);
/* "text", "number", ...: for messages. */
const char *pw_value_type_name(enum pw_value_type type);

#endif
