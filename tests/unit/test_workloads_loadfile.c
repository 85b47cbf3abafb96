/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load files: what is read, and what is refused, by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "workloads/engine/loadfile.h"

#define OPEN  "NTCreateX \"\\clients\\client1\\a\" 0x40 0x2 7 NT_STATUS_OK\n"
#define WRITE "WriteX 7 0 10 10 NT_STATUS_OK\n"
#define CLOSE "Close 7 NT_STATUS_OK\n"

static void accepts(const char *text, struct pw_load *load)
{
	struct pw_err err = PW_ERR_INIT;

	if (pw_load_parse(text, strlen(text), load, &err) < 0)
		fail_msg("refused: %s\n%s", err.text, text);
}

static void refuses(const char *text, const char *reason)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load = { .slots = 77 };

	assert_int_equal(pw_load_parse(text, strlen(text), &load, &err), -PW_EINVAL);
	if (!strstr(err.text, reason))
		fail_msg("'%s' does not hold '%s'", err.text, reason);
	assert_int_equal(load.slots, 77);
}

static void a_file_becomes_operations(void **state)
{
	struct pw_load load;

	(void)state;
	accepts("# a comment\n"
		"\n"
		"Mkdir \"\\clients\" NT_STATUS_OK\n"
		"# perfwatt: session\n" OPEN "2.5 WriteX 7 0x1000 020 16 0x0\n"
		"ReadX 7 4096 10 8 SUCCESS\n"
		"FIND_FIRST \"/clients/client1/*\" 260 1366 11 NT_STATUS_NO_SUCH_FILE\n"
		"close 7 NT_STATUS_OK\r\n"
		"Rename \"/a b\" \"/c\" 0xC0000034\n"
		"Sleep 20 *\n",
		&load);
	assert_int_equal(load.op_count, 8);
	assert_int_equal(load.session, 1);
	assert_int_equal(load.slots, 1);
	assert_int_equal(load.session_bytes, 16 + 8);
	assert_int_equal(load.ops[0].code, PW_OP_MKDIR);
	assert_int_equal(load.ops[0].line, 3);
	assert_string_equal(load.names.items[load.ops[0].path], "/clients");
	assert_int_equal(load.ops[1].options, 0x40);
	assert_int_equal(load.ops[1].disposition, PW_DISP_CREATE);
	assert_int_equal(load.ops[1].when_ns, -1);
	assert_int_equal(load.ops[2].when_ns, 2500000000);
	assert_int_equal(load.ops[2].offset, 4096);
	assert_int_equal(load.ops[2].size, 16);
	assert_int_equal(load.ops[3].expected, 8);
	assert_int_equal(load.ops[4].expect, PW_EXPECT_FAILURE);
	assert_int_equal(load.ops[4].disposition, 1366);
	assert_int_equal(load.ops[4].expected, 11);
	assert_int_equal(load.ops[5].code, PW_OP_CLOSE);
	assert_string_equal(load.names.items[load.ops[6].path], "/a b");
	assert_string_equal(load.names.items[load.ops[6].path2], "/c");
	assert_int_equal(load.ops[6].expect, PW_EXPECT_FAILURE);
	assert_int_equal(load.ops[7].expect, PW_EXPECT_ANY);
	assert_int_equal(load.ops[7].offset, 20);
	pw_load_done(&load);
}

