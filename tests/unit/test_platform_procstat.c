/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/procstat.h"

#include "fake_root.h"

#include "lib/platform/processes.h"

/* Fields 4 to 22 of a process: parent, flags, user and system ticks, start. */
#define LINE(pid, name, state, parent, flags, user, system, start)                                 \
	pid " (" name ") " state " " parent " 1 1 0 -1 " flags " 100 0 0 0 " user " " system       \
	    " 0 0 20 0 1 0 " start " 1000 200 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 "  \
	    "0 0 0 0 0"

static void a_process(void **state)
{
	struct pw_process_stat stat;

	(void)state;
	assert_true(pw_process_stat_parse(
		LINE("812", "tuned", "S", "1", "4194560", "120", "34", "5067"), &stat));
	assert_int_equal(stat.pid, 812);
	assert_int_equal(stat.parent, 1);
	assert_string_equal(stat.name, "tuned");
	assert_int_equal(stat.state, 'S');
	assert_false(stat.kernel);
	assert_int_equal(stat.user, 120);
	assert_int_equal(stat.system, 34);
	assert_int_equal(stat.start, 5067);
	assert_true(pw_process_stat_parse(
		LINE("9", "kworker/0:1-mm_percpu_wq", "I", "2", "69238880", "0", "7", "3"), &stat));
	assert_true(stat.kernel);
}

static void names_with_anything_in_them(void **state)
{
	static const char *const names[] = { "a b",    "a) S 99 (b", "(sd-pam)", ")",
					     ") R 1 ", "",	     "a\nb",	 "\xff\x01" };
	struct pw_process_stat stat;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		pw_auto_free char *line = pw_sprintf(
			"77 (%s) R 5 1 1 0 -1 0 0 0 0 0 11 22 0 0 20 0 1 0 33 0\n", names[i]);

		assert_true(pw_process_stat_parse(line, &stat));
		assert_string_equal(stat.name, names[i]);
		assert_int_equal(stat.parent, 5);
		assert_int_equal(stat.user, 11);
		assert_int_equal(stat.system, 22);
		assert_int_equal(stat.start, 33);
	}
}

static void lines_that_are_none(void **state)
{
	static const char *const lines[] = {
		"",
		"812",
		"812 (tuned",
		"812 (tuned) ",
		"812 (tuned) S",
		"812 (tuned) S 1 1 1 0 -1 0 0 0 0 0 120 34",
		"812 (tuned) S 1 1 1 0 -1 0 0 0 0 0 120 34 0 0 20 0 1 0",
		"0 (swapper) R 0 0 0 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 3 0",
		"-1 (x) R 0 0 0 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 3 0",
		"99999999999 (x) R 0 0 0 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 3 0",
		"7 (x) R 0 0 0 0 -1 0 0 0 0 0 99999999999999999999999 2 0 0 20 0 1 0 3 0",
		"7 (x) R 0 0 0 0 -1 0 0 0 0 0 1x 2 0 0 20 0 1 0 3 0",
		"7 (x) 4 0 0 0 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 3 0",
		"7 x R 0 0 0 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 3 0",
	};
	struct pw_process_stat stat = { .pid = 42 };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(lines); i++) {
		if (pw_process_stat_parse(lines[i], &stat))
			fail_msg("'%s' was taken", lines[i]);
	}
	assert_int_equal(stat.pid, 42);
}

static void times_of_the_cpus(void **state)
{
	struct pw_cpu_times times = { .user = 99 }, before = { .user = 10, .iowait = 9 };
	struct pw_cpu_times after = { .user = 25, .iowait = 8, .idle = 5, .steal = 3 }, passed;

	(void)state;
	assert_false(pw_cpu_times_parse("", &times));
	assert_false(pw_cpu_times_parse("cpu0 1 2 3 4 5 6 7 8\n", &times));
	assert_false(pw_cpu_times_parse("cpu  1 2 3 4 5 6 7\n", &times));
	assert_false(pw_cpu_times_parse("cpu  1 2 -3 4 5 6 7 8\n", &times));
	assert_int_equal(times.user, 99);
	assert_true(pw_cpu_times_parse("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1\n", &times));
	assert_int_equal(times.user, 1);
	assert_int_equal(times.softirq, 7);
	assert_int_equal(times.steal, 8);
	assert_int_equal(pw_cpu_times_total(&times), 36); /* guests stand in user already */
	passed = pw_cpu_times_between(&before, &after);
	assert_int_equal(passed.user, 15);
	assert_int_equal(passed.iowait, 0); /* it fell */
	assert_int_equal(pw_cpu_times_total(&passed), 23);
}

static void put_process(const struct fake *fake, int pid, const char *line)
{
	pw_auto_free char *path = pw_sprintf("/proc/%d/stat", pid);

	fake_set(fake, path, line);
}

static void drop_process(const struct fake *fake, int pid)
{
	pw_auto_free char *path = pw_sprintf("%s/proc/%d", fake->dir, pid);
	struct pw_err err;

	fake_must(pw_remove_tree(path, &err), &err);
}

struct pair {
	struct fake fake;
	DIR *folder;
	struct pw_processes before, after;
};

static void open_pair(struct pair *pair, size_t room)
{
	fake_open(&pair->fake, "vm-empty");
	put_process(&pair->fake, 10, LINE("10", "other", "S", "1", "0", "100", "0", "7"));
	put_process(&pair->fake, 2, LINE("2", "kthreadd", "S", "0", "2097152", "1", "1", "1"));
	put_process(&pair->fake, 300, LINE("300", "perfwatt", "S", "1", "0", "5", "5", "50"));
	put_process(&pair->fake, 301, LINE("301", "scx_lavd", "S", "300", "0", "0", "0", "51"));
	put_process(&pair->fake, 40, LINE("40", "goes away", "S", "1", "0", "9", "9", "8"));
	put_process(&pair->fake, 41, LINE("41", "reused", "S", "1", "0", "90", "0", "8"));
	put_process(&pair->fake, 42, "42 (garbled");
	fake_set(&pair->fake, "/proc/12x/stat", "12 (not a pid)");
	pw_processes_init(&pair->before, room);
	pw_processes_init(&pair->after, room);
	pair->folder = pw_processes_open(&pair->fake.root);
	assert_non_null(pair->folder);
	pw_processes_read(&pair->fake.root, pair->folder, &pair->before);
}

