/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tunables of the governors in force: files in cpufreq/<governor>/, or in policyN/<governor>/
 * under drivers that give each policy its own (kernel Documentation/admin-guide/pm/cpufreq.rst).
 * The kernel drops them when the last policy leaves the governor, and makes them anew with their
 * defaults when one comes back (kernel/sched/cpufreq_schedutil.c, drivers/cpufreq/
 * cpufreq_governor.c): so all of them are saved, and looked at again once a governor is in force.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/platform/attr_value.h"
#include "lib/platform/cpufreq.h"

#define NAME_LIMIT 64

static bool is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_";

	return *name && strlen(name) <= NAME_LIMIT && name[strspn(name, allowed)] == '\0';
}

static int form(struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_OBJECT)
		return pw_fail_at(err, "", 0,
				  "wants an object { ... } of tunable and value, not %s",
				  pw_value_type_name(value->type));
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "names no tunable");
	for (size_t i = 0; i < value->count; i++) {
		char pointer[256] = "";
		int r;

		if (!is_name(value->keys[i]))
			r = pw_fail_at(err, "", 1,
				       "is no name of a tunable (letters, digits and '_')");
		else
			r = pw_value_form(&value->items[i], err);
		if (r == 0)
			continue;
		pw_pointer_step(pointer, sizeof(pointer), value->keys[i]);
		return pw_err_below(err, "%s", pointer);
	}
	return 0;
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;

	return pw_policies_needed(env->root, &policies, err);
}

/* The governors in force, each once, and the folders of those that have tunables. */
struct in_force {
	struct pw_strv governors, folders;
};

static void in_force_done(struct in_force *found)
{
	pw_strv_done(&found->governors);
	pw_strv_done(&found->folders);
}

static void add_folder(const struct pw_root *root, struct pw_strv *folders, char *path)
{
	if (pw_root_exists(root, path) && !pw_strv_has(folders, path))
		pw_strv_push(folders, path);
	free(path);
}

static int find_in_force(const struct pw_root *root, struct in_force *ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		const char *policy = policies.items[i];
		char governor[64];

		r = pw_policy_read(root, policy, "scaling_governor", governor, sizeof(governor),
				   err);
		if (r < 0 || !governor[0] || strchr(governor, '/'))
			continue;
		if (!pw_strv_has(&ret->governors, governor))
			pw_strv_push(&ret->governors, governor);
		add_folder(root, &ret->folders, pw_sprintf(PW_CPUFREQ_DIR "/%s", governor));
		add_folder(root, &ret->folders,
			   pw_sprintf(PW_CPUFREQ_DIR "/%s/%s", policy, governor));
	}
	return r;
}

/* The tunables of a folder; what cannot be written is none. */
static void list_names(const struct pw_root *root, const char *folder, struct pw_strv *ret)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_err ignored;

	if (pw_root_list(root, folder, &names, &ignored) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		pw_auto_free char *path = pw_sprintf("%s/%s", folder, names.items[i]);

		if (is_name(names.items[i]) && pw_attr_writable(root, path, &ignored) == 0)
			pw_strv_push(ret, names.items[i]);
	}
}

/* "schedutil: rate_limit_us; performance: none" */
static char *describe(const struct pw_root *root, const struct in_force *found)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	for (size_t i = 0; i < found->governors.count; i++) {
		pw_auto_strv struct pw_strv names = PW_STRV_INIT;
		pw_auto_free char *list = NULL;

		for (size_t k = 0; k < found->folders.count && names.count == 0; k++) {
			const char *own = strrchr(found->folders.items[k], '/') + 1;

			if (strcmp(own, found->governors.items[i]) == 0)
				list_names(root, found->folders.items[k], &names);
		}
		list = pw_strv_join(&names, " ");
		pw_strbuf_printf(&text, "%s%s: %s", i ? "; " : "", found->governors.items[i],
				 names.count ? list : "none");
	}
	return pw_strbuf_take(&text);
}

/* The files of one tunable under the governors in force. */
static void find_files(const struct pw_root *root, const struct in_force *found, const char *name,
		       struct pw_strv *ret)
{
	for (size_t i = 0; i < found->folders.count; i++) {
		pw_auto_free char *path = pw_sprintf("%s/%s", found->folders.items[i], name);

		if (pw_root_exists(root, path))
			pw_strv_push(ret, path);
	}
}

static int fail_unknown(const struct pw_root *root, const struct in_force *found, const char *name,
			struct pw_err *err)
{
	pw_auto_free char *there = describe(root, found);

	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "no governor in force has a tunable '%s' (available: %s)", name, there);
	return pw_err_hint(err, "set governor to one that has it in the same configuration");
}

/* Those of the kernel's own governors (cpufreq.rst), which may come into force before apply(). */
static bool is_known(const char *name)
{
	static const char *const known[] = {
		"rate_limit_us", /* schedutil */
		"sampling_rate", /* ondemand, conservative */
		"up_threshold",	  "ignore_nice_load", "sampling_down_factor",
		"powersave_bias",		    /* ondemand */
		"io_is_busy",	  "down_threshold", /* conservative */
		"freq_step",
	};

	for (size_t i = 0; i < PW_LENGTH(known); i++) {
		if (strcmp(known[i], name) == 0)
			return true;
	}
	return false;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto(in_force_done) struct in_force found = { 0 };
	int r = find_in_force(env->root, &found, err);

	for (size_t i = 0; r == 0 && i < value->count; i++) {
		pw_auto_strv struct pw_strv files = PW_STRV_INIT;

		find_files(env->root, &found, value->keys[i], &files);
		if (files.count == 0 && (env->settled || !is_known(value->keys[i])))
			r = fail_unknown(env->root, &found, value->keys[i], err);
	}
	return r;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	pw_auto(in_force_done) struct in_force found = { 0 };
	int r = find_in_force(env->root, &found, err);

	for (size_t i = 0; r == 0 && i < found.folders.count; i++) {
		pw_auto_strv struct pw_strv names = PW_STRV_INIT;

		list_names(env->root, found.folders.items[i], &names);
		for (size_t k = 0; r == 0 && k < names.count; k++) {
			pw_auto_free char *path =
				pw_sprintf("%s/%s", found.folders.items[i], names.items[k]);

			r = pw_attr_save(env->root, path, saved, err);
		}
	}
	return r;
}

