/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces below the engines: name look-up, deletion, the server's protocol, probing, settings. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "workloads/engine/client.h"
#include "workloads/engine/folder.h"
#include "workloads/engine/lookup.h"
#include "workloads/engine/probe.h"
#include "workloads/engine/replay.h"
#include "workloads/engine/server.h"

static void touch(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void deltree_keeps_folders(void **state)
{
	char folder[] = "/tmp/lookup-XXXXXX", name[64], below[64];
	struct pw_err err = PW_ERR_INIT;
	struct stat status;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(below, sizeof(below), "%s/sub", folder);
	assert_int_equal(mkdir(below, 0700), 0);
	(void)snprintf(name, sizeof(name), "%s/sub/file", folder);
	touch(name);
	assert_int_equal(pw_lookup_delete_files(folder), 0);
	assert_int_not_equal(stat(name, &status), 0);
	assert_int_equal(stat(below, &status), 0);
	assert_int_equal(pw_remove_tree(folder, &err), 0);
	assert_int_equal(pw_lookup_delete_files(folder), 0);
}

/* Sends bytes to a server process; its exit status, and how many bytes came back. */
static int serve(const void *bytes, size_t length, size_t *ret_answered)
{
	struct pw_err err = PW_ERR_INIT;
	struct sockaddr_in address;
	char answer[1024];
	int listen_fd, status, fd;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pw_server_listen(1, &listen_fd, &address, &err), 0);
	pid = fork();
	if (pid == 0)
		_exit(pw_server_main(listen_fd, &err) == 0 ? 0 : 1);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(send(fd, bytes, length, MSG_NOSIGNAL), length);
	(void)shutdown(fd, SHUT_WR);
	*ret_answered = 0;
	while ((n = recv(fd, answer, sizeof(answer), 0)) > 0)
		*ret_answered += (size_t)n;
	close(fd);
	close(listen_fd);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int serve_request(uint32_t request, uint32_t reply, size_t sent, size_t *ret_answered)
{
	char frame[256] = { 0 };
	uint32_t head[2] = { htonl(request), htonl(reply) };

	memcpy(frame, head, sizeof(head));
	return serve(frame, sent, ret_answered);
}

static void the_server_answers_what_is_asked_for(void **state)
{
	size_t answered;

	(void)state;
	assert_int_equal(serve("", 0, &answered), 0);
	assert_int_equal(serve_request(4, 4, 8, &answered), 0);
	assert_int_equal(answered, 8);
	assert_int_equal(serve_request(43, 5000, 47, &answered), 0);
	assert_int_equal(answered, 5004);
}

static void the_server_refuses_what_is_no_frame(void **state)
{
	size_t answered;

	(void)state;
	assert_int_equal(serve_request(3, 4, 8, &answered), 1);
	assert_int_equal(serve_request(69996, 4, 8, &answered), 1);
	assert_int_equal(serve_request(UINT32_MAX, 4, 8, &answered), 1);
	assert_int_equal(serve_request(4, 69996, 8, &answered), 1);
	assert_int_equal(serve_request(4, UINT32_MAX, 8, &answered), 1);
	/* Cut off inside the head and inside the rest. */
	assert_int_equal(serve_request(4, 4, 2, &answered), 1);
	assert_int_equal(serve_request(40, 4, 20, &answered), 1);
	assert_int_equal(answered, 0);
}

static void available_memory_is_read(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	uint64_t bytes = 7;

	(void)state;
	assert_int_equal(
		pw_probe_available("MemTotal: 10 kB\nMemAvailable:   24 kB\n", &bytes, &err), 0);
	assert_int_equal(bytes, 24576);
	bytes = 7;
	assert_int_equal(pw_probe_available("MemTotal: 10 kB\n", &bytes, &err), -PW_EINVAL);
	assert_int_equal(pw_probe_available("MemAvailable: x kB\n", &bytes, &err), -PW_EINVAL);
	assert_int_equal(pw_probe_available("MemAvailable: 18446744073709551615 kB\n", &bytes,
					    &err),
			 -PW_EINVAL);
	assert_int_equal(bytes, 7);
}

static void space_is_asked_for_by_clients(void **state)
{
	struct pw_replay settings = { .clients = 1 };
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(pw_probe_space(&settings, "/tmp", &err), 0);
	/* 4 billion clients: no machine has 10^17 bytes. */
	settings.clients = UINT32_MAX;
	assert_int_equal(pw_probe_space(&settings, "/tmp", &err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "MB free"));
	assert_int_equal(pw_probe_space(&settings, NULL, &err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "memory"));
}

static void settings_have_their_defaults(void **state)
{
	pw_auto_value struct pw_value options = pw_value_object();
	struct pw_work work = { .options = &options, .cpus = 3, .directory = "/base" };
	struct pw_replay settings;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(pw_options_check(pw_replay_options, NULL, NULL, &options, &err), 0);
	assert_string_equal(pw_value_get_text(&options, "clients", ""), "1x");
	pw_value_set(&options, "clients", pw_value_int(8));
	assert_int_equal(pw_replay_read(&work, &settings, &err), 0);
	assert_int_equal(settings.clients, 8);
	assert_int_equal(settings.time_ns, 60 * PW_NS_PER_S);
	assert_int_equal(settings.warmup_ns, 5 * PW_NS_PER_S);
	assert_int_equal(settings.profile, PW_PROFILE_MMTESTS);
	assert_null(settings.loadfile);
	assert_int_equal(pw_replay_duration(&work), 65100 * PW_NS_PER_MS);
	pw_value_set(&options, "time", pw_value_int(2 * PW_NS_PER_S));
	pw_value_set(&options, "profile", pw_value_text("v4"));
	pw_value_set(&options, "loadfile", pw_value_text("/base/x.load"));
	assert_int_equal(pw_replay_read(&work, &settings, &err), 0);
	assert_int_equal(settings.warmup_ns, 200 * PW_NS_PER_MS);
	assert_int_equal(settings.profile, PW_PROFILE_V4);
	assert_string_equal(settings.loadfile, "/base/x.load");
	pw_replay_done(&settings);
	pw_value_set(&options, "warmup", pw_value_int(0));
	assert_int_equal(pw_replay_duration(&work), 2100 * PW_NS_PER_MS);
	pw_value_set(&options, "clients", pw_value_int(0));
	assert_int_equal(pw_replay_read(&work, &settings, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/clients");
}

static void file_systems_have_names(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	char name[32];

	(void)state;
	assert_int_equal(pw_folder_filesystem("/proc", name, sizeof(name), &err), 0);
	assert_string_equal(name, "0x9fa0");
	assert_int_equal(pw_folder_filesystem("/dev/shm", name, sizeof(name), &err), 0);
	assert_string_equal(name, "tmpfs");
	assert_int_equal(pw_folder_filesystem("/no/such", name, sizeof(name), &err), -PW_ENOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deltree_keeps_folders),
		cmocka_unit_test(the_server_answers_what_is_asked_for),
		cmocka_unit_test(the_server_refuses_what_is_no_frame),
		cmocka_unit_test(available_memory_is_read),
		cmocka_unit_test(space_is_asked_for_by_clients),
		cmocka_unit_test(settings_have_their_defaults),
		cmocka_unit_test(file_systems_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
