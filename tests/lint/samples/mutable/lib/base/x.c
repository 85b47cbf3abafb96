/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

struct pair {
	int a;
	void (*call)(int);
};
enum { ONE, TWO };
enum kind { KIND };
typedef int number;
struct later;
union both {
	int a;
};
extern int elsewhere;
_Static_assert(sizeof(int) == 4, "int");

static const int fixed = 1;
static const char *const names[] = { "a", "b" };
static const struct pair pairs[] = { { 1, NULL }, { 2, NULL } };
const struct pair *const pointer = pairs;
static int (*const called)(void) = NULL;
int declared(int a, void (*call)(int)) __attribute__((nonnull(2)));
static void later_defined(struct pair *pair);

int counter; /* BAD */
static int hidden = 3; /* BAD */
static const char *text = "x"; /* BAD: the pointer can change */
static const char *texts[] = { "x" }; /* BAD */
static struct pair pair; /* BAD */
static struct pair table[2] = { { 1, NULL } }; /* BAD */
static int (*hook)(void); /* BAD */
static struct { int a; } anonymous; /* BAD */
static _Thread_local int own; /* BAD */
char buffer[10], *end; /* BAD */

static int f(int a)
{
	static const int table_inside[] = { 1, 2 };
	static int calls; /* BAD */
	int local = 0;

	if (a) {
		static char cache[10] = ""; /* BAD */

		return cache[0];
	}
	return table_inside[0] + local + calls;
}
