/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_run WORKLOAD [KEY=VALUE]...: runs tbench or dbench once and prints its metrics, one
 * "name value unit" a line. The work folder is made in TMPDIR (default: /tmp).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "engine_rig.h"

static int print_metrics(struct rig *rig)
{
	struct pw_output output = { .out = rig->out_text,
				    .out_length = rig->out_length,
				    .err = rig->err_text,
				    .err_length = rig->err_length };
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err = PW_ERR_INIT;

	if (rig->workload->parse(&rig->work, &output, &result, &err) < 0) {
		(void)fprintf(stderr, "parse: %s\n", err.text);
		return 1;
	}
	for (size_t i = 0; i < result.metric_count; i++)
		(void)printf("%s %.6g %s\n", result.metrics[i].name, result.metrics[i].value,
			     result.metrics[i].unit);
	(void)printf("work %.6g %s\n", result.work, result.work_unit);
	(void)printf("operations %" PRIu64 "\n", result.operations_ok);
	(void)printf("flavour %s\n", result.flavour);
	return 0;
}

int main(int argc, char **argv)
{
	struct rig rig;
	int status = 2;

	if (argc < 2) {
		(void)fprintf(stderr, "usage: engine_run tbench|dbench [KEY=VALUE]...\n");
		return 2;
	}
	if (rig_init(&rig, argv[1], (const char *const *)argv + 2)) {
		rig_start(&rig);
		rig_finish(&rig);
		(void)fputs(rig.err_text, stderr);
		status = WIFEXITED(rig.status) ? WEXITSTATUS(rig.status) : 1;
		if (status == 0)
			status = print_metrics(&rig);
	}
	rig_done(&rig);
	return status;
}
