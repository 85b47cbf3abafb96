/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strbuf.h"
#include "lib/platform/attr.h"
#include "lib/platform/mounts.h"

#define ENABLED_SUFFIX ".on" /* of a group for which the controller was enabled in its parent */
#define SUBTREE	       "cgroup.subtree_control"
#define CONTROLLERS    "cgroup.controllers"
#define TYPE	       "cgroup.type" /* every group of version 2 has it but the true root */
#define V1_QUOTA       "cpu.cfs_quota_us"
#define V1_PERIOD      "cpu.cfs_period_us"
#define V2_MAX	       "cpu.max"
#define REMOVE_NS      (1 * PW_NS_PER_S)
#define DEPTH_LIMIT    32

void pw_cgroup_done(struct pw_cgroup *group)
{
	free(group->mount);
	free(group->parent);
	free(group->name);
	*group = (struct pw_cgroup){ 0 };
}

char *pw_cgroup_path(const struct pw_cgroup *group)
{
	return pw_sprintf("%s/%s", group->parent, group->name);
}

static bool has_controller(const struct pw_root *root, const char *folder, const char *file)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", folder, file);
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;

	pw_attr_words(root, path, &words);
	return pw_strv_has(&words, "cpu");
}

static bool has_file(const struct pw_root *root, const char *folder, const char *file)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", folder, file);

	return pw_root_exists(root, path);
}

/* Version 2: our own group, or the nearest above, that has cpu for its children. */
static int choose_parent(const struct pw_root *root, const struct pw_cgroup_place *place,
			 char **ret_parent, bool *ret_enable, struct pw_err *err)
{
	pw_auto_free char *folder = pw_strdup(place->own);
	size_t top = strlen(place->mount);

	for (;;) {
		char *slash;

		if (has_controller(root, folder, SUBTREE)) {
			*ret_enable = false;
			break;
		}
		slash = strrchr(folder, '/');
		if (strlen(folder) > top && slash) {
			*slash = '\0';
			continue;
		}
		if (has_file(root, folder, TYPE) || !has_controller(root, folder, CONTROLLERS)) {
			(void)pw_fail(err, PW_EUNSUPPORTED,
				      "the cpu controller is not enabled for the children of our "
				      "control group %s or of one above it, and cannot be: a group "
				      "with processes in it may not hand it on",
				      place->own);
			return pw_err_hint(err,
					   "enable it above: echo +cpu > %s/" SUBTREE
					   ", outside the container if this is one",
					   place->mount);
		}
		*ret_enable = true;
		break;
	}
	*ret_parent = pw_take(folder);
	return 0;
}

int pw_cgroup_find(const struct pw_root *root, const char *tag, struct pw_cgroup *ret,
		   struct pw_err *err)
{
	pw_auto(pw_cgroup_place_done) struct pw_cgroup_place place = { 0 };
	pw_auto_free char *marked = pw_sprintf("perfwatt-%s" ENABLED_SUFFIX, tag);
	char *parent = NULL;
	bool enable = false;
	int r = pw_cgroup_place(root, &place, err);

	if (r < 0)
		return r;
	if (place.version == 1)
		parent = pw_strdup(place.own);
	else
		r = choose_parent(root, &place, &parent, &enable, err);
	if (r < 0)
		return r;
	*ret = (struct pw_cgroup){
		.version = place.version,
		.mount = pw_take(place.mount),
		.parent = parent,
		.name = enable || has_file(root, parent, marked) ? pw_take(marked)
								 : pw_sprintf("perfwatt-%s", tag),
		.enable = enable,
	};
	return 0;
}

int pw_cgroup_writable(const struct pw_root *root, const struct pw_cgroup *group,
		       struct pw_err *err)
{
	pw_auto_free char *procs = pw_sprintf("%s/cgroup.procs", group->parent);

	return pw_attr_writable(root, procs, err);
}

