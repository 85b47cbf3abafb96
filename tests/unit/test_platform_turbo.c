/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/turbo.h"

#include "fake_root.h"

#include "lib/platform/sysinfo.h"

/* The chart of a Cascade Lake server as it was published in 2020, and words that give it. */
#define PUBLISHED_INFO	 UINT64_C(0x00000A0000001800)
#define PUBLISHED_RATIOS UINT64_C(0x001F212424242527)
#define PUBLISHED_SIZES	 UINT64_C(0x001814100C080402)
#define PUBLISHED_ROWS                                                                             \
	"EFFIC 1000 BASE 2400 24C 3100 20C 3300 16C 3600 12C 3600 8C 3600 4C 3700 2C 3900"

static char *text_of(const struct pw_turbo *turbo)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	for (size_t i = 0; i < turbo->count; i++) {
		const struct pw_turbo_row *row = &turbo->rows[i];

		pw_strbuf_printf(&text, "%s%s %u", i ? " " : "", row->name, row->mhz);
		if (row->highest_mhz)
			pw_strbuf_printf(&text, "-%u", row->highest_mhz);
	}
	return pw_strbuf_take(&text);
}

static void expect(int64_t model, const struct pw_turbo_words *words, const char *rows)
{
	struct pw_turbo turbo = { .count = 0 };
	pw_auto_free char *text = NULL;

	assert_true(pw_turbo_decode(pw_turbo_kind(6, model), words, &turbo));
	text = text_of(&turbo);
	assert_string_equal(text, rows);
}

static void published_chart(void **state)
{
	static const unsigned char models[] = { 0x55, 0x6a, 0x6c, 0x8f, 0xcf, 0x5c, 0x5f, 0x86 };
	const struct pw_turbo_words words = { .info = PUBLISHED_INFO,
					      .limit = { PUBLISHED_RATIOS, PUBLISHED_SIZES } };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(models); i++)
		expect(models[i], &words, PUBLISHED_ROWS);
}

static void one_byte_a_core(void **state)
{
	const struct pw_turbo_words client = { .info = UINT64_C(0x0000080000002200),
					       .limit = { UINT64_C(0x25262728) } };
	const struct pw_turbo_words nehalem = { .info = UINT64_C(0x00000C0000001400),
						.limit = { UINT64_C(0x15151617) } };

	(void)state;
	expect(0x2a, &client, "EFFIC 800 BASE 3400 4C 3700 3C 3800 2C 3900 1C 4000");
	expect(0x9e, &client, "EFFIC 800 BASE 3400 4C 3700 3C 3800 2C 3900 1C 4000");
	/* 133.33 MHz a step: 12, 20, 21, 22, 23 steps */
	expect(0x1a, &nehalem, "EFFIC 1600 BASE 2667 4C 2800 3C 2800 2C 2933 1C 3067");
	expect(0x2c, &nehalem, "EFFIC 1600 BASE 2667 4C 2800 3C 2800 2C 2933 1C 3067");
	expect(0x2e, &nehalem, "EFFIC 1600 BASE 2667"); /* EX: the register is no table */
	expect(0x2f, &nehalem, "EFFIC 1600 BASE 2667");
}

static void more_than_eight_cores(void **state)
{
	struct pw_turbo_words words = { .info = UINT64_C(0x00000C0000001700),
					.limit = { UINT64_C(0x1C1D1E1F20212223),
						   UINT64_C(0x00000000001B1B1B),
						   UINT64_C(0x1A1A) } };

	(void)state;
	expect(0x3e, &words,
	       "EFFIC 1200 BASE 2300 11C 2700 10C 2700 9C 2700 8C 2800 7C 2900 6C 3000 5C 3100 "
	       "4C 3200 3C 3300 2C 3400 1C 3500");
	expect(0x3f, &words,
	       "EFFIC 1200 BASE 2300 18C 2600 17C 2600 11C 2700 10C 2700 9C 2700 8C 2800 7C 2900 "
	       "6C 3000 5C 3100 4C 3200 3C 3300 2C 3400 1C 3500");
	words.limit[1] |= UINT64_C(1) << 63; /* the table is in force: no ratio of 16 cores */
	expect(0x3e, &words,
	       "EFFIC 1200 BASE 2300 11C 2700 10C 2700 9C 2700 8C 2800 7C 2900 6C 3000 5C 3100 "
	       "4C 3200 3C 3300 2C 3400 1C 3500");
	/* elsewhere the second register is not of ratios */
	expect(0x4f, &words,
	       "EFFIC 1200 BASE 2300 8C 2800 7C 2900 6C 3000 5C 3100 4C 3200 3C 3300 2C 3400 "
	       "1C 3500");
}

