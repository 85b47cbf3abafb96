/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index is a flat array of nodes with parent links and one hash table over (parent, step), so
 * that building and finding stay linear in the text whatever its shape.
 */
#include "lib/model/position.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/json.h"
#include "lib/model/position_internal.h"
#include "lib/plugin/option.h"

#define NONE UINT32_MAX

struct node {
	uint32_t parent;
	uint32_t key, value;  /* offsets in the text */
	uint32_t name;	      /* of an object's member: its offset in `names`; else its index */
	uint32_t name_length; /* NONE: an element of a list */
	uint32_t count;	      /* members or elements so far */
	char kind;	      /* '{', '[', or 0 */
};

struct pw_positions {
	struct node *nodes; /* the root first */
	size_t count, capacity;
	struct pw_strbuf names; /* decoded, each NUL-terminated */
	uint32_t *table;	/* node + 1, or 0; a power of two, at most half full */
	size_t table_size;
};

/* One step down: a member by its name, or an element by its index (name NULL). */
struct step {
	uint32_t parent;
	const char *name;
	uint32_t length; /* NONE for an element */
	uint32_t index;
};

static struct step step_of(const struct pw_positions *positions, const struct node *node)
{
	bool element = node->name_length == NONE;

	return (struct step){
		.parent = node->parent,
		.name = element ? NULL : positions->names.text + node->name,
		.length = node->name_length,
		.index = element ? node->name : 0,
	};
}

static bool is_step(const struct pw_positions *positions, const struct node *node,
		    const struct step *step)
{
	struct step other = step_of(positions, node);

	if (other.parent != step->parent || other.length != step->length)
		return false;
	return step->name ? memcmp(other.name, step->name, step->length) == 0
			  : other.index == step->index;
}

/* The slot of the step: that of its node, or the free one where it would stand. */
static size_t slot_of(const struct pw_positions *positions, const struct step *step)
{
	uint64_t hash = pw_fnv1a64(PW_FNV1A64_INIT, &step->parent, sizeof(step->parent));
	size_t mask = positions->table_size - 1, slot;

	if (step->name)
		hash = pw_fnv1a64(hash, step->name, step->length);
	else
		hash = pw_fnv1a64(hash, &step->index, sizeof(step->index));
	slot = (size_t)(hash ^ hash >> 32) & mask;
	while (positions->table[slot] &&
	       !is_step(positions, &positions->nodes[positions->table[slot] - 1], step))
		slot = (slot + 1) & mask;
	return slot;
}

static void grow_table(struct pw_positions *positions)
{
	positions->table_size = positions->table_size ? 2 * positions->table_size : 64;
	free(positions->table);
	positions->table = pw_new(positions->table_size, sizeof(*positions->table));
	for (size_t i = 1; i < positions->count; i++) {
		struct step step = step_of(positions, &positions->nodes[i]);

		positions->table[slot_of(positions, &step)] = (uint32_t)i + 1;
	}
}

/* Adds a child; false if that step is there already (the node is then the last, but not found). */
static bool add_node(struct pw_positions *positions, struct node node)
{
	struct step step;
	size_t slot;

	if (2 * (positions->count + 1) > positions->table_size)
		grow_table(positions);
	PW_PUSH(positions->nodes, positions->count, positions->capacity, node);
	step = step_of(positions, &node);
	slot = slot_of(positions, &step);
	if (positions->table[slot])
		return false;
	positions->table[slot] = (uint32_t)positions->count;
	return true;
}

struct walk {
	struct pw_scan scan;
	struct pw_positions *positions;
	uint32_t open; /* the innermost object or list that is not closed, or NONE */
	unsigned depth;
	bool fresh; /* nothing of it was read yet */
};

/* The error's pointer: the path of a node. */
static void place_error(struct walk *walk, uint32_t at)
{
	const struct pw_positions *positions = walk->positions;
	uint32_t path[PW_JSON_DEPTH + 1];
	size_t steps = 0;
	struct pw_err *err = walk->scan.err;

	for (; at != 0 && steps < PW_LENGTH(path); at = positions->nodes[at].parent)
		path[steps++] = at;
	while (steps--) {
		struct step step = step_of(positions, &positions->nodes[path[steps]]);
		char index[16];

		(void)snprintf(index, sizeof(index), "%u", step.index);
		pw_pointer_step(err->where, sizeof(err->where), step.name ? step.name : index);
	}
}

