/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/common/vendor.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"

/* Update period of the counters: see the header. */
#define UPDATE_NS PW_NS_PER_MS
/* Shorter means of power say more of the update period than of the power. */
#define BUSIEST_NS (100 * PW_NS_PER_MS)
/*
 * Mirrored zones are read one after the other: between two reads of one counter up to 329 mJ were
 * recorded (mlco2/codecarbon#1274 and its kin). Growth that differs by less is equal.
 */
#define TWIN_TOLERANCE_J 1.0
/* The two clocks are read one after the other. */
#define SLEEP_NS (100 * PW_NS_PER_MS)

int pw_energy_check_scope(const char *scope, struct pw_err *err)
{
	if (!scope || strcmp(scope, "package") == 0 || strcmp(scope, "package+dram") == 0)
		return 0;
	if (strcmp(scope, "platform") == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "energy scope 'platform': psys has not been shown plausible on this "
			      "machine (calibrate)");
		return pw_err_hint(err, "use energy.scope \"package\" or \"package+dram\"");
	}
	return pw_fail(err, PW_EUNSUPPORTED, "energy scope '%.64s' is not served by RAPL counters",
		       scope);
}

bool pw_energy_counts(const char *scope, enum pw_energy_kind kind)
{
	if (pw_pitfall("sum-all"))
		return true;
	return kind == PW_ENERGY_PACKAGE || kind == PW_ENERGY_ZONE ||
	       (kind == PW_ENERGY_DRAM && scope && strcmp(scope, "package+dram") == 0);
}

const char *pw_energy_prefix(enum pw_energy_kind kind)
{
	switch (kind) {
	case PW_ENERGY_PACKAGE:
		return "package";
	case PW_ENERGY_DRAM:
		return "dram";
	case PW_ENERGY_PSYS:
		return "psys";
	case PW_ENERGY_CORES:
		return "cores";
	case PW_ENERGY_GPU:
		return "gpu";
	case PW_ENERGY_ZONE:
		return "zone";
	case PW_ENERGY_UNSET:
		break;
	}
	return "unknown";
}

void pw_energy_init(struct pw_energy *energy, const char *source, const struct pw_collect *collect)
{
	*energy = (struct pw_energy){
		.source = source,
		.scope = collect->scope ? collect->scope : "package",
		.clock = pw_stamp_clock(collect),
		.boottime = collect->boottime ? collect->boottime
			    : collect->clock  ? NULL
					      : pw_clock_boottime,
	};
}

void pw_energy_done(struct pw_energy *energy)
{
	free(energy->domains);
	free(energy->left);
	pw_strv_done(&energy->notes);
	energy->domains = NULL;
	energy->left = NULL;
	energy->count = energy->capacity = 0;
	energy->left_count = energy->left_capacity = 0;
}

struct pw_energy_domain *pw_energy_add(struct pw_energy *energy, enum pw_energy_kind kind,
				       int package, const char *suffix)
{
	struct pw_energy_domain domain = {
		.kind = kind,
		.package = package,
		.within = -1,
		.twin = -1,
		.counted = pw_energy_counts(energy->scope, kind),
	};

	(void)snprintf(domain.name, sizeof(domain.name), "%s%.40s", pw_energy_prefix(kind), suffix);
	PW_PUSH(energy->domains, energy->count, energy->capacity, domain);
	return &energy->domains[energy->count - 1];
}

void pw_energy_leave_out(struct pw_energy *energy, const char *name, enum pw_energy_kind kind,
			 const char *why)
{
	struct pw_energy_left left = { .kind = kind };

	(void)snprintf(left.name, sizeof(left.name), "%.63s", name);
	(void)snprintf(left.why, sizeof(left.why), "%.159s", why);
	PW_PUSH(energy->left, energy->left_count, energy->left_capacity, left);
}

const struct pw_energy_domain *pw_energy_find(const struct pw_energy *energy, const char *name)
{
	for (size_t i = 0; i < energy->count; i++) {
		if (strcmp(energy->domains[i].name, name) == 0)
			return &energy->domains[i];
	}
	return NULL;
}