static void knights_landing(void **state)
{
	/* 2 cores at ratio 17; then 30 more one lower, 31 more no lower, 5 more two lower */
	const uint64_t word = UINT64_C(0x000000451F3E1104);
	const struct pw_turbo_words words = { .info = UINT64_C(0x00000A0000000E00),
					      .limit = { word } };
	const struct pw_turbo_words wild = { .limit = { UINT64_C(0xffffffffffff01ff) } };
	struct pw_turbo turbo = { .count = 0 };

	(void)state;
	expect(0x57, &words, "EFFIC 1000 BASE 1400 68C 1400 63C 1600 2C 1700");
	expect(0x85, &words, "EFFIC 1000 BASE 1400 68C 1400 63C 1600 2C 1700");
	/* more is taken off than there is */
	assert_true(pw_turbo_decode(PW_TURBO_KNL, &wild, &turbo));
	assert_int_equal(turbo.count, 1);
	assert_int_equal(turbo.rows[0].mhz, 100);
}

static void silvermont(void **state)
{
	struct pw_turbo_words words = { .bus = 2, .atom = 0x140C06, .atom_turbo = 0x12121316 };
	struct pw_turbo turbo;

	(void)state;
	expect(0x37, &words, "MIN 800 EFFIC 1600 BASE 2667 4C 2400 3C 2400 2C 2533 1C 2933");
	words.bus = 0;
	expect(0x4c, &words, "MIN 500 EFFIC 1000 BASE 1667 4C 1500 3C 1500 2C 1583 1C 1833");
	words.bus = 4;
	expect(0x37, &words, "MIN 480 EFFIC 960 BASE 1600 4C 1440 3C 1440 2C 1520 1C 1760");
	words.bus = 8;
	expect(0x4c, &words, "MIN 525 EFFIC 1050 BASE 1750 4C 1575 3C 1575 2C 1663 1C 1925");
	words.bus = 9; /* no clock of the table */
	assert_false(pw_turbo_decode(PW_TURBO_SILVERMONT, &words, &turbo));
}

/* The server of the family has the registers of the others, and its own clock. */
static void avoton(void **state)
{
	const struct pw_turbo_words words = { .bus = 1,
					      .info = UINT64_C(0x00000C0000001800),
					      .limit = { UINT64_C(0x1A1A1A1A1A1A1A1A) } };
	struct pw_turbo turbo;

	(void)state;
	expect(0x4d, &words,
	       "EFFIC 1200 BASE 2400 8C 2600 7C 2600 6C 2600 5C 2600 4C 2600 3C 2600 2C 2600 "
	       "1C 2600");
	assert_true(pw_turbo_decode(PW_TURBO_AVOTON, &words, &turbo));
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_AVOTON, 0x4d, &words), 2600);
}

static void what_is_not_known(void **state)
{
	const struct pw_turbo_words words = { .info = PUBLISHED_INFO }, none = { .info = 0 };
	const struct pw_turbo_words virtual = { .info = UINT64_C(0x80000000) };
	struct pw_turbo turbo;

	(void)state;
	assert_int_equal(pw_turbo_kind(15, 0x55), PW_TURBO_UNKNOWN);
	assert_int_equal(pw_turbo_kind(6, 0x17), PW_TURBO_UNKNOWN);
	assert_int_equal(pw_turbo_kind(6, 0x1c), PW_TURBO_UNKNOWN);
	assert_int_equal(pw_turbo_kind(-1, -1), PW_TURBO_UNKNOWN);
	assert_false(pw_turbo_decode(PW_TURBO_UNKNOWN, &words, &turbo));
	assert_false(pw_turbo_decode(PW_TURBO_PLAIN, &none, &turbo));
	assert_false(pw_turbo_decode(PW_TURBO_GROUPS, &virtual, &turbo));
}