/* The control files that the kernel gives a new group; a plain folder has none by itself. */
static int stand_in(const struct pw_root *root, const struct pw_cgroup *group, struct pw_err *err)
{
	static const char *const v1[][2] = { { V1_PERIOD, "100000\n" },
					     { V1_QUOTA, "-1\n" },
					     { "cgroup.procs", "" },
					     { NULL, NULL } };
	static const char *const v2[][2] = { { V2_MAX, "max 100000\n" },
					     { "cgroup.procs", "" },
					     { NULL, NULL } };
	const char *const(*file)[2] = group->version == 1 ? v1 : v2;
	pw_auto_free char *folder = pw_cgroup_path(group);
	pw_auto_close int dir = pw_root_open_file(root, folder, O_RDONLY | O_DIRECTORY, err);

	if (dir < 0)
		return dir;
	for (; (*file)[0]; file++) {
		if (pw_write_file_atomic(dir, (*file)[0], (*file)[1], strlen((*file)[1]), err) < 0)
			return pw_err_prefix(err, "%s", folder);
	}
	return 0;
}

/*
 * Version 2: hands the controller on to the parent's children, or no longer. In a plain file the
 * words stand for themselves.
 */
static int switch_controller(const struct pw_root *root, const char *parent, bool on,
			     struct pw_err *err)
{
	pw_auto_free char *path = pw_sprintf("%s/" SUBTREE, parent);
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;

	if (!pw_root_plain(root))
		return pw_attr_write(root, path, on ? "+cpu" : "-cpu", err);
	pw_attr_words(root, path, &words);
	for (size_t i = 0; i < words.count; i++) {
		if (strcmp(words.items[i], "cpu") != 0)
			pw_strbuf_printf(&text, "%s ", words.items[i]);
	}
	if (on)
		pw_strbuf_puts(&text, "cpu ");
	if (text.length)
		text.text[text.length - 1] = '\n';
	return pw_attr_write(root, path, pw_strbuf_text(&text), err);
}

int pw_cgroup_make(const struct pw_root *root, const struct pw_cgroup *group, struct pw_err *err)
{
	pw_auto_close int dir = pw_root_open_file(root, group->parent, O_RDONLY | O_DIRECTORY, err);

	bool made;

	if (dir < 0)
		return dir;
	/* the group first: its name is what the removal knows the controller's state from */
	made = mkdirat(dir, group->name, 0755) == 0;
	if (!made && errno != EEXIST)
		return pw_fail_errno(err, errno, "make control group %s/%s", group->parent,
				     group->name);
	if (group->enable && switch_controller(root, group->parent, true, err) < 0)
		return -(int)err->code;
	return made && !root->real ? stand_in(root, group, err) : 0;
}

int pw_cgroup_set_quota(const struct pw_root *root, const struct pw_cgroup *group, int64_t quota_us,
			struct pw_err *err)
{
	pw_auto_free char *folder = pw_cgroup_path(group);
	pw_auto_free char *path =
		pw_sprintf("%s/%s", folder, group->version == 1 ? V1_QUOTA : V2_MAX);
	pw_auto_free char *text = NULL;
	int r;

	if (group->version == 1)
		text = pw_sprintf("%" PRId64, quota_us);
	else if (quota_us == PW_CGROUP_NO_QUOTA)
		text = pw_sprintf("max %d", PW_CGROUP_PERIOD_US);
	else
		text = pw_sprintf("%" PRId64 " %d", quota_us, PW_CGROUP_PERIOD_US);
	r = pw_attr_write(root, path, text, err);
	if (r == -PW_EINVAL)
		return pw_err_append(err, " (a group may have no more than the group above it)");
	return r;
}

int pw_cgroup_get_quota(const struct pw_root *root, const struct pw_cgroup *group,
			int64_t *ret_quota_us, struct pw_err *err)
{
	pw_auto_free char *folder = pw_cgroup_path(group);
	pw_auto_free char *path =
		pw_sprintf("%s/%s", folder, group->version == 1 ? V1_QUOTA : V2_MAX);
	char text[64];
	int r = pw_attr_read(root, path, text, sizeof(text), err);

	if (r < 0)
		return r;
	text[strcspn(text, " ")] = '\0';
	if (strcmp(text, "max") == 0) {
		*ret_quota_us = PW_CGROUP_NO_QUOTA;
		return 0;
	}
	if (pw_parse_i64(text, ret_quota_us, err) < 0)
		return pw_err_prefix(err, "read %s", path);
	return 0;
}

