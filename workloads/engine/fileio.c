/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dbench: the operations as system calls on files below the current folder, in the order and number
 * in which dbench 4.0 makes them (its results decide what an operation costs): a name is looked up
 * before it is used, an opened file is fstat'ed, what creates a file does not use O_EXCL. What
 * dbench 4.0 does not look at (query results, Mkdir, times set) is not looked at here either; what
 * it would only print (a short read, an opening that went wrong) ends the run here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <utime.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "workloads/engine/client.h"
#include "workloads/engine/lookup.h"

/* SET_FILE_INFORMATION moves the times back by this many seconds. */
#define ATIME_BACK 10
#define MTIME_BACK 12

/* The name then used is the one given, whatever was found: so it is in dbench 4.0. */
static void look_up(struct pw_client *client, const char *name)
{
	pw_lookup(name, client->listing, PW_LISTING_SIZE);
}

static struct pw_open_file *file_of(struct pw_client *client, const struct pw_op *op)
{
	return &client->files[op->slot];
}

/* Did it go as the load file says? `result` is 0 or -errno. */
static int judge(const struct pw_op *op, int result, const char *name, struct pw_err *err)
{
	const char *what = pw_op_syntax[op->code].name;

	if (op->expect == PW_EXPECT_ANY)
		return 0;
	if (result < 0 && op->expect == PW_EXPECT_OK)
		return pw_fail_errno(err, -result, "%s %s", what, name);
	if (result == 0 && op->expect == PW_EXPECT_FAILURE)
		return pw_fail(err, PW_EFAILED, "%s %s succeeded, but was to fail", what, name);
	return 0;
}

static int open_flags(const struct pw_op *op)
{
	switch (op->disposition) {
	case PW_DISP_CREATE:
	case PW_DISP_OPEN_IF:
		return O_RDWR | O_CREAT | O_CLOEXEC;
	case PW_DISP_SUPERSEDE:
	case PW_DISP_OVERWRITE:
	case PW_DISP_OVERWRITE_IF:
		return O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
	default:
		return O_RDWR | O_CLOEXEC;
	}
}

static int open_name(const struct pw_op *op, const char *name)
{
	const int folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int fd;

	if (op->options & PW_CREATE_FOLDER) {
		if (op->disposition != PW_DISP_OPEN)
			(void)mkdir(name, 0700);
		return open(name, folder);
	}
	fd = open(name, open_flags(op), 0600);
	if (fd < 0 && errno == EISDIR)
		fd = open(name, folder);
	return fd;
}

static int do_create(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const char *name = step->path;
	struct pw_open_file *file;
	struct stat status;
	int fd, r;

	look_up(client, name);
	fd = open_name(step->op, name);
	r = judge(step->op, fd < 0 ? -errno : 0, name, err);
	if (fd < 0)
		return r;
	if (r < 0) {
		close(fd);
		return r;
	}
	(void)fstat(fd, &status);
	file = file_of(client, step->op);
	file->fd = fd;
	memcpy(file->name, name, strlen(name) + 1);
	return 0;
}

static int do_close(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	struct pw_open_file *file = file_of(client, step->op);
	int fd = file->fd;

	file->fd = -1;
	return judge(step->op, close(fd) < 0 ? -errno : 0, file->name, err);
}

/* The bytes moved must be those that the load file names; counted is what was asked for. */
static int judge_moved(const struct pw_op *op, ssize_t moved, int errnum, const char *name,
		       struct pw_err *err)
{
	const char *what = pw_op_syntax[op->code].name;

	if (op->expect == PW_EXPECT_OK && moved < 0)
		return pw_fail_errno(err, errnum, "%s %u bytes at %lld of %s", what, op->size,
				     (long long)op->offset, name);
	if (op->expect == PW_EXPECT_OK && moved != (ssize_t)op->expected)
		return pw_fail(err, PW_EIO, "%s moved %zd of %u bytes at %lld of %s", what, moved,
			       op->expected, (long long)op->offset, name);
	if (op->expect == PW_EXPECT_FAILURE)
		return judge(op, moved < 0 ? -errnum : 0, name, err);
	return moved < 0 ? 0 : (int)op->size;
}

static int do_read(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const struct pw_op *op = step->op;
	struct pw_open_file *file = file_of(client, op);
	bool allocate = client->profile == PW_PROFILE_V4;
	char *buffer = allocate ? malloc(op->size ? op->size : 1) : client->buffer;
	ssize_t n;
	int errnum;

	if (!buffer)
		return pw_fail_errno(err, ENOMEM, "%u bytes", op->size);
	n = pread(file->fd, buffer, op->size, op->offset);
	errnum = errno;
	if (allocate)
		free(buffer);
	return judge_moved(op, n, errnum, file->name, err);
}