static void configurable_tdp(void **state)
{
	struct pw_turbo_words words = { .tdp_nominal = 24,
					.tdp_level = { UINT64_C(20) << 16 | 700,
						       UINT64_C(28) << 16 | 900 },
					.tdp_control = 1,
					.activation = 19 };
	struct pw_turbo_tdp tdp = { .level = 0 };

	(void)state;
	assert_true(pw_turbo_tdp(&words, &tdp));
	assert_int_equal(tdp.level, 1);
	assert_int_equal(tdp.nominal_mhz, 2400);
	assert_int_equal(tdp.level_mhz, 2000);
	assert_int_equal(tdp.activation_mhz, 1900);
	words.tdp_control = 2;
	assert_true(pw_turbo_tdp(&words, &tdp));
	assert_int_equal(tdp.level_mhz, 2800);
	words.tdp_control = 3; /* no such level */
	assert_false(pw_turbo_tdp(&words, &tdp));
	words = (struct pw_turbo_words){ .tdp_control = 1 };
	assert_false(pw_turbo_tdp(&words, &tdp));
}

static void scheduler_figure(void **state)
{
	const struct pw_turbo_words groups = { .limit = { PUBLISHED_RATIOS, PUBLISHED_SIZES } };
	const struct pw_turbo_words four = { .limit = { UINT64_C(0x25262728) } };
	const struct pw_turbo_words two = { .limit = { UINT64_C(0x2728) } };

	(void)state;
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_GROUPS, 0x55, &groups), 3700);
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_GROUPS, 0x5c, &groups), 3900);
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_PLAIN, 0x9e, &four), 3700);
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_PLAIN, 0x9e, &two), 4000);
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_NEHALEM, 0x1a, &two), 5333);
	assert_int_equal(pw_turbo_scheduler_mhz(PW_TURBO_KNL, 0x57, &four), 0);
}

static void levels_of_cppc(void **state)
{
	struct pw_cppc_levels levels = { .lowest = 12,
					 .nonlinear = 84,
					 .nominal = 127,
					 .highest_min = 166,
					 .highest_max = 196,
					 .nominal_mhz = 4501 };
	struct pw_turbo turbo;
	pw_auto_free char *text = NULL;

	(void)state;
	assert_true(pw_turbo_from_cppc(&levels, &turbo));
	text = text_of(&turbo);
	assert_string_equal(text,
			    "LOWEST 425 LOWEST-NONLINEAR 2977 NOMINAL 4501 HIGHEST 5883-6946");
	levels.nominal_mhz = 0;
	assert_false(pw_turbo_from_cppc(&levels, &turbo));
	assert_false(pw_turbo_from_limits(0, 0, 0, &turbo));
	assert_true(pw_turbo_from_limits(800000, 0, 3900000, &turbo));
	assert_int_equal(turbo.count, 2);
}

/* One ladder of a machine as text: "msr 0-1 core: EFFIC 1000 ...". */
static char *ladder_text(const struct pw_value *turbo, size_t index)
{
	struct pw_strbuf text = PW_STRBUF_INIT;
	const struct pw_value *ladder = &pw_value_get(turbo, "ladders")->items[index];
	const struct pw_value *rows = pw_value_get(ladder, "rows");

	pw_strbuf_printf(&text, "%s %s %s:", pw_value_get_text(ladder, "source", "?"),
			 pw_value_get_text(ladder, "packages", "-"),
			 pw_value_get_text(ladder, "type", "-"));
	for (size_t i = 0; i < rows->count; i++)
		pw_strbuf_printf(&text, " %s %d", pw_value_get_text(&rows->items[i], "name", "?"),
				 (int)pw_value_get_int(&rows->items[i], "mhz", 0));
	return pw_strbuf_take(&text);
}

static void expect_ladder(const struct pw_value *info, size_t index, const char *expected)
{
	pw_auto_free char *text = ladder_text(pw_value_get(info, "turbo"), index);

	assert_string_equal(text, expected);
}

static void set_register(const struct fake *fake, const char *number, unsigned cpu, uint64_t word)
{
	pw_auto_free char *path = pw_sprintf("/msr/%s/cpu%u", number, cpu);
	pw_auto_free char *text = pw_sprintf("%llu", (unsigned long long)word);

	fake_set(fake, path, text);
}

