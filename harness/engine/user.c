/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/user.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"

void pw_user_done(struct pw_user *user)
{
	free(user->name);
	free(user->home);
	*user = (struct pw_user){ 0 };
}

static int find_account(const char *text, struct pw_user *ret, struct pw_err *err)
{
	const struct passwd *account = NULL;
	uint64_t number = 0;
	bool numeric = pw_parse_u64(text, &number, err) == 0;

	if (numeric && number >= UINT32_MAX)
		return pw_fail(err, PW_EINVAL, "user '%.64s': no such number", text);
	errno = 0;
	account = numeric ? getpwuid((uid_t)number) : getpwnam(text);
	if (!account && !numeric)
		return pw_fail(err, PW_EINVAL, "there is no user '%.64s' on this machine", text);
	*ret = (struct pw_user){
		.change = true,
		.uid = account ? account->pw_uid : (uid_t)number,
		.gid = account ? account->pw_gid : (gid_t)number,
		.name = account ? pw_strdup(account->pw_name) : NULL,
		.home = pw_strdup(account ? account->pw_dir : "/"),
	};
	return 0;
}

static int keep_caller(const char *wanted, struct pw_user *ret, struct pw_err *err)
{
	struct pw_user named = { 0 };
	bool same;

	*ret = (struct pw_user){ .change = false, .uid = geteuid(), .gid = getegid() };
	if (!wanted)
		return 0;
	if (find_account(wanted, &named, err) < 0)
		return -(int)err->code;
	same = named.uid == geteuid();
	pw_user_done(&named);
	if (!same)
		return pw_fail(err, PW_EDENIED, "only root can run workloads as user '%.64s'",
			       wanted);
	return 0;
}

/* Who called sudo; root, or what is no number, is not asked for by name and counts for nothing. */
static const char *caller_of_sudo(void)
{
	const char *text = getenv("SUDO_UID");
	uint64_t number;
	struct pw_err err;

	return text && pw_parse_u64(text, &number, &err) == 0 && number != 0 ? text : "nobody";
}

int pw_user_find(const char *option, const char *of_workload, const char *of_config,
		 struct pw_user *ret, struct pw_err *err)
{
	const char *wanted = option ? option : of_workload ? of_workload : of_config;

	if (geteuid() != 0)
		return keep_caller(wanted, ret, err);
	return find_account(wanted ? wanted : caller_of_sudo(), ret, err);
}
