/* SPDX-License-Identifier: GPL-2.0-or-later */
static int f(const char *text, struct ops *ops)
{
	int a = atoi(text); /* BAD */
	long b = strtol(text, NULL, 10); /* BAD */
	/* a comment may say strcpy(a, b) */
	const char *shown = "sprintf(x)";

	strcpy(shown, text); /* BAD */
	ops->system(text);
	ops.popen(text);
	pw_sprintf("%d", a);
	my_rand();
	printf("%ld\n", b); /* BAD */
	fprintf(stderr, "x"); /* BAD */
	snprintf(shown, 3, "x");
	exit(1); /* BAD */
	return system ("true"); /* BAD */
}
