/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <string.h>

#include "harness/engine/command.h"
#include "harness/engine/program.h"
#include "harness/engine/run.h"
#include "harness/engine/surroundings.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define PREFIX "sha256:"
/* So many digits tell two contents apart in a message. */
#define SHORT_DIGITS 12
/*
 * A file changed within the same tick of the file system's clock as it was read shows no new time.
 * The coarsest clocks count in 2 s (FAT).
 */
#define CLOCK_STEP_NS (2 * PW_NS_PER_S)

void pw_contents_done(struct pw_contents *contents)
{
	for (size_t i = 0; i < contents->count; i++)
		free(contents->items[i].path);
	free(contents->items);
	*contents = PW_CONTENTS_INIT;
}

static void to_hex(const uint8_t *digest, char hash[PW_HASH_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i++) {
		hash[2 * i] = digits[digest[i] >> 4];
		hash[2 * i + 1] = digits[digest[i] & 15];
	}
	hash[2 * (size_t)SHA256_DIGEST_LENGTH] = '\0';
}

static int hash_fd(int fd, char hash[PW_HASH_SIZE])
{
	uint8_t digest[SHA256_DIGEST_LENGTH], chunk[65536];
	SHA256_CTX context;
	ssize_t n;

	SHA256_Init(&context);
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		SHA256_Update(&context, chunk, (size_t)n);
	}
	SHA256_Final(digest, &context);
	to_hex(digest, hash);
	return 0;
}

/* 0 or -errno, -EINVAL: no file. Only ordinary files: reading a device or a pipe would change it,
 * or never end. */
static int read_content(const char *path, struct pw_content *ret)
{
	pw_auto_close int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	ret->read_ns = pw_clock_realtime();
	if (fd < 0 || fstat(fd, &ret->info) < 0)
		return -errno;
	if (!S_ISREG(ret->info.st_mode))
		return -EINVAL;
	return hash_fd(fd, ret->hash);
}

static void add(struct pw_contents *contents, const char *path)
{
	struct pw_content content = { 0 };
	struct stat info;

	for (size_t i = 0; i < contents->count; i++) {
		if (strcmp(contents->items[i].path, path) == 0)
			return;
	}
	/* what is no file is not even opened */
	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode) || read_content(path, &content) < 0)
		return;
	content.path = pw_strdup(path);
	PW_PUSH(contents->items, contents->count, contents->capacity, content);
}

/* An absolute path, as the whole text or behind the '=' of an option. */
static void add_argument(struct pw_contents *contents, const char *text)
{
	const char *value = strstr(text, "=/");

	if (text[0] == '/')
		add(contents, text);
	else if (value)
		add(contents, value + 1);
}

static void add_program(const struct pw_config *config,
			const struct pw_configuration *configuration, const struct pw_strv *argv,
			struct pw_contents *contents)
{
	pw_auto_free char *file = NULL;
	struct pw_err ignored;

	if (argv->count && pw_program_file(config, configuration, argv, &file, &ignored) == 0)
		add(contents, file);
	for (size_t i = 1; i < argv->count; i++)
		add_argument(contents, argv->items[i]);
}

/* A value may be a list of paths (LD_PRELOAD). */
static void add_variables(const struct pw_strv *env, struct pw_contents *contents)
{
	for (size_t i = 0; i < env->count; i++) {
		pw_auto_strv struct pw_strv parts = PW_STRV_INIT;

		pw_strv_split(&parts, strchr(env->items[i], '=') + 1, ": ");
		for (size_t k = 0; k < parts.count; k++) {
			if (parts.items[k][0] == '/')
				add(contents, parts.items[k]);
		}
	}
}

