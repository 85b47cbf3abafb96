/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "harness/cli/cli.h"
#include "lib/model/json.h"

int pw_cmd_workload(const struct pw_command *command, int argc, char **argv)
{
	const struct pw_workload *workload;
	pw_auto_value struct pw_value order = PW_VALUE_INIT;
	struct pw_work work = { 0 };
	struct pw_err err;

	(void)command;
	if (argc != 3)
		return PW_EXIT_USAGE;
	workload = pw_catalog_workload(&pw_cli_catalog, argv[1]);
	if (!workload || !workload->run)
		return pw_cli_usage_error("no workload '%s' runs inside perfwatt", argv[1]);
	if (pw_json_parse(argv[2], strlen(argv[2]), &order, &err) < 0)
		return pw_cli_error(&err);
	work.options = pw_value_get(&order, "options");
	work.workdir = pw_value_get_text(&order, "workdir", ".");
	work.directory = work.workdir;
	work.cpus = (unsigned)pw_value_get_int(&order, "cpus", 1);
	work.seed = (uint64_t)pw_value_get_int(&order, "seed", 0);
	if (!work.options)
		return pw_cli_usage_error("no options for '%s'", argv[1]);
	return workload->run(&work);
}
