/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the config reader, for the config_*.c files and their tests alone. Every function
 * that takes `struct pw_err *` leaves a pointer relative to the value it was given in err->where.
 */
#ifndef PW_MODEL_CONFIG_INTERNAL_H
#define PW_MODEL_CONFIG_INTERNAL_H

#include "lib/model/config.h"

/* Limits: far beyond what a comparison can run, near enough to stop a slip. */
#define PW_CONFIG_SIZE_LIMIT ((size_t)4 * 1024 * 1024)
#define PW_CONFIG_LIMIT	     1000 /* configurations */
#define PW_ENTRY_LIMIT	     1000 /* entries of "workloads" */
#define PW_POINT_LIMIT	     256  /* sweep points of an entry */
#define PW_SWEEP_MAX	     INT64_C(1000000000)

struct pw_config_reader {
	const struct pw_config_env *env;
	const struct pw_value *tree;
	struct pw_config *config; /* what was read so far */
};

/* One top-level key. `value` is NULL if it is absent: the defaults, or an error about the root. */
struct pw_config_section {
	const char *key;
	int (*read)(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err);
};

extern const struct pw_config_section pw_config_sections[]; /* ends with a NULL key */
extern const struct pw_option pw_machine_options[], pw_energy_options[], pw_repeat_options[],
	pw_analysis_options[], pw_noise_options[];
extern const char *const pw_configuration_keys[]; /* of an item of "configs"; NULL-terminated */
extern const char *const pw_entry_keys[];	  /* of an entry of "workloads", beside options */

/* config_sections.c */
int pw_read_name(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err) pw_must_check;
int pw_read_machine(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err) pw_must_check;
int pw_read_user(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err) pw_must_check;
int pw_read_idle(const struct pw_config_reader *reader, const struct pw_value *value,
		 struct pw_err *err) pw_must_check;
int pw_read_energy(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err) pw_must_check;
int pw_read_collectors(const struct pw_config_reader *reader, const struct pw_value *value,
		       struct pw_err *err) pw_must_check;
int pw_read_repeat(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err) pw_must_check;
int pw_read_analysis(const struct pw_config_reader *reader, const struct pw_value *value,
		     struct pw_err *err) pw_must_check;
/* config_noise.c */
int pw_read_noise(const struct pw_config_reader *reader, const struct pw_value *value,
		  struct pw_err *err) pw_must_check;
/* config_programs.c: "apply", "undo", "verify", "with" of an item of "configs". */
int pw_read_programs(const struct pw_value *item, struct pw_configuration *configuration,
		     struct pw_err *err) pw_must_check;
int pw_read_services(const struct pw_config_reader *reader, const struct pw_value *value,
		     struct pw_err *err) pw_must_check;
/* config_settings.c */
int pw_read_configs(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err) pw_must_check;
/* After all else: the index of "baseline", or the first. Places are relative to the root. */
int pw_resolve_baseline(const struct pw_config_reader *reader, struct pw_err *err) pw_must_check;
/* The knob of a key of "set", or NULL with the error at that key. */
const struct pw_knob *pw_find_setting(const struct pw_config_env *env, const char *key,
				      struct pw_err *err);
/* Takes the value, which is in internal form; keeps the order of application. */
void pw_add_setting(struct pw_configuration *configuration, const struct pw_knob *knob,
		    struct pw_value value);
/* config_matrix.c */
int pw_read_matrix(const struct pw_config_reader *reader, const struct pw_value *value,
		   struct pw_err *err) pw_must_check;
int pw_read_exclude(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err) pw_must_check;
/* After both: the configurations. Places of errors are relative to the root. */
int pw_expand_matrix(const struct pw_config_reader *reader, struct pw_err *err) pw_must_check;
/* config_entries.c */
int pw_read_workloads(const struct pw_config_reader *reader, const struct pw_value *value,
		      struct pw_err *err) pw_must_check;
/* config_points.c: fills entry->points from its options. */
int pw_make_points(struct pw_entry *entry, unsigned cpus, struct pw_err *err) pw_must_check;

/* config_sweep.c: one sweep as written to a list of INT, unique, in the order written. */
int pw_sweep_expand(const struct pw_value *value, const struct pw_option *option, unsigned cpus,
		    struct pw_value *ret, struct pw_err *err) pw_must_check;
/* The same for an axis of a sweep object, where texts and any number are values of their own. */
int pw_sweep_expand_any(const struct pw_value *value, unsigned cpus, struct pw_value *ret,
			struct pw_err *err) pw_must_check;

/* config_check.c */
int pw_want_object(const struct pw_value *value, struct pw_err *err) pw_must_check;
/* A list of 1 to `limit` items. */
int pw_want_list(const struct pw_value *value, size_t limit, struct pw_err *err) pw_must_check;
/* A text that is not empty, printable, and at most `limit` bytes long. */
int pw_want_text(const struct pw_value *value, size_t limit, struct pw_err *err) pw_must_check;
/* Fails about the value at `pointer`: "unknown WHAT 'WORD' (did you mean ...?)", or the known. */
int pw_fail_unknown_word(struct pw_err *err, const char *pointer, const char *what,
			 const char *word, const char *const *known, size_t count);
/* Unknown keys of an object are errors; `keys` is NULL-terminated. */
int pw_check_keys(const struct pw_value *object, const char *const *keys, struct pw_err *err)
	pw_must_check;
/* Puts the step `key` (escaped) in front of the error's place. */
int pw_below_key(struct pw_err *err, const char *key);

/*
 * config_product.c: the combinations of an object of non-empty lists, the last key fastest.
 * How many there are, or limit + 1 if more than `limit`.
 */
size_t pw_product_count(const struct pw_value *axes, size_t limit);
/* The item's index within axis `axis` in combination `n`. */
size_t pw_product_digit(const struct pw_value *axes, size_t axis, size_t n);

#endif
