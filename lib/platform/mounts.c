/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/mounts.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/attr.h"

void pw_cgroup_place_done(struct pw_cgroup_place *place)
{
	free(place->mount);
	free(place->own);
	*place = (struct pw_cgroup_place){ 0 };
}

static bool has_word(const char *list, const char *word)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;

	pw_strv_split(&words, list, ",");
	return pw_strv_has(&words, word);
}

/* Blanks, tabs, newlines and backslashes stand as \ooo in mountinfo (proc(5)). */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

struct mount {
	char *root;  /* the hierarchy's folder that is mounted */
	char *point; /* and where */
};

static void mount_done(struct mount *mount)
{
	free(mount->root);
	free(mount->point);
	*mount = (struct mount){ 0 };
}

/* One line: "ID PARENT DEV ROOT POINT OPTIONS [TAGS...] - TYPE SOURCE SUPEROPTIONS". */
static bool parse_mount(const char *line, int version, struct mount *ret)
{
	pw_auto_strv struct pw_strv before = PW_STRV_INIT;
	pw_auto_strv struct pw_strv after = PW_STRV_INIT;
	pw_auto_free char *head = NULL;
	const char *dash = strstr(line, " - ");

	if (!dash)
		return false;
	head = pw_strndup(line, (size_t)(dash - line));
	pw_strv_split(&before, head, " ");
	pw_strv_split(&after, dash + 3, " ");
	if (before.count < 6 || after.count < 3)
		return false;
	if (strcmp(after.items[0], version == 1 ? "cgroup" : "cgroup2") != 0 ||
	    (version == 1 && !has_word(after.items[2], "cpu")))
		return false;
	ret->root = pw_strdup(before.items[3]);
	ret->point = pw_strdup(before.items[4]);
	unescape(ret->root);
	unescape(ret->point);
	return true;
}

/* The last such mount: it covers earlier ones at the same place. */
static bool find_mount(const char *mountinfo, int version, struct mount *ret)
{
	pw_auto_strv struct pw_strv lines = PW_STRV_INIT;

	pw_strv_split(&lines, mountinfo, "\n");
	for (size_t i = lines.count; i > 0; i--) {
		if (parse_mount(lines.items[i - 1], version, ret))
			return true;
	}
	return false;
}

/* Lines "ID:CONTROLLERS:PATH"; version 2's has no controllers. The caller's, or NULL. */
static char *find_own(const char *cgroup, int version)
{
	pw_auto_strv struct pw_strv lines = PW_STRV_INIT;

	pw_strv_split(&lines, cgroup, "\n");
	for (size_t i = 0; i < lines.count; i++) {
		const char *controllers = strchr(lines.items[i], ':');
		const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
		pw_auto_free char *list = NULL;

		if (!path)
			continue;
		list = pw_strndup(controllers + 1, (size_t)(path - controllers - 1));
		if (version == 1 ? has_word(list, "cpu") : list[0] == '\0')
			return pw_strdup(path + 1);
	}
	return NULL;
}

/* Our group as a folder below the mount point; NULL if it lies outside what is mounted. */
static char *folder_of(const struct mount *mount, const char *own)
{
	size_t length = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);

	if (strncmp(own, mount->root, length) != 0 || (own[length] && own[length] != '/') ||
	    strstr(own, "/.."))
		return NULL;
	own += length;
	return pw_sprintf("%s%s", mount->point, strcmp(own, "/") == 0 ? "" : own);
}

static int place_in(const char *mountinfo, const char *cgroup, int version,
		    struct pw_cgroup_place *ret, struct pw_err *err)
{
	pw_auto(mount_done) struct mount mount = { 0 };
	pw_auto_free char *own = NULL;
	char *folder;

	if (!find_mount(mountinfo, version, &mount))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no control groups with a cpu controller are mounted");
	own = find_own(cgroup, version);
	if (!own)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "/proc/self/cgroup does not name our group of the cpu controller");
	folder = folder_of(&mount, own);
	if (!folder)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "our control group '%s' lies outside what is mounted at %s (usual "
			       "in a container)",
			       own, mount.point);
	*ret = (struct pw_cgroup_place){ .version = version,
					 .mount = pw_take(mount.point),
					 .own = folder };
	return 0;
}

int pw_cgroup_place(const struct pw_root *root, struct pw_cgroup_place *ret, struct pw_err *err)
{
	pw_auto_free char *mountinfo = NULL;
	pw_auto_free char *cgroup = NULL;
	size_t length;
	int r = pw_root_read_file(root, "/proc/self/mountinfo", &mountinfo, &length, err);

	if (r == 0)
		r = pw_root_read_file(root, "/proc/self/cgroup", &cgroup, &length, err);
	if (r == -PW_ENOTFOUND)
		return pw_err_recode(err, PW_EUNSUPPORTED);
	if (r < 0)
		return r;
	r = place_in(mountinfo, cgroup, 1, ret, err);
	return r < 0 ? place_in(mountinfo, cgroup, 2, ret, err) : 0;
}

void pw_mount_done(struct pw_mount *mount)
{
	free(mount->device);
	free(mount->point);
	free(mount->type);
	free(mount->source);
	*mount = (struct pw_mount){ 0 };
}

static bool parse_any(const char *line, struct pw_mount *ret)
{
	pw_auto_strv struct pw_strv before = PW_STRV_INIT;
	pw_auto_strv struct pw_strv after = PW_STRV_INIT;
	pw_auto_free char *head = NULL;
	const char *dash = strstr(line, " - ");

	if (!dash)
		return false;
	head = pw_strndup(line, (size_t)(dash - line));
	pw_strv_split(&before, head, " ");
	pw_strv_split(&after, dash + 3, " ");
	if (before.count < 6 || after.count < 2)
		return false;
	*ret = (struct pw_mount){ .device = pw_strdup(before.items[2]),
				  .point = pw_strdup(before.items[4]),
				  .type = pw_strdup(after.items[0]),
				  .source = pw_strdup(after.items[1]) };
	unescape(ret->point);
	unescape(ret->source);
	return true;
}

/* Length of the mount point as a part of the folder; -1 if it lies elsewhere. */
static ssize_t match(const char *point, const char *folder)
{
	size_t length = strcmp(point, "/") == 0 ? 0 : strlen(point);

	if (strncmp(folder, point, length) != 0 || (folder[length] && folder[length] != '/'))
		return -1;
	return (ssize_t)length;
}

/* The longest point that matches, and of equal ones the last: it covers the others. */
bool pw_mount_of(const char *mountinfo, const char *folder, struct pw_mount *ret)
{
	pw_auto_strv struct pw_strv lines = PW_STRV_INIT;
	struct pw_mount best = { 0 };
	ssize_t longest = -1;

	pw_strv_split(&lines, mountinfo, "\n");
	for (size_t i = 0; i < lines.count; i++) {
		struct pw_mount mount = { 0 };
		ssize_t length = -1;

		if (parse_any(lines.items[i], &mount))
			length = match(mount.point, folder);
		if (length < 0 || length < longest) {
			pw_mount_done(&mount);
			continue;
		}
		pw_mount_done(&best);
		best = mount;
		longest = length;
	}
	if (longest < 0)
		return false;
	*ret = best;
	return true;
}
