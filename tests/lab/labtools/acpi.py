# SPDX-License-Identifier: GPL-2.0-or-later
"""
ACPI tables that let drivers of the kernel attach to QEMU's processors (\\_SB.CPUS.C000 ...):
acpi-cpufreq to _PSS, amd-pstate to _CPC. They describe the CPU of module/model.c.
"""
import os

from . import cache as caches
from .trouble import run, tool

MIN_MHZ, BASE_MHZ, MAX_MHZ, STEP_MHZ = 800, 2400, 3600, 400
# Guest memory for the _CPC registers, 256 bytes a CPU; the command line keeps it free.
CPC_BASE = 0x1f000000
CPC_RESERVE = "memmap=64K$0x1f000000"
# Performance levels of _CPC: one a frequency of 100 MHz / 8 as AMD's do, nominal at the base.
HIGHEST, NOMINAL, NONLINEAR, LOWEST = 255, 170, 85, 57

PSS_CPU = """External (\\_SB.CPUS.{cpu}, ProcessorObj)
Scope (\\_SB.CPUS.{cpu}) {{
  Name (_PCT, Package () {{
    ResourceTemplate () {{ Register (SystemIO, 16, 0, 0x0E00, ,) }},
    ResourceTemplate () {{ Register (SystemIO, 16, 0, 0x0E00, ,) }} }})
  Name (_PSS, Package () {{ {states} }})
  Method (_PPC, 0, NotSerialized) {{ Return (0) }}
  Name (_PSD, Package () {{ Package () {{ 5, 0, {number}, 0xFE, 1 }} }})
}}
"""
CPC_CPU = """External (\\_SB.CPUS.{cpu}, ProcessorObj)
Scope (\\_SB.CPUS.{cpu}) {{
  Name (_CPC, Package (23) {{ 23, 3, {highest}, {nominal}, {nonlinear}, {lowest},
    {none}, {desired}, {minimum}, {maximum}, {none}, {none}, {none}, {reference}, {delivered},
    {limited}, {enable}, {autonomous}, {none}, {epp}, {nominal}, {low_mhz}, {nominal_mhz} }})
  Name (_PSD, Package () {{ Package () {{ 5, 0, {number}, 0xFE, 1 }} }})
}}
"""
NO_REGISTER = "ResourceTemplate () { Register (SystemMemory, 0, 0, 0, 0,) }"


def _table(cache, kind, blocks):
    source = f'DefinitionBlock ("", "SSDT", 2, "GOVLAB", "{kind}", 1) {{\n{"".join(blocks)}}}\n'

    def build(folder):
        path = os.path.join(folder, "ssdt.asl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        run([tool("iasl", "acpica-tools"), "-p", os.path.join(folder, "ssdt"), path])

    return os.path.join(cache.item("acpi-" + caches.digest(source), build), "ssdt.aml")


def p_states(cache, cpus):
    """_PSS: control and status go to an I/O port without a device, so nothing happens there."""
    states = []
    for number, mhz in enumerate(range(MAX_MHZ, MIN_MHZ - 1, -STEP_MHZ)):
        mw = round(95000 * (mhz / MAX_MHZ) ** 3)
        states.append(f"Package () {{ {mhz}, {mw}, 10, 10, {number}, {number} }}")
    return _table(cache, "PSTATES", [PSS_CPU.format(cpu=f"C{n:03X}", number=n, states=", ".join(states))
                                     for n in range(cpus)])


def _register(cpu, offset, bits):
    width = {32: 3, 64: 4}[bits]
    return (f"ResourceTemplate () {{ Register (SystemMemory, {bits}, 0, "
            f"0x{CPC_BASE + cpu * 256 + offset:X}, {width},) }}")


def cppc(cache, cpus):
    """_CPC revision 3 with its registers in plain memory: amd-pstate's shared-memory mode."""
    blocks = []
    for n in range(cpus):
        registers = {"desired": 0x10, "minimum": 0x14, "maximum": 0x18, "limited": 0x30, "enable": 0x34,
                     "autonomous": 0x38, "epp": 0x3c}
        words = {name: _register(n, offset, 32) for name, offset in registers.items()}
        blocks.append(CPC_CPU.format(
            cpu=f"C{n:03X}", number=n, none=NO_REGISTER, reference=_register(n, 0x20, 64),
            delivered=_register(n, 0x28, 64), highest=HIGHEST, nominal=NOMINAL, nonlinear=NONLINEAR,
            lowest=LOWEST, low_mhz=MIN_MHZ, nominal_mhz=BASE_MHZ, **words))
    return _table(cache, "CPPC", blocks)