void pw_energy_link_twins(struct pw_energy *energy, const struct pw_root *root)
{
	if (pw_vendor(root) == PW_VENDOR_INTEL || pw_pitfall("mirrors-summed"))
		return;
	for (size_t i = 1; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];

		if (domain->kind != PW_ENERGY_PACKAGE || domain->package < 0)
			continue;
		for (size_t k = 0; k < i && domain->twin < 0; k++) {
			if (energy->domains[k].kind == PW_ENERGY_PACKAGE &&
			    energy->domains[k].package == domain->package)
				domain->twin = (int)k;
		}
	}
}

uint64_t pw_energy_uj(uint64_t units, double joules_per_unit)
{
	int exponent;

	/* powercap: a unit is a microjoule. */
	if (fabs(joules_per_unit - 1e-6) < 1e-18)
		return units;
	/* perf: 2^-32 J. A product of 64 and 20 bits fits. */
	if (fabs(frexp(joules_per_unit, &exponent) - 0.5) < 1e-18 && exponent <= 0 &&
	    exponent > -63) {
		unsigned shift = (unsigned)(1 - exponent);
		unsigned __int128 product = (unsigned __int128)units * 1000000U;

		return (uint64_t)((product + (UINT64_C(1) << (shift - 1))) >> shift);
	}
	return (uint64_t)llround((double)units * joules_per_unit * 1e6);
}

double pw_energy_grown_j(const struct pw_energy_domain *domain)
{
	return (double)domain->counter.total * domain->joules;
}

void pw_energy_fail_domain(struct pw_energy *energy, struct pw_energy_domain *domain,
			   const char *why, enum pw_code code)
{
	domain->failed = true;
	(void)snprintf(domain->why, sizeof(domain->why), "%.159s", why);
	if (domain->counted && energy->failure.code == PW_OK)
		(void)pw_fail(&energy->failure, code, "energy of %s: %s", domain->name,
			      domain->why);
}

bool pw_energy_adds_up(const struct pw_energy_domain *domain)
{
	return domain->counted && (domain->twin < 0 || domain->diverged);
}

static int64_t elapsed_ns(const struct pw_energy *energy)
{
	return pw_stamp_middle(&energy->last) - pw_stamp_middle(&energy->first);
}

static double seconds(int64_t ns)
{
	return (double)ns / (double)PW_NS_PER_S;
}

int64_t pw_energy_edges_ns(const struct pw_energy *energy)
{
	return 2 * UPDATE_NS + pw_stamp_width(&energy->first) + pw_stamp_width(&energy->last);
}

static void compare_twins(struct pw_energy *energy)
{
	double time_s = seconds(elapsed_ns(energy));

	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];
		const struct pw_energy_domain *twin;
		double tolerance_j = TWIN_TOLERANCE_J;

		if (domain->twin < 0 || domain->diverged)
			continue;
		twin = &energy->domains[domain->twin];
		if (time_s > 0.0)
			tolerance_j += pw_energy_grown_j(twin) / time_s *
				       seconds(pw_energy_edges_ns(energy));
		domain->diverged =
			domain->failed || twin->failed ||
			fabs(pw_energy_grown_j(domain) - pw_energy_grown_j(twin)) > tolerance_j;
	}
}

static void read_domains(struct pw_energy *energy, bool counted)
{
	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];
		struct pw_err err = PW_ERR_INIT;

		if (!domain->failed && domain->counted == counted &&
		    energy->read(energy->context, i, &domain->value, &err) < 0)
			pw_energy_fail_domain(energy, domain, err.text, err.code);
	}
}

/* One pass over all domains: between two stamps what counts, after them what stands beside. */
static void read_all(struct pw_energy *energy, struct pw_stamp *stamp)
{
	stamp->before_ns = energy->clock();
	read_domains(energy, true);
	stamp->after_ns = energy->clock();
	read_domains(energy, false);
}

/* How long the machine has been suspended since it started. */
static int64_t asleep_ns(const struct pw_energy *energy)
{
	if (!energy->boottime || pw_pitfall("suspend-counted"))
		return 0;
	return energy->boottime() - energy->clock();
}

