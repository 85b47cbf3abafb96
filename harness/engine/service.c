/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/service.h"

#include <string.h>

#include "harness/engine/command.h"
#include "harness/engine/surroundings.h"
#include "lib/base/fault.h"
#include "lib/base/mem.h"
#include "lib/model/config.h"

enum state { STATE_UNSET, STATE_ACTIVE, STATE_INACTIVE, STATE_OTHER };

struct look {
	enum state state;
	char word[32]; /* as the init calls it */
};

/* What differs between the inits. */
struct init {
	const char *name;
	const char *sign; /* is there while this one runs */
	/* PW_EINVAL: there is no such service. */
	int (*look)(const struct pw_root *root, const char *service, struct look *ret,
		    struct pw_err *err);
	void (*order)(const char *service, const char *verb, struct pw_strv *argv);
};

void pw_services_done(struct pw_services *services)
{
	for (size_t i = 0; i < services->count; i++)
		free(services->list[i].name);
	free(services->list);
	*services = PW_SERVICES_INIT;
}

/* Runs a tool of the init; in the root folder, as the init itself does. */
static int ask(const struct pw_strv *argv, int *ret_exit, char **ret_output, struct pw_err *err)
{
	pw_auto_strv struct pw_strv env = PW_STRV_INIT;
	pw_auto_free char *program = NULL;
	struct pw_command command = { .argv = argv, .env = &env, .directory = "/", .stop_fd = -1 };

	pw_program_environment(NULL, NULL, &env);
	if (pw_command_find(argv->items[0], &env, "/", &program, err) < 0)
		return -(int)err->code;
	command.program = program;
	if (ret_exit)
		return pw_command_run(&command, ret_exit, ret_output, err);
	return pw_command_succeed(&command, err);
}

static int fail_unknown(const char *service, struct pw_err *err)
{
	(void)pw_fail(err, PW_EINVAL, "there is no service of this name");
	return pw_err_hint(err, "take '%s' out of \"services\": nothing of it runs here", service);
}

static void set_look(struct look *look, enum state state, const char *word)
{
	look->state = state;
	(void)snprintf(look->word, sizeof(look->word), "%s", word);
}

/* The value of "Key=" in the output of systemctl show; "" if it is not there. The caller's. */
static char *property(const char *output, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = output; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == '=')
			return pw_strndup(line + length + 1, strcspn(line + length + 1, "\n"));
	}
	return pw_strdup("");
}

/* show rather than is-active: that says "inactive" of a unit that does not exist. */
static int look_systemd(const struct pw_root *root, const char *service, struct look *ret,
			struct pw_err *err)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	pw_auto_free char *output = NULL, *load = NULL, *active = NULL;
	int code = 0;

	(void)root;
	pw_strv_push(&argv, "systemctl");
	pw_strv_push(&argv, "show");
	pw_strv_push(&argv, "--property=LoadState,ActiveState");
	pw_strv_push(&argv, service);
	if (ask(&argv, &code, &output, err) < 0)
		return -(int)err->code;
	load = property(output, "LoadState");
	active = property(output, "ActiveState");
	if (code != 0 || !*active) {
		pw_auto_free char *last = pw_printed_last(output, strlen(output));

		return pw_fail(err, PW_EFAILED, "systemctl does not tell its state%s", last);
	}
	if (strcmp(load, "not-found") == 0)
		return fail_unknown(service, err);
	set_look(ret,
		 strcmp(active, "active") == 0	   ? STATE_ACTIVE
		 : strcmp(active, "inactive") == 0 ? STATE_INACTIVE
						   : STATE_OTHER,
		 active);
	return 0;
}

static void order_systemd(const char *service, const char *verb, struct pw_strv *argv)
{
	pw_strv_push(argv, "systemctl");
	pw_strv_push(argv, verb);
	pw_strv_push(argv, service);
}

/* The exit code of a status order, which OpenRC took over from LSB for these two. */
static enum state state_of(int code)
{
	return code == 0 ? STATE_ACTIVE : code == 3 ? STATE_INACTIVE : STATE_OTHER;
}

/* Exit codes of rc-service status: openrc-run.sh, _status(). */
static int look_openrc(const struct pw_root *root, const char *service, struct look *ret,
		       struct pw_err *err)
{
	static const char *const states[] = {
		[0] = "started", [3] = "stopped", [4] = "stopping", [8] = "starting"
	};
	pw_auto_strv struct pw_strv exists = PW_STRV_INIT, status = PW_STRV_INIT;
	const char *known;
	int code = 0;

	(void)root;
	pw_strv_push(&exists, "rc-service");
	pw_strv_push(&exists, "--exists");
	pw_strv_push(&exists, service);
	pw_strv_push(&status, "rc-service");
	pw_strv_push(&status, service);
	pw_strv_push(&status, "status");
	if (ask(&exists, &code, NULL, err) < 0)
		return -(int)err->code;
	if (code != 0)
		return fail_unknown(service, err);
	if (ask(&status, &code, NULL, err) < 0)
		return -(int)err->code;
	known = (size_t)code < PW_LENGTH(states) ? states[code] : NULL;
	set_look(ret, state_of(code), known ? known : "crashed");
	return 0;
}

static void order_openrc(const char *service, const char *verb, struct pw_strv *argv)
{
	pw_strv_push(argv, "rc-service");
	pw_strv_push(argv, service);
	pw_strv_push(argv, verb);
}

