/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs as settings: "apply", "undo", "verify" and "with" of a configuration; "services". */
#include <string.h>

#include "lib/model/config_internal.h"

/* systemd.unit(5): names are up to 255 bytes long. */
#define SERVICE_NAME_LIMIT 255
#define SERVICE_LIMIT	   100
#define SERVICE_SUFFIX	   ".service"

static const struct pw_option argv_option = { .name = "command", .type = PW_OPT_ARGV };

struct program {
	const char *key;
	struct pw_strv *argv;
};

/* argv, which stays empty where the key is absent. */
static int read_argv(const struct pw_value *item, const struct program *program, struct pw_err *err)
{
	const struct pw_value *given = pw_value_get(item, program->key);
	pw_auto_value struct pw_value list = PW_VALUE_INIT;

	if (!given)
		return 0;
	list = pw_value_copy(given);
	if (pw_option_check(&argv_option, &list, err) < 0)
		return pw_err_below(err, "/%s", program->key);
	for (size_t i = 0; i < list.count; i++)
		pw_strv_push(program->argv, list.items[i].text);
	return 0;
}

int pw_read_programs(const struct pw_value *item, struct pw_configuration *configuration,
		     struct pw_err *err)
{
	const struct program programs[] = { { "apply", &configuration->apply },
					    { "undo", &configuration->undo },
					    { "verify", &configuration->verify },
					    { "with", &configuration->with } };

	for (size_t i = 0; i < PW_LENGTH(programs); i++) {
		if (read_argv(item, &programs[i], err) < 0)
			return -(int)err->code;
	}
	if (configuration->apply.count && !configuration->undo.count)
		return pw_fail_at(err, "/apply", 1,
				  "needs \"undo\": what it changes could not be taken back");
	if (configuration->undo.count && !configuration->apply.count)
		return pw_fail_at(err, "/undo", 1,
				  "needs \"apply\": there is nothing to take back");
	return 0;
}

/* What systemd allows in a unit's name, and nothing that a tool could take for an option. */
bool pw_service_name_valid(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789@._-:";
	size_t length = strlen(name);

	return length > 0 && length <= SERVICE_NAME_LIMIT && strspn(name, allowed) == length &&
	       name[0] != '-' && name[0] != '.';
}

/* The length without ".service", which systemd adds itself. */
static size_t stem(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SERVICE_SUFFIX);

	return length > suffix && strcmp(name + length - suffix, SERVICE_SUFFIX) == 0
		       ? length - suffix
		       : length;
}

static int read_service(struct pw_config *config, const char *name, const struct pw_value *value,
			struct pw_err *err)
{
	if (!pw_service_name_valid(name))
		return pw_fail_at(err, "", 1,
				  "is no name of a service (letters, digits and @ . _ - :, up to "
				  "%d bytes, not beginning with - or .)",
				  SERVICE_NAME_LIMIT);
	for (size_t i = 0; i < config->services.count; i++) {
		const char *other = config->services.items[i];

		if (stem(other) == stem(name) && strncmp(other, name, stem(name)) == 0)
			return pw_fail_at(err, "", 1, "is the same service as \"%s\"", other);
	}
	if (value->type != PW_VALUE_TEXT || strcmp(value->text, "stop") != 0)
		return pw_fail_at(err, "", 0, "wants \"stop\": nothing else is done to services");
	pw_strv_push(&config->services, name);
	return 0;
}

int pw_read_services(const struct pw_config_reader *reader, const struct pw_value *value,
		     struct pw_err *err)
{
	if (!value)
		return 0;
	if (pw_want_object(value, err) < 0)
		return -(int)err->code;
	if (value->count > SERVICE_LIMIT)
		return pw_fail_at(err, "", 0, "names %zu services, at most %d are possible",
				  value->count, SERVICE_LIMIT);
	for (size_t i = 0; i < value->count; i++) {
		if (read_service(reader->config, value->keys[i], &value->items[i], err) < 0)
			return pw_below_key(err, value->keys[i]);
	}
	return 0;
}
