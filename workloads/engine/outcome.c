/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/outcome.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"

static const char *const number_keys[PW_OUTCOME_NUMBERS] = {
	[PW_OUTCOME_ENGINE] = "engine",
	[PW_OUTCOME_CLIENTS] = "clients",
	[PW_OUTCOME_SESSION_OPERATIONS] = "session-operations",
	[PW_OUTCOME_WINDOW_NS] = "window-ns",
	[PW_OUTCOME_SKEW_NS] = "skew-ns",
	[PW_OUTCOME_OPERATIONS] = "operations",
	[PW_OUTCOME_BYTES] = "bytes",
	[PW_OUTCOME_PASSES] = "passes",
	[PW_OUTCOME_CLIENT_OPERATIONS_MIN] = "client-operations-min",
	[PW_OUTCOME_CLIENT_OPERATIONS_MAX] = "client-operations-max",
	[PW_OUTCOME_CLIENT_BYTES_MIN] = "client-bytes-min",
	[PW_OUTCOME_CLIENT_BYTES_MAX] = "client-bytes-max",
	[PW_OUTCOME_LATENCY_P50_NS] = "latency-p50-ns",
	[PW_OUTCOME_LATENCY_P95_NS] = "latency-p95-ns",
	[PW_OUTCOME_LATENCY_P99_NS] = "latency-p99-ns",
	[PW_OUTCOME_LATENCY_MAX_NS] = "latency-max-ns",
};

enum text_key { TEXT_PROFILE, TEXT_LOAD, TEXT_FLAVOUR, TEXT_COMPLETE, TEXTS };

static const char *const text_keys[TEXTS] = { "profile", "load", "flavour", "complete" };

void pw_outcome_write(const struct pw_outcome *outcome, struct pw_strbuf *text)
{
	for (size_t i = 0; i < PW_OUTCOME_NUMBERS; i++)
		pw_strbuf_printf(text, "%s: %" PRIu64 "\n", number_keys[i], outcome->numbers[i]);
	pw_strbuf_printf(text, "profile: %s\nload: %s\nflavour: %s\n", outcome->profile,
			 outcome->load, outcome->flavour);
	pw_strbuf_puts(text, "complete: yes\n");
}

struct reader {
	struct pw_outcome outcome;
	char complete[8];
	bool has_number[PW_OUTCOME_NUMBERS];
	bool has_text[TEXTS];
};

static int find_key(const char *const *keys, size_t count, const char *line, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(keys[i]) == length && memcmp(keys[i], line, length) == 0)
			return (int)i;
	}
	return -1;
}

static int take_text(struct reader *reader, enum text_key key, const char *value,
		     struct pw_err *err)
{
	const struct {
		char *to;
		size_t size;
	} places[TEXTS] = {
		[TEXT_PROFILE] = { reader->outcome.profile, sizeof(reader->outcome.profile) },
		[TEXT_LOAD] = { reader->outcome.load, sizeof(reader->outcome.load) },
		[TEXT_FLAVOUR] = { reader->outcome.flavour, sizeof(reader->outcome.flavour) },
		[TEXT_COMPLETE] = { reader->complete, sizeof(reader->complete) },
	};
	size_t length = strlen(value);

	if (length == 0 || length >= places[key].size || !pw_text_printable(value))
		return pw_fail(err, PW_EFAILED, "unreadable %s", text_keys[key]);
	memcpy(places[key].to, value, length + 1);
	return 0;
}

/* One "key: value"; what is none, and keys of others, are passed over. */
static int take_line(struct reader *reader, const char *line, struct pw_err *err)
{
	const char *colon = strstr(line, ": ");
	size_t length = colon ? (size_t)(colon - line) : 0;
	int number = find_key(number_keys, PW_OUTCOME_NUMBERS, line, length);
	int text = find_key(text_keys, TEXTS, line, length);

	if (!colon || (number < 0 && text < 0))
		return 0;
	if (number >= 0 ? reader->has_number[number] : reader->has_text[text])
		return pw_fail(err, PW_EFAILED, "'%.*s' stands twice", (int)length, line);
	if (text >= 0) {
		reader->has_text[text] = true;
		return take_text(reader, (enum text_key)text, colon + 2, err);
	}
	reader->has_number[number] = true;
	if (pw_parse_u64(colon + 2, &reader->outcome.numbers[number], err) < 0) {
		err->code = PW_EFAILED;
		return pw_err_prefix(err, "%s", number_keys[number]);
	}
	return 0;
}

