/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target over every file of the folders named: the corpus as a plain test. */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

static uint8_t *read_file(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rbe");
	uint8_t *data = NULL;
	size_t size = 0, capacity = 0, n;

	if (!file)
		return NULL;
	do {
		if (size == capacity) {
			capacity = capacity ? 2 * capacity : 4096;
			data = realloc(data, capacity);
			if (!data)
				abort();
		}
		n = fread(data + size, 1, capacity - size, file);
		size += n;
	} while (n > 0);
	(void)fclose(file);
	*ret_size = size;
	return data;
}

/* The data in a block of its exact size, so that a sanitizer sees every byte read past it. */
static void run_exactly(const uint8_t *data, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);

	if (!exact)
		abort();
	memcpy(exact, data, size);
	(void)LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static int replay_file(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	data = read_file(path, &size);
	if (!data) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	(void)fprintf(stderr, "%s\n", name);
	run_exactly(data, size);
	free(data);
	return 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_visible, alphasort);
	int failed = count <= 0;

	for (int i = 0; i < count; i++) {
		failed |= replay_file(folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (count <= 0)
		(void)fprintf(stderr, "nothing to replay in %s\n", folder);
	return failed;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	for (int i = 1; i < argc; i++)
		failed |= replay_folder(argv[i]);
	return failed;
}
