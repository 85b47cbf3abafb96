/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/file_setting.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/platform/attr_value.h"
#include "lib/platform/file_name.h"

/* Files that do something when they are written: no state to compare, and none to go back to. */
static const char *const actions[] = {
	"/proc/sys/vm/compact_memory",
	"/proc/sys/vm/drop_caches",
	"/sys/power/state",
};

static int form_one(const struct pw_file_kind *kind, const char *name, const struct pw_value *value,
		    struct pw_strv *paths, struct pw_err *err)
{
	pw_auto_free char *path = NULL;
	int r = pw_file_path(kind, name, &path, err);

	if (r == 0 && pw_strv_has(paths, path))
		r = pw_fail_at(err, "", 1, "names a file that stands here already, %s", path);
	if (r == 0)
		r = pw_value_form(value, err);
	if (r == 0)
		pw_strv_push_own(paths, pw_take(path));
	return r;
}

int pw_files_form(const struct pw_file_kind *kind, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv paths = PW_STRV_INIT;

	if (value->type != PW_VALUE_OBJECT)
		return pw_fail_at(err, "", 0, "wants an object { ... } of file and value, not %s",
				  pw_value_type_name(value->type));
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "names no file");
	for (size_t i = 0; i < value->count; i++) {
		char pointer[1024] = "";

		if (form_one(kind, value->keys[i], &value->items[i], &paths, err) == 0)
			continue;
		pw_pointer_step(pointer, sizeof(pointer), value->keys[i]);
		return pw_err_below(err, "%s", pointer);
	}
	return 0;
}

int pw_files_probe(const struct pw_file_kind *kind, const struct pw_root *root, struct pw_err *err)
{
	if (pw_root_exists(root, kind->below))
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED, "there is no %s here", kind->below);
}

static int check_action(const char *place, struct pw_err *err)
{
	for (size_t i = 0; i < PW_LENGTH(actions); i++) {
		if (strcmp(actions[i], place) == 0)
			return pw_fail(err, PW_EUNSUPPORTED,
				       "%s makes the kernel do something once: it holds no state "
				       "that could be put back",
				       place);
	}
	return 0;
}

/* One line of text that fits: all that can be read, kept in the journal and written again. */
static int check_content(const struct pw_root *root, const char *place, struct pw_err *err)
{
	char text[PW_ATTR_SIZE];
	ssize_t n = root->ops->read(root, place, text, sizeof(text));
	size_t length;

	if (n < 0) {
		(void)pw_fail_errno(err, (int)-n, "read %s", place);
		(void)pw_err_append(err, " (what cannot be read could not be put back)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	length = (size_t)n;
	while (length && (text[length - 1] == '\n' || text[length - 1] == '\0'))
		length--;
	if (length >= sizeof(text) - 1)
		return pw_fail(err, PW_EUNSUPPORTED, "%s holds more than %d bytes: no setting",
			       place, PW_ATTR_SIZE - 2);
	if (memchr(text, '\n', length) || memchr(text, '\0', length) ||
	    !pw_utf8_valid(text, length))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "%s holds more than one line of text, which could not be put back",
			       place);
	return 0;
}

static int check_one(const struct pw_file_kind *kind, const struct pw_root *root, const char *name,
		     struct pw_strv *places, struct pw_err *err)
{
	pw_auto_free char *place = NULL;
	int r = pw_file_locate(kind, root, name, &place, err);

	if (r == 0)
		r = check_action(place, err);
	if (r == 0)
		r = pw_attr_writable(root, place, err);
	if (r == 0)
		r = check_content(root, place, err);
	if (r == 0 && pw_strv_has(places, place))
		r = pw_fail(err, PW_EUNSUPPORTED, "%s and another name are the same file, %s", name,
			    place);
	if (r == 0)
		pw_strv_push_own(places, pw_take(place));
	return r;
}

int pw_files_check(const struct pw_file_kind *kind, const struct pw_root *root,
		   const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv places = PW_STRV_INIT;
	int r = 0;

	for (size_t i = 0; r == 0 && i < value->count; i++)
		r = check_one(kind, root, value->keys[i], &places, err);
	return r;
}

/*
 * What to write to be back at what is shown. Of a list of choices the chosen word; writing nothing
 * would change nothing, an empty line empties a text.
 */
static void set_request(struct pw_saved_item *item)
{
	free(item->restore);
	item->restore = item->value[0] ? pw_value_chosen(item->value) : pw_strdup("\n");
}

static int save_one(const struct pw_file_kind *kind, const struct pw_root *root, const char *name,
		    struct pw_saved *saved, struct pw_err *err)
{
	pw_auto_free char *place = NULL;
	int r = pw_file_locate(kind, root, name, &place, err);

	if (r < 0 || pw_saved_has(saved, place))
		return r;
	r = pw_attr_save(root, place, saved, err);
	if (r == 0 && !pw_root_plain(root))
		set_request(&saved->items[saved->count - 1]);
	return r;
}

int pw_files_save(const struct pw_file_kind *kind, const struct pw_root *root,
		  const struct pw_value *value, struct pw_saved *saved, struct pw_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < value->count; i++)
		r = save_one(kind, root, value->keys[i], saved, err);
	return r;
}

