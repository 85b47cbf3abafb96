/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bench for collectors: a fake root in a fresh folder, a clock that the test sets, and a perf
 * backend whose counters are a table. Everything is static inline; one bench a test.
 */
#ifndef PW_TEST_COLLECTOR_RIG_H
#define PW_TEST_COLLECTOR_RIG_H

#include "collector_rig_base.h"
#include "collector_rig_perf.h"

static inline void rig_init(struct rig *rig, const struct pw_collector *collector)
{
	static const unsigned cpus[] = { 0, 1 };

	*rig = (struct rig){ .collector = collector, .section = pw_value_object() };
	(void)snprintf(rig->dir, sizeof(rig->dir), "/tmp/perfwatt-rig-XXXXXX");
	assert_non_null(mkdtemp(rig->dir));
	assert_int_equal(pw_root_open(rig->dir, &rig->root, &rig->err), 0);
	rig->perf = (struct pw_perf){ .ops = &rig_perf_ops, .root = &rig->root, .context = rig };
	rig->collect = (struct pw_collect){
		.root = &rig->root,
		.perf = &rig->perf,
		.scope = "package",
		.cpus = cpus,
		.cpu_count = 2,
		.clock = rig_clock,
	};
	rig_tick_ns = 0;
	rig_at(0);
}

static inline void rig_close(struct rig *rig)
{
	if (rig->state)
		rig->collector->close(rig->state);
	rig->state = NULL;
	assert_int_equal(rig->open_now, 0);
}

static inline void rig_done(struct rig *rig)
{
	rig_close(rig);
	pw_value_done(&rig->section);
	pw_strv_done(&rig->warnings);
	pw_root_close(&rig->root);
	assert_int_equal(pw_remove_tree(rig->dir, &rig->err), 0);
}

static inline void rig_open(struct rig *rig)
{
	int r = rig->collector->probe(&rig->collect, &rig->err);

	if (r < 0)
		print_error("probe: %s\n", rig->err.text);
	assert_int_equal(r, 0);
	assert_int_equal(rig->collector->open(&rig->collect, &rig->state, &rig->err), 0);
}

static inline int rig_begin(struct rig *rig)
{
	return rig->collector->begin(rig->state, rig_now_ns, &rig->err);
}

static inline int rig_sample(struct rig *rig, double *column)
{
	return rig->collector->sample(rig->state, rig_now_ns, column, &rig->err);
}

static inline int rig_end(struct rig *rig)
{
	return rig->collector->end(rig->state, rig_now_ns, &rig->err);
}

static inline int rig_report(struct rig *rig)
{
	pw_value_done(&rig->section);
	rig->section = pw_value_object();
	pw_strv_done(&rig->warnings);
	rig->warnings = PW_STRV_INIT;
	return rig->collector->report(rig->state, &rig->section, &rig->warnings, &rig->err);
}

/* The section must be unavailable, for a reason that holds this text. */
static inline void rig_unavailable(struct rig *rig, const char *why)
{
	assert_true(rig_report(rig) < 0);
	if (!strstr(rig->err.text, why))
		print_error("said: %s\n", rig->err.text);
	assert_non_null(strstr(rig->err.text, why));
	assert_int_equal(rig->section.count, 0);
}

static inline int64_t rig_total(struct rig *rig)
{
	return pw_value_get_int(&rig->section, "total_uj", -1);
}

static inline int64_t rig_domain(struct rig *rig, const char *name)
{
	return pw_value_get_int(pw_value_get(&rig->section, "domains"), name, -1);
}

/* The names counted, joined by blanks, must be these. */
static inline void rig_counted(struct rig *rig, const char *names)
{
	pw_auto_strv struct pw_strv list = PW_STRV_INIT;
	pw_auto_free char *joined = NULL;

	pw_value_get_strv(&rig->section, "counted", &list);
	joined = pw_strv_join(&list, " ");
	assert_string_equal(joined, names);
}

#endif