/* The program of a workload that is a command, at one sweep point. */
static void add_workload(const struct pw_config *config,
			 const struct pw_configuration *configuration, const struct pw_entry *entry,
			 const struct pw_point *point, unsigned cpus, struct pw_contents *contents)
{
	pw_auto_value struct pw_value options = pw_run_options(config, entry, point);
	pw_auto_free char *directory = pw_run_directory(config, entry), *file = NULL;
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT, env = PW_STRV_INIT;
	struct pw_work work = {
		.options = &options, .workdir = PW_WORK_PARENT, .directory = directory, .cpus = cpus
	};
	struct pw_err ignored;

	pw_program_environment(configuration->name, &configuration->env, &env);
	if (pw_run_argv(entry, &work, &argv, &ignored) == 0 && argv.count &&
	    pw_command_find(argv.items[0], &env, directory, &file, &ignored) == 0)
		add(contents, file);
}

static int by_path(const void *a, const void *b)
{
	const struct pw_content *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void pw_contents_read(const struct pw_config *config, const struct pw_configuration *configuration,
		      unsigned cpus, struct pw_contents *ret)
{
	*ret = PW_CONTENTS_INIT;
	add_program(config, configuration, &configuration->apply, ret);
	add_program(config, configuration, &configuration->undo, ret);
	add_program(config, configuration, &configuration->verify, ret);
	add_program(config, configuration, &configuration->with, ret);
	add_variables(&configuration->env, ret);
	for (size_t i = 0; i < config->entry_count; i++) {
		const struct pw_entry *entry = &config->entries[i];

		for (size_t k = 0; entry->workload->command && k < entry->point_count; k++)
			add_workload(config, configuration, entry, &entry->points[k], cpus, ret);
	}
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(*ret->items), by_path);
}

struct pw_value pw_contents_describe(const struct pw_contents *contents)
{
	struct pw_value object = pw_value_object();

	for (size_t i = 0; i < contents->count; i++) {
		pw_auto_free char *text = pw_sprintf(PREFIX "%s", contents->items[i].hash);

		pw_value_set(&object, contents->items[i].path, pw_value_text(text));
	}
	return object;
}

void pw_contents_recorded(const struct pw_value *object, struct pw_contents *ret)
{
	*ret = PW_CONTENTS_INIT;
	for (size_t i = 0; object->type == PW_VALUE_OBJECT && i < object->count; i++) {
		const struct pw_value *value = &object->items[i];
		struct pw_content content = { 0 };

		if (value->type != PW_VALUE_TEXT ||
		    strncmp(value->text, PREFIX, strlen(PREFIX)) != 0)
			continue;
		content.path = pw_strdup(object->keys[i]);
		(void)snprintf(content.hash, sizeof(content.hash), "%s",
			       value->text + strlen(PREFIX));
		PW_PUSH(ret->items, ret->count, ret->capacity, content);
	}
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* As far as the file system tells, and that could tell. */
static bool untouched(const struct pw_content *content)
{
	int64_t changed = content->info.st_ctim.tv_sec * PW_NS_PER_S;
	struct stat now;

	return content->read_ns > changed + CLOCK_STEP_NS && stat(content->path, &now) == 0 &&
	       now.st_dev == content->info.st_dev && now.st_ino == content->info.st_ino &&
	       now.st_size == content->info.st_size &&
	       same_time(&now.st_mtim, &content->info.st_mtim) &&
	       same_time(&now.st_ctim, &content->info.st_ctim);
}

int pw_contents_same(struct pw_contents *contents, struct pw_err *err)
{
	for (size_t i = 0; i < contents->count; i++) {
		struct pw_content *content = &contents->items[i];
		struct pw_content now = { .path = content->path };
		int r;

		if (untouched(content))
			continue;
		r = read_content(content->path, &now);
		if (r == -EINVAL)
			return pw_fail(err, PW_EFAILED, "%s is no ordinary file any more",
				       content->path);
		if (r < 0)
			return pw_fail_errno(err, -r, "%s cannot be read any more", content->path);
		if (strcmp(now.hash, content->hash) != 0)
			return pw_fail(err, PW_EFAILED,
				       "%s changed since the session began: was " PREFIX
				       "%.*s..., is " PREFIX "%.*s...",
				       content->path, SHORT_DIGITS, content->hash, SHORT_DIGITS,
				       now.hash);
		*content = now;
	}
	return 0;
}