static void order_sysvinit(const char *service, const char *verb, struct pw_strv *argv)
{
	pw_strv_push(argv, "service");
	pw_strv_push(argv, service);
	pw_strv_push(argv, verb);
}

static int look_sysvinit(const struct pw_root *root, const char *service, struct look *ret,
			 struct pw_err *err)
{
	static const char *const states[] = { "running", "dead (stale pid file)",
					      "dead (stale lock)", "stopped" };
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	pw_auto_free char *script = pw_sprintf("/etc/init.d/%s", service);
	const char *known;
	int code = 0;

	if (!pw_root_exists(root, script))
		return fail_unknown(service, err);
	order_sysvinit(service, "status", &argv);
	if (ask(&argv, &code, NULL, err) < 0)
		return -(int)err->code;
	known = (size_t)code < PW_LENGTH(states) ? states[code] : NULL;
	set_look(ret, state_of(code), known ? known : "unknown");
	return 0;
}

static const struct init inits[] = {
	{ "systemd", "/run/systemd/system", look_systemd, order_systemd },
	{ "openrc", "/run/openrc", look_openrc, order_openrc },
	{ "sysvinit", "/etc/init.d", look_sysvinit, order_sysvinit },
};

static const struct init *init_named(const char *name)
{
	for (size_t i = 0; i < PW_LENGTH(inits); i++) {
		if (strcmp(inits[i].name, name) == 0)
			return &inits[i];
	}
	return NULL;
}

static const struct init *init_here(const struct pw_root *root)
{
	for (size_t i = 0; i < PW_LENGTH(inits); i++) {
		if (pw_root_exists(root, inits[i].sign))
			return &inits[i];
	}
	return NULL;
}

/* Before the session a service has to be in a state that can be brought back. */
static int look_before(const struct pw_root *root, const struct init *init,
		       struct pw_service *service, struct pw_err *err)
{
	struct look look = { 0 };

	if (init->look(root, service->name, &look, err) < 0)
		return pw_err_prefix(err, "service '%s'", service->name);
	if (look.state == STATE_OTHER) {
		(void)pw_fail(err, PW_EINVAL,
			      "service '%s' is '%s': that could not be brought back", service->name,
			      look.word);
		return pw_err_hint(err, "start or stop it yourself before the session");
	}
	service->active = look.state == STATE_ACTIVE;
	return 0;
}

int pw_services_find(const struct pw_root *root, const struct pw_strv *names,
		     struct pw_services *ret, struct pw_err *err)
{
	struct pw_services services = PW_SERVICES_INIT;
	const struct init *init = names->count ? init_here(root) : NULL;

	if (names->count && !init) {
		(void)pw_fail(err, PW_EINVAL,
			      "services: no init is at hand here that could stop them (looked for "
			      "systemd, OpenRC, /etc/init.d)");
		return pw_err_hint(err, "stop them yourself and take \"services\" out");
	}
	for (size_t i = 0; i < names->count; i++) {
		struct pw_service service = { .name = pw_strdup(names->items[i]) };

		PW_PUSH(services.list, services.count, services.capacity, service);
		if (look_before(root, init, &services.list[i], err) < 0) {
			pw_services_done(&services);
			err->code = PW_EINVAL;
			return -PW_EINVAL;
		}
	}
	services.init = init ? init->name : NULL;
	*ret = services;
	return 0;
}

/* Orders it, and looks whether that came true. One that fails at its end is stopped as well. */
static int bring_to(const struct pw_root *root, const struct init *init, const char *name,
		    enum state wanted, struct pw_err *err)
{
	const char *verb = wanted == STATE_ACTIVE ? "start" : "stop";
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	struct look look = { 0 };

	init->order(name, verb, &argv);
	if (ask(&argv, NULL, NULL, err) < 0)
		return pw_err_prefix(err, "service '%s'", name);
	if (init->look(root, name, &look, err) < 0)
		return pw_err_prefix(err, "service '%s': after %s", name, verb);
	if ((look.state == STATE_ACTIVE) != (wanted == STATE_ACTIVE))
		return pw_fail(err, PW_EFAILED, "service '%s': %s had no effect: it is '%s'", name,
			       verb, look.word);
	return 0;
}

int pw_services_stop(struct pw_services *services, const struct pw_root *root,
		     struct pw_journal *journal, struct pw_err *err)
{
	const struct init *init = services->init ? init_named(services->init) : NULL;

	for (size_t i = 0; init && i < services->count; i++) {
		struct pw_service *service = &services->list[i];

		/* it may have changed since it was looked at */
		if (look_before(root, init, service, err) < 0)
			return -(int)err->code;
		if (!service->active)
			continue;
		if (pw_journal_service(journal, service->name, init->name, err) < 0 ||
		    pw_journal_sync(journal, err) < 0 ||
		    bring_to(root, init, service->name, STATE_INACTIVE, err) < 0)
			return -(int)err->code;
		pw_fault_point("service");
	}
	return 0;
}

int pw_service_start(const struct pw_root *root, const char *init_name, const char *name,
		     struct pw_err *err)
{
	const struct init *init = init_named(init_name);

	if (!init || !pw_service_name_valid(name))
		return pw_fail(err, PW_EINVAL, "service '%s' of the init '%s' is not known", name,
			       init_name);
	return bring_to(root, init, name, STATE_ACTIVE, err);
}