static int check_complete(const struct reader *reader, struct pw_err *err)
{
	for (size_t i = 0; i < PW_OUTCOME_NUMBERS; i++) {
		if (!reader->has_number[i])
			return pw_fail(err, PW_EFAILED, "no line '%s: ...'", number_keys[i]);
	}
	for (size_t i = 0; i < TEXTS; i++) {
		if (!reader->has_text[i])
			return pw_fail(err, PW_EFAILED, "no line '%s: ...'", text_keys[i]);
	}
	if (strcmp(reader->complete, "yes") != 0)
		return pw_fail(err, PW_EFAILED, "the result is not complete");
	return 0;
}

/* Numbers that contradict one another were not measured. */
static int check_sense(const struct pw_outcome *outcome, struct pw_err *err)
{
	const uint64_t *n = outcome->numbers;

	if (n[PW_OUTCOME_ENGINE] != PW_ENGINE_VERSION)
		return pw_fail(err, PW_EFAILED, "version %" PRIu64 " of the form is not known here",
			       n[PW_OUTCOME_ENGINE]);
	if (!n[PW_OUTCOME_CLIENTS] || !n[PW_OUTCOME_WINDOW_NS] ||
	    !n[PW_OUTCOME_SESSION_OPERATIONS] || !n[PW_OUTCOME_OPERATIONS] || !n[PW_OUTCOME_BYTES])
		return pw_fail(err, PW_EFAILED, "nothing was done in the window");
	if (n[PW_OUTCOME_CLIENT_OPERATIONS_MIN] > n[PW_OUTCOME_CLIENT_OPERATIONS_MAX] ||
	    n[PW_OUTCOME_CLIENT_OPERATIONS_MAX] > n[PW_OUTCOME_OPERATIONS] ||
	    !n[PW_OUTCOME_CLIENT_OPERATIONS_MAX] ||
	    n[PW_OUTCOME_CLIENT_BYTES_MIN] > n[PW_OUTCOME_CLIENT_BYTES_MAX] ||
	    n[PW_OUTCOME_CLIENT_BYTES_MAX] > n[PW_OUTCOME_BYTES] ||
	    n[PW_OUTCOME_LATENCY_P50_NS] > n[PW_OUTCOME_LATENCY_P95_NS] ||
	    n[PW_OUTCOME_LATENCY_P95_NS] > n[PW_OUTCOME_LATENCY_P99_NS] ||
	    n[PW_OUTCOME_LATENCY_P99_NS] > n[PW_OUTCOME_LATENCY_MAX_NS])
		return pw_fail(err, PW_EFAILED, "the numbers contradict one another");
	return 0;
}

int pw_outcome_parse(const struct pw_output *output, struct pw_outcome *ret, struct pw_err *err)
{
	pw_auto_free char *copy = pw_strndup(output->out, output->out_length);
	struct reader reader = { 0 };
	char *line = copy;

	if (memchr(output->out, '\0', output->out_length))
		return pw_fail(err, PW_EFAILED, "the output holds NUL bytes");
	while (*line) {
		char *end = strchrnul(line, '\n');
		bool last = *end == '\0';

		*end = '\0';
		if (take_line(&reader, line, err) < 0)
			return -(int)err->code;
		line = last ? end : end + 1;
	}
	if (check_complete(&reader, err) < 0 || check_sense(&reader.outcome, err) < 0)
		return -(int)err->code;
	*ret = reader.outcome;
	return 0;
}

static double number(const struct pw_outcome *outcome, enum pw_outcome_key key)
{
	return (double)outcome->numbers[key];
}

double pw_outcome_megabytes(const struct pw_outcome *outcome)
{
	return number(outcome, PW_OUTCOME_BYTES) / 1e6;
}

