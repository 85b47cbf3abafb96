/* SPDX-License-Identifier: GPL-2.0-or-later */
static double f(const char *text)
{
	double wrong = strtod(text, NULL); /* BAD */

	return wrong + strtod_l(text, NULL, 0);
}
