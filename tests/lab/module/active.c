// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver in the manner of intel_pstate's active mode with HWP, or of amd-pstate-epp: it knows
 * only the policies performance and powersave, has energy_performance_preference, and a folder of
 * switches beside the policies. Errors are those of the originals (K6.1 drivers/cpufreq).
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "cpufreq.h"
#include "govlab.h"

static const char *const epp_names[] = { "default", "performance", "balance_performance",
					 "balance_power", "power" };
static const unsigned int epp_values[] = { 128, 0, 128, 192, 255 };

static struct kobject *folder;
static int show_dynamic_boost(bool wanted);
static DEFINE_MUTEX(switch_lock);
static bool no_turbo, dynamic_boost, energy_efficiency;
static unsigned int max_pct = 100, min_pct;

static bool like_amd(void)
{
	return !strcmp(lab.driver, "amd-pstate-epp");
}

bool lab_active_wanted(void)
{
	return !strcmp(lab.driver, "intel_pstate") || like_amd();
}

bool lab_no_turbo(void)
{
	return no_turbo;
}

static unsigned int hardware_max(void)
{
	return no_turbo ? lab.base_khz : lab.max_khz;
}

/* What the hardware would choose: the higher EPP, the more load it takes for the same clock. */
static void step_cpu(int number)
{
	struct lab_cpu *cpu = &per_cpu(lab_cpus, number);
	struct cpufreq_policy *policy = cpufreq_cpu_get(number);
	u64 khz, low, high;

	if (!policy)
		return;
	high = min3(policy->max, hardware_max(), lab.max_khz / 100 * max_pct);
	low = min_t(u64, max(policy->min, lab.max_khz / 100 * min_pct), high);
	khz = high;
	if (policy->policy != CPUFREQ_POLICY_PERFORMANCE)
		khz = low +
		      div_u64((policy->max - low) * cpu->busy_permille * (1500 - cpu->epp * 4),
			      1000 * 1000);
	lab_set_khz(number, clamp(khz, low, high));
	cpufreq_cpu_put(policy);
}

void lab_active_step(void)
{
	int cpu;

	if (!lab_is_active())
		return;
	for_each_online_cpu(cpu) step_cpu(cpu);
}

static int active_init(struct cpufreq_policy *policy)
{
	lab_policy_cpus(policy);
	policy->cpuinfo.min_freq = policy->min = lab.min_khz;
	policy->cpuinfo.max_freq = policy->max = hardware_max();
	policy->cpuinfo.transition_latency = CPUFREQ_ETERNAL;
	policy->policy = CPUFREQ_POLICY_POWERSAVE;
	per_cpu(lab_cpus, policy->cpu).epp = 128;
	return 0;
}

static int active_verify(struct cpufreq_policy_data *policy)
{
	policy->cpuinfo.max_freq = hardware_max();
	cpufreq_verify_within_cpu_limits(policy);
	return 0;
}

static int active_setpolicy(struct cpufreq_policy *policy)
{
	if (lab_fault.policy_errno)
		return -(int)lab_fault.policy_errno;
	if (policy->policy == CPUFREQ_POLICY_PERFORMANCE)
		step_cpu(policy->cpu);
	return 0;
}

static ssize_t show_energy_performance_preference(struct cpufreq_policy *policy, char *buffer)
{
	const struct lab_cpu *cpu = &per_cpu(lab_cpus, policy->cpu);

	if (policy->policy == CPUFREQ_POLICY_PERFORMANCE)
		return sysfs_emit(buffer, "performance\n");
	for (int i = 1; i < ARRAY_SIZE(epp_names); i++) {
		if (epp_values[i] == cpu->epp)
			return sysfs_emit(buffer, "%s\n", epp_names[i]);
	}
	return sysfs_emit(buffer, "%u\n", cpu->epp);
}

static ssize_t store_energy_performance_preference(struct cpufreq_policy *policy,
						   const char *buffer, size_t size)
{
	int i = sysfs_match_string(epp_names, buffer);
	unsigned int value;

	if (lab_fault.epp_errno)
		return -(int)lab_fault.epp_errno;
	if (i >= 0)
		value = epp_values[i];
	else if (like_amd() || kstrtouint(buffer, 0, &value) || value > 255)
		return -EINVAL;
	if (policy->policy == CPUFREQ_POLICY_PERFORMANCE && value)
		return -EBUSY;
	per_cpu(lab_cpus, policy->cpu).epp = value;
	return size;
}

static ssize_t show_energy_performance_available_preferences(struct cpufreq_policy *policy,
							     char *buffer)
{
	int length = 0;

	if (like_amd() && policy->policy == CPUFREQ_POLICY_PERFORMANCE)
		return sysfs_emit(buffer, "performance\n");
	for (int i = 0; i < ARRAY_SIZE(epp_names); i++)
		length += sysfs_emit_at(buffer, length, "%s ", epp_names[i]);
	return length + sysfs_emit_at(buffer, length, "\n");
}

static ssize_t show_base_frequency(struct cpufreq_policy *policy, char *buffer)
{
	return sysfs_emit(buffer, "%u\n", lab.base_khz);
}

cpufreq_freq_attr_rw(energy_performance_preference);
cpufreq_freq_attr_ro(energy_performance_available_preferences);
cpufreq_freq_attr_ro(base_frequency);
static struct freq_attr *attributes[] = { &energy_performance_preference,
					  &energy_performance_available_preferences,
					  &base_frequency, NULL };

