/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/storage.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/mounts.h"

/* "DEVNAME=vda1" of a device's uevent; the caller's, or NULL. */
static char *device_name(const struct pw_root *root, const char *device)
{
	static const char key[] = "DEVNAME=";
	pw_auto_free char *path = pw_sprintf("%s/uevent", device);
	char text[1024], *line;

	if (!pw_attr_get(root, path, text, sizeof(text)))
		return NULL;
	line = strstr(text, key);
	if (!line || (line > text && line[-1] != '\n'))
		return NULL;
	line += strlen(key);
	return pw_strndup(line, strcspn(line, "\n"));
}

/* The device's folder in sysfs; the caller's, or NULL. Some file systems have numbers of their own
 * (btrfs): then the source names the device.
 */
static char *device_folder(const struct pw_root *root, const struct pw_mount *mount)
{
	char *path = pw_sprintf("/sys/dev/block/%s", mount->device);
	const char *name;

	if (pw_root_exists(root, path))
		return path;
	free(path);
	if (strncmp(mount->source, "/dev/", strlen("/dev/")) != 0)
		return NULL;
	name = strrchr(mount->source, '/') + 1;
	path = pw_sprintf("/sys/class/block/%s", name);
	if (*name && pw_root_exists(root, path))
		return path;
	free(path);
	return NULL;
}

static void set_text(const struct pw_root *root, const char *folder, const char *file,
		     const char *key, struct pw_value *ret)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", folder, file);
	char text[256];

	if (!pw_attr_get(root, path, text, sizeof(text)))
		return;
	text[strcspn(text, "\n")] = '\0';
	for (size_t length = strlen(text); length && text[length - 1] == ' '; length--)
		text[length - 1] = '\0';
	if (text[0])
		pw_value_set(ret, key, pw_value_text(text));
}

static void set_rotational(const struct pw_root *root, const char *disk, struct pw_value *ret)
{
	pw_auto_free char *path = pw_sprintf("%s/queue/rotational", disk);
	char text[8];

	if (pw_attr_get(root, path, text, sizeof(text)))
		pw_value_set(ret, "rotational", pw_value_bool(strcmp(text, "0") != 0));
}

/* "none [mq-deadline] kyber": the one in brackets. */
static void set_scheduler(const struct pw_root *root, const char *disk, struct pw_value *ret)
{
	pw_auto_free char *path = pw_sprintf("%s/queue/scheduler", disk);
	char text[256], *from = text;

	if (!pw_attr_get(root, path, text, sizeof(text)))
		return;
	if (strchr(text, '['))
		from = strchr(text, '[') + 1;
	from[strcspn(from, "]\n ")] = '\0';
	if (*from)
		pw_value_set(ret, "scheduler", pw_value_text(from));
}

static void set_disk(const struct pw_root *root, const char *device, struct pw_value *ret)
{
	pw_auto_free char *partition = pw_sprintf("%s/partition", device);
	pw_auto_free char *disk =
		pw_sprintf("%s%s", device, pw_root_exists(root, partition) ? "/.." : "");
	pw_auto_free char *name = device_name(root, device);
	pw_auto_free char *disk_name = device_name(root, disk);

	if (name)
		pw_value_set(ret, "device", pw_value_text(name));
	if (disk_name)
		pw_value_set(ret, "disk", pw_value_text(disk_name));
	set_text(root, disk, "device/model", "model", ret);
	set_rotational(root, disk, ret);
	set_scheduler(root, disk, ret);
}

void pw_storage(const struct pw_root *root, const char *folder, struct pw_value *ret)
{
	pw_auto_free char *full = realpath(folder, NULL);
	pw_auto_free char *mountinfo = NULL;
	pw_auto_free char *device = NULL;
	struct pw_mount mount = { 0 };
	struct pw_err ignored;
	size_t length;

	*ret = PW_VALUE_INIT;
	if (pw_root_read_file(root, "/proc/self/mountinfo", &mountinfo, &length, &ignored) < 0 ||
	    !pw_mount_of(mountinfo, full ? full : folder, &mount))
		return;
	*ret = pw_value_object();
	pw_value_set(ret, "mount", pw_value_text(mount.point));
	pw_value_set(ret, "file_system", pw_value_text(mount.type));
	device = device_folder(root, &mount);
	if (device)
		set_disk(root, device, ret);
	pw_mount_done(&mount);
}
