// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /dev/cpu/N/msr, while msr.ko is not loaded: a read of 8 bytes at the register's number. Numbers
 * and fields are those of the Intel SDM (vol. 4) and AMD's PPR (family 19h).
 */
#include <linux/capability.h>
#include <linux/cdev.h>
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/major.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "govlab.h"

#define AMD_ESU 16

enum vendor { BOTH, INTEL, AMD };

struct reg {
	u32 number;
	enum vendor vendor;
	u64 (*read)(int cpu);
};

static u64 ratio(unsigned int khz)
{
	return khz / 100000;
}

static struct lab_cpu *cpu_of(int cpu)
{
	return &per_cpu(lab_cpus, cpu);
}

static u64 energy(int cpu, enum lab_domain domain, unsigned int bits)
{
	return (u32)(lab.msr_start +
		     lab_energy_units(lab_energy_nj(cpu_of(cpu)->package, domain), bits));
}

static u64 tsc(int cpu)
{
	return lab_tsc();
}

static u64 mperf(int cpu)
{
	return cpu_of(cpu)->mperf;
}

static u64 aperf(int cpu)
{
	return cpu_of(cpu)->aperf;
}

static u64 platform_info(int cpu)
{
	return ratio(lab.base_khz) << 8 | ratio(lab.min_khz) << 40;
}

static u64 perf_status(int cpu)
{
	return ratio(lab_real_khz(cpu_of(cpu))) << 8;
}

static u64 perf_ctl(int cpu)
{
	return ratio(cpu_of(cpu)->khz) << 8;
}

static u64 therm_status(int cpu)
{
	bool hot = cpu_of(cpu)->throttled;

	return 0x88000000ULL | 40 << 16 | (hot ? 3 : 0); /* now, and since the log was cleared */
}

static u64 misc_enable(int cpu)
{
	return lab_no_turbo() ? 1ULL << 38 : 0;
}

static u64 temperature_target(int cpu)
{
	return 100 << 16;
}

static u64 turbo_ratios(int cpu)
{
	return ratio(lab.max_khz) * 0x0101010101010101ULL;
}

static u64 units_intel(int cpu)
{
	return 0xa0003ULL | lab.esu << 8;
}

static u64 units_amd(int cpu)
{
	return 0xa0003ULL | AMD_ESU << 8;
}

static u64 package_limit(int cpu)
{
	return 0;
}

static u64 package_energy(int cpu)
{
	return energy(cpu, LAB_PACKAGE, lab.esu);
}

static u64 package_info(int cpu)
{
	return 165 * 8;
}

static u64 dram_energy(int cpu)
{
	return energy(cpu, LAB_DRAM, lab.esu);
}

static u64 cores_energy(int cpu)
{
	return energy(cpu, LAB_CORES, lab.esu);
}

static u64 hwp_enabled(int cpu)
{
	return 1;
}

static u64 hwp_range(int cpu)
{
	return ratio(lab.max_khz) | ratio(lab.base_khz) << 8 | ratio(lab.min_khz) << 24;
}

static u64 hwp_request(int cpu)
{
	return (u64)cpu_of(cpu)->epp << 24 | ratio(lab.max_khz) << 8 | ratio(lab.min_khz);
}

static u64 amd_core_energy(int cpu)
{
	return (u32)(lab.msr_start + lab_energy_units(lab_core_nj(cpu), AMD_ESU));
}

static u64 amd_package_energy(int cpu)
{
	return energy(cpu, LAB_PACKAGE, AMD_ESU);
}

