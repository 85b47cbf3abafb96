/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/uncore.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/attr.h"
#include "lib/platform/mixed.h"

#define FILE_MIN      "min_freq_khz"
#define FILE_MAX      "max_freq_khz"
#define FILE_HARD_MIN "initial_min_freq_khz"
#define FILE_HARD_MAX "initial_max_freq_khz"
#define PATH_SIZE     160

static const char *file_of(enum pw_uncore which)
{
	return which == PW_UNCORE_MIN ? FILE_MIN : FILE_MAX;
}

static enum pw_uncore other_of(enum pw_uncore which)
{
	return which == PW_UNCORE_MIN ? PW_UNCORE_MAX : PW_UNCORE_MIN;
}

static void path_of(char path[PATH_SIZE], const char *domain, const char *file)
{
	(void)snprintf(path, PATH_SIZE, PW_UNCORE_DIR "/%.64s/%s", domain, file);
}

/* "package_00_die_00: ..."; ENXIO is told as what it means. */
static int explain(const char *domain, struct pw_err *err)
{
	if (err->code == PW_EGONE)
		(void)pw_err_append(err, " (the CPU that this domain is controlled from is "
					 "offline)");
	return pw_err_prefix(err, "%s", domain);
}

static bool is_cluster(const char *name)
{
	static const char prefix[] = "uncore";
	const char *number = name + sizeof(prefix) - 1;

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0 && *number &&
	       strspn(number, "0123456789") == strlen(number);
}

int pw_uncore_domains(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	bool clusters = false;
	struct pw_err ignored;

	(void)!pw_root_list(root, PW_UNCORE_DIR, &names, &ignored);
	for (size_t i = 0; i < names.count; i++)
		clusters |= is_cluster(names.items[i]);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];

		if (clusters ? is_cluster(name) : strncmp(name, "package_", 8) == 0)
			pw_strv_push(ret, name);
	}
	if (ret->count)
		return 0;
	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "no uncore limits below " PW_UNCORE_DIR
		      " (Intel's server processors and some "
		      "others have them)");
	return pw_err_hint(err,
			   "the driver may have to be loaded: modprobe intel_uncore_frequency, "
			   "or intel_uncore_frequency_tpmi");
}

static int read_khz(const struct pw_root *root, const char *domain, const char *file, uint64_t *ret,
		    struct pw_err *err)
{
	char path[PATH_SIZE];

	path_of(path, domain, file);
	return pw_attr_read_u64(root, path, ret, err);
}

static int write_khz(const struct pw_root *root, const char *domain, const char *file, uint64_t khz,
		     struct pw_err *err)
{
	char path[PATH_SIZE], text[32];

	path_of(path, domain, file);
	(void)snprintf(text, sizeof(text), "%" PRIu64, khz);
	return pw_attr_write(root, path, text, err);
}

static int probe_domain(const struct pw_root *root, const char *domain, struct pw_err *err)
{
	static const char *const files[] = { FILE_MAX, FILE_MIN, FILE_HARD_MAX, FILE_HARD_MIN };
	char path[PATH_SIZE];
	uint64_t khz;
	int r = 0;

	for (size_t i = 0; r == 0 && i < PW_LENGTH(files); i++)
		r = read_khz(root, domain, files[i], &khz, err);
	for (size_t i = 0; r == 0 && i < 2; i++) {
		path_of(path, domain, files[i]);
		r = pw_attr_writable(root, path, err);
	}
	return r;
}

int pw_uncore_probe(const struct pw_knob_env *env, enum pw_uncore which, struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	int r = pw_uncore_domains(env->root, &domains, err);

	(void)which; /* each may have to move the other */
	for (size_t i = 0; r == 0 && i < domains.count; i++) {
		if (probe_domain(env->root, domains.items[i], err) == 0)
			continue;
		r = explain(domains.items[i], err);
		if (r != -PW_EDENIED)
			r = pw_err_recode(err, PW_EUNSUPPORTED);
	}
	return r;
}

static int check_domain(const struct pw_root *root, const char *domain, int64_t asked,
			struct pw_err *err)
{
	uint64_t low, high;
	int r = read_khz(root, domain, FILE_HARD_MIN, &low, err);

	if (r == 0)
		r = read_khz(root, domain, FILE_HARD_MAX, &high, err);
	if (r < 0)
		return explain(domain, err);
	if (asked >= 0 && (uint64_t)asked >= low && (uint64_t)asked <= high)
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "%s: %" PRId64 " kHz lies outside its first limits, %" PRIu64 " to %" PRIu64
		       " kHz",
		       domain, asked, low, high);
}

int pw_uncore_check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	int r = pw_uncore_domains(env->root, &domains, err);

	for (size_t i = 0; r == 0 && i < domains.count; i++)
		r = check_domain(env->root, domains.items[i], value->integer, err);
	return r;
}

static int save_domain(const struct pw_root *root, const char *domain, struct pw_saved *saved,
		       struct pw_err *err)
{
	char path[PATH_SIZE];
	int r;