struct cpufreq_driver lab_active_driver = {
	.flags = CPUFREQ_CONST_LOOPS,
	.verify = active_verify,
	.setpolicy = active_setpolicy,
	.get = lab_get_khz,
	.init = active_init,
	.attr = attributes,
};

static void update_policies(void)
{
	int cpu;

	for_each_online_cpu(cpu) cpufreq_update_policy(cpu);
}

static ssize_t status_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%s\n", lab_is_active() ? "active" : "passive");
}

/* As after a new registration: limits and turbo are what the hardware starts with. */
static int change_mode(bool active)
{
	if (active == lab_is_active())
		return 0;
	no_turbo = false;
	max_pct = 100;
	min_pct = lab.min_khz * 100 / lab.max_khz;
	return lab_cpufreq_switch(active) ?: show_dynamic_boost(active);
}

static ssize_t status_store(struct kobject *k, struct kobj_attribute *a, const char *buffer,
			    size_t size)
{
	int err = -EINVAL;

	mutex_lock(&switch_lock);
	if (sysfs_streq(buffer, "active"))
		err = change_mode(true);
	else if (sysfs_streq(buffer, "passive"))
		err = change_mode(false);
	else if (sysfs_streq(buffer, "off") && !like_amd())
		err = -EBUSY; /* HWP stays on until a reset */
	mutex_unlock(&switch_lock);
	return err ?: size;
}

static ssize_t no_turbo_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%d\n", no_turbo);
}

static ssize_t no_turbo_store(struct kobject *k, struct kobj_attribute *a, const char *buffer,
			      size_t size)
{
	unsigned int value;

	if (kstrtouint(buffer, 10, &value))
		return -EINVAL;
	mutex_lock(&switch_lock);
	no_turbo = value != 0;
	update_policies();
	mutex_unlock(&switch_lock);
	return size;
}

static ssize_t max_perf_pct_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%u\n", max_pct);
}

static ssize_t max_perf_pct_store(struct kobject *k, struct kobj_attribute *a, const char *buffer,
				  size_t size)
{
	unsigned int value;

	if (kstrtouint(buffer, 10, &value))
		return -EINVAL;
	max_pct = clamp(value, min_pct, 100U);
	return size;
}

static ssize_t min_perf_pct_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%u\n", min_pct);
}

static ssize_t min_perf_pct_store(struct kobject *k, struct kobj_attribute *a, const char *buffer,
				  size_t size)
{
	unsigned int value;

	if (kstrtouint(buffer, 10, &value))
		return -EINVAL;
	min_pct = clamp(value, lab.min_khz * 100 / lab.max_khz, max_pct);
	return size;
}

/* Plain switches, of which nothing follows in the model. */
static ssize_t set_switch(bool *state, const char *buffer, size_t size)
{
	unsigned int value;

	if (kstrtouint(buffer, 10, &value))
		return -EINVAL;
	*state = value != 0;
	return size;
}

static ssize_t hwp_dynamic_boost_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%d\n", dynamic_boost);
}

static ssize_t hwp_dynamic_boost_store(struct kobject *k, struct kobj_attribute *a,
				       const char *buffer, size_t size)
{
	return set_switch(&dynamic_boost, buffer, size);
}

static ssize_t energy_efficiency_show(struct kobject *k, struct kobj_attribute *a, char *buffer)
{
	return sysfs_emit(buffer, "%d\n", energy_efficiency);
}

static ssize_t energy_efficiency_store(struct kobject *k, struct kobj_attribute *a,
				       const char *buffer, size_t size)
{
	return set_switch(&energy_efficiency, buffer, size);
}

static struct kobj_attribute status = __ATTR_RW(status), turbo = __ATTR_RW(no_turbo),
			     most = __ATTR_RW(max_perf_pct), least = __ATTR_RW(min_perf_pct),
			     boost = __ATTR_RW(hwp_dynamic_boost),
			     efficiency = __ATTR_RW(energy_efficiency);
static struct attribute *intel_files[] = { &status.attr, &turbo.attr,	   &most.attr,
					   &least.attr,	 &efficiency.attr, NULL };
/* hwp_dynamic_boost is there in active mode only. */
static int show_dynamic_boost(bool wanted)
{
	int err = 0;

	if (like_amd())
		return 0;
	if (wanted)
		err = sysfs_create_file(folder, &boost.attr);
	else
		sysfs_remove_file(folder, &boost.attr);
	return err;
}

static struct attribute *amd_files[] = { &status.attr, NULL };
static const struct attribute_group intel_group = { .attrs = intel_files };
static const struct attribute_group amd_group = { .attrs = amd_files };

int lab_active_init(void)
{
	int err = -ENOMEM;

	min_pct = lab.min_khz * 100 / lab.max_khz;
	folder = kobject_create_and_add(like_amd() ? "amd_pstate" : "intel_pstate",
					lab_cpu_folder());
	if (folder)
		err = sysfs_create_group(folder, like_amd() ? &amd_group : &intel_group);
	if (!err)
		err = show_dynamic_boost(true);
	if (err)
		pr_warn("govlab: no folder of driver switches: %d\n", err);
	return err;
}

void lab_active_exit(void)
{
	kobject_put(folder);
	folder = NULL;
}