static const char *first_note(const struct pw_value *info, size_t index)
{
	const struct pw_value *ladders = pw_value_get(pw_value_get(info, "turbo"), "ladders");
	const struct pw_value *notes = pw_value_get(&ladders->items[index], "notes");

	return notes && notes->count ? notes->items[0].text : "";
}

static int64_t highest_of(const struct pw_value *info, size_t row)
{
	const struct pw_value *ladders = pw_value_get(pw_value_get(info, "turbo"), "ladders");

	return pw_value_get_int(&pw_value_get(&ladders->items[0], "rows")->items[row],
				"highest_mhz", 0);
}

static void registers_of_a_server(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	const struct pw_value *ladders;
	struct fake fake;

	(void)state;
	fake_open(&fake, "server-256");
	for (unsigned cpu = 0; cpu <= 64; cpu += 64) {
		set_register(&fake, "0xce", cpu, PUBLISHED_INFO);
		set_register(&fake, "0x1ad", cpu, PUBLISHED_RATIOS);
		set_register(&fake, "0x1ae", cpu, PUBLISHED_SIZES);
		set_register(&fake, "0x770", cpu, 1);
		set_register(&fake, "0x771", cpu, UINT64_C(0x080A1827));
	}
	pw_sysinfo(&fake.root, &info);
	ladders = pw_value_get(pw_value_get(&info, "turbo"), "ladders");
	assert_int_equal(ladders->count, 1);
	expect_ladder(&info, 0, "msr 0-1 -: " PUBLISHED_ROWS);
	/* the kernel knows the groups of Skylake-SP only: here it takes the fourth ratio */
	assert_int_equal(pw_value_get_int(&ladders->items[0], "scheduler_mhz", 0), 3600);
	assert_int_equal(pw_value_get_int(pw_value_get(&ladders->items[0], "hwp"), "guaranteed", 0),
			 24);
	assert_null(pw_value_get(pw_value_get(&info, "turbo"), "why"));
	pw_value_done(&info);
	/* packages that differ have a ladder each */
	set_register(&fake, "0x1ad", 64, PUBLISHED_RATIOS + 1);
	pw_sysinfo(&fake.root, &info);
	assert_int_equal(pw_value_get(pw_value_get(&info, "turbo"), "ladders")->count, 2);
	pw_value_done(&info);
	fake_close(&fake);
}

static void registers_of_a_hybrid(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hybrid");
	for (unsigned cpu = 0; cpu <= 4; cpu += 4) {
		set_register(&fake, "0xce", cpu, UINT64_C(0x0000040000001500));
		set_register(&fake, "0x1ad", cpu, UINT64_C(0x2F2F));
		set_register(&fake, "0x650", cpu, UINT64_C(0x2222));
	}
	/* what firmware has been seen to say of efficient cores */
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policy4/cpuinfo_max_freq", "4700000");
	pw_sysinfo(&fake.root, &info);
	expect_ladder(&info, 0, "msr 0 core: EFFIC 400 BASE 2100 2C 4700 1C 4700");
	expect_ladder(&info, 1, "msr 0 atom: EFFIC 400 BASE 2100 2C 3400 1C 3400");
	assert_string_equal(first_note(&info, 0), "");
	assert_non_null(strstr(first_note(&info, 1), "4700 MHz, the registers 3400 MHz"));
	pw_value_done(&info);
	fake_close(&fake);
}

static void without_registers(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hybrid");
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policy4/cpuinfo_max_freq", "4700000");
	pw_sysinfo(&fake.root, &info);
	expect_ladder(&info, 0, "cpufreq 0 core: MIN 400 BASE 2100 MAX 4700");
	expect_ladder(&info, 1, "cpufreq 0 atom: MIN 400 BASE 1500 MAX 4700");
	assert_non_null(strstr(first_note(&info, 1), "no less than"));
	assert_non_null(pw_value_get(pw_value_get(&info, "turbo"), "why"));
	pw_value_done(&info);
	fake_close(&fake);
	fake_open(&fake, "amd-pstate-epp");
	fake_set(&fake, "/sys/devices/system/cpu/cpu2/acpi_cppc/highest_perf", "196");
	pw_sysinfo(&fake.root, &info);
	expect_ladder(&info, 0,
		      "acpi-cppc 0 -: LOWEST 425 LOWEST-NONLINEAR 2977 NOMINAL 4501 HIGHEST 5883");
	assert_null(pw_value_get(pw_value_get(&info, "turbo"), "why"));
	pw_value_done(&info);
	fake_close(&fake);
	/* nothing at all */
	fake_open(&fake, "cgroup-v1");
	pw_sysinfo(&fake.root, &info);
	assert_null(pw_value_get(&info, "turbo"));
	pw_value_done(&info);
	fake_close(&fake);
}