	path_of(path, domain, FILE_MAX);
	r = pw_attr_save(root, path, saved, err);
	if (r < 0)
		return explain(domain, err);
	path_of(path, domain, FILE_MIN);
	r = pw_attr_save(root, path, saved, err);
	return r < 0 ? explain(domain, err) : 0;
}

int pw_uncore_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	int r = pw_uncore_domains(env->root, &domains, err);

	for (size_t i = 0; r == 0 && i < domains.count; i++)
		r = save_domain(env->root, domains.items[i], saved, err);
	return r;
}

/*
 * The kernel would let the minimum pass the maximum. A new maximum below the minimum lowers that
 * one to the first limit, a new minimum above the maximum raises that one just as far.
 */
static int make_way(const struct pw_root *root, const char *domain, enum pw_uncore which,
		    uint64_t asked, struct pw_err *err)
{
	const char *other = file_of(other_of(which));
	uint64_t now, moved = asked;
	int r = read_khz(root, domain, other, &now, err);

	if (r < 0 || (which == PW_UNCORE_MAX ? asked >= now : asked <= now))
		return r;
	if (which == PW_UNCORE_MAX)
		r = read_khz(root, domain, FILE_HARD_MIN, &moved, err);
	return r < 0 ? r : write_khz(root, domain, other, moved, err);
}

int pw_uncore_apply(const struct pw_knob_env *env, enum pw_uncore which,
		    const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	uint64_t asked = (uint64_t)value->integer;
	int r = pw_uncore_domains(env->root, &domains, err);

	for (size_t i = 0; r == 0 && i < domains.count; i++) {
		const char *domain = domains.items[i];

		r = make_way(env->root, domain, which, asked, err);
		if (r == 0)
			r = write_khz(env->root, domain, file_of(which), asked, err);
		if (r < 0)
			return explain(domain, err);
	}
	return r;
}

static bool accept(const char *shown, const void *context)
{
	const uint64_t *asked = context;
	struct pw_err ignored;
	uint64_t khz;

	return pw_parse_u64(shown, &khz, &ignored) == 0 &&
	       (khz == *asked || khz == *asked / PW_UNCORE_STEP_KHZ * PW_UNCORE_STEP_KHZ);
}

static int verify_domain(const struct pw_root *root, const char *domain, enum pw_uncore which,
			 uint64_t asked, struct pw_err *err)
{
	char path[PATH_SIZE], shown[PW_ATTR_SIZE] = "";
	int r;

	path_of(path, domain, file_of(which));
	r = pw_attr_settle(root, path, accept, &asked, shown, sizeof(shown), err);
	if (r != -PW_ETIMEOUT || err->text[0])
		return r < 0 ? explain(domain, err) : 0;
	(void)pw_fail(err, PW_ETIMEOUT, "%s: %s: asked '%" PRIu64 "', is '%s'", domain,
		      file_of(which), asked, shown);
	return pw_err_hint(err, "the firmware may hold another limit; is uncore-min above "
				"uncore-max?");
}

int pw_uncore_verify(const struct pw_knob_env *env, enum pw_uncore which,
		     const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	int r = pw_uncore_domains(env->root, &domains, err);

	for (size_t i = 0; r == 0 && i < domains.count; i++)
		r = verify_domain(env->root, domains.items[i], which, (uint64_t)value->integer,
				  err);
	return r;
}

int pw_uncore_read(const struct pw_knob_env *env, enum pw_uncore which, struct pw_value *ret,
		   struct pw_err *err)
{
	pw_auto_strv struct pw_strv domains = PW_STRV_INIT;
	pw_auto_mixed struct pw_mixed mixed = PW_MIXED_INIT;
	char path[PATH_SIZE], shown[64];
	int r = pw_uncore_domains(env->root, &domains, err);

	for (size_t i = 0; r == 0 && i < domains.count; i++) {
		path_of(path, domains.items[i], file_of(which));
		r = pw_attr_read(env->root, path, shown, sizeof(shown), err);
		if (r < 0)
			return explain(domains.items[i], err);
		pw_mixed_note(&mixed, shown, domains.items[i]);
	}
	if (r == 0)
		*ret = pw_mixed_value(&mixed, NULL);
	return r;
}

/* Never, not even for a moment, a minimum above the maximum: the other one has its own turn. */
int pw_uncore_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		      struct pw_err *err)
{
	const char *domain = item->path + sizeof(PW_UNCORE_DIR);
	const char *file = strrchr(item->path, '/') + 1;
	pw_auto_free char *name = NULL;
	uint64_t saved;
	int r = 0;

	if (pw_root_plain(env->root) || file <= domain)
		return pw_attr_restore(env->root, item, err);
	name = pw_strndup(domain, (size_t)(file - domain) - 1);
	r = pw_parse_u64(item->value, &saved, err);
	if (r == 0)
		r = make_way(env->root, name,
			     strcmp(file, FILE_MAX) == 0 ? PW_UNCORE_MAX : PW_UNCORE_MIN, saved,
			     err);
	if (r == 0)
		r = pw_attr_restore(env->root, item, err);
	return r < 0 ? explain(name, err) : 0;
}
