/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The long-term power limit of every package (PL1; Intel SDM vol. 3 15.10.3). Only below what the
 * firmware has set: a limit is what cooling and supply were built for. Some firmware locks it: the
 * write fails (kernel drivers/powercap/powercap_sys.c answers ENODATA for every error of the driver
 * below it), or nothing changes.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/parse.h"
#include "lib/platform/attr.h"
#include "lib/platform/mixed.h"
#include "lib/platform/power_zones.h"

/* The register counts in a unit of its own, 1/8 W as a rule (SDM vol. 3 15.10.1). */
#define UNIT_UW UINT64_C(125000)

static int probe_zone(const struct pw_root *root, const struct pw_power_zone *zone,
		      struct pw_err *err)
{
	uint64_t now;
	int r = pw_attr_read_u64(root, zone->limit, &now, err);

	/* What cannot be read could not be put back. */
	if (r < 0 && r != -PW_EDENIED)
		return pw_err_recode(err, PW_EUNSUPPORTED);
	if (r == 0 && zone->now_uw == 0 && zone->most_uw == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "%s (%s): the firmware's limit is not known (the present one and "
			       "the highest are 0)",
			       zone->package, zone->zone);
	return r < 0 ? r : pw_attr_writable(root, zone->limit, err);
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	int r = pw_power_zones_find(env->root, &zones, err);

	for (size_t i = 0; r == 0 && i < zones.count; i++)
		r = probe_zone(env->root, &zones.items[i], err);
	return r;
}

/* The knob is put back before it is applied anew, so what stands there is the firmware's. */
static int check_zone(const struct pw_power_zone *zone, uint64_t asked, struct pw_err *err)
{
	bool by_now = zone->now_uw && asked > zone->now_uw;

	if (!by_now && !(zone->most_uw && asked > zone->most_uw))
		return 0;
	(void)pw_fail(err, PW_EUNSUPPORTED, "%s (%s): %.10g W is above %s, %.10g W", zone->package,
		      zone->zone, (double)asked / 1e6,
		      by_now ? "the limit found here" : "the highest that the package takes",
		      (double)(by_now ? zone->now_uw : zone->most_uw) / 1e6);
	return pw_err_hint(err, "only limits below the firmware's can be set");
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	int r;

	if (value->integer < (int64_t)UNIT_UW)
		return pw_fail_at(err, "", 0, "%.10g W is less than the least step of 0.125 W",
				  (double)value->integer / 1e6);
	r = pw_power_zones_find(env->root, &zones, err);
	for (size_t i = 0; r == 0 && i < zones.count; i++)
		r = check_zone(&zones.items[i], (uint64_t)value->integer, err);
	return r;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	int r = pw_power_zones_find(env->root, &zones, err);

	for (size_t i = 0; r == 0 && i < zones.count; i++)
		r = pw_attr_save(env->root, zones.items[i].limit, saved, err);
	return r;
}

static int explain(struct pw_err *err)
{
	if (err->sys != EIO && err->sys != EINVAL && err->sys != EACCES && err->sys != EPERM &&
	    err->sys != ENODATA)
		return -(int)err->code;
	(void)pw_err_append(err, " (the firmware has most likely locked the power limit)");
	(void)pw_err_recode(err, PW_EUNSUPPORTED);
	return pw_err_hint(err,
			   "look in the firmware's setup for a lock of the power limits (RAPL, "
			   "PL1), and in the kernel's log");
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	char text[32];
	int r = pw_power_zones_find(env->root, &zones, err);

	(void)snprintf(text, sizeof(text), "%" PRId64, value->integer);
	for (size_t i = 0; r == 0 && i < zones.count; i++) {
		if (pw_attr_write(env->root, zones.items[i].limit, text, err) < 0)
			r = explain(err);
	}
	return r;
}

static bool accept(const char *shown, const void *context)
{
	const uint64_t *asked = context;
	struct pw_err ignored;
	uint64_t uw;

	return pw_parse_u64(shown, &uw, &ignored) == 0 &&
	       (uw > *asked ? uw - *asked : *asked - uw) <= UNIT_UW;
}

static int verify_zone(const struct pw_root *root, const struct pw_power_zone *zone, uint64_t asked,
		       struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_settle(root, zone->limit, accept, &asked, shown, sizeof(shown), err);

	if (r != -PW_ETIMEOUT || err->text[0])
		return r;
	(void)pw_fail(err, PW_ETIMEOUT,
		      "%s (%s): asked a power limit of %" PRIu64 " uW, is %s uW: locked by the "
		      "firmware, or set anew by it or by another program",
		      zone->package, zone->zone, asked, shown);
	return pw_err_hint(err, "thermald sets power limits: \"services\" can stop it for the "
				"session");
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	int r = pw_power_zones_find(env->root, &zones, err);

	for (size_t i = 0; r == 0 && i < zones.count; i++)
		r = verify_zone(env->root, &zones.items[i], (uint64_t)value->integer, err);
	return r;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	pw_auto_mixed struct pw_mixed mixed = PW_MIXED_INIT;
	char shown[64];
	int r = pw_power_zones_find(env->root, &zones, err);

	for (size_t i = 0; r == 0 && i < zones.count; i++) {
		r = pw_attr_read(env->root, zones.items[i].limit, shown, sizeof(shown), err);
		if (r == 0)
			pw_mixed_note(&mixed, shown, zones.items[i].zone);
	}
	if (r == 0)
		*ret = pw_mixed_value(&mixed, NULL);
	return r;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err) < 0 ? explain(err) : 0;
}

const struct pw_knob pw_knob_power_limit = {
	.name = "power-limit",
	.summary = "the long-term power limit of every package, below the firmware's",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_POWER,
	.flags = PW_KNOB_BELOW,
	.value = { .name = "power-limit",
		   .type = PW_OPT_POWER,
		   .help = "a power no higher than the present limit, \"65W\"" },
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
