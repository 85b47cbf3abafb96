/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What doctor found, for people: lines that say the same of several things are one. */
#include <string.h>

#include "harness/cli/doctor.h"
#include "harness/cli/doctor_energy.h"
#include "harness/cli/doctor_machine.h"
#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/model/json.h"

#define NAME_WIDTH  20
#define STATE_WIDTH 8
#define TEXT_COLUMN 30 /* of values and reasons: two blanks in front of name and state */
#define LINE_WIDTH  100

#define SHORT_WIDTH 44 /* name and value together: then it stands with others in one line */
#define IN_VM	    "usual in a virtual machine"

struct printing {
	const struct pw_value *list;
	bool virtual;
	bool *printed; /* parallel to the list */
	struct pw_strbuf *text;
};

static const char *text_of(const struct pw_value *finding, const char *key)
{
	return pw_value_get_text(finding, key, "");
}

/* Reasons and hints say so where a virtual machine is expected to lack the thing. */
static bool is_usual(const struct printing *printing, const struct pw_value *finding)
{
	return printing->virtual && strcmp(text_of(finding, "state"), "absent") == 0 &&
	       (strstr(text_of(finding, "why"), "virtual machine") ||
		strstr(text_of(finding, "hint"), "virtual machine"));
}

/* In a virtual machine one line stands for all that it lacks; --json has each reason. */
static const char *why_of(const struct printing *printing, const struct pw_value *finding)
{
	return is_usual(printing, finding) ? IN_VM " (--json has each reason)"
					   : text_of(finding, "why");
}

static const char *hint_of(const struct printing *printing, const struct pw_value *finding)
{
	return is_usual(printing, finding) ? "" : text_of(finding, "hint");
}

/* An empty list or object is no more than "ok" to a reader. */
static bool has_value(const struct pw_value *finding)
{
	const struct pw_value *value = pw_value_get(finding, "value");

	if (!value)
		return false;
	return value->type == PW_VALUE_TEXT ? value->text[0] != '\0'
					    : value->type < PW_VALUE_LIST || value->count;
}

static bool is_alike(const struct printing *printing, const struct pw_value *a,
		     const struct pw_value *b)
{
	return !has_value(a) && !has_value(b) &&
	       strcmp(text_of(a, "area"), text_of(b, "area")) == 0 &&
	       strcmp(text_of(a, "state"), text_of(b, "state")) == 0 &&
	       strcmp(why_of(printing, a), why_of(printing, b)) == 0 &&
	       strcmp(hint_of(printing, a), hint_of(printing, b)) == 0;
}

static void push_name(const struct pw_value *finding, struct pw_strv *names)
{
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;

	pw_text_escape(&name, text_of(finding, "name"));
	pw_strv_push(names, pw_strbuf_text(&name));
}

/* Those that say the same as finding `first`, which have not been printed yet. */
static void take_names(struct printing *printing, size_t first, struct pw_strv *names)
{
	const struct pw_value *list = printing->list;

	push_name(&list->items[first], names);
	printing->printed[first] = true;
	for (size_t i = first + 1; i < list->count; i++) {
		if (printing->printed[i] ||
		    !is_alike(printing, &list->items[first], &list->items[i]))
			continue;
		push_name(&list->items[i], names);
		printing->printed[i] = true;
	}
}

/* "a, b, c", broken behind a comma. */
static void print_names(const struct pw_strv *names, size_t width, struct pw_strbuf *text)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t more = pw_text_width(names->items[i]) + 2;

		if (i && width + more > LINE_WIDTH) {
			pw_strbuf_puts(text, ",\n  ");
			width = 2;
		} else if (i) {
			pw_strbuf_puts(text, ", ");
		}
		pw_strbuf_puts(text, names->items[i]);
		width += more;
	}
}

static void print_hint(const char *hint, struct pw_strbuf *text)
{
	if (!*hint)
		return;
	pw_strbuf_fill(text, ' ', TEXT_COLUMN);
	pw_strbuf_puts(text, "hint: ");
	pw_text_escape(text, hint);
	pw_strbuf_putc(text, '\n');
}

