// SPDX-License-Identifier: GPL-2.0-or-later
/* The driver with a frequency table, and the switch between it and the one of active.c. */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "cpufreq.h"
#include "govlab.h"

static struct cpufreq_frequency_table *table;
static struct cpufreq_driver *present;

bool lab_has_cpufreq(void)
{
	return READ_ONCE(present) != NULL;
}

bool lab_is_active(void)
{
	return READ_ONCE(present) == &lab_active_driver;
}

void lab_policy_cpus(struct cpufreq_policy *policy)
{
	int cpu;

	if (!lab.shared)
		return;
	for_each_online_cpu(cpu)
	{
		if (topology_physical_package_id(cpu) == topology_physical_package_id(policy->cpu))
			cpumask_set_cpu(cpu, policy->cpus);
	}
}

unsigned int lab_get_khz(unsigned int cpu)
{
	return lab_real_khz(&per_cpu(lab_cpus, cpu));
}

static int make_table(void)
{
	unsigned int count = (lab.max_khz - lab.min_khz) / lab.step_khz + 1;

	table = kcalloc(count + 1, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		table[i].frequency = lab.min_khz + i * lab.step_khz;
		table[i].driver_data = i;
		if (table[i].frequency > lab.base_khz)
			table[i].flags = CPUFREQ_BOOST_FREQ;
	}
	table[count].frequency = CPUFREQ_TABLE_END;
	return 0;
}

static int table_init(struct cpufreq_policy *policy)
{
	lab_policy_cpus(policy);
	policy->freq_table = table;
	policy->cpuinfo.transition_latency = 10000;
	policy->fast_switch_possible = true;
	policy->dvfs_possible_from_any_cpu = true;
	policy->cur = per_cpu(lab_cpus, policy->cpu).khz;
	return 0;
}

static void set_policy_khz(const struct cpufreq_policy *policy, unsigned int khz)
{
	int cpu;

	for_each_cpu(cpu, policy->cpus) lab_set_khz(cpu, khz);
}

static int table_target(struct cpufreq_policy *policy, unsigned int index)
{
	if (lab_fault.policy_errno)
		return -(int)lab_fault.policy_errno;
	set_policy_khz(policy, table[index].frequency);
	return 0;
}

static unsigned int table_fast_switch(struct cpufreq_policy *policy, unsigned int target)
{
	int index = cpufreq_table_find_index_l(policy, target, false);

	if (lab_fault.policy_errno)
		return 0;
	set_policy_khz(policy, table[index].frequency);
	return table[index].frequency;
}

static struct cpufreq_driver table_driver = {
	.flags = CPUFREQ_CONST_LOOPS,
	.boost_enabled = true,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = table_target,
	.fast_switch = table_fast_switch,
	.get = lab_get_khz,
	.init = table_init,
	.attr = cpufreq_generic_attr,
};

/* What the same hardware's driver is called when governors of the kernel choose. */
static const char *name_of(bool active)
{
	if (active)
		return lab.driver;
	if (!strcmp(lab.driver, "intel_pstate"))
		return "intel_cpufreq";
	return lab_active_wanted() ? "amd-pstate" : lab.driver;
}

static int register_driver(bool active)
{
	struct cpufreq_driver *driver = active ? &lab_active_driver : &table_driver;
	int err;

	strscpy(driver->name, name_of(active), CPUFREQ_NAME_LEN);
	err = cpufreq_register_driver(driver);
	if (err)
		return err;
	WRITE_ONCE(present, driver);
	/* intel_cpufreq has no switch of this kind: there it is no_turbo. */
	if (!active && lab.base_khz < lab.max_khz && strcmp(driver->name, "intel_cpufreq"))
		return cpufreq_enable_boost_support();
	return 0;
}

static void unregister_driver(void)
{
	struct cpufreq_driver *driver = present;

	WRITE_ONCE(present, NULL);
	if (driver)
		cpufreq_unregister_driver(driver);
}

int lab_cpufreq_switch(bool active)
{
	unregister_driver();
	return register_driver(active);
}

int lab_cpufreq_init(void)
{
	int err = make_table() ?: register_driver(lab_active_wanted());

	if (err)
		pr_err("govlab: no cpufreq driver: %d (is there another one?)\n", err);
	else if (lab_active_wanted())
		err = lab_active_init();
	return err;
}

void lab_cpufreq_exit(void)
{
	lab_active_exit();
	unregister_driver();
	kfree(table);
}
