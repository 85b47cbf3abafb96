/* SPDX-License-Identifier: GPL-2.0-or-later */
static double f(const char *text)
{
	printf("a native body prints its result\n");
	return strtod_l(text, NULL, 0); /* BAD */
}
