/* SPDX-License-Identifier: GPL-2.0-or-later */
static int allowed_here;
