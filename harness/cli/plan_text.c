/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/plan_text.h"

#include "harness/engine/run.h"
#include "harness/engine/surroundings.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/json.h"

static void setting_text(const struct pw_setting *setting, struct pw_strbuf *text)
{
	pw_auto_value struct pw_value value =
		pw_option_outer(&setting->knob->value, &setting->value);

	pw_strbuf_printf(text, "%s=", setting->knob->name);
	if (value.type == PW_VALUE_TEXT)
		pw_text_escape(text, value.text);
	else
		pw_json_write(&value, PW_JSON_COMPACT, text);
}

/* As a config holds it, so that no blank or quote misleads. */
static void argv_line(const char *key, const struct pw_strv *argv, struct pw_strbuf *text)
{
	pw_auto_value struct pw_value list = pw_value_list();
	pw_auto_strbuf struct pw_strbuf json = PW_STRBUF_INIT;

	if (argv->count == 0)
		return;
	for (size_t i = 0; i < argv->count; i++)
		pw_value_push(&list, pw_value_text(argv->items[i]));
	pw_json_write(&list, PW_JSON_COMPACT, &json);
	pw_strbuf_printf(text, "      %-7s ", key);
	pw_text_escape(text, pw_strbuf_text(&json));
	pw_strbuf_putc(text, '\n');
}

static void services_lines(const struct pw_services *services, struct pw_strbuf *text)
{
	if (services->count == 0)
		return;
	pw_strbuf_printf(text, "Services (%s):\n", services->init);
	for (size_t i = 0; i < services->count; i++)
		pw_strbuf_printf(text, "  %s: %s\n", services->list[i].name,
				 services->list[i].active
					 ? "is stopped for the session and started again"
					 : "is not active, left alone");
}

static void config_line(const struct pw_prepared *prepared, size_t index, struct pw_strbuf *text)
{
	const struct pw_configuration *configuration = &prepared->config->configs[index];

	pw_strbuf_puts(text, "  '");
	pw_text_escape(text, configuration->name);
	pw_strbuf_puts(text, "':");
	for (size_t i = 0; i < configuration->setting_count; i++) {
		pw_strbuf_puts(text, i ? ", " : " ");
		setting_text(&configuration->settings[i], text);
	}
	if (configuration->setting_count == 0)
		pw_strbuf_puts(text, configuration->apply.count ? " the machine, and its program"
								: " the machine as it stands");
	if (index == prepared->config->baseline)
		pw_strbuf_puts(text, " (baseline)");
	if (prepared->config_reason[index]) {
		pw_strbuf_puts(text, "\n      SKIPPED: ");
		pw_text_escape(text, prepared->config_reason[index]);
	}
	pw_strbuf_putc(text, '\n');
	argv_line("apply", &configuration->apply, text);
	argv_line("undo", &configuration->undo, text);
	argv_line("verify", &configuration->verify, text);
	argv_line("with", &configuration->with, text);
}

static void entry_line(const struct pw_prepared *prepared, size_t index, struct pw_strbuf *text)
{
	const struct pw_entry *entry = &prepared->config->entries[index];
	const struct pw_user *user = &prepared->users[index];

	pw_strbuf_puts(text, "  ");
	pw_text_escape(text, entry->name);
	if (entry->named)
		pw_strbuf_printf(text, " (%s)", entry->workload->name);
	for (size_t i = 0; i < entry->point_count && entry->points[i].text[0]; i++) {
		pw_strbuf_puts(text, i ? "; " : ": ");
		pw_text_escape(text, entry->points[i].text);
	}
	if (user->change)
		pw_strbuf_printf(text, ", as user %s", user->name ? user->name : "(a number)");
	if (prepared->entry_reason[index]) {
		pw_strbuf_puts(text, "\n      SKIPPED: ");
		pw_text_escape(text, prepared->entry_reason[index]);
	}
	pw_strbuf_putc(text, '\n');
}

void pw_plan_summary(const struct pw_prepared *prepared, struct pw_strbuf *text)
{
	const struct pw_config *config = prepared->config;
	char duration[32];

	pw_text_escape(text, config->name);
	pw_strbuf_puts(text, "\nConfigurations:\n");
	for (size_t i = 0; i < config->config_count; i++)
		config_line(prepared, i, text);
	services_lines(&prepared->services, text);
	pw_strbuf_puts(text, "Workloads:\n");
	for (size_t i = 0; i < config->entry_count; i++)
		entry_line(prepared, i, text);
	pw_time_text(prepared->plan.duration_ns, duration, sizeof(duration));
	pw_strbuf_printf(text, "%zu run%s (%u block%s), %s %s\n", prepared->plan.runs,
			 prepared->plan.runs == 1 ? "" : "s", config->repeat.blocks,
			 config->repeat.blocks == 1 ? "" : "s",
			 prepared->plan.duration_known
				 ? "about"
				 : "at least (not every workload knows its time)",
			 duration);
}

static void command_line(const struct pw_prepared *prepared, const struct pw_step *step,
			 struct pw_strbuf *text)
{
	const struct pw_entry *entry = &prepared->config->entries[step->entry];
	pw_auto_value struct pw_value options =
		pw_run_options(prepared->config, entry, &entry->points[step->point]);
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	struct pw_work work = { .options = &options,
				.workdir = PW_WORK_PARENT "/perfwatt-...",
				.directory = prepared->config->directory,
				.cpus = (unsigned)prepared->usable.count };
	struct pw_err err;

	if (pw_run_argv(entry, &work, &argv, &err) < 0) {
		pw_strbuf_printf(text, "        %s\n", err.text);
		return;
	}
	pw_strbuf_puts(text, "       ");
	for (size_t i = 0; i < argv.count; i++) {
		pw_strbuf_putc(text, ' ');
		pw_text_escape(text, argv.items[i]);
	}
	pw_strbuf_putc(text, '\n');
}

static void step_line(const struct pw_prepared *prepared, const struct pw_step *step,
		      struct pw_strbuf *text)
{
	const struct pw_config *config = prepared->config;
	const struct pw_entry *entry = &config->entries[step->entry];

	if (step->kind == PW_STEP_RUN)
		pw_strbuf_printf(text, "%5u  block %u  ", step->order, step->block);
	else
		pw_strbuf_printf(text, "    -  %-7s  ",
				 step->kind == PW_STEP_IDLE ? "idle" : "warm-up");
	if (step->kind != PW_STEP_IDLE) {
		pw_text_escape(text, entry->name);
		pw_strbuf_puts(text, entry->points[step->point].text[0] ? " " : "");
		pw_text_escape(text, entry->points[step->point].text);
		pw_strbuf_puts(text, "  ");
	}
	pw_strbuf_putc(text, '\'');
	pw_text_escape(text, config->configs[step->config].name);
	pw_strbuf_puts(text, "'\n");
}

void pw_plan_steps(const struct pw_prepared *prepared, bool commands, struct pw_strbuf *text)
{
	for (size_t i = 0; i < prepared->plan.count; i++) {
		const struct pw_step *step = &prepared->plan.steps[i];

		step_line(prepared, step, text);
		if (commands && step->kind != PW_STEP_IDLE)
			command_line(prepared, step, text);
	}
}