static int apply_one(const struct pw_root *root, const struct in_force *found, const char *name,
		     const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv files = PW_STRV_INIT;
	char text[PW_ATTR_SIZE], shown[PW_ATTR_SIZE];

	find_files(root, found, name, &files);
	if (files.count == 0)
		return fail_unknown(root, found, name, err);
	for (size_t i = 0; i < files.count; i++) {
		int r = pw_attr_write(root, files.items[i], pw_value_written(value, text), err);

		if (r == -PW_EINVAL && pw_attr_get(root, files.items[i], shown, sizeof(shown)))
			return pw_err_append(err,
					     " (outside what the governor takes, or against "
					     "another tunable; it is '%s')",
					     shown);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Once more what was refused: one tunable bounds another (up_threshold and down_threshold). */
static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto(in_force_done) struct in_force found = { 0 };
	pw_auto_free bool *refused = pw_new(value->count, sizeof(*refused));
	int r = find_in_force(env->root, &found, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < value->count; i++) {
		r = apply_one(env->root, &found, value->keys[i], &value->items[i], err);
		refused[i] = r == -PW_EINVAL;
		if (r < 0 && !refused[i])
			return r;
	}
	for (size_t i = 0; i < value->count; i++) {
		if (refused[i] &&
		    apply_one(env->root, &found, value->keys[i], &value->items[i], err) < 0)
			return -(int)err->code;
	}
	return 0;
}

static bool accept(const char *shown, const void *asked)
{
	return pw_value_same(shown, asked);
}

static int verify_file(const struct pw_root *root, const char *path, const char *asked,
		       struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_settle(root, path, accept, asked, shown, sizeof(shown), err);

	if (r != -PW_ETIMEOUT || err->text[0])
		return r;
	return pw_fail(err, PW_ETIMEOUT,
		       "%s: asked '%s', is '%s' (the governor rounds it, or limits its range)",
		       path, asked, shown);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto(in_force_done) struct in_force found = { 0 };
	int r = find_in_force(env->root, &found, err);

	for (size_t i = 0; r == 0 && i < value->count; i++) {
		pw_auto_strv struct pw_strv files = PW_STRV_INIT;
		char text[PW_ATTR_SIZE];

		find_files(env->root, &found, value->keys[i], &files);
		if (files.count == 0)
			return fail_unknown(env->root, &found, value->keys[i], err);
		for (size_t k = 0; r == 0 && k < files.count; k++)
			r = verify_file(env->root, files.items[k],
					pw_value_written(&value->items[i], text), err);
	}
	return r;
}

/* name -> the different values that its files show, in their order. */
static void add_value(struct pw_value *seen, const char *name, const char *shown)
{
	pw_auto_value struct pw_value now = pw_value_text(shown);
	struct pw_value *list = pw_value_find(seen, name);

	if (!list) {
		pw_value_set(seen, name, pw_value_list());
		list = pw_value_find(seen, name);
	}
	for (size_t i = 0; list && i < list->count; i++) {
		if (pw_value_equal(&list->items[i], &now))
			return;
	}
	if (list)
		pw_value_push(list, pw_value_copy(&now));
}

/* One value for a name; where policies or governors differ, the text "mixed: a, b". */
static struct pw_value summary_of(const struct pw_value *seen)
{
	struct pw_value object = pw_value_object();

	for (size_t i = 0; i < seen->count; i++) {
		pw_auto_strv struct pw_strv values = PW_STRV_INIT;
		pw_auto_free char *list = NULL, *mixed = NULL;

		pw_value_get_strv(seen, seen->keys[i], &values);
		list = pw_strv_join(&values, ", ");
		mixed = pw_sprintf("mixed: %s", list);
		pw_value_set(&object, seen->keys[i],
			     values.count == 1 ? pw_attr_value(list) : pw_value_text(mixed));
	}
	return object;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	pw_auto(in_force_done) struct in_force found = { 0 };
	pw_auto_value struct pw_value seen = pw_value_object();
	int r = find_in_force(env->root, &found, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < found.folders.count; i++) {
		pw_auto_strv struct pw_strv names = PW_STRV_INIT;

		list_names(env->root, found.folders.items[i], &names);
		for (size_t k = 0; k < names.count; k++) {
			pw_auto_free char *path =
				pw_sprintf("%s/%s", found.folders.items[i], names.items[k]);
			char shown[PW_ATTR_SIZE];

			if (pw_attr_get(env->root, path, shown, sizeof(shown)))
				add_value(&seen, names.items[k], shown);
		}
	}
	*ret = summary_of(&seen);
	return 0;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err);
}

const struct pw_knob pw_knob_governor_tunables = {
	.name = "governor-tunables",
	.summary = "tunables of the governor in force",
	.scope = PW_KNOB_POLICY,
	.order = PW_ORDER_TUNABLES,
	.flags = PW_KNOB_FOLLOWS,
	.value = { .name = "governor-tunables",
		   .type = PW_OPT_TREE,
		   .help = "{ \"rate_limit_us\": 500 }: tunables and their values" },
	.form = form,
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