static int fail_repeated(struct walk *walk, size_t key, size_t line_of)
{
	size_t line, column;

	pw_line_column(walk->scan.text, line_of, &line, &column);
	(void)pw_scan_fail(&walk->scan, key, "repeated key (first at line %zu, column %zu)", line,
			   column);
	place_error(walk, (uint32_t)(walk->positions->count - 1));
	walk->scan.err->at_key = 1;
	return -(int)walk->scan.err->code;
}

static int begin_member(struct walk *walk)
{
	struct pw_positions *positions = walk->positions;
	struct pw_scan *scan = &walk->scan;
	struct node node = { .parent = walk->open,
			     .key = (uint32_t)scan->at,
			     .name = (uint32_t)positions->names.length };

	if (pw_scan_peek(scan) != '"')
		return pw_scan_unexpected(scan, "a key in double quotes");
	if (pw_scan_text(scan, &positions->names) < 0)
		return -(int)scan->err->code;
	node.name_length = (uint32_t)positions->names.length - node.name;
	pw_strbuf_putc(&positions->names, '\0');
	if (!add_node(positions, node)) {
		struct step step = step_of(positions, &node);
		uint32_t first = positions->table[slot_of(positions, &step)] - 1;

		return fail_repeated(walk, node.key, positions->nodes[first].key);
	}
	pw_scan_blanks(scan);
	if (pw_scan_peek(scan) != ':')
		return pw_scan_unexpected(scan, "':' after the key");
	scan->at++;
	return 0;
}

static void begin_element(struct walk *walk)
{
	uint32_t index = walk->positions->nodes[walk->open].count++;

	(void)add_node(walk->positions,
		       (struct node){ .parent = walk->open, .name = index, .name_length = NONE });
}

/* The value of the node that was begun last. */
static int read_value(struct walk *walk)
{
	uint32_t at = (uint32_t)(walk->positions->count - 1);
	struct node *node = &walk->positions->nodes[at];
	int byte;

	pw_scan_blanks(&walk->scan);
	byte = pw_scan_peek(&walk->scan);
	node->value = (uint32_t)walk->scan.at;
	if (node->name_length == NONE)
		node->key = node->value;
	if (byte != '{' && byte != '[')
		return pw_scan_scalar(&walk->scan);
	if (walk->depth == PW_JSON_DEPTH)
		return pw_scan_fail(&walk->scan, walk->scan.at, "nested deeper than %d levels",
				    PW_JSON_DEPTH);
	node->kind = (char)byte;
	walk->scan.at++;
	walk->depth++;
	walk->open = at;
	walk->fresh = true;
	return 0;
}

static int fail_unclosed(struct walk *walk, const struct node *node)
{
	size_t line, column;

	pw_line_column(walk->scan.text, node->value, &line, &column);
	return pw_scan_fail(&walk->scan, walk->scan.at,
			    "the text ends, but the '%c' of line %zu, column %zu is not closed",
			    node->kind, line, column);
}

/* What stands between two values of the open object or list, up to where the next one begins. */
static int separate(struct walk *walk, const struct node *node)
{
	struct pw_scan *scan = &walk->scan;
	char closer = node->kind == '{' ? '}' : ']';
	size_t comma = scan->at;

	if (pw_scan_peek(scan) < 0)
		return fail_unclosed(walk, node);
	if (walk->fresh)
		return 0;
	if (pw_scan_peek(scan) != ',')
		return pw_scan_unexpected(scan, node->kind == '{' ? "',' or '}'" : "',' or ']'");
	scan->at++;
	pw_scan_blanks(scan);
	if (pw_scan_peek(scan) == closer)
		return pw_scan_fail(scan, comma, "trailing comma before '%c': take it out", closer);
	return pw_scan_peek(scan) < 0 ? fail_unclosed(walk, node) : 0;
}

