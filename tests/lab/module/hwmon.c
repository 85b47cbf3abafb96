// SPDX-License-Identifier: GPL-2.0-or-later
/* Two chips: one counts energy by core and socket, one shows power and a temperature. */
#include <linux/cpu.h>
#include <linux/hwmon.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "govlab.h"

#define AVERAGE_MS 100
#define LABELS	   64

static struct device *energy_device, *meter_device;
static u32 channels[LABELS + 1];
static char labels[LABELS][12];
static int cpu_channels;
static u64 meter_nj, meter_ns;
static long meter_uw;

static umode_t visible(const void *data, enum hwmon_sensor_types type, u32 attribute, int channel)
{
	return 0444;
}

static int energy_read(struct device *device, enum hwmon_sensor_types type, u32 attribute,
		       int channel, long *value)
{
	if (lab_fault.hwmon_errno)
		return -(int)lab_fault.hwmon_errno;
	lab_update();
	*value =
		div_u64(channel < cpu_channels ? lab_core_nj(channel)
					       : lab_energy_nj(channel - cpu_channels, LAB_PACKAGE),
			1000);
	return 0;
}

static int energy_label(struct device *device, enum hwmon_sensor_types type, u32 attribute,
			int channel, const char **text)
{
	*text = labels[channel];
	return 0;
}

/* The mean power since the last look, if that is AVERAGE_MS or longer ago. */
static long average_uw(void)
{
	u64 now, nj = 0;

	lab_update();
	now = lab_now_ns();
	for (int i = 0; i < lab_package_count; i++)
		nj += lab_energy_nj(i, LAB_PACKAGE) + lab_energy_nj(i, LAB_DRAM);
	if (now - meter_ns >= AVERAGE_MS * (u64)NSEC_PER_MSEC) {
		meter_uw = mul_u64_u64_div_u64(nj - meter_nj, 1000000, now - meter_ns);
		meter_nj = nj;
		meter_ns = now;
	}
	return meter_uw;
}

static int meter_read(struct device *device, enum hwmon_sensor_types type, u32 attribute,
		      int channel, long *value)
{
	if (lab_fault.hwmon_errno)
		return -(int)lab_fault.hwmon_errno;
	if (type == hwmon_temp)
		*value = attribute == hwmon_temp_crit ? 100000 : 35000 + meter_uw / 2000;
	else if (attribute == hwmon_power_average_interval)
		*value = AVERAGE_MS;
	else
		*value = average_uw();
	return 0;
}

static int meter_label(struct device *device, enum hwmon_sensor_types type, u32 attribute,
		       int channel, const char **text)
{
	*text = type == hwmon_temp ? "Package" : "System";
	return 0;
}

static const struct hwmon_channel_info energy_info = { .type = hwmon_energy, .config = channels };
static const struct hwmon_channel_info *energy_infos[] = { &energy_info, NULL };
static const struct hwmon_channel_info *meter_infos[] = {
	HWMON_CHANNEL_INFO(power, HWMON_P_AVERAGE | HWMON_P_AVERAGE_INTERVAL | HWMON_P_LABEL),
	HWMON_CHANNEL_INFO(temp, HWMON_T_INPUT | HWMON_T_CRIT | HWMON_T_LABEL), NULL
};
static const struct hwmon_ops energy_ops = { .is_visible = visible,
					     .read = energy_read,
					     .read_string = energy_label };
static const struct hwmon_ops meter_ops = { .is_visible = visible,
					    .read = meter_read,
					    .read_string = meter_label };
static const struct hwmon_chip_info energy_chip = { .ops = &energy_ops, .info = energy_infos };
static const struct hwmon_chip_info meter_chip = { .ops = &meter_ops, .info = meter_infos };

int lab_hwmon_init(struct device *parent)
{
	int count;

	cpu_channels = min_t(int, num_online_cpus(), LABELS - LAB_PACKAGES);
	count = cpu_channels + lab_package_count;
	for (int i = 0; i < count; i++) {
		channels[i] = HWMON_E_INPUT | HWMON_E_LABEL;
		if (i < cpu_channels)
			snprintf(labels[i], sizeof(labels[i]), "Ecore%03d", i);
		else
			snprintf(labels[i], sizeof(labels[i]), "Esocket%d", i - cpu_channels);
	}
	energy_device =
		hwmon_device_register_with_info(parent, lab.hwmon_name, NULL, &energy_chip, NULL);
	meter_ns = lab_now_ns();
	meter_device =
		hwmon_device_register_with_info(parent, "power_meter", NULL, &meter_chip, NULL);
	return PTR_ERR_OR_ZERO(energy_device);
}

void lab_hwmon_exit(void)
{
	if (!IS_ERR_OR_NULL(energy_device))
		hwmon_device_unregister(energy_device);
	if (!IS_ERR_OR_NULL(meter_device))
		hwmon_device_unregister(meter_device);
}
