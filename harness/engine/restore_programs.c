/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/restore_programs.h"

#include "harness/engine/program.h"
#include "harness/engine/service.h"

bool pw_restore_has_programs(const struct pw_journal_state *state)
{
	return state->undo_count || state->service_count;
}

void pw_restore_undo(struct pw_journal *journal, const struct pw_journal_state *state,
		     struct pw_restore_report *report)
{
	for (size_t i = state->undo_count; i-- > 0;) {
		const struct pw_journal_undo *undo = &state->undos[i];
		pw_auto_free char *text = pw_command_text(&undo->argv);
		struct pw_err err;

		if (pw_program_undo(undo, journal, NULL, NULL, &err) < 0)
			pw_strv_push(&report->failed, err.text);
		else
			pw_strv_pushf(&report->mended, "config '%s': undo %s", undo->config, text);
	}
}

void pw_restore_services(const struct pw_root *root, struct pw_journal *journal,
			 const struct pw_journal_state *state, struct pw_restore_report *report)
{
	for (size_t i = state->service_count; i-- > 0;) {
		const struct pw_journal_service *service = &state->services[i];
		struct pw_err err;

		if (pw_service_start(root, service->init, service->name, &err) < 0) {
			pw_strv_push(&report->failed, err.text);
			continue;
		}
		pw_strv_pushf(&report->mended, "service '%s': started again", service->name);
		/* what cannot be noted is started once more: that changes nothing */
		if (pw_journal_started(journal, service->name, &err) == 0)
			(void)!pw_journal_sync(journal, &err);
	}
}
