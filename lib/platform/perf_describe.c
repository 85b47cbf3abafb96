/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sysfs says of a PMU and its events. */
#include <stdio.h>
#include <string.h>

#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/base/text.h"
#include "lib/platform/perf.h"
#include "lib/platform/topology.h"

#define PMU_DIR	  "/sys/bus/event_source/devices"
#define PATH_SIZE 256
#define ATTR_SIZE 4096

static int fail_no_pmu(const char *pmu, struct pw_err *err)
{
	(void)pw_fail(err, PW_EUNSUPPORTED, "no PMU '%s' (%s/%s)", pmu, PMU_DIR, pmu);
	if (strcmp(pmu, "power") == 0)
		return pw_err_hint(err, "load the kernel's RAPL events: modprobe rapl (some "
					"distributions keep the module in an extra package); "
					"virtual machines have none");
	return -PW_EUNSUPPORTED;
}

/* Names are parts of a path and of the result's buffers. */
static int check_name(const char *name, size_t size, struct pw_err *err)
{
	if (!*name || strlen(name) >= size || strchr(name, '/') || name[0] == '.')
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a name of a PMU or event", name);
	return 0;
}

/* "0x2f" or decimal digits. */
static int parse_number(const char *text, uint64_t *ret, struct pw_err *err)
{
	uint64_t value = 0;

	if (strncmp(text, "0x", 2) != 0 && strncmp(text, "0X", 2) != 0)
		return pw_parse_u64(text, ret, err);
	if (!text[2] || strlen(text) > 18)
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a number", text);
	for (const char *p = text + 2; *p; p++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = strchr(digits, *p >= 'A' && *p <= 'F' ? *p - 'A' + 'a' : *p);

		if (!digit)
			return pw_fail(err, PW_EINVAL, "'%.80s' is not a number", text);
		value = value << 4 | (uint64_t)(digit - digits);
	}
	*ret = value;
	return 0;
}

/* One part "3" or "0-7" of a format: the next bits of the value go there. */
static int place_bits(const char *part, uint64_t *value, uint64_t *config, struct pw_err *err)
{
	pw_auto_strv struct pw_strv ends = PW_STRV_INIT;
	uint64_t first, last, width, mask;
	int r;

	pw_strv_split(&ends, part, "-");
	if (ends.count == 0 || ends.count > 2)
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a range of bits", part);
	r = pw_parse_u64(ends.items[0], &first, err);
	if (r < 0)
		return r;
	r = pw_parse_u64(ends.items[ends.count - 1], &last, err);
	if (r < 0)
		return r;
	if (first > last || last > 63)
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a range of bits", part);
	width = last - first + 1;
	mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
	*config = (*config & ~(mask << first)) | (*value & mask) << first;
	*value = width == 64 ? 0 : *value >> width;
	return 0;
}

/* Puts a value where "config:0-7,32-35" says. */
static int place(const char *format, uint64_t value, uint64_t *config, struct pw_err *err)
{
	static const char field[] = "config:";
	pw_auto_strv struct pw_strv parts = PW_STRV_INIT;

	if (strncmp(format, field, sizeof(field) - 1) != 0)
		return pw_fail(err, PW_EUNSUPPORTED, "it is placed in '%.80s', not in config",
			       format);
	pw_strv_split(&parts, format + sizeof(field) - 1, ",");
	if (parts.count == 0)
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a format", format);
	for (size_t i = 0; i < parts.count; i++) {
		int r = place_bits(parts.items[i], &value, config, err);

		if (r < 0)
			return r;
	}
	if (value)
		return pw_fail(err, PW_EINVAL, "the value does not fit into '%.80s'", format);
	return 0;
}

/* One term of an event: "event=0x02", "config=0x5", or a bare "edge", which means 1. */
static int add_term(const struct pw_root *root, const char *pmu, char *term, uint64_t *config,
		    struct pw_err *err)
{
	char path[PATH_SIZE], format[ATTR_SIZE];
	char *equals = strchr(term, '=');
	uint64_t value = 1;
	int r;

	if (equals) {
		*equals = '\0';
		r = parse_number(equals + 1, &value, err);
		if (r < 0)
			return r;
	}
	if (strcmp(term, "config") == 0) {
		*config = value;
		return 0;
	}
	r = check_name(term, sizeof(((struct pw_perf_event *)0)->name), err);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/format/%s", pmu, term);
	r = pw_attr_read(root, path, format, sizeof(format), err);
	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EINVAL, "no %s", path);
	if (r < 0)
		return r;
	return place(format, value, config, err);
}

