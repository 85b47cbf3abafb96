/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/counter.h"

#include "lib/base/clock.h"
#include "lib/base/pitfall.h"

void pw_counter_start(struct pw_counter *counter, uint64_t value, int64_t now_ns)
{
	counter->started = true;
	counter->last = value;
	counter->last_ns = now_ns;
	counter->total = 0;
	counter->wraps = 0;
	counter->fault = PW_COUNTER_OK;
}

/* The number of different values, 0 if that is unknown or 2^64. */
static uint64_t modulus(const struct pw_counter *counter)
{
	uint64_t sum;

	if (counter->range == 0 || __builtin_add_overflow(counter->range, counter->step, &sum))
		return 0;
	return sum;
}

/* More than the hardware can do in this time. */
static bool beyond(const struct pw_counter *counter, double amount, int64_t dt_ns)
{
	int64_t time_ns = (dt_ns > 0 ? dt_ns : 0) + PW_COUNTER_SLACK_NS;

	return counter->max_per_s > 0.0 && !pw_pitfall("glitch-as-wrap") &&
	       amount > counter->max_per_s * ((double)time_ns / (double)PW_NS_PER_S);
}

/* Could as well be `more` units higher: then nobody knows what was lost between the readings. */
static bool ambiguous(const struct pw_counter *counter, uint64_t delta, uint64_t more,
		      int64_t dt_ns)
{
	return more > 0 && counter->max_per_s > 0.0 && !pw_pitfall("gap-accepted") &&
	       !beyond(counter, (double)delta + (double)more, dt_ns - PW_COUNTER_SLACK_NS);
}

static enum pw_counter_fault delta_of(struct pw_counter *counter, uint64_t value, uint64_t *ret)
{
	uint64_t all = modulus(counter);

	if (value >= counter->last) {
		*ret = value - counter->last;
		return PW_COUNTER_OK;
	}
	if (counter->range == 0)
		return PW_COUNTER_NO_RANGE;
	if (pw_pitfall("negative-at-wrap")) {
		*ret = value - counter->last;
		return PW_COUNTER_OK;
	}
	/* A value outside of its own range: the range is not what it claims to be. */
	if (all && counter->last >= all)
		return PW_COUNTER_IMPLAUSIBLE;
	/* all == 0 here means 2^64, which unsigned arithmetic does by itself. */
	*ret = all ? value + (all - counter->last) : value - counter->last;
	counter->wraps++;
	return PW_COUNTER_OK;
}

enum pw_counter_fault pw_counter_update(struct pw_counter *counter, uint64_t value, int64_t now_ns)
{
	int64_t dt_ns = now_ns - counter->last_ns;
	uint64_t delta = 0;

	if (counter->fault != PW_COUNTER_OK)
		return counter->fault;
	counter->fault = delta_of(counter, value, &delta);
	if (counter->fault != PW_COUNTER_OK)
		return counter->fault;
	if (beyond(counter, (double)delta, dt_ns))
		counter->fault = PW_COUNTER_IMPLAUSIBLE;
	else if (ambiguous(counter, delta, modulus(counter), dt_ns) ||
		 ambiguous(counter, delta, counter->alias, dt_ns))
		counter->fault = PW_COUNTER_GAP;
	if (counter->fault != PW_COUNTER_OK)
		return counter->fault;
	counter->last = value;
	counter->last_ns = now_ns;
	counter->total += delta;
	return PW_COUNTER_OK;
}

int64_t pw_counter_max_period_ns(const struct pw_counter *counter)
{
	uint64_t all = modulus(counter);
	double seconds;

	if (counter->alias && (all == 0 || counter->alias < all))
		all = counter->alias;
	if (all == 0 || !(counter->max_per_s > 0.0))
		return 0;
	seconds = (double)all / counter->max_per_s / 2.0;
	if (seconds >= (double)INT64_MAX / (double)PW_NS_PER_S)
		return INT64_MAX;
	return (int64_t)(seconds * (double)PW_NS_PER_S);
}

const char *pw_counter_fault_text(enum pw_counter_fault fault)
{
	switch (fault) {
	case PW_COUNTER_OK:
		return "fine";
	case PW_COUNTER_NO_RANGE:
		return "fell, and its range is unknown";
	case PW_COUNTER_IMPLAUSIBLE:
		return "moved by more than the hardware can do (glitch or reset)";
	case PW_COUNTER_GAP:
		return "was read so rarely that a wrap may be lost";
	}
	return "is in an unknown state";
}