static void message_sizes_follow_the_frames(void **state)
{
	static const struct {
		enum pw_op_code code;
		uint32_t request, reply;
	} wanted[] = {
		{ PW_OP_CREATE, 74, 87 },    { PW_OP_CLOSE, 47, 39 },
		{ PW_OP_READ, 59, 59 + 9 },  { PW_OP_WRITE, 59 + 10, 55 },
		{ PW_OP_FLUSH, 41, 39 },     { PW_OP_PATH_INFO, 55, 71 },
		{ PW_OP_FILE_INFO, 59, 71 }, { PW_OP_SET_INFO, 71, 47 },
		{ PW_OP_FS_INFO, 59, 71 },   { PW_OP_FIND, 59, 39 + 90 * 9 },
		{ PW_OP_UNLINK, 43, 39 },    { PW_OP_RENAME, 47, 39 },
		{ PW_OP_MKDIR, 43, 39 },     { PW_OP_RMDIR, 43, 39 },
		{ PW_OP_DELTREE, 0, 0 },     { PW_OP_LOCK, 51, 39 },
		{ PW_OP_UNLOCK, 51, 39 },    { PW_OP_SLEEP, 0, 0 },
	};

	(void)state;
	assert_int_equal(PW_LENGTH(wanted), PW_OP_CODES - 1);
	for (size_t i = 0; i < PW_LENGTH(wanted); i++) {
		struct pw_op op = { .code = (uint8_t)wanted[i].code, .size = 10, .expected = 9 };

		pw_op_wire_sizes(&op);
		assert_int_equal(op.request, wanted[i].request);
		assert_int_equal(op.reply, wanted[i].reply);
	}
}

static void loops_are_written_out(void **state)
{
	struct pw_load load;

	(void)state;
	accepts("LOOP 3\n" OPEN "REPEAT 2\n" WRITE CLOSE "ENDLOOP\n"
		"LOOP 5\nENDLOOP\n",
		&load);
	assert_int_equal(load.op_count, 12);
	assert_int_equal(load.session_bytes, 60);
	assert_memory_equal(&load.ops[0], &load.ops[8], 4 * sizeof(load.ops[0]));
	pw_load_done(&load);
	refuses("LOOP 2\n" OPEN WRITE CLOSE, "line 1: LOOP without ENDLOOP");
	refuses("ENDLOOP\n", "line 1: ENDLOOP without LOOP");
	refuses("LOOP 2\nLOOP 2\n", "line 2: LOOP inside the LOOP of line 1");
	refuses("LOOP 2\n" OPEN "ENDLOOP\n" CLOSE, "line 3: the LOOP of line 1 ends with other");
	refuses("LOOP 0\n", "line 1: LOOP wants");
	refuses("LOOP\n", "line 1: LOOP wants");
	refuses("REPEAT 2\n" OPEN, "line 2: an operation that opens or closes");
	refuses(OPEN WRITE CLOSE "REPEAT 2\n", "line 4: REPEAT without an operation");
	refuses(OPEN "LOOP 4000000\n" WRITE WRITE "ENDLOOP\n" CLOSE, "line 5: more than 4000000");
	refuses(OPEN "REPEAT 4000000\n" WRITE CLOSE, "line 3: more than 4000000");
	refuses("LOOP 2\n# perfwatt: session\n", "line 2: the session begins inside");
}

static void faults_name_their_line(void **state)
{
	(void)state;
	refuses("", "reads and writes nothing");
	refuses(OPEN CLOSE, "reads and writes nothing");
	refuses(OPEN WRITE CLOSE "# perfwatt: session\nQUERY_FS_INFORMATION 259 NT_STATUS_OK\n",
		"reads and writes nothing");
	refuses(OPEN WRITE "Close 7 NT_STATUS_OK", "line 3: the file ends inside this line");
	refuses(OPEN WRITE, "handle 7, opened in line 1, is still open at the end of the file");
	refuses(OPEN "# perfwatt: session\n" WRITE CLOSE,
		"line 2: handle 7, opened in line 1, is still open at the beginning");
	refuses("# perfwatt: session\n# perfwatt: session\n", "line 2: the session begins twice");
	refuses(WRITE, "line 1: WriteX: handle 7 is not open");
	refuses(OPEN CLOSE CLOSE, "line 3: Close: handle 7 is not open");
	refuses(OPEN OPEN, "line 2: NTCreateX: handle 7 is open already, since line 1");
	refuses("Frob 1 NT_STATUS_OK\n", "line 1: unknown operation 'Frob'");
	refuses("SMBopen 1 2\n", "line 1: 'SMBopen': load files of dbench 1");
	refuses("Close\n", "line 1: Close wants 1 arguments and a status, there are 0");
	refuses(OPEN "WriteX 7 0 10 NT_STATUS_OK\n", "line 2: WriteX wants 4 arguments");
	refuses(OPEN "WriteX 7 0 10 10 10 NT_STATUS_OK\n", "line 2: WriteX wants 4 arguments");
	refuses(OPEN "Flush 7 OK\n", "line 2: 'OK' is no status");
	refuses(OPEN "Flush 7 NT_STATUS_\n", "line 2: 'NT_STATUS_' is no status");
	refuses(OPEN "Flush 7 0x\n", "line 2: '0x' is no status");
	refuses("3.5\n", "line 1: a timestamp without an operation");
	refuses("1e9 Mkdir \"/a\" NT_STATUS_OK\n", "line 1: timestamp '1e9' is outside one day");
	refuses("1x Mkdir \"/a\" NT_STATUS_OK\n", "line 1: timestamp");
	refuses("Mkdir \"/a NT_STATUS_OK\n", "line 1: a quote is not closed");
	refuses("a b c d e f g h i j k l m n o p q r s t\n", "line 1: more than 19 words");
	refuses("\x1f\x8b\x08", "gzip");
}