static int read_terms(const struct pw_root *root, const char *pmu, const char *text,
		      uint64_t *config, struct pw_err *err)
{
	pw_auto_strv struct pw_strv terms = PW_STRV_INIT;

	pw_strv_split(&terms, text, ", \n");
	if (terms.count == 0)
		return pw_fail(err, PW_EINVAL, "the description is empty");
	for (size_t i = 0; i < terms.count; i++) {
		int r = add_term(root, pmu, terms.items[i], config, err);

		if (r < 0)
			return pw_err_prefix(err, "term '%.80s'", terms.items[i]);
	}
	return 0;
}

static int read_type(const struct pw_root *root, const char *pmu, uint32_t *ret, struct pw_err *err)
{
	char path[PATH_SIZE];
	uint64_t type;
	int r;

	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/type", pmu);
	r = pw_attr_read_u64(root, path, &type, err);
	if (r == -PW_ENOTFOUND)
		return fail_no_pmu(pmu, err);
	if (r < 0)
		return r;
	if (type > UINT32_MAX)
		return pw_fail(err, PW_EINVAL, "%s: no type of a PMU", path);
	*ret = (uint32_t)type;
	return 0;
}

/* .scale and .unit are optional; a scale that is there must be a positive number. */
static int read_scale(const struct pw_root *root, const char *pmu, struct pw_perf_event *event,
		      struct pw_err *err)
{
	char path[PATH_SIZE], text[ATTR_SIZE];
	int r;

	event->scale = 1.0;
	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/events/%s.scale", pmu, event->name);
	r = pw_attr_read(root, path, text, sizeof(text), err);
	if (r < 0 && r != -PW_ENOTFOUND)
		return r;
	if (r == 0 && pw_parse_real(text, &event->scale, err) < 0)
		return pw_err_prefix(err, "%s", path);
	if (!(event->scale > 0.0))
		return pw_fail(err, PW_EINVAL, "%s: '%.80s' is no scale", path, text);
	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/events/%s.unit", pmu, event->name);
	r = pw_attr_read(root, path, text, sizeof(text), err);
	if (r < 0 && r != -PW_ENOTFOUND)
		return r;
	if (r < 0)
		return 0;
	if (strlen(text) >= sizeof(event->unit) || !pw_text_printable(text))
		return pw_fail(err, PW_EINVAL, "%s: not a unit", path);
	(void)snprintf(event->unit, sizeof(event->unit), "%.31s", text);
	return 0;
}

int pw_perf_describe(const struct pw_root *root, const char *pmu, const char *event,
		     struct pw_perf_event *ret, struct pw_err *err)
{
	struct pw_perf_event found = { 0 };
	char path[PATH_SIZE], text[ATTR_SIZE];
	int r = check_name(pmu, sizeof(found.pmu), err);

	if (r < 0)
		return r;
	r = check_name(event, sizeof(found.name), err);
	if (r < 0)
		return r;
	(void)snprintf(found.pmu, sizeof(found.pmu), "%s", pmu);
	(void)snprintf(found.name, sizeof(found.name), "%s", event);
	r = read_type(root, pmu, &found.type, err);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/events/%s", pmu, event);
	r = pw_attr_read(root, path, text, sizeof(text), err);
	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED, "the PMU '%s' has no event '%s' here", pmu,
			       event);
	if (r < 0)
		return r;
	if (read_terms(root, pmu, text, &found.config, err) < 0)
		return pw_err_prefix(err, "event %s/%s/", pmu, event);
	r = read_scale(root, pmu, &found, err);
	if (r < 0)
		return r;
	*ret = found;
	return 0;
}

static int every_online_cpu(const struct pw_root *root, unsigned **ret, size_t *ret_count,
			    struct pw_err *err)
{
	struct pw_cpuset online;
	int r = pw_cpus_online(root, &online, err);

	if (r < 0)
		return r;
	*ret = online.cpus;
	*ret_count = online.count;
	return 0;
}

int pw_perf_cpumask(const struct pw_root *root, const char *pmu, unsigned **ret, size_t *ret_count,
		    struct pw_err *err)
{
	char path[PATH_SIZE], text[ATTR_SIZE];
	pw_auto_free unsigned *cpus = NULL;
	size_t count;
	uint32_t type;
	int r = check_name(pmu, sizeof(((struct pw_perf_event *)0)->pmu), err);

	if (r < 0)
		return r;
	r = read_type(root, pmu, &type, err);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), PMU_DIR "/%s/cpumask", pmu);
	r = pw_attr_read(root, path, text, sizeof(text), err);
	if (r == -PW_ENOTFOUND || pw_pitfall("every-cpu"))
		return every_online_cpu(root, ret, ret_count, err);
	if (r < 0)
		return r;
	if (pw_parse_cpulist(text, &cpus, &count, err) < 0)
		return pw_err_prefix(err, "%s", path);
	if (count == 0)
		return pw_fail(err, PW_EUNSUPPORTED, "%s names no CPU", path);
	*ret = pw_take(cpus);
	*ret_count = count;
	return 0;
}
