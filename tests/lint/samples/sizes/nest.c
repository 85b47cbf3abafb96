/* SPDX-License-Identifier: GPL-2.0-or-later */
static int three(int a) /* the body is not counted, nor is a bare block, nor "else if" */
{
	{
		if (a) {
			a++;
		} else if (a > 1) {
			while (a)
				switch (a) {
				case 1:
					a--;
					break;
				default:
					return a ? 1 : 2;
				}
		}
	}
	return 0;
}

static int four(int a) /* BAD */
{
	for (;;)
		if (a)
			do {
				if (a)
					a--;
			} while (a);
}

static int hidden(int a) /* BAD: a loop macro is a loop */
{
	if (a) {
		pw_array_foreach(x, list) {
			if (x) {
				if (a)
					return 1;
			}
		}
	}
	return 0;
}

static int in_else(int a) /* BAD */
{
	if (a)
		return 1;
	else
		while (a)
			if (a)
				for (;;)
					a++;
	return 0;
}

static const struct point { int x, y; } points[] = { { 1, 2 }, { 3, 4 } };

static int initialiser(int a)
{
	struct point p[2][2] = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } };
	const char *text = "{{{{{"; /* {{{{{ */

	return p[0][0].x + a + text[0];
}
