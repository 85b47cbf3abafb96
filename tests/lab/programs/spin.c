/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Known work: spin OPERATIONS [BEFORE] runs so many operations of five instructions each, after
 * BEFORE more that are not part of the measurement (a governor needs time to see the load). Under
 * --icount an instruction takes a known time at the highest frequency (tests/lab/truth.py).
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static void work(uint64_t operations)
{
	if (operations == 0)
		return;
	__asm__ volatile("1:\n\t"
			 "add $1, %%rcx\n\t"
			 "imul $3, %%rcx\n\t"
			 "xor $5, %%rcx\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 : "+r"(operations)
			 :
			 : "rcx", "cc");
}

/* 0 for what is no number. */
static uint64_t number_of(const char *text)
{
	uint64_t number = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uint64_t)(*text - '0');
	return *text ? 0 : number;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void mark(const char *text)
{
	puts(text);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	uint64_t operations = argc > 1 ? number_of(argv[1]) : 0;
	double start;

	if (operations == 0)
		return 2;
	work(argc > 2 ? number_of(argv[2]) : 0);
	mark("perfwatt: begin");
	start = now_s();
	work(operations);
	start = now_s() - start;
	mark("perfwatt: end");
	printf("rate: %.6f\n", (double)operations / start * 1e-6);
	return 0;
}