/* After a value: 1 when another one was begun, 0 at the end of the text. */
static int next(struct walk *walk)
{
	struct pw_scan *scan = &walk->scan;

	for (;;) {
		const struct node *node;

		pw_scan_blanks(scan);
		if (walk->open == NONE)
			return scan->at == scan->length ? 0
							: pw_scan_unexpected(scan, "nothing more");
		node = &walk->positions->nodes[walk->open];
		if (pw_scan_peek(scan) != (node->kind == '{' ? '}' : ']'))
			break;
		scan->at++;
		walk->depth--;
		walk->open = node->parent;
		walk->fresh = false;
	}
	if (separate(walk, &walk->positions->nodes[walk->open]) < 0)
		return -(int)scan->err->code;
	walk->fresh = false;
	if (walk->positions->nodes[walk->open].kind == '{') {
		if (begin_member(walk) < 0)
			return -(int)scan->err->code;
	} else {
		begin_element(walk);
	}
	return 1;
}

static int walk_text(struct walk *walk)
{
	int more;

	PW_PUSH(walk->positions->nodes, walk->positions->count, walk->positions->capacity,
		((struct node){ .parent = NONE, .name_length = NONE }));
	do {
		if (read_value(walk) < 0)
			return -(int)walk->scan.err->code;
		more = next(walk);
	} while (more > 0);
	return more;
}

int pw_positions_build(const char *text, size_t length, struct pw_positions **ret,
		       size_t *ret_error_offset, struct pw_err *err)
{
	struct walk walk = { .scan = { .text = text, .length = length, .err = err }, .open = NONE };

	if (length >= NONE) {
		*ret_error_offset = 0;
		return pw_fail(err, PW_EINVAL, "longer than 4 GiB");
	}
	walk.positions = pw_new(1, sizeof(*walk.positions));
	if (walk_text(&walk) < 0) {
		pw_positions_free(walk.positions);
		*ret_error_offset = walk.scan.error;
		return -(int)err->code;
	}
	*ret = walk.positions;
	return 0;
}

void pw_positions_free(struct pw_positions *positions)
{
	if (!positions)
		return;
	free(positions->nodes);
	free(positions->table);
	pw_strbuf_done(&positions->names);
	free(positions);
}

/* An index as RFC 6901 writes it: no sign, no leading zero. NONE: none. */
static uint32_t index_of(const char *text)
{
	struct pw_err err = PW_ERR_INIT;
	uint64_t index;

	if ((text[0] == '0' && text[1]) || pw_parse_u64(text, &index, &err) < 0 || index >= NONE)
		return NONE;
	return (uint32_t)index;
}

/* The child of a node that one decoded step leads to, or NONE. */
static uint32_t child_of(const struct pw_positions *positions, uint32_t parent,
			 const struct pw_strbuf *name)
{
	char kind = positions->nodes[parent].kind;
	struct step step = { .parent = parent, .length = NONE };

	if (kind == 0 || positions->table_size == 0)
		return NONE;
	if (kind == '{') {
		step.name = pw_strbuf_text(name);
		step.length = (uint32_t)name->length;
	} else {
		step.index = index_of(pw_strbuf_text(name));
	}
	return positions->table[slot_of(positions, &step)] - 1; /* 0, a free slot, gives NONE */
}

/* Decodes the step behind the '/' at `pointer`; the rest of the pointer. */
static const char *decode_step(const char *pointer, struct pw_strbuf *name)
{
	pw_strbuf_clear(name);
	for (pointer++; *pointer && *pointer != '/'; pointer++) {
		if (pointer[0] == '~' && (pointer[1] == '0' || pointer[1] == '1'))
			pw_strbuf_putc(name, *++pointer == '0' ? '~' : '/');
		else
			pw_strbuf_putc(name, *pointer);
	}
	return pointer;
}

struct pw_place pw_positions_find(const struct pw_positions *positions, const char *pointer)
{
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;
	uint32_t at = 0;

	while (*pointer == '/') {
		uint32_t child;

		pointer = decode_step(pointer, &name);
		child = child_of(positions, at, &name);
		if (child == NONE)
			break;
		at = child;
	}
	return (struct pw_place){ .key = positions->nodes[at].key,
				  .value = positions->nodes[at].value };
}