/* On a fake root: the stand-ins, which no kernel takes away with the folder. */
static void clear_stand_in(int parent, const char *name)
{
	static const char *const files[] = { V1_PERIOD, V1_QUOTA, V2_MAX, "cgroup.procs" };
	pw_auto_close int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; dir >= 0 && i < PW_LENGTH(files); i++)
		(void)unlinkat(dir, files[i], 0);
}

/* 1 removed, 0 not there, or -code. EBUSY until the last process of the group is reaped. */
static int remove_from(const struct pw_root *root, const char *parent, const char *name,
		       struct pw_err *err)
{
	pw_auto_close int dir = pw_root_open_file(root, parent, O_RDONLY | O_DIRECTORY, err);
	int64_t deadline = pw_clock_monotonic() + REMOVE_NS;

	if (dir < 0)
		return err->code == PW_ENOTFOUND ? 0 : dir;
	if (!root->real)
		clear_stand_in(dir, name);
	while (unlinkat(dir, name, AT_REMOVEDIR) < 0) {
		if (errno == ENOENT)
			return 0;
		if (errno != EBUSY || pw_clock_monotonic() >= deadline)
			return pw_fail_errno(err, errno, "remove control group %s/%s", parent,
					     name);
		pw_clock_sleep_until(pw_clock_monotonic() + PW_SETTLE_STEP_NS);
	}
	return 1;
}

/* Our group under either name. EBUSY: somebody else needs the controller by now, and keeps it. */
static int remove_both(const struct pw_root *root, const char *parent, const char *tag,
		       struct pw_err *err)
{
	pw_auto_free char *plain = pw_sprintf("perfwatt-%s", tag);
	pw_auto_free char *marked = pw_sprintf("%s" ENABLED_SUFFIX, plain);
	int removed = remove_from(root, parent, plain, err);
	int r;

	if (removed < 0)
		return removed;
	r = remove_from(root, parent, marked, err);
	if (r <= 0)
		return r < 0 ? r : removed;
	r = switch_controller(root, parent, false, err);
	return r < 0 && r != -PW_EBUSY ? r : 1;
}

/*
 * The kernel's own files in a group ("cpu.max"), which are most of what is listed there; groups may
 * have points in their names too.
 */
static bool is_control_file(const char *name)
{
	static const char *const owners[] = { "cgroup", "cpu",	   "cpuset", "cpuacct",
					      "io",	"memory",  "pids",   "misc",
					      "rdma",	"hugetlb", "irq",    "blkio" };
	size_t length = strcspn(name, ".");

	for (size_t i = 0; name[length] && i < PW_LENGTH(owners); i++) {
		if (strlen(owners[i]) == length && strncmp(owners[i], name, length) == 0)
			return true;
	}
	return false;
}

static int remove_below(const struct pw_root *root, const char *folder, const char *tag,
			unsigned depth, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_err ignored;
	int r = remove_both(root, folder, tag, err);

	if (r != 0 || depth == 0 || pw_root_list(root, folder, &names, &ignored) < 0)
		return r; /* a group that vanished meanwhile is no error */
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		if (is_control_file(names.items[i]))
			continue;
		pw_auto_free char *path = pw_sprintf("%s/%s", folder, names.items[i]);
		pw_auto_close int dir =
			pw_root_open_file(root, path, O_PATH | O_DIRECTORY | O_NOFOLLOW, &ignored);

		if (dir >= 0)
			r = remove_below(root, path, tag, depth - 1, err);
	}
	return r;
}

int pw_cgroup_remove(const struct pw_root *root, const char *tag, struct pw_err *err)
{
	pw_auto(pw_cgroup_place_done) struct pw_cgroup_place place = { 0 };
	int r = pw_cgroup_place(root, &place, err);

	if (r == -PW_EUNSUPPORTED)
		return 0; /* then none was made */
	if (r < 0)
		return r;
	r = remove_both(root, place.own, tag, err);
	if (r == 0)
		r = remove_below(root, place.mount, tag, DEPTH_LIMIT, err);
	return r < 0 ? r : 0;
}
