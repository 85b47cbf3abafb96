#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
if [ -e "$1" ]; then
	echo there
fi