static const struct reg registers[] = {
	{ 0x10, BOTH, tsc },
	{ 0xe7, BOTH, mperf },
	{ 0xe8, BOTH, aperf },
	{ 0xce, INTEL, platform_info },
	{ 0x198, INTEL, perf_status },
	{ 0x199, INTEL, perf_ctl },
	{ 0x19c, INTEL, therm_status },
	{ 0x1a0, INTEL, misc_enable },
	{ 0x1a2, INTEL, temperature_target },
	{ 0x1ad, INTEL, turbo_ratios },
	{ 0x606, INTEL, units_intel },
	{ 0x610, INTEL, package_limit },
	{ 0x611, INTEL, package_energy },
	{ 0x614, INTEL, package_info },
	{ 0x619, INTEL, dram_energy },
	{ 0x639, INTEL, cores_energy },
	{ 0x770, INTEL, hwp_enabled },
	{ 0x771, INTEL, hwp_range },
	{ 0x774, INTEL, hwp_request },
	{ 0xc00000e7, AMD, mperf },
	{ 0xc00000e8, AMD, aperf },
	{ 0xc0010299, AMD, units_amd },
	{ 0xc001029a, AMD, amd_core_energy },
	{ 0xc001029b, AMD, amd_package_energy },
};

static int read_register(int cpu, u32 number, u64 *value)
{
	enum vendor vendor = lab.amd ? AMD : INTEL;

	if (lab_fault.msr_errno)
		return -(int)lab_fault.msr_errno;
	for (int i = 0; i < ARRAY_SIZE(registers); i++) {
		const struct reg *reg = &registers[i];

		if (reg->number != number || (reg->vendor != BOTH && reg->vendor != vendor) ||
		    (reg->read == dram_energy && !lab.with_dram))
			continue;
		lab_update();
		*value = reg->read(cpu);
		return 0;
	}
	return -EIO; /* as for a register that the processor does not have */
}

static int open_device(struct inode *inode, struct file *file)
{
	unsigned int cpu = iminor(inode);

	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	return cpu < nr_cpu_ids && cpu_online(cpu) ? 0 : -ENXIO;
}

static ssize_t read_device(struct file *file, char __user *buffer, size_t count, loff_t *position)
{
	int cpu = iminor(file_inode(file)), err = 0;
	size_t done;
	u64 value;

	if (count % 8)
		return -EINVAL;
	for (done = 0; done < count; done += 8) {
		err = read_register(cpu, *position, &value);
		if (!err && copy_to_user(buffer + done, &value, 8))
			err = -EFAULT;
		if (err)
			break;
	}
	return done ? done : err;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = open_device,
	.read = read_device,
	.llseek = no_seek_end_llseek,
};

static struct cdev devices;
static struct class *class;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
static char *node_name(struct device *device, umode_t *mode)
#else
static char *node_name(const struct device *device, umode_t *mode)
#endif
{
	return kasprintf(GFP_KERNEL, "cpu/%u/msr", MINOR(device->devt));
}

static struct class *make_class(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return class_create(THIS_MODULE, "msr");
#else
	return class_create("msr");
#endif
}

/* The node comes and goes with its CPU, as the real driver's does. */
void lab_msr_online(int cpu, bool online)
{
	if (!class)
		return;
	if (online)
		device_create(class, NULL, MKDEV(MSR_MAJOR, cpu), NULL, "msr%d", cpu);
	else
		device_destroy(class, MKDEV(MSR_MAJOR, cpu));
}

int lab_msr_init(void)
{
	struct class *made;
	int err = register_chrdev_region(MKDEV(MSR_MAJOR, 0), nr_cpu_ids, "cpu/msr");

	if (err) {
		pr_warn("govlab: no /dev/cpu/N/msr: %d (is msr.ko loaded?)\n", err);
		return err;
	}
	cdev_init(&devices, &operations);
	err = cdev_add(&devices, MKDEV(MSR_MAJOR, 0), nr_cpu_ids);
	if (err)
		goto region;
	made = make_class();
	err = PTR_ERR_OR_ZERO(made);
	if (err)
		goto device;
	made->devnode = node_name;
	class = made;
	return 0;
device:
	cdev_del(&devices);
region:
	unregister_chrdev_region(MKDEV(MSR_MAJOR, 0), nr_cpu_ids);
	return err;
}

/* After lab_slow_exit(), which takes the nodes away with the CPUs' state. */
void lab_msr_exit(void)
{
	if (!class)
		return;
	class_destroy(class);
	cdev_del(&devices);
	unregister_chrdev_region(MKDEV(MSR_MAJOR, 0), nr_cpu_ids);
	class = NULL;
}
