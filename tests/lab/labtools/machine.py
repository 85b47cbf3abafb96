# SPDX-License-Identifier: GPL-2.0-or-later
"""What the guest is: its CPUs, the driver that sets their frequency, and QEMU's command line."""
import dataclasses

from . import acpi
from .trouble import Usage, tool

IDENTITIES = {
    # Family 6 has a constant TSC, without which the kernel refuses fast frequency switching.
    "intel": "qemu64,family=6,model=85,stepping=4,vendor=GenuineIntel,model-id=Lab Xeon",
    "amd": "qemu64,family=25,model=1,stepping=1,vendor=AuthenticAMD,model-id=Lab EPYC",
}
# Every boot: the module's own PMU "msr" instead of the kernel's, which has only the TSC here.
CMDLINE = ("console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=1 tsc=reliable no_timer_check "
           "initcall_blacklist=msr_init")
# One instruction is 2^0 ns of guest time, whatever the host does meanwhile.
ICOUNT_SHIFT = 0


@dataclasses.dataclass(frozen=True)
class Driver:
    """How a frequency driver comes about."""

    identity: str
    params: tuple  # of govlab
    table: object = None  # function(cache, cpus): an ACPI table
    modules: tuple = ()
    cmdline: str = ""


DRIVERS = {
    "table": Driver("intel", ("driver=govlab",)),
    "intel-active": Driver("intel", ("driver=intel_pstate",)),
    "amd-active": Driver("amd", ("driver=amd-pstate-epp", "amd=1")),
    "acpi": Driver("intel", ("with_cpufreq=0",), table=acpi.p_states, modules=("acpi-cpufreq",)),
    "amd-pstate": Driver("amd", ("with_cpufreq=0", "amd=1"), table=acpi.cppc,
                         cmdline="amd_pstate=passive " + acpi.CPC_RESERVE),
    "none": Driver("intel", ("with_cpufreq=0",)),
}


@dataclasses.dataclass
class Machine:
    kernel: str = "6.1"
    cpus: int = 2
    sockets: int = 1
    threads: int = 1  # of a core
    cpu: str = ""  # an identity; empty: the driver's
    driver: str = "table"
    icount: str = ""  # "", "steady", or "leap": idle time passes at once
    params: tuple = ()
    cmdline: str = ""
    memory: int = 1024
    defines: tuple = ()

    def check(self):
        if self.icount and self.cpus != 1:
            raise Usage("--icount takes --cpus 1 (with more the guest hangs in its boot)")
        if min(self.cpus, self.sockets, self.threads) < 1 or self.cpus % (self.sockets * self.threads):
            raise Usage(f"{self.cpus} CPUs cannot be spread over {self.sockets} sockets with {self.threads} "
                        "threads a core")
        for param in self.params:
            if "=" not in param:
                raise Usage(f"--param wants NAME=VALUE, not '{param}'")

    @property
    def identity(self):
        return self.cpu or DRIVERS[self.driver].identity

    def module_params(self):
        """In the order in which the later one wins."""
        return [*DRIVERS[self.driver].params, *self.params]

    def kernel_modules(self):
        return DRIVERS[self.driver].modules

    def command(self, cache, kernel, initrd, job):
        driver = DRIVERS[self.driver]
        words = [CMDLINE, driver.cmdline, f"lab.modules={kernel.root}/lib/modules/{kernel.release}",
                 self.cmdline]
        accel = "tcg,thread=single" if self.icount else "tcg,thread=multi"
        argv = [tool("qemu-system-x86_64", "qemu-system-x86"), "-M", "pc", "-accel", accel,
                "-cpu", IDENTITIES[self.identity], "-m", str(self.memory),
                "-smp", f"{self.cpus},sockets={self.sockets},threads={self.threads}", "-nodefaults", "-no-user-config",
                "-display", "none", "-serial", "stdio", "-no-reboot",
                "-device", "isa-debug-exit,iobase=0x501,iosize=1", "-kernel", kernel.image,
                "-initrd", initrd, "-append", " ".join(word for word in words if word)]
        argv += _share("hostroot", "/", ",readonly=on") + _share("job", job, "")
        if self.icount:
            argv += ["-icount", f"shift={ICOUNT_SHIFT},sleep={'off' if self.icount == 'leap' else 'on'}"]
        if driver.table:
            argv += ["-acpitable", "file=" + driver.table(cache, self.cpus)]
        return argv


def _share(tag, path, more):
    if "," in path:
        raise Usage(f"QEMU cannot share a folder with a comma in its name: {path}")
    return ["-fsdev", f"local,id={tag},path={path},security_model=none,multidevs=remap{more}",
            "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
