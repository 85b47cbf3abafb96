/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account of energy says at the end of a run. */
#include <math.h>
#include <string.h>

#include "collectors/common/energy.h"
#include "lib/base/pitfall.h"

/* Counters of one silicon differ by their steps and by when they were read. */
#define PART_SLACK_J 1.0

static int64_t elapsed_ns(const struct pw_energy *energy)
{
	return pw_stamp_middle(&energy->last) - pw_stamp_middle(&energy->first);
}

static double seconds(int64_t ns)
{
	return (double)ns / (double)PW_NS_PER_S;
}

/* A domain that did not move measured nothing: silicon under power always draws some. */
static void drop_still_domains(struct pw_energy *energy)
{
	int64_t time_ns = elapsed_ns(energy);

	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];

		if (domain->failed || domain->counter.total > 0 || pw_pitfall("zero-for-absent"))
			continue;
		domain->still = true;
		if (time_ns > PW_NS_PER_S)
			pw_energy_fail_domain(energy, domain, "reads zero", PW_EUNSUPPORTED);
		else
			pw_energy_fail_domain(energy, domain,
					      "did not move: the window is too short",
					      PW_EUNSUPPORTED);
	}
}

/* Joules of all domains of a kind, of one package or (-1) of all; mirrors count once. */
static double sum_j(const struct pw_energy *energy, enum pw_energy_kind kind, int package)
{
	double joules = 0.0;

	for (size_t i = 0; i < energy->count; i++) {
		const struct pw_energy_domain *domain = &energy->domains[i];

		if (domain->kind == kind && !domain->failed &&
		    (package < 0 || domain->package == package) &&
		    (domain->twin < 0 || domain->diverged))
			joules += pw_energy_grown_j(domain);
	}
	return joules;
}

/* A part is no more than its whole, as far as both are known. */
static bool exceeds(const struct pw_energy *energy, double part_j, double whole_j)
{
	double slack_j = part_j / seconds(elapsed_ns(energy)) * seconds(pw_energy_edges_ns(energy));

	return part_j > whole_j + 2 * slack_j + PART_SLACK_J && whole_j > 0.0;
}

/* Physical order: what stands beside the total and contradicts it measures something else. */
static void drop_contradictions(struct pw_energy *energy)
{
	double packages_j = sum_j(energy, PW_ENERGY_PACKAGE, -1);
	double platform_j = sum_j(energy, PW_ENERGY_PSYS, -1);

	if (elapsed_ns(energy) <= 0 || pw_pitfall("order-unchecked"))
		return;
	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];
		bool platform = domain->kind == PW_ENERGY_PSYS;

		if (domain->failed || domain->counted)
			continue;
		if (platform && exceeds(energy, packages_j, platform_j))
			pw_energy_fail_domain(energy, domain,
					      "less than the packages that it contains: on this "
					      "board it is not the platform",
					      PW_EUNSUPPORTED);
		if ((domain->kind == PW_ENERGY_CORES || domain->kind == PW_ENERGY_GPU) &&
		    exceeds(energy, pw_energy_grown_j(domain),
			    sum_j(energy, PW_ENERGY_PACKAGE, domain->package)))
			pw_energy_fail_domain(energy, domain, "more than the package it lies in",
					      PW_EUNSUPPORTED);
	}
}

static double uncertainty_j(const struct pw_energy *energy, double total_j)
{
	double mean_w = total_j / seconds(elapsed_ns(energy));
	double power_w = energy->busiest_w > mean_w ? energy->busiest_w : mean_w;
	double sum_j = power_w * seconds(pw_energy_edges_ns(energy));

	for (size_t i = 0; i < energy->count; i++) {
		const struct pw_energy_domain *domain = &energy->domains[i];

		if (pw_energy_adds_up(domain))
			sum_j += domain->step_j + pw_energy_grown_j(domain) * domain->rounding;
	}
	return sum_j;
}

static void say_of_domain(const struct pw_energy *energy, const struct pw_energy_domain *domain,
			  struct pw_strv *warnings)
{
	if (domain->counted && !domain->failed && !pw_energy_adds_up(domain))
		pw_strv_pushf(warnings, "%s mirrors %s: counted once", domain->name,
			      energy->domains[domain->twin].name);
	/* A domain that reads zero is absent, as the kernel itself treats it at its start. */
	if (domain->failed && (domain->counted || !domain->still))
		pw_strv_pushf(warnings, "%s is unavailable: %s", domain->name, domain->why);
}

static void put_peak(const struct pw_energy *energy, struct pw_value *section)
{
	double watts, over_s;

	if (!pw_peak_get(&energy->peak, &watts, &over_s))
		return;
	pw_value_set(section, "peak_w", pw_value_real(round(watts * 1e3) / 1e3));
	pw_value_set(section, "peak_over_s", pw_value_real(round(over_s * 1e3) / 1e3));
}

int pw_energy_report(struct pw_energy *energy, struct pw_value *section, struct pw_strv *warnings,
		     struct pw_err *err)
{
	struct pw_value counted = pw_value_list(), domains = pw_value_object();
	uint64_t total_uj = 0;

	if (energy->failure.code == PW_OK && elapsed_ns(energy) <= 0)
		(void)pw_fail(&energy->failure, PW_EUNSUPPORTED, "energy: the window is empty");
	drop_still_domains(energy);
	drop_contradictions(energy);
	for (size_t i = 0; i < energy->count; i++) {
		const struct pw_energy_domain *domain = &energy->domains[i];
		uint64_t uj = pw_energy_uj(domain->counter.total, domain->joules);

		say_of_domain(energy, domain, warnings);
		if (domain->failed)
			continue;
		pw_value_set(&domains, domain->name, pw_value_int((int64_t)uj));
		if (!pw_energy_adds_up(domain))
			continue;
		total_uj += uj;
		pw_value_push(&counted, pw_value_text(domain->name));
	}
	if (energy->failure.code != PW_OK) {
		pw_value_done(&counted);
		pw_value_done(&domains);
		*err = energy->failure;
		return -(int)err->code;
	}
	pw_value_set(section, "source", pw_value_text(energy->source));
	pw_value_set(section, "scope", pw_value_text(energy->scope));
	pw_value_set(section, "counted", counted);
	pw_value_set(section, "total_uj", pw_value_int((int64_t)total_uj));
	pw_value_set(
		section, "uncertainty_uj",
		pw_value_int((int64_t)ceil(uncertainty_j(energy, (double)total_uj * 1e-6) * 1e6)));
	put_peak(energy, section);
	pw_value_set(section, "domains", domains);
	return 0;
}