double pw_outcome_sessions(const struct pw_outcome *outcome)
{
	return number(outcome, PW_OUTCOME_OPERATIONS) /
	       number(outcome, PW_OUTCOME_SESSION_OPERATIONS);
}

double pw_outcome_throughput(const struct pw_outcome *outcome)
{
	return pw_outcome_megabytes(outcome) * 1e9 / number(outcome, PW_OUTCOME_WINDOW_NS);
}

double pw_outcome_session_time(const struct pw_outcome *outcome)
{
	return number(outcome, PW_OUTCOME_CLIENTS) * number(outcome, PW_OUTCOME_WINDOW_NS) / 1e6 /
	       pw_outcome_sessions(outcome);
}

double pw_outcome_rate(const struct pw_outcome *outcome)
{
	return number(outcome, PW_OUTCOME_OPERATIONS) * 1e9 / number(outcome, PW_OUTCOME_WINDOW_NS);
}

double pw_outcome_fairness(const struct pw_outcome *outcome)
{
	return number(outcome, PW_OUTCOME_CLIENT_OPERATIONS_MIN) /
	       number(outcome, PW_OUTCOME_CLIENT_OPERATIONS_MAX);
}

static double metric_value(const struct pw_outcome *outcome, const char *name)
{
	static const struct {
		const char *name;
		enum pw_outcome_key key;
	} latencies[] = {
		{ "latency-p50", PW_OUTCOME_LATENCY_P50_NS },
		{ "latency-p95", PW_OUTCOME_LATENCY_P95_NS },
		{ "latency-p99", PW_OUTCOME_LATENCY_P99_NS },
		{ "latency-max", PW_OUTCOME_LATENCY_MAX_NS },
	};

	for (size_t i = 0; i < PW_LENGTH(latencies); i++) {
		if (strcmp(name, latencies[i].name) == 0)
			return number(outcome, latencies[i].key) / 1e6;
	}
	if (strcmp(name, "throughput") == 0)
		return pw_outcome_throughput(outcome);
	if (strcmp(name, "session-time") == 0)
		return pw_outcome_session_time(outcome);
	if (strcmp(name, "rate") == 0)
		return pw_outcome_rate(outcome);
	return pw_outcome_fairness(outcome);
}

static void set_number(struct pw_value *object, const struct pw_outcome *outcome, const char *key,
		       enum pw_outcome_key from)
{
	pw_value_set(object, key, pw_value_int((int64_t)outcome->numbers[from]));
}

void pw_outcome_report(const struct pw_outcome *outcome, const struct pw_metric_desc *metrics,
		       struct pw_result *result)
{
	struct pw_value *detail = &result->detail, *identity = &result->identity;

	for (; metrics->name; metrics++)
		pw_result_add(result, metrics, metric_value(outcome, metrics->name));
	result->has_operations = true;
	result->operations_ok = outcome->numbers[PW_OUTCOME_OPERATIONS];
	result->operations_failed = 0; /* the first one ends the run */
	result->flavour = pw_strdup(outcome->flavour);
	*detail = pw_value_object();
	result->window_ns = (int64_t)outcome->numbers[PW_OUTCOME_WINDOW_NS];
	set_number(detail, outcome, "start_skew_ns", PW_OUTCOME_SKEW_NS);
	set_number(detail, outcome, "whole_sessions", PW_OUTCOME_PASSES);
	set_number(detail, outcome, "session_operations", PW_OUTCOME_SESSION_OPERATIONS);
	set_number(detail, outcome, "client_operations_min", PW_OUTCOME_CLIENT_OPERATIONS_MIN);
	set_number(detail, outcome, "client_operations_max", PW_OUTCOME_CLIENT_OPERATIONS_MAX);
	set_number(detail, outcome, "client_bytes_min", PW_OUTCOME_CLIENT_BYTES_MIN);
	set_number(detail, outcome, "client_bytes_max", PW_OUTCOME_CLIENT_BYTES_MAX);
	*identity = pw_value_object();
	set_number(identity, outcome, "engine", PW_OUTCOME_ENGINE);
	pw_value_set(identity, "profile", pw_value_text(outcome->profile));
	pw_value_set(identity, "loadfile", pw_value_text(outcome->load));
}
