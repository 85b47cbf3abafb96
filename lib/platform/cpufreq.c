/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/cpufreq.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/base/strbuf.h"

void pw_policy_path(char path[PW_POLICY_PATH_SIZE], const char *policy, const char *file)
{
	(void)snprintf(path, PW_POLICY_PATH_SIZE, PW_CPUFREQ_DIR "/%s/%s", policy, file);
}

int pw_policies_needed(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err)
{
	int r = pw_policies(root, ret, err);

	if (r < 0 || ret->count)
		return r;
	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "no cpufreq policies below " PW_CPUFREQ_DIR
		      " (no frequency driver; usual in a virtual machine)");
	return pw_err_hint(err, "run on the machine itself, with intel_pstate, amd-pstate, "
				"acpi-cpufreq or the board's driver loaded");
}

int pw_policies_probe(const struct pw_root *root, const char *file, const char *what,
		      struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE], driver[64] = "unknown";
	int r = pw_policies_needed(root, &policies, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < policies.count; i++) {
		pw_policy_path(path, policies.items[i], file);
		if (pw_root_exists(root, path))
			return pw_attr_writable(root, path, err);
	}
	(void)pw_cpufreq_driver(root, driver, sizeof(driver));
	return pw_fail(err, PW_EUNSUPPORTED, "no policy has %s: driver '%s' offers no %s", file,
		       driver, what);
}

/* Rewords "read /long/path: reason" as "policy3: read file: reason". */
static int reword(struct pw_err *err, const char *policy, const char *verb, const char *file,
		  const char *text)
{
	if (!err->sys)
		return pw_err_prefix(err, "%s", policy);
	if (text)
		return pw_fail_errno(err, err->sys, "%s: %s %s '%s'", policy, verb, file, text);
	return pw_fail_errno(err, err->sys, "%s: %s %s", policy, verb, file);
}

int pw_policy_read(const struct pw_root *root, const char *policy, const char *file, char *buffer,
		   size_t size, struct pw_err *err)
{
	char path[PW_POLICY_PATH_SIZE];

	pw_policy_path(path, policy, file);
	if (pw_attr_read(root, path, buffer, size, err) < 0)
		return reword(err, policy, "read", file, NULL);
	return 0;
}

int pw_policy_read_u64(const struct pw_root *root, const char *policy, const char *file,
		       uint64_t *ret, struct pw_err *err)
{
	char text[64];
	int r = pw_policy_read(root, policy, file, text, sizeof(text), err);

	if (r < 0)
		return r;
	if (pw_parse_u64(text, ret, err) < 0)
		return pw_err_prefix(err, "%s: read %s", policy, file);
	return 0;
}

int pw_policy_write(const struct pw_root *root, const char *policy, const char *file,
		    const char *text, struct pw_err *err)
{
	char path[PW_POLICY_PATH_SIZE];

	pw_policy_path(path, policy, file);
	if (pw_attr_write(root, path, text, err) < 0)
		return reword(err, policy, "write", file, text);
	return 0;
}

bool pw_policy_has(const struct pw_root *root, const char *policy, const char *file)
{
	char path[PW_POLICY_PATH_SIZE];

	pw_policy_path(path, policy, file);
	return pw_root_exists(root, path);
}

char *pw_policy_list(const struct pw_root *root, const char *policy, const char *file)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE];

	pw_policy_path(path, policy, file);
	pw_attr_words(root, path, &words);
	return pw_strv_join(&words, " ");
}

int pw_policy_words(const struct pw_root *root, const char *policy, const char *file,
		    struct pw_strv *ret, struct pw_err *err)
{
	char path[PW_POLICY_PATH_SIZE];
	int r;

	pw_policy_path(path, policy, file);
	r = pw_attr_read_words(root, path, ret, err);
	return r < 0 ? reword(err, policy, "read", file, NULL) : 0;
}

int pw_policy_verify(const struct pw_root *root, const char *policy, const char *file,
		     pw_attr_accept accept, const void *asked, const char *asked_text,
		     struct pw_err *err)
{
	char path[PW_POLICY_PATH_SIZE], shown[PW_ATTR_SIZE] = "";
	int r;

	if (pw_pitfall("not-read-back"))
		return 0;
	pw_policy_path(path, policy, file);
	r = pw_attr_settle(root, path, accept, asked, shown, sizeof(shown), err);
	if (r == -PW_ETIMEOUT && err->text[0] == '\0')
		return pw_fail(err, PW_ETIMEOUT, "%s: %s: asked '%s', is '%s'", policy, file,
			       asked_text, shown);
	return r < 0 ? reword(err, policy, "read", file, NULL) : 0;
}

