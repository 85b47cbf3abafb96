#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh REPORT_DUMP CASE: the report of a case against its expected.txt, byte for byte; twice, as
# nothing of the moment may be in it.
set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for pass in 1 2; do
	"$1" "$2" >"$out"
	diff -u "$2/expected.txt" "$out" || { echo "pass $pass: differs from expected.txt" >&2; exit 1; }
done
