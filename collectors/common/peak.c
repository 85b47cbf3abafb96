/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/peak.h"

#include <string.h>

#include "lib/base/clock.h"

#define WINDOW_NS PW_NS_PER_S

void pw_peak_begin(struct pw_peak *peak, int64_t now_ns)
{
	*peak = (struct pw_peak){ .count = 1, .points = { { .at_ns = now_ns } } };
}

static double between(const struct pw_peak_point *from, const struct pw_peak_point *to,
		      int64_t at_ns)
{
	double share = (double)(at_ns - from->at_ns) / (double)(to->at_ns - from->at_ns);

	return from->joules + share * (to->joules - from->joules);
}

/* Joules at a moment between the first and the last point. */
static double joules_at(const struct pw_peak *peak, int64_t at_ns)
{
	size_t next = 1;

	while (next + 1 < peak->count && peak->points[next].at_ns < at_ns)
		next++;
	return between(&peak->points[next - 1], &peak->points[next], at_ns);
}

static void take(struct pw_peak *peak, double joules)
{
	if (joules > peak->second_w)
		peak->second_w = joules; /* over 1 s */
}

/* The window that ends at the newest read, and those that begin at a read and end since the last.
 */
static void look_at_windows(struct pw_peak *peak)
{
	const struct pw_peak_point *newest = &peak->points[peak->count - 1];
	int64_t start_ns = newest->at_ns - WINDOW_NS;

	if (start_ns >= peak->points[0].at_ns)
		take(peak, newest->joules - joules_at(peak, start_ns));
	for (size_t i = 0; i + 1 < peak->count; i++) {
		int64_t end_ns = peak->points[i].at_ns + WINDOW_NS;

		if (end_ns > newest->at_ns)
			break;
		if (end_ns > newest[-1].at_ns)
			take(peak, joules_at(peak, end_ns) - peak->points[i].joules);
	}
}

static void look_at_intervals(struct pw_peak *peak)
{
	const struct pw_peak_point *newest = &peak->points[peak->count - 1];

	for (size_t i = peak->count - 1; i > 0; i--) {
		int64_t length_ns = newest->at_ns - peak->points[i - 1].at_ns;
		double watts = (newest->joules - peak->points[i - 1].joules) /
			       ((double)length_ns / (double)PW_NS_PER_S);

		if (length_ns >= WINDOW_NS && watts > peak->interval_w) {
			peak->interval_w = watts;
			peak->interval_ns = length_ns;
		}
	}
}

/* All but the last second and the read before it. */
static void forget(struct pw_peak *peak)
{
	int64_t oldest_ns = peak->points[peak->count - 1].at_ns - WINDOW_NS;
	size_t gone = 0;

	while (gone + 2 < peak->count && peak->points[gone + 1].at_ns <= oldest_ns)
		gone++;
	peak->count -= gone;
	memmove(peak->points, peak->points + gone, peak->count * sizeof(peak->points[0]));
}

void pw_peak_add(struct pw_peak *peak, int64_t now_ns, double joules, bool last)
{
	int64_t step_ns = now_ns - peak->points[peak->count - 1].at_ns;

	if (step_ns <= 0 || (step_ns < PW_PEAK_STEP_NS && !last) || peak->count == PW_PEAK_ROOM)
		return;
	if (step_ns > peak->longest_ns)
		peak->longest_ns = step_ns;
	peak->points[peak->count++] = (struct pw_peak_point){ .at_ns = now_ns, .joules = joules };
	look_at_windows(peak);
	look_at_intervals(peak);
	forget(peak);
}

bool pw_peak_get(const struct pw_peak *peak, double *ret_w, double *ret_over_s)
{
	bool fine = peak->longest_ns <= PW_PEAK_GAP_NS;

	if (!(peak->second_w > 0.0) || !(peak->interval_w > 0.0))
		return false;
	*ret_w = fine ? peak->second_w : peak->interval_w;
	*ret_over_s = fine ? 1.0 : (double)peak->interval_ns / (double)PW_NS_PER_S;
	return true;
}
