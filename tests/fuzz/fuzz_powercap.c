/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A powercap tree from text: first the vendor, then one line a zone,
 *     entry|name|max_energy_range_uj|energy at begin|in the middle|at end|constraint_0_max_power_uw
 * where an empty field is a file that is not there. Whatever the zones say, a run gives a reason,
 * or a section whose parts fit together.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/common/energy.h"
#include "fuzz.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"

#define ZONES  16
#define FIELDS 7

enum { ENTRY, NAME, RANGE, BEGIN, MIDDLE, END, POWER };

extern const struct pw_collector pw_collector_energy_powercap;

struct tree {
	char dir[64];
	struct pw_root root;
	char *fields[ZONES][FIELDS];
	size_t count;
};

static int64_t now_ns;

static int64_t scripted_clock(void)
{
	return now_ns;
}

static void make_folder(const struct tree *tree, const char *folder)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", tree->dir, folder);
	struct pw_err err;

	FUZZ_CHECK(pw_make_dirs(path, &err) == 0);
}

static void put(const struct tree *tree, const char *folder, const char *file, const char *text)
{
	pw_auto_free char *path = pw_sprintf("%s/%s/%s", tree->dir, folder, file);
	FILE *stream;

	(void)unlink(path);
	if (!*text)
		return;
	stream = fopen(path, "we");
	FUZZ_CHECK(stream);
	(void)fputs(text, stream);
	(void)fclose(stream);
}

/* One folder below the class, and no way out of it. */
static bool usable(const char *entry)
{
	return *entry && *entry != '.' && !strchr(entry, '/') && strlen(entry) < 100;
}

static void make_zones(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		char **zone = tree->fields[i];
		pw_auto_free char *folder = pw_sprintf("sys/class/powercap/%s", zone[ENTRY]);

		make_folder(tree, folder);
		put(tree, folder, "name", zone[NAME]);
		put(tree, folder, "max_energy_range_uj", zone[RANGE]);
		put(tree, folder, "constraint_0_max_power_uw", zone[POWER]);
	}
}

static void show(struct tree *tree, int when)
{
	for (size_t i = 0; i < tree->count; i++) {
		pw_auto_free char *folder =
			pw_sprintf("sys/class/powercap/%s", tree->fields[i][ENTRY]);

		put(tree, folder, "energy_uj", tree->fields[i][when]);
	}
	now_ns += 10 * PW_NS_PER_S;
}

static void split(struct tree *tree, char *text, const char **ret_vendor)
{
	char *rest = text;

	*ret_vendor = strsep(&rest, "\n");
	while (rest && tree->count < ZONES) {
		char *line = strsep(&rest, "\n");
		char **zone = tree->fields[tree->count];

		for (size_t i = 0; i < FIELDS; i++) {
			char *field = line ? strsep(&line, "|") : NULL;

			zone[i] = field ? field : text + strlen(text);
		}
		if (usable(zone[ENTRY]))
			tree->count++;
	}
}

static void check_section(const struct pw_value *section)
{
	const struct pw_value *counted = pw_value_get(section, "counted");
	const struct pw_value *domains = pw_value_get(section, "domains");
	int64_t sum = 0;

	for (size_t i = 0; i < domains->count; i++)
		FUZZ_CHECK(domains->items[i].integer > 0);
	FUZZ_CHECK(counted->count > 0);
	for (size_t i = 0; i < counted->count; i++) {
		const char *name = counted->items[i].text;

		FUZZ_CHECK(strncmp(name, "package-", 8) == 0);
		for (size_t k = 0; k < i; k++)
			FUZZ_CHECK(strcmp(counted->items[k].text, name) != 0);
		sum += pw_value_get_int(domains, name, 0);
	}
	FUZZ_CHECK(sum == pw_value_get_int(section, "total_uj", -1));
	FUZZ_CHECK(pw_value_get_int(section, "uncertainty_uj", -1) > 0);
}

static void run(struct tree *tree, const struct pw_collect *collect)
{
	const struct pw_collector *collector = &pw_collector_energy_powercap;
	pw_auto_value struct pw_value section = pw_value_object();
	pw_auto_strv struct pw_strv warnings = PW_STRV_INIT;
	struct pw_err err = PW_ERR_INIT;
	double power_w;
	void *state;

	if (collector->open(collect, &state, &err) < 0) {
		FUZZ_CHECK(err.text[0]);
		return;
	}
	(void)collector->begin(state, 0, &err);
	show(tree, MIDDLE);
	(void)collector->sample(state, 0, &power_w, &err);
	show(tree, END);
	(void)collector->end(state, 0, &err);
	pw_err_clear(&err);
	if (collector->report(state, &section, &warnings, &err) < 0)
		FUZZ_CHECK(err.text[0] && section.count == 0);
	else
		check_section(&section);
	FUZZ_CHECK(collector->max_period_ns(state) >= 0);
	collector->close(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pw_auto_free char *text = pw_strndup((const char *)data, size);
	struct tree tree = { .dir = "/tmp/perfwatt-fuzz-XXXXXX" };
	struct pw_collect collect = { .scope = "package", .clock = scripted_clock };
	const char *vendor;
	struct pw_err err;

	FUZZ_CHECK(mkdtemp(tree.dir));
	FUZZ_CHECK(pw_root_open(tree.dir, &tree.root, &err) == 0);
	collect.root = &tree.root;
	now_ns = 0;
	split(&tree, text, &vendor);
	make_zones(&tree);
	show(&tree, BEGIN);
	make_folder(&tree, "proc");
	put(&tree, "proc", "cpuinfo", vendor);
	run(&tree, &collect);
	pw_root_close(&tree.root);
	FUZZ_CHECK(pw_remove_tree(tree.dir, &err) == 0);
	return 0;
}