/* CPPC_CAP1: highest 166, nominal 127, lowest nonlinear 84, lowest 12. */
#define AMD_LEVELS UINT64_C(0xA67F540C)

static void registers_of_amd(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	/* 200 MHz x 0xb4 / 8; family 1Ah: 5 MHz x 0x384 */
	assert_int_equal(pw_turbo_amd_base_mhz(0x19, UINT64_C(0x80000000000008B4)), 4500);
	assert_int_equal(pw_turbo_amd_base_mhz(0x1a, UINT64_C(0x8000000000000384)), 4500);
	assert_int_equal(pw_turbo_amd_base_mhz(0x19, UINT64_C(0x00000000000008B4)), 0);
	assert_int_equal(pw_turbo_amd_base_mhz(0x19, UINT64_C(0x80000000000000B4)), 0);
	assert_int_equal(pw_turbo_amd_base_mhz(0x15, UINT64_C(0x80000000000008B4)), 0);
	fake_open(&fake, "amd-pstate-epp");
	fake_set(&fake, "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq", "0");
	pw_sysinfo(&fake.root, &info);
	/* they are not there: what cpufreq says, and why */
	expect_ladder(&info, 0, "cpufreq 0 -: MIN 400 MAX 5881");
	assert_non_null(pw_value_get(pw_value_get(&info, "turbo"), "why"));
	pw_value_done(&info);
	for (unsigned cpu = 0; cpu < 4; cpu++)
		set_register(&fake, "0xc00102b0", cpu,
			     cpu == 3 ? AMD_LEVELS + (3U << 24) : AMD_LEVELS);
	set_register(&fake, "0xc0010064", 0, UINT64_C(0x80000000000008B4));
	pw_sysinfo(&fake.root, &info);
	expect_ladder(&info, 0,
		      "msr 0 -: LOWEST 425 LOWEST-NONLINEAR 2976 NOMINAL 4500 HIGHEST 5882");
	assert_int_equal(highest_of(&info, 3), 5988);
	assert_null(pw_value_get(pw_value_get(&info, "turbo"), "why"));
	pw_value_done(&info);
	fake_close(&fake);
}

/* Firmware that ranks preferred cores: 236 / 127 of 4501 MHz would be 8364. */
static void rankings_are_no_frequencies(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "amd-pstate-epp");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		pw_auto_free char *path = pw_sprintf(FAKE_CPU "/acpi_cppc/highest_perf", cpu);

		fake_set(&fake, path, cpu == 1 ? "236" : "231");
	}
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policy1/amd_pstate_max_freq", "5901000");
	pw_sysinfo(&fake.root, &info);
	expect_ladder(&info, 0,
		      "acpi-cppc 0 -: LOWEST 425 LOWEST-NONLINEAR 2977 NOMINAL 4501 HIGHEST 5881");
	assert_int_equal(highest_of(&info, 3), 5901);
	assert_non_null(strstr(first_note(&info, 0), "ranking"));
	pw_value_done(&info);
	fake_close(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_chart),
		cmocka_unit_test(one_byte_a_core),
		cmocka_unit_test(more_than_eight_cores),
		cmocka_unit_test(knights_landing),
		cmocka_unit_test(silvermont),
		cmocka_unit_test(avoton),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(configurable_tdp),
		cmocka_unit_test(scheduler_figure),
		cmocka_unit_test(levels_of_cppc),
		cmocka_unit_test(registers_of_a_server),
		cmocka_unit_test(registers_of_a_hybrid),
		cmocka_unit_test(without_registers),
		cmocka_unit_test(registers_of_amd),
		cmocka_unit_test(rankings_are_no_frequencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