static void close_pair(struct pair *pair)
{
	closedir(pair->folder);
	pw_processes_done(&pair->before);
	pw_processes_done(&pair->after);
	fake_close(&pair->fake);
}

static void read_again(struct pair *pair)
{
	put_process(&pair->fake, 10, LINE("10", "other", "S", "1", "0", "130", "2", "7"));
	put_process(&pair->fake, 2, LINE("2", "kthreadd", "S", "0", "2097152", "1", "4", "1"));
	put_process(&pair->fake, 300, LINE("300", "perfwatt", "S", "1", "0", "6", "6", "50"));
	put_process(&pair->fake, 301, LINE("301", "scx_lavd", "S", "300", "0", "50", "0", "51"));
	drop_process(&pair->fake, 40);
	put_process(&pair->fake, 41, LINE("41", "reused", "S", "1", "0", "20", "0", "900"));
	put_process(&pair->fake, 500, LINE("500", "new", "S", "1", "0", "3", "0", "901"));
	pw_processes_read(&pair->fake.root, pair->folder, &pair->after);
}

static void who_worked_between_two_readings(void **state)
{
	struct pair pair;
	struct pw_process_use use;

	(void)state;
	open_pair(&pair, 100);
	assert_int_equal(pair.before.count, 6);
	assert_true(pair.before.complete);
	for (size_t i = 1; i < pair.before.count; i++)
		assert_true(pair.before.items[i - 1].pid < pair.before.items[i].pid);
	read_again(&pair);
	use = pw_processes_compare(&pair.before, &pair.after, 300);
	assert_int_equal(use.own, 2 + 50); /* what perfwatt started is its own */
	assert_int_equal(use.kernel, 3);
	assert_int_equal(use.others, 32 + 20 + 3); /* the new holder of pid 41 with all its time */
	assert_int_equal(use.movers, 3);
	assert_int_equal(use.heaviest, 32);
	assert_string_equal(use.process->name, "other");
	use = pw_processes_compare(&pair.before, &pair.after, 0);
	assert_int_equal(use.own, 0);
	assert_int_equal(use.heaviest, 50);
	close_pair(&pair);
}

static void the_heaviest_first(void **state)
{
	const struct pw_process *list[2];
	uint64_t used[2];
	struct pair pair;

	(void)state;
	open_pair(&pair, 100);
	read_again(&pair);
	assert_int_equal(pw_processes_heaviest(&pair.before, &pair.after, 300, 1, list, used, 2),
			 2);
	assert_int_equal(list[0]->pid, 10);
	assert_int_equal(used[0], 32);
	assert_int_equal(list[1]->pid, 41);
	assert_int_equal(pw_processes_heaviest(&pair.before, &pair.after, 300, 21, list, used, 2),
			 1);
	close_pair(&pair);
}

/* Without room for all, one that is new may be an old one: its whole time is none of ours. */
static void more_processes_than_room(void **state)
{
	struct pair pair;
	struct pw_process_use use;

	(void)state;
	open_pair(&pair, 3);
	assert_int_equal(pair.before.count, 3);
	assert_false(pair.before.complete);
	read_again(&pair);
	use = pw_processes_compare(&pair.before, &pair.after, 0);
	assert_true(use.others <= 32 + 50);
	close_pair(&pair);
}

static void no_proc_at_all(void **state)
{
	struct pw_processes none;
	struct fake fake;
	struct pw_cpu_times times;
	struct pw_err err;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	pw_auto_free char *proc = pw_sprintf("%s/proc", fake.dir);

	fake_must(pw_remove_tree(proc, &err), &err);
	assert_null(pw_processes_open(&fake.root));
	pw_processes_init(&none, 4);
	pw_processes_read(&fake.root, NULL, &none);
	assert_int_equal(none.count, 0);
	assert_false(none.complete);
	assert_false(pw_cpu_times_read(&fake.root, &times));
	pw_processes_done(&none);
	fake_close(&fake);
}

static void this_machine(void **state)
{
	struct pw_processes now;
	struct pw_root root;
	struct pw_cpu_times times;
	struct pw_err err;
	bool found = false;
	DIR *folder;

	(void)state;
	fake_must(pw_root_open("/", &root, &err), &err);
	folder = pw_processes_open(&root);
	assert_non_null(folder);
	assert_true(pw_processes_count(folder) > 0);
	pw_processes_init(&now, 65536);
	pw_processes_read(&root, folder, &now);
	for (size_t i = 0; i < now.count; i++)
		found |= now.items[i].pid == getpid() && now.items[i].parent == getppid();
	assert_true(found);
	assert_true(pw_cpu_times_read(&root, &times));
	assert_true(pw_cpu_times_total(&times) > 0);
	pw_processes_done(&now);
	closedir(folder);
	pw_root_close(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process),
		cmocka_unit_test(names_with_anything_in_them),
		cmocka_unit_test(lines_that_are_none),
		cmocka_unit_test(times_of_the_cpus),
		cmocka_unit_test(who_worked_between_two_readings),
		cmocka_unit_test(the_heaviest_first),
		cmocka_unit_test(more_processes_than_room),
		cmocka_unit_test(no_proc_at_all),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