static void numbers_have_limits(void **state)
{
	(void)state;
	refuses(OPEN "WriteX 7 0 -1 10 NT_STATUS_OK\n", "line 2: WriteX: size -1 is outside");
	refuses(OPEN "WriteX 7 0 69900 69900 NT_STATUS_OK\n", "line 2: WriteX: size 69900");
	refuses(OPEN "ReadX 7 0 5 69900 NT_STATUS_OK\n", "line 2: ReadX: expected size 69900");
	refuses(OPEN "ReadX 7 -5 5 5 NT_STATUS_OK\n", "line 2: ReadX: offset -5");
	refuses(OPEN "ReadX 7 9223372036854775807 5 5 NT_STATUS_OK\n", "line 2: ReadX: ");
	refuses(OPEN "ReadX 7 99999999999999999999999 5 5 NT_STATUS_OK\n", "is no number");
	refuses(OPEN "ReadX 7 12z 5 5 NT_STATUS_OK\n", "'12z' is no number (offset)");
	refuses(OPEN "ReadX 7 08 5 5 NT_STATUS_OK\n", "'08' is no number");
	refuses(OPEN "ReadX *+1 0 5 5 NT_STATUS_OK\n", "'*+1' is no number (handle)");
	refuses("FIND_FIRST \"/*\" 1 1 777 NT_STATUS_OK\n",
		"line 1: FIND_FIRST: number of entries");
	refuses("Sleep 3600000001 NT_STATUS_OK\n", "line 1: Sleep: delay");
}

static void names_stay_below_the_work_folder(void **state)
{
	struct pw_load load;

	(void)state;
	refuses("Mkdir \"/../x\" NT_STATUS_OK\n", "line 1: Mkdir: the name '/../x' leaves");
	refuses("Mkdir \"\\a\\..\" NT_STATUS_OK\n", "leaves the work directory");
	refuses("Rename \"/a\" \"/b/../../c\" NT_STATUS_OK\n", "leaves the work directory");
	refuses("Mkdir \"a\" NT_STATUS_OK\n", "must begin with");
	refuses("Mkdir \\a NT_STATUS_OK\n", "must begin with"); /* 4.0 drops that slash */
	refuses("Mkdir \"\" NT_STATUS_OK\n", "must begin with");
	accepts("Mkdir \"/..a/b..\" NT_STATUS_OK\n" OPEN WRITE CLOSE, &load);
	pw_load_done(&load);
}

static void many_handles(struct pw_strbuf *text, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pw_strbuf_printf(text, "NTCreateX \"/f\" 0x40 0x2 %u NT_STATUS_OK\n", 100 + i);
	pw_strbuf_puts(text, "WriteX 100 0 1 1 NT_STATUS_OK\n");
	for (unsigned i = 0; i < count; i++)
		pw_strbuf_printf(text, "Close %u NT_STATUS_OK\n", 100 + i);
}

static void two_hundred_handles_may_be_open(void **state)
{
	pw_auto_strbuf struct pw_strbuf enough = PW_STRBUF_INIT, many = PW_STRBUF_INIT;
	struct pw_load load;

	(void)state;
	many_handles(&enough, 200);
	accepts(enough.text, &load);
	assert_int_equal(load.slots, 200);
	pw_load_done(&load);
	many_handles(&many, 201);
	refuses(many.text, "line 201: NTCreateX: more than 200 handles");
}

