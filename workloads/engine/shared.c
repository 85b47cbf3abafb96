/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/shared.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
	       "atomics in memory shared between processes must be lock-free");

static size_t shared_size(unsigned clients)
{
	return sizeof(struct pw_shared) + clients * sizeof(struct pw_client_stats);
}

int pw_shared_new(unsigned clients, struct pw_shared **ret, struct pw_err *err)
{
	struct pw_shared *shared = mmap(NULL, shared_size(clients), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return pw_fail_errno(err, errno, "shared memory for %u clients", clients);
	shared->clients = clients;
	*ret = shared;
	return 0;
}

void pw_shared_free(struct pw_shared *shared)
{
	if (shared)
		(void)munmap(shared, shared_size(shared->clients));
}

void pw_shared_set_phase(struct pw_shared *shared, enum pw_phase phase)
{
	atomic_store(&shared->phase, (uint32_t)phase);
	(void)syscall(SYS_futex, &shared->phase, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void pw_shared_wait_start(struct pw_shared *shared)
{
	while (atomic_load(&shared->phase) == PW_PHASE_SETUP)
		(void)syscall(SYS_futex, &shared->phase, FUTEX_WAIT, PW_PHASE_SETUP, NULL, NULL, 0);
}