static void print_value(const struct pw_value *finding, struct pw_strbuf *text)
{
	const struct pw_value *value = pw_value_get(finding, "value");

	if (!has_value(finding))
		return;
	if (value->type == PW_VALUE_TEXT)
		pw_text_escape(text, value->text);
	else
		pw_json_write(value, PW_JSON_COMPACT, text);
}

static void print_group(struct printing *printing, size_t first)
{
	const struct pw_value *finding = &printing->list->items[first];
	struct pw_strbuf *text = printing->text;
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;

	take_names(printing, first, &names);
	pw_strbuf_puts(text, "  ");
	if (names.count == 1) {
		pw_text_pad(text, names.items[0], NAME_WIDTH);
		pw_text_pad(text, text_of(finding, "state"), STATE_WIDTH);
	} else {
		print_names(&names, 2, text);
		pw_strbuf_printf(text, ": %s%s", text_of(finding, "state"),
				 *text_of(finding, "why") ? ": " : "");
	}
	print_value(finding, text);
	pw_text_escape(text, why_of(printing, finding));
	pw_strbuf_putc(text, '\n');
	print_hint(hint_of(printing, finding), text);
}

/* "name value" of a finding that is well and has little to say; the caller's, or NULL. */
static char *short_text(const struct pw_value *finding)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	if (strcmp(text_of(finding, "state"), "ok") != 0)
		return NULL;
	pw_text_escape(&text, text_of(finding, "name"));
	if (has_value(finding))
		pw_strbuf_putc(&text, ' ');
	print_value(finding, &text);
	if (pw_text_width(pw_strbuf_text(&text)) <= SHORT_WIDTH)
		return pw_strbuf_take(&text);
	pw_strbuf_done(&text);
	return NULL;
}

static void print_short(struct printing *printing, const char *area)
{
	pw_auto_strv struct pw_strv all = PW_STRV_INIT;

	for (size_t i = 0; i < printing->list->count; i++) {
		const struct pw_value *finding = &printing->list->items[i];
		char *text =
			strcmp(text_of(finding, "area"), area) == 0 ? short_text(finding) : NULL;

		if (!text)
			continue;
		pw_strv_push_own(&all, text);
		printing->printed[i] = true;
	}
	if (all.count == 0)
		return;
	pw_strbuf_puts(printing->text, "  ok: ");
	print_names(&all, strlen("  ok: "), printing->text);
	pw_strbuf_putc(printing->text, '\n');
}

static bool has_findings(const struct printing *printing, const char *area)
{
	for (size_t i = 0; i < printing->list->count; i++) {
		if (strcmp(text_of(&printing->list->items[i], "area"), area) == 0)
			return true;
	}
	return false;
}

static void print_area(struct printing *printing, const char *area, bool headed)
{
	if (headed && has_findings(printing, area))
		pw_strbuf_printf(printing->text, "%s\n", area);
	print_short(printing, area);
	for (size_t i = 0; i < printing->list->count; i++) {
		if (!printing->printed[i] &&
		    strcmp(text_of(&printing->list->items[i], "area"), area) == 0)
			print_group(printing, i);
	}
}

static const char *can(const struct pw_value *findings, const char *key)
{
	return pw_value_get_bool(findings, key, false) ? "can" : "cannot";
}

void pw_doctor_text(const struct pw_value *findings, struct pw_strbuf *text)
{
	static const char *const areas[] = { "noise", "settings", "energy", "frequency",
					     "workloads" };
	const struct pw_value *machine = pw_value_get(findings, "machine");
	const struct pw_value *list = pw_value_get(findings, "findings");
	struct printing printing = { .list = list,
				     .virtual = pw_value_get(machine, "virtual") != NULL,
				     .printed = pw_new(list->count + 1, sizeof(bool)),
				     .text = text };

	pw_doctor_machine_text(machine, text);
	print_area(&printing, "machine", false);
	for (size_t area = 0; area < PW_LENGTH(areas); area++) {
		print_area(&printing, areas[area], true);
		if (strcmp(areas[area], "energy") == 0)
			pw_doctor_energy_text(pw_value_get(findings, "energy_domains"), text);
	}
	free(printing.printed);
	pw_strbuf_printf(
		text,
		"A comparison %s run here; energy %s be measured; frequency %s be measured.\n",
		can(findings, "comparison"), can(findings, "energy"), can(findings, "frequency"));
}