static void failing_openings_take_no_handle(void **state)
{
	struct pw_load load;

	(void)state;
	accepts("NTCreateX \"/no\" 0x40 0x1 7 NT_STATUS_OBJECT_NAME_NOT_FOUND\n" OPEN WRITE CLOSE,
		&load);
	assert_int_equal(load.slots, 1);
	pw_load_done(&load);
}

static void long_lines_and_nul_bytes_are_refused(void **state)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;

	(void)state;
	pw_strbuf_puts(&text, "Mkdir \"/");
	pw_strbuf_fill(&text, 'x', 300);
	pw_strbuf_puts(&text, "\" NT_STATUS_OK\n");
	refuses(text.text, "line 1: Mkdir: a name is longer than 255");
	pw_strbuf_clear(&text);
	pw_strbuf_puts(&text, OPEN);
	pw_strbuf_fill(&text, ' ', 2000);
	pw_strbuf_puts(&text, "\n");
	refuses(text.text, "line 2: longer than 1022 bytes");
	assert_int_equal(pw_load_parse("Mkdir\0x\n", 8, &load, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "line 1: holds a NUL byte"));
}

static void names_become_the_clients_own(void **state)
{
	char name[PW_NAME_SIZE];

	(void)state;
	assert_int_equal(pw_name_for_client("/clients/client1/a", 12, name, sizeof(name)), 20);
	assert_string_equal(name, "./clients/client12/a");
	/* dbench's rule is the substring, wherever it stands. */
	(void)pw_name_for_client("/client12/myclient1", 0, name, sizeof(name));
	assert_string_equal(name, "./client02/myclient0");
	assert_int_equal(pw_name_for_client("/clients/client1/a", 12, name, 12), 0);
	assert_int_equal(pw_name_for_client("/a", 1, name, 1), 0);
}

static void a_line_read_anew_is_the_same_operation(void **state)
{
	static struct pw_reread reread;
	struct pw_load load;

	(void)state;
	accepts(OPEN "1.5 WriteX 7 0x10 9 9 NT_STATUS_OK\n"
		     "Rename \"/clients/client1/a\" \"/b\" NT_STATUS_OK\n" CLOSE,
		&load);
	for (size_t i = 0; i < load.op_count; i++) {
		struct pw_op same = load.ops[i];

		pw_load_reread(&load, &same, 3, &reread);
		assert_memory_equal(&reread.op, &same, sizeof(same));
	}
	pw_load_reread(&load, &load.ops[2], 3, &reread);
	assert_string_equal(reread.path, "./clients/client3/a");
	assert_string_equal(reread.path2, "./b");
	assert_int_equal(reread.path_length, strlen(reread.path));
	assert_int_equal(reread.path2_length, strlen(reread.path2));
	pw_load_done(&load);
}

static void files_are_read_from_disk(void **state)
{
	char path[] = "/tmp/loadfile-XXXXXX";
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, WRITE, strlen(WRITE)), strlen(WRITE));
	close(fd);
	assert_int_equal(pw_load_read(path, &load, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, path));
	assert_non_null(strstr(err.text, "line 1"));
	unlink(path);
	assert_int_equal(pw_load_read(path, &load, &err), -PW_ENOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_becomes_operations),
		cmocka_unit_test(message_sizes_follow_the_frames),
		cmocka_unit_test(loops_are_written_out),
		cmocka_unit_test(faults_name_their_line),
		cmocka_unit_test(numbers_have_limits),
		cmocka_unit_test(names_stay_below_the_work_folder),
		cmocka_unit_test(two_hundred_handles_may_be_open),
		cmocka_unit_test(failing_openings_take_no_handle),
		cmocka_unit_test(long_lines_and_nul_bytes_are_refused),
		cmocka_unit_test(names_become_the_clients_own),
		cmocka_unit_test(a_line_read_anew_is_the_same_operation),
		cmocka_unit_test(files_are_read_from_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
