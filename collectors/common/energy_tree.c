/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/energy_tree.h"

#include <stdio.h>
#include <string.h>

#define WHY_SIZE 200

/* What follows the prefix of a name: "-0-die-1". Domains of one suffix belong together. */
static const char *suffix_of(const struct pw_energy_domain *domain)
{
	return domain->name + strlen(pw_energy_prefix(domain->kind));
}

/* The package of a domain: that of its own die, else the first of its number; NULL: none. */
static const struct pw_energy_domain *package_of(const struct pw_energy *energy,
						 const struct pw_energy_domain *of)
{
	const struct pw_energy_domain *found = NULL;

	for (size_t i = 0; i < energy->count; i++) {
		const struct pw_energy_domain *domain = &energy->domains[i];

		if (domain->kind != PW_ENERGY_PACKAGE || domain->package != of->package)
			continue;
		if (strcmp(suffix_of(domain), suffix_of(of)) == 0)
			return domain;
		found = found ? found : domain;
	}
	return found;
}

/* The domain that this one lies in, or NULL. */
static const struct pw_energy_domain *parent_of(const struct pw_energy *energy,
						const struct pw_energy_domain *domain)
{
	if (domain->within >= 0)
		return &energy->domains[domain->within];
	if (domain->kind == PW_ENERGY_CORES || domain->kind == PW_ENERGY_GPU)
		return package_of(energy, domain);
	return NULL;
}

static void say_why(const struct pw_energy *energy, const struct pw_energy_domain *domain,
		    char why[WHY_SIZE])
{
	const struct pw_energy_domain *package = package_of(energy, domain);
	const struct pw_energy_domain *parent = parent_of(energy, domain);
	const char *of = package ? package->name : "the package";

	if (domain->counted && domain->twin >= 0)
		(void)snprintf(why, WHY_SIZE,
			       "mirrors %s on AMD: counts only in runs in which it grows "
			       "differently",
			       energy->domains[domain->twin].name);
	else if (domain->counted)
		(void)snprintf(why, WHY_SIZE, "counts");
	else if (domain->kind == PW_ENERGY_DRAM)
		(void)snprintf(why, WHY_SIZE, "beside %s, not within; scope '%s' leaves it out", of,
			       energy->scope);
	else if (domain->kind == PW_ENERGY_PSYS)
		(void)snprintf(why, WHY_SIZE,
			       "overlaps everything; what it covers depends on the board");
	else
		(void)snprintf(why, WHY_SIZE, "within %s", parent ? parent->name : of);
}

static void add_node(struct pw_value *tree, const char *name, enum pw_energy_kind kind,
		     const char *parent, bool counted, const char *why)
{
	struct pw_value node = pw_value_object();

	pw_value_set(&node, "name", pw_value_text(name));
	pw_value_set(&node, "kind", pw_value_text(pw_energy_prefix(kind)));
	if (parent)
		pw_value_set(&node, "parent", pw_value_text(parent));
	pw_value_set(&node, "counted", pw_value_bool(counted));
	pw_value_set(&node, "why", pw_value_text(why));
	pw_value_push(tree, node);
}

/* As deep as the machine's zones are. */
static void add_domain(const struct pw_energy *energy, const struct pw_energy_domain *domain,
		       struct pw_value *tree)
{
	const struct pw_energy_domain *parent = parent_of(energy, domain);
	char why[WHY_SIZE];

	say_why(energy, domain, why);
	add_node(tree, domain->name, domain->kind, parent ? parent->name : NULL,
		 domain->counted && domain->twin < 0, why);
	for (size_t i = 0; i < energy->count; i++) {
		if (parent_of(energy, &energy->domains[i]) == domain)
			add_domain(energy, &energy->domains[i], tree);
	}
}

void pw_energy_tree(const struct pw_energy *energy, struct pw_value *ret)
{
	struct pw_value tree = pw_value_list(), notes = pw_value_list();

	for (size_t i = 0; i < energy->count; i++) {
		if (!parent_of(energy, &energy->domains[i]))
			add_domain(energy, &energy->domains[i], &tree);
	}
	for (size_t i = 0; i < energy->left_count; i++)
		add_node(&tree, energy->left[i].name, energy->left[i].kind, NULL, false,
			 energy->left[i].why);
	for (size_t i = 0; i < energy->notes.count; i++)
		pw_value_push(&notes, pw_value_text(energy->notes.items[i]));
	pw_value_set(ret, "source", pw_value_text(energy->source));
	pw_value_set(ret, "scope", pw_value_text(energy->scope));
	pw_value_set(ret, "tree", tree);
	pw_value_set(ret, "notes", notes);
}