int pw_policies_save(const struct pw_root *root, const char *file, struct pw_saved *saved,
		     struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE];
	int r = pw_policies_needed(root, &policies, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < policies.count; i++) {
		pw_policy_path(path, policies.items[i], file);
		r = pw_attr_save(root, path, saved, err);
		if (r < 0 && r != -PW_ENOTFOUND)
			return reword(err, policies.items[i], "read", file, NULL);
	}
	return 0;
}

/* What policies hold: one value, and the numbers of those that hold it. */
struct holders {
	char *value;
	unsigned *numbers;
	size_t count, capacity;
};

struct holdings {
	struct holders *items;
	size_t count, capacity;
};

static void holdings_done(struct holdings *holdings)
{
	for (size_t i = 0; i < holdings->count; i++) {
		free(holdings->items[i].value);
		free(holdings->items[i].numbers);
	}
	free(holdings->items);
}

static void note_holder(struct holdings *holdings, const char *value, const char *policy)
{
	size_t at = 0;
	uint64_t number = 0;
	struct pw_err ignored;
	struct holders *holders;

	while (at < holdings->count && strcmp(holdings->items[at].value, value) != 0)
		at++;
	if (at == holdings->count) {
		struct holders fresh = { .value = pw_strdup(value) };

		PW_PUSH(holdings->items, holdings->count, holdings->capacity, fresh);
	}
	(void)!pw_parse_u64(policy + strlen("policy"), &number, &ignored);
	holders = &holdings->items[at];
	PW_PUSH(holders->numbers, holders->count, holders->capacity, (unsigned)number);
}

/* Those that deviate are named: one policy of many is what a reader must see. */
static struct pw_value mixed_value(const struct holdings *holdings)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	for (size_t i = 0; i < holdings->count; i++) {
		const struct holders *holders = &holdings->items[i];
		const struct pw_cpuset set = { .cpus = holders->numbers, .count = holders->count };
		pw_auto_free char *numbers = pw_cpuset_text(&set);

		pw_strbuf_printf(&text, "%s%s (policy%s)", i ? ", " : "mixed: ", holders->value,
				 numbers);
	}
	return pw_value_text(pw_strbuf_text(&text));
}

int pw_policies_read(const struct pw_root *root, const char *file, struct pw_value *ret,
		     struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct holdings holdings = { 0 };
	char text[PW_ATTR_SIZE];
	int r = pw_policies_needed(root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		r = pw_policy_read(root, policies.items[i], file, text, sizeof(text), err);
		if (r == 0)
			note_holder(&holdings, text, policies.items[i]);
		else if (r == -PW_ENOTFOUND)
			r = 0;
	}
	if (r == 0 && holdings.count == 0)
		r = -(int)err->code; /* absent everywhere: the error of the last read */
	else if (r == 0)
		*ret = holdings.count == 1 ? pw_attr_value(holdings.items[0].value)
					   : mixed_value(&holdings);
	holdings_done(&holdings);
	return r;
}

bool pw_cpufreq_driver(const struct pw_root *root, char *driver, size_t size)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct pw_err ignored = PW_ERR_INIT;

	if (pw_policies(root, &policies, &ignored) < 0 || policies.count == 0)
		return false;
	return pw_policy_read(root, policies.items[0], "scaling_driver", driver, size, &ignored) ==
	       0;
}

bool pw_driver_sets_policy(const char *driver)
{
	return strcmp(driver, "intel_pstate") == 0 || strcmp(driver, "amd-pstate-epp") == 0;
}

const char *pw_driver_mode(const struct pw_root *root, const char *driver)
{
	char status[32] = "";

	if (pw_driver_sets_policy(driver))
		return "active";
	if (strcmp(driver, "intel_cpufreq") == 0)
		return "passive";
	if (strcmp(driver, "amd-pstate") != 0)
		return NULL;
	(void)pw_attr_get(root, PW_AMD_STATUS, status, sizeof(status));
	return strcmp(status, "guided") == 0 ? "guided" : "passive";
}

const char *pw_governor_meaning(const char *driver, const char *governor)
{
	static const struct {
		const char *governor, *generic, *sets_policy;
	} meanings[] = {
		{ "performance", "pinned to the maximum",
		  "the maximum is asked for always (EPP forced to performance)" },
		{ "powersave", "pinned to the minimum",
		  "dynamic within limits (hardware or driver algorithm, guided by EPP)" },
		{ "schedutil", "dynamic, from the scheduler's utilisation", NULL },
		{ "ondemand", "dynamic, from sampled load", NULL },
		{ "conservative", "dynamic, from sampled load, in small steps", NULL },
		{ "userspace", "pinned to scaling_setspeed", NULL },
	};
	bool own = pw_driver_sets_policy(driver);

	for (size_t i = 0; i < PW_LENGTH(meanings); i++) {
		if (strcmp(meanings[i].governor, governor) == 0)
			return own ? meanings[i].sets_policy : meanings[i].generic;
	}
	return NULL;
}
