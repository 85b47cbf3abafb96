/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/handles.h"

#include <inttypes.h>

static int slot_of(const struct pw_handles *handles, int64_t handle)
{
	for (unsigned i = 0; i < handles->most; i++) {
		if (handles->slots[i].line && handles->slots[i].handle == handle)
			return (int)i;
	}
	return -1;
}

int pw_handles_open(struct pw_handles *handles, int64_t handle, uint32_t line, uint16_t *ret_slot,
		    struct pw_err *err)
{
	int old = slot_of(handles, handle);
	unsigned slot = 0;

	if (old >= 0)
		return pw_fail(err, PW_EINVAL, "handle %" PRId64 " is open already, since line %u",
			       handle, handles->slots[old].line);
	while (slot < PW_HANDLES_MAX && handles->slots[slot].line)
		slot++;
	if (slot == PW_HANDLES_MAX)
		return pw_fail(err, PW_EINVAL, "more than %d handles are open", PW_HANDLES_MAX);
	handles->slots[slot].handle = handle;
	handles->slots[slot].line = line;
	if (slot >= handles->most)
		handles->most = slot + 1;
	*ret_slot = (uint16_t)slot;
	return 0;
}

int pw_handles_find(const struct pw_handles *handles, int64_t handle, uint16_t *ret_slot,
		    struct pw_err *err)
{
	int slot = slot_of(handles, handle);

	if (slot < 0)
		return pw_fail(err, PW_EINVAL, "handle %" PRId64 " is not open", handle);
	*ret_slot = (uint16_t)slot;
	return 0;
}

int pw_handles_close(struct pw_handles *handles, int64_t handle, uint16_t *ret_slot,
		     struct pw_err *err)
{
	int r = pw_handles_find(handles, handle, ret_slot, err);

	if (r < 0)
		return r;
	handles->slots[*ret_slot].line = 0;
	return 0;
}

bool pw_handles_same(const struct pw_handles *a, const struct pw_handles *b)
{
	for (unsigned i = 0; i < PW_HANDLES_MAX; i++) {
		bool used = a->slots[i].line != 0;

		if (used != (b->slots[i].line != 0))
			return false;
		if (used && a->slots[i].handle != b->slots[i].handle)
			return false;
	}
	return true;
}

int pw_handles_all_closed(const struct pw_handles *handles, const char *what, struct pw_err *err)
{
	for (unsigned i = 0; i < handles->most; i++) {
		if (!handles->slots[i].line)
			continue;
		return pw_fail(err, PW_EINVAL,
			       "handle %" PRId64
			       ", opened in line %u, is still open at %s (is it cut short?)",
			       handles->slots[i].handle, handles->slots[i].line, what);
	}
	return 0;
}