static int write_one(const struct pw_file_kind *kind, const struct pw_root *root, const char *name,
		     const struct pw_value *value, struct pw_err *err)
{
	pw_auto_free char *place = NULL;
	char text[PW_ATTR_SIZE], shown[PW_ATTR_SIZE];
	int r = pw_file_locate(kind, root, name, &place, err);

	if (r == 0)
		r = pw_attr_write(root, place, pw_value_written(value, text), err);
	if (r == -PW_EINVAL && pw_attr_get(root, place, shown, sizeof(shown)))
		return pw_err_append(err, " (it holds '%s')", shown);
	return r;
}

int pw_files_apply(const struct pw_file_kind *kind, const struct pw_root *root,
		   const struct pw_value *value, struct pw_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < value->count; i++)
		r = write_one(kind, root, value->keys[i], &value->items[i], err);
	return r;
}

static bool accept(const char *shown, const void *asked)
{
	return pw_value_same(shown, asked);
}

static int verify_path(const struct pw_root *root, const char *path, const char *asked,
		       struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_settle(root, path, accept, asked, shown, sizeof(shown), err);

	if (r == -PW_ETIMEOUT && err->text[0] == '\0')
		return pw_fail(err, PW_ETIMEOUT, "%s: asked '%s', is '%s'", path, asked, shown);
	return r;
}

int pw_files_verify(const struct pw_file_kind *kind, const struct pw_root *root,
		    const struct pw_value *value, struct pw_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < value->count; i++) {
		pw_auto_free char *place = NULL;
		char text[PW_ATTR_SIZE];

		r = pw_file_locate(kind, root, value->keys[i], &place, err);
		if (r == 0)
			r = verify_path(root, place, pw_value_written(&value->items[i], text), err);
	}
	return r;
}

int pw_files_present(const struct pw_file_kind *kind, const struct pw_root *root,
		     const struct pw_saved *saved, struct pw_value *ret, struct pw_err *err)
{
	struct pw_value object = pw_value_object();

	(void)err;
	for (size_t i = 0; i < saved->count; i++) {
		pw_auto_free char *name = pw_file_name(kind, saved->items[i].path);
		pw_auto_free char *chosen = NULL;
		char shown[PW_ATTR_SIZE];

		if (!pw_attr_get(root, saved->items[i].path, shown, sizeof(shown)))
			continue;
		chosen = pw_value_chosen(shown);
		pw_value_set(&object, name, pw_attr_value(chosen ? chosen : shown));
	}
	*ret = object;
	return 0;
}

bool pw_files_is_back(const struct pw_knob_env *env, const struct pw_saved_item *item)
{
	pw_auto_free char *chosen = NULL;
	char shown[PW_ATTR_SIZE];

	if (pw_attr_is_back(env, item))
		return true;
	if (pw_root_plain(env->root) || !pw_attr_get(env->root, item->path, shown, sizeof(shown)))
		return false;
	chosen = pw_value_chosen(item->value);
	return pw_value_same(shown, chosen ? chosen : item->value);
}

/* The place was a real one when it was saved; a journal's may be anything. */
int pw_files_restore(const struct pw_file_kind *kind, const struct pw_root *root,
		     const struct pw_saved_item *item, struct pw_err *err)
{
	const struct pw_knob_env env = { .root = root };
	pw_auto_free char *name = pw_file_name(kind, item->path);
	pw_auto_free char *place = NULL;
	pw_auto_free char *chosen = pw_value_chosen(item->value);
	int r = pw_file_locate(kind, root, name, &place, err);

	if (r < 0 || pw_files_is_back(&env, item))
		return r;
	r = pw_attr_write(root, place, item->restore ? item->restore : item->value, err);
	return r < 0 ? r : verify_path(root, place, chosen ? chosen : item->value, err);
}
