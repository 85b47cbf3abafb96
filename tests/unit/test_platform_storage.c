/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/storage.h"

#include "fake_root.h"

#include "lib/platform/mounts.h"

#define DISK "/sys/devices/pci0/nvme/nvme0n1"

static void open_disks(struct fake *fake)
{
	fake_open(fake, "cgroup-v1");
	fake_set(fake, "/proc/self/mountinfo",
		 "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\\n"
		 "30 22 0:30 / /fast rw - tmpfs tmpfs rw\\n"
		 "31 22 0:40 / /data rw - btrfs /dev/sdb rw");
	fake_set(fake, DISK "/uevent", "MAJOR=259\\nDEVNAME=nvme0n1\\nDEVTYPE=disk");
	fake_set(fake, DISK "/queue/rotational", "0");
	fake_set(fake, DISK "/queue/scheduler", "[none] mq-deadline");
	fake_set(fake, DISK "/device/model", "Some SSD\\s\\s");
	fake_set(fake, DISK "/nvme0n1p2/partition", "2");
	fake_set(fake, DISK "/nvme0n1p2/uevent", "MAJOR=259\\nDEVNAME=nvme0n1p2");
	fake_set(fake, "/sys/dev/block/259:2", "link:../../devices/pci0/nvme/nvme0n1/nvme0n1p2");
	fake_set(fake, "/sys/class/block/sdb/uevent", "DEVNAME=sdb");
	fake_set(fake, "/sys/class/block/sdb/queue/rotational", "1");
	fake_set(fake, "/sys/class/block/sdb/queue/scheduler", "none [bfq] mq-deadline");
}

static void expect(const struct pw_value *value, const char *key, const char *expected)
{
	assert_string_equal(pw_value_get_text(value, key, "-"), expected);
}

static void a_partition(void **state)
{
	pw_auto_value struct pw_value value = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	open_disks(&fake);
	pw_storage(&fake.root, "/nowhere/results", &value);
	fake_close(&fake);
	expect(&value, "mount", "/");
	expect(&value, "file_system", "ext4");
	expect(&value, "device", "nvme0n1p2");
	expect(&value, "disk", "nvme0n1");
	expect(&value, "model", "Some SSD");
	expect(&value, "scheduler", "none");
	assert_false(pw_value_get_bool(&value, "rotational", true));
}

static void numbers_of_their_own(void **state)
{
	pw_auto_value struct pw_value tmpfs = PW_VALUE_INIT, btrfs = PW_VALUE_INIT;
	pw_auto_value struct pw_value none = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	open_disks(&fake);
	pw_storage(&fake.root, "/fast/x", &tmpfs);
	pw_storage(&fake.root, "/data", &btrfs);
	fake_close(&fake);
	expect(&tmpfs, "file_system", "tmpfs");
	assert_null(pw_value_get(&tmpfs, "device"));
	expect(&btrfs, "device", "sdb");
	expect(&btrfs, "scheduler", "bfq");
	assert_true(pw_value_get_bool(&btrfs, "rotational", false));
	fake_open(&fake, "intel-off"); /* no mountinfo */
	pw_storage(&fake.root, "/", &none);
	fake_close(&fake);
	assert_int_equal(none.type, PW_VALUE_UNSET);
}

static void mount_points(void **state)
{
	static const char lines[] = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
				    "2 1 8:2 / /data\\040set rw - xfs /dev/sdb1 rw\n"
				    "3 1 8:3 / /data\\040set rw - ext4 /dev/sdb2 rw\n"
				    "broken line\n";
	static const struct {
		const char *folder, *device;
	} cases[] = {
		{ "/", "8:1" },		 { "/data", "8:1" },
		{ "/data set", "8:3" },	 { "/data set/in", "8:3" },
		{ "/data sets", "8:1" },
	};
	struct pw_mount mount;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		assert_true(pw_mount_of(lines, cases[i].folder, &mount));
		assert_string_equal(mount.device, cases[i].device);
		pw_mount_done(&mount);
	}
	assert_false(pw_mount_of(lines, "relative", &mount));
	assert_false(pw_mount_of("", "/", &mount));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_partition),
		cmocka_unit_test(numbers_of_their_own),
		cmocka_unit_test(mount_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
