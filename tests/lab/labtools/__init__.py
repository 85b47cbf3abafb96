# SPDX-License-Identifier: GPL-2.0-or-later
"""The parts of tests/lab/lab: cache, kernel, module, acpi, initramfs, machine, guest, cli."""