/* A short write is carried on, as MMTests' dbench does: the next one says what is the matter. */
static ssize_t write_whole(int fd, const char *buffer, const struct pw_op *op)
{
	size_t done = 0;

	do {
		ssize_t n = pwrite(fd, buffer + done, op->size - done, op->offset + (off_t)done);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		done += (size_t)n;
	} while (done < op->size);
	return (ssize_t)done;
}

static int do_write(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const struct pw_op *op = step->op;
	struct pw_open_file *file = file_of(client, op);
	bool allocate = client->profile == PW_PROFILE_V4;
	char *buffer = allocate ? calloc(op->size ? op->size : 1, 1) : client->buffer;
	ssize_t n;
	int errnum;

	if (!buffer)
		return pw_fail_errno(err, ENOMEM, "%u bytes", op->size);
	n = write_whole(file->fd, buffer, op);
	errnum = errno;
	if (allocate)
		free(buffer);
	return judge_moved(op, n, errnum, file->name, err);
}

static int do_flush(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	struct pw_open_file *file = file_of(client, step->op);

	return judge(step->op, fsync(file->fd) < 0 ? -errno : 0, file->name, err);
}

static int do_set_info(struct pw_client *client, const struct pw_step *step)
{
	struct pw_open_file *file = file_of(client, step->op);
	struct utimbuf times;
	struct stat status;

	if (fstat(file->fd, &status) < 0)
		return 0;
	times.actime = status.st_atime - ATIME_BACK;
	times.modtime = status.st_mtime - MTIME_BACK;
	(void)utime(file->name, &times);
	return 0;
}

static int do_find(struct pw_client *client, const struct pw_step *step)
{
	look_up(client, step->path);
	if (strpbrk(step->path, "<>*?\""))
		pw_lookup_list(step->path, step->op->disposition, client->listing, PW_LISTING_SIZE);
	return 0;
}

static int do_name(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const char *name = step->path;
	int r = 0;

	look_up(client, name);
	switch (step->op->code) {
	case PW_OP_UNLINK:
		r = unlink(name);
		break;
	case PW_OP_RMDIR:
		r = rmdir(name);
		break;
	case PW_OP_RENAME:
		look_up(client, step->path2);
		r = rename(name, step->path2);
		break;
	case PW_OP_MKDIR:
		(void)mkdir(name, 0777);
		return 0;
	default: /* PATH_INFO: the look-up is all */
		return 0;
	}
	return judge(step->op, r < 0 ? -errno : 0, name, err);
}

static int do_deltree(const struct pw_step *step, struct pw_err *err)
{
	int r = pw_lookup_delete_files(step->path);

	if (r < 0)
		return pw_fail_errno(err, -r, "delete what is in %s", step->path);
	return 0;
}

static int do_lock(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const struct pw_op *op = step->op;
	struct pw_open_file *file = file_of(client, op);
	struct flock lock = {
		.l_type = op->code == PW_OP_LOCK ? F_WRLCK : F_UNLCK,
		.l_whence = SEEK_SET,
		.l_start = op->offset,
		.l_len = op->size,
	};

	return judge(op, fcntl(file->fd, F_SETLKW, &lock) < 0 ? -errno : 0, file->name, err);
}

static int files_execute(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	struct statvfs space;
	struct stat status;

	switch (step->op->code) {
	case PW_OP_CREATE:
		return do_create(client, step, err);
	case PW_OP_CLOSE:
		return do_close(client, step, err);
	case PW_OP_READ:
		return do_read(client, step, err);
	case PW_OP_WRITE:
		return do_write(client, step, err);
	case PW_OP_FLUSH:
		return do_flush(client, step, err);
	case PW_OP_FILE_INFO:
		(void)fstat(file_of(client, step->op)->fd, &status);
		return 0;
	case PW_OP_SET_INFO:
		return do_set_info(client, step);
	case PW_OP_FS_INFO:
		(void)statvfs(".", &space);
		return 0;
	case PW_OP_FIND:
		return do_find(client, step);
	case PW_OP_DELTREE:
		return do_deltree(step, err);
	case PW_OP_LOCK:
	case PW_OP_UNLOCK:
		return do_lock(client, step, err);
	default:
		return do_name(client, step, err);
	}
}

static int files_setup(struct pw_client *client, struct pw_err *err)
{
	(void)client;
	(void)err;
	return 0; /* the load file makes its folders itself */
}

/* Every client removes its own folder, side by side; the body removes what may be left. */
static int files_cleanup(struct pw_client *client, struct pw_err *err)
{
	char folder[PW_NAME_SIZE];

	for (unsigned i = 0; i < client->load->slots; i++) {
		if (client->files[i].fd >= 0)
			close(client->files[i].fd);
	}
	if (!pw_name_for_client("/clients/client1", client->id, folder, sizeof(folder)))
		return pw_fail(err, PW_EINVAL, "the folder's name is too long");
	return pw_remove_tree(folder, err);
}

const struct pw_backend pw_backend_files = {
	.setup = files_setup,
	.execute = files_execute,
	.cleanup = files_cleanup,
};
