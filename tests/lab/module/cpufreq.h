/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two kinds of frequency driver share. */
#ifndef GOVLAB_CPUFREQ_H
#define GOVLAB_CPUFREQ_H

#include <linux/cpufreq.h>

/* active.c: a driver that chooses frequencies itself, and the folder of its switches. */
extern struct cpufreq_driver lab_active_driver;
int lab_active_init(void);
void lab_active_exit(void);
/* Does `driver` ask for one; and is it in the manner of AMD's. */
bool lab_active_wanted(void);

/* cpufreq.c */
void lab_policy_cpus(struct cpufreq_policy *policy);
unsigned int lab_get_khz(unsigned int cpu);
bool lab_is_active(void);
/* Unregisters the present driver and registers the other one: the kernel makes all policies anew.
 */
int lab_cpufreq_switch(bool active);

#endif
