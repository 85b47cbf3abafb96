/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/topology.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/base/strbuf.h"

/* The kernel's cpumasks grow with its NR_CPUS; larger ones than this do not exist. */
#define CPU_MASK_LIMIT 65536

void pw_cpuset_done(struct pw_cpuset *set)
{
	free(set->cpus);
	*set = (struct pw_cpuset){ 0 };
}

int pw_cpus_online(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
{
	static const char path[] = PW_CPU_DIR "/online";
	char text[4096];
	struct pw_cpuset set = { 0 };

	if (pw_attr_read(root, path, text, sizeof(text), err) < 0)
		return -(int)err->code;
	if (pw_parse_cpulist(text, &set.cpus, &set.count, err) < 0)
		return pw_err_prefix(err, "read %s", path);
	if (set.count == 0) {
		pw_cpuset_done(&set);
		return pw_fail(err, PW_EIO, "read %s: no CPU in it", path);
	}
	*ret = set;
	return 0;
}

/* This process's affinity; the mask must be as large as the kernel's, whose size is unknown. */
static cpu_set_t *own_affinity(size_t *ret_size, struct pw_err *err)
{
	for (size_t bits = 1024; bits <= CPU_MASK_LIMIT; bits *= 2) {
		size_t size = CPU_ALLOC_SIZE(bits);
		cpu_set_t *mask = pw_new(1, size);

		if (sched_getaffinity(0, size, mask) == 0) {
			*ret_size = size;
			return mask;
		}
		free(mask);
		if (errno != EINVAL)
			break;
	}
	(void)pw_fail_errno(err, errno, "read this process's CPU affinity");
	return NULL;
}

int pw_cpus_usable(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
{
	pw_auto_free cpu_set_t *mask = NULL;
	struct pw_cpuset set;
	size_t size = 0, kept = 0;
	int r = pw_cpus_online(root, &set, err);

	if (r < 0)
		return r;
	if (!root->real) {
		*ret = set;
		return 0;
	}
	mask = own_affinity(&size, err);
	if (!mask) {
		pw_cpuset_done(&set);
		return -(int)err->code;
	}
	for (size_t i = 0; i < set.count; i++) {
		if (CPU_ISSET_S(set.cpus[i], size, mask))
			set.cpus[kept++] = set.cpus[i];
	}
	set.count = kept;
	if (kept == 0) {
		pw_cpuset_done(&set);
		return pw_fail(err, PW_EIO, "no online CPU is in this process's affinity");
	}
	*ret = set;
	return 0;
}

char *pw_cpuset_text(const struct pw_cpuset *set)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	for (size_t first = 0, last; first < set->count; first = last + 1) {
		last = first;
		while (last + 1 < set->count && set->cpus[last + 1] == set->cpus[last] + 1)
			last++;
		pw_strbuf_printf(&text, "%s%u", first ? "," : "", set->cpus[first]);
		if (last > first)
			pw_strbuf_printf(&text, "-%u", set->cpus[last]);
	}
	return pw_strbuf_take(&text);
}

static bool is_policy(const char *name)
{
	static const char prefix[] = "policy";
	const char *number = name + sizeof(prefix) - 1;

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0 && *number &&
	       number[strspn(number, "0123456789")] == '\0';
}

/*
 * A policy without an online CPU stays in sysfs, but every read gives EBUSY; a fake tree can only
 * show it by an empty list of affected CPUs. ENODEV: it is just being taken away.
 */
static bool is_active(const struct pw_root *root, const char *policy)
{
	pw_auto_free char *path = pw_sprintf(PW_CPUFREQ_DIR "/%s/affected_cpus", policy);
	char cpus[4096];
	struct pw_err err = PW_ERR_INIT;

	if (pw_attr_read(root, path, cpus, sizeof(cpus), &err) < 0)
		return err.code != PW_EBUSY && err.code != PW_EGONE;
	return cpus[strspn(cpus, " \t\n")] != '\0';
}

int pw_policies(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;

	if (pw_root_list(root, PW_CPUFREQ_DIR, &names, err) < 0)
		return err->code == PW_ENOTFOUND ? 0 : -(int)err->code;
	for (size_t i = 0; i < names.count; i++) {
		if (is_policy(names.items[i]) &&
		    (is_active(root, names.items[i]) || pw_pitfall("offline-policies")))
			pw_strv_push(ret, names.items[i]);
	}
	return 0;
}