/* Over a suspend counters stop, start anew, or wrap unseen, and the window has no one length. */
static void look_for_suspend(struct pw_energy *energy)
{
	int64_t slept_ns = asleep_ns(energy) - energy->asleep_ns;

	if (energy->failure.code == PW_OK && slept_ns > SLEEP_NS)
		(void)pw_fail(&energy->failure, PW_EUNSUPPORTED,
			      "energy: the machine was suspended for %.1f s in the window",
			      seconds(slept_ns));
}

static void update_domain(struct pw_energy *energy, struct pw_energy_domain *domain, int64_t now_ns)
{
	enum pw_counter_fault fault;

	if (domain->failed)
		return;
	fault = pw_counter_update(&domain->counter, domain->value, now_ns);
	if (fault == PW_COUNTER_NO_RANGE && domain->fall)
		pw_energy_fail_domain(energy, domain, domain->fall, PW_EIO);
	else if (fault != PW_COUNTER_OK)
		pw_energy_fail_domain(energy, domain, pw_counter_fault_text(fault), PW_EIO);
}

/* The failure, if it came in this call. */
static int since_call(const struct pw_energy *energy, bool had_failed, struct pw_err *err)
{
	if (energy->failure.code == PW_OK || had_failed)
		return 0;
	*err = energy->failure;
	return -(int)err->code;
}

int pw_energy_begin(struct pw_energy *energy, struct pw_err *err)
{
	pw_err_clear(&energy->failure);
	energy->running = true;
	energy->busiest_w = energy->joules = 0.0;
	energy->asleep_ns = asleep_ns(energy);
	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];

		domain->failed = domain->still = domain->diverged = false;
		domain->why[0] = '\0';
		domain->since = 0;
	}
	read_all(energy, &energy->first);
	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];

		pw_counter_start(&domain->counter, domain->value, pw_stamp_middle(&energy->first));
	}
	energy->last = energy->sampled = energy->first;
	pw_peak_begin(&energy->peak, pw_stamp_middle(&energy->first));
	return since_call(energy, false, err);
}

/* Mean power of what counts since the last sample, which this one then is. */
static double power_since(struct pw_energy *energy)
{
	int64_t dt_ns = pw_stamp_middle(&energy->last) - pw_stamp_middle(&energy->sampled);
	double joules = 0.0, power_w;

	for (size_t i = 0; i < energy->count; i++) {
		struct pw_energy_domain *domain = &energy->domains[i];

		if (pw_energy_adds_up(domain))
			joules += (double)(domain->counter.total - domain->since) * domain->joules;
		domain->since = domain->counter.total;
	}
	energy->sampled = energy->last;
	energy->joules += joules;
	if (dt_ns <= 0)
		return NAN;
	power_w = joules / seconds(dt_ns);
	if (dt_ns >= BUSIEST_NS && power_w > energy->busiest_w)
		energy->busiest_w = power_w;
	return power_w;
}

static int advance(struct pw_energy *energy, bool last, double *power_w, struct pw_err *err)
{
	bool had_failed = energy->failure.code != PW_OK;
	double value;

	if (!energy->running)
		return pw_fail(err, PW_EINVAL, "energy is read outside of a run");
	read_all(energy, &energy->last);
	for (size_t i = 0; i < energy->count; i++)
		update_domain(energy, &energy->domains[i], pw_stamp_middle(&energy->last));
	compare_twins(energy);
	look_for_suspend(energy);
	value = power_since(energy);
	pw_peak_add(&energy->peak, pw_stamp_middle(&energy->last), energy->joules, last);
	*power_w = energy->failure.code == PW_OK ? value : NAN;
	return since_call(energy, had_failed, err);
}

int pw_energy_sample(struct pw_energy *energy, double *power_w, struct pw_err *err)
{
	return advance(energy, false, power_w, err);
}

int pw_energy_end(struct pw_energy *energy, struct pw_err *err)
{
	double ignored;
	int r = advance(energy, true, &ignored, err);

	energy->running = false;
	return r;
}

int64_t pw_energy_max_period_ns(const struct pw_energy *energy)
{
	int64_t shortest = 0;

	for (size_t i = 0; i < energy->count; i++) {
		int64_t period = pw_counter_max_period_ns(&energy->domains[i].counter);

		if (period > 0 && (shortest == 0 || period < shortest))
			shortest = period;
	}
	return shortest;
}
