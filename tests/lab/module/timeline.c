// SPDX-License-Identifier: GPL-2.0-or-later
/* Faults over time: lines "MILLISECONDS PARAMETER VALUE" set parameters while the module runs. */
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "govlab.h"

#define LINE_LENGTH 80

struct change {
	struct list_head list;
	u64 at_ns;
	const struct kernel_param *param;
	char value[LINE_LENGTH];
};

static LIST_HEAD(changes); /* by time */
static DEFINE_MUTEX(changes_lock);
static void apply_due(struct work_struct *work);
static DECLARE_DELAYED_WORK(due, apply_due);

static const struct kernel_param *find_param(const char *name)
{
	for (unsigned int i = 0; i < THIS_MODULE->num_kp; i++) {
		const struct kernel_param *param = &THIS_MODULE->kp[i];

		if (!strcmp(param->name, name) && strcmp(name, "timeline"))
			return param->perm & 0200 ? param : NULL;
	}
	return NULL;
}

static void schedule_next(void)
{
	struct change *next = list_first_entry_or_null(&changes, struct change, list);
	u64 now = lab_now_ns();

	if (next)
		schedule_delayed_work(&due,
				      next->at_ns > now ? nsecs_to_jiffies(next->at_ns - now) : 0);
}

static void apply_due(struct work_struct *work)
{
	struct change *change, *next;

	mutex_lock(&changes_lock);
	list_for_each_entry_safe(change, next, &changes, list)
	{
		if (change->at_ns > lab_now_ns())
			break;
		if (change->param->ops->set(change->value, change->param))
			pr_warn("govlab: timeline: %s does not take '%s'\n", change->param->name,
				change->value);
		list_del(&change->list);
		kfree(change);
	}
	schedule_next();
	mutex_unlock(&changes_lock);
}

static void forget(void)
{
	struct change *change, *next;

	list_for_each_entry_safe(change, next, &changes, list)
	{
		list_del(&change->list);
		kfree(change);
	}
}

static void insert(struct change *change)
{
	struct change *other;

	list_for_each_entry(other, &changes, list)
	{
		if (other->at_ns > change->at_ns)
			break;
	}
	list_add_tail(&change->list, &other->list);
}

/* One line; empty ones and comments are fine. */
static int add_line(char *line, u64 start_ns)
{
	char *text = strim(line), *when = strsep(&text, " \t"), *name, *value;
	const struct kernel_param *param;
	struct change *change;
	unsigned int ms;

	if (*when == '\0' || *when == '#')
		return 0;
	text = text ? skip_spaces(text) : NULL;
	name = strsep(&text, " \t");
	value = text ? skip_spaces(text) : NULL;
	param = name ? find_param(name) : NULL;
	if (!value || !param || kstrtouint(when, 10, &ms) || strlen(value) >= LINE_LENGTH) {
		pr_err("govlab: timeline: '%s %s %s' is no time, parameter and value\n", when,
		       name ?: "", value ?: "");
		return -EINVAL;
	}
	change = kzalloc(sizeof(*change), GFP_KERNEL);
	if (!change)
		return -ENOMEM;
	change->at_ns = start_ns + ms * (u64)NSEC_PER_MSEC;
	change->param = param;
	strscpy(change->value, value, sizeof(change->value));
	insert(change);
	return 0;
}

/* Replaces what is left of an earlier timeline. */
int lab_timeline_start(const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *line;
	u64 start_ns = lab_now_ns();
	int err = copy ? 0 : -ENOMEM;

	mutex_lock(&changes_lock);
	forget();
	while (!err && (line = strsep(&rest, "\n")))
		err = add_line(line, start_ns);
	if (err)
		forget();
	cancel_delayed_work(&due);
	schedule_next();
	mutex_unlock(&changes_lock);
	kfree(copy);
	return err;
}

void lab_timeline_exit(void)
{
	cancel_delayed_work_sync(&due);
	mutex_lock(&changes_lock);
	forget();
	mutex_unlock(&changes_lock);
	cancel_delayed_work_sync(&due);
}
