# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of tests/lab/lab."""
import argparse
import os
import sys

from . import cache as caches
from . import guest as guests
from . import initramfs, kernel, machine, module, programs
from .trouble import Trouble, Usage

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BUILDS = ("build/release", "build/ci", "build/dev")
WRITES_TO = ("-o", "--output", "--plots")

EPILOG = """\
run SCRIPT [ARGS]   runs a script of the host in the guest
perfwatt ARGS       runs perfwatt in the guest: $PERFWATT, or the one in build/release, ci or dev;
                    what it writes below the current folder, or to -o DIR, comes back
fetch               builds what the guest needs and boots nothing

exit status: that of the script or of perfwatt; 77: nothing can be tried here (the reason is said);
98: the lab broke; 99: no status came back from the guest (its console's last lines are shown)
"""


def parser():
    p = argparse.ArgumentParser(prog="lab", description="perfwatt or a script in a guest whose power is known",
                                epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--kernel", default="6.1", choices=list(kernel.FLAVOURS))
    p.add_argument("--cpus", type=int, help="default 2, or 1 with --icount")
    p.add_argument("--sockets", type=int, default=1)
    p.add_argument("--threads", type=int, default=1, help="of a core: CPUs that smt/control takes away")
    p.add_argument("--cpu", choices=list(machine.IDENTITIES), help="whose CPU it is (default: the driver's)")
    p.add_argument("--driver", default="table", choices=list(machine.DRIVERS),
                   help="govlab's frequency table (default), govlab in the manner of intel_pstate or "
                        "amd-pstate-epp, or an unmodified driver of the kernel on an ACPI table")
    p.add_argument("--icount", nargs="?", const="steady", choices=["off", "steady", "leap"],
                   help="guest time counts instructions, not the host's time (steady; the default for "
                        "perfwatt on one CPU); leap: idle time passes at once")
    p.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="of the module govlab")
    p.add_argument("--define", action="append", default=[], metavar="NAME=VALUE", help="built into the module")
    p.add_argument("--timeline", metavar="FILE", help="faults over time (docs/lab.md)")
    p.add_argument("--cmdline", default="", help="further words for the guest's kernel")
    p.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="default 300")
    p.add_argument("--cache", metavar="DIR", help="default $PERFWATT_LAB_CACHE, or perfwatt-lab in the cache folder")
    p.add_argument("--console", action="store_true", help="show the guest's console at the end")
    p.add_argument("command", choices=["run", "perfwatt", "fetch"])
    p.add_argument("rest", nargs=argparse.REMAINDER)
    return p


def find_perfwatt():
    chosen = os.environ.get("PERFWATT")
    paths = [chosen] if chosen else [os.path.join(PROJECT, build, "perfwatt") for build in BUILDS]
    for path in paths:
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise Usage("no perfwatt at " + ", ".join(paths))


def guest_argv(args):
    if args.command == "perfwatt":
        return [find_perfwatt(), *args.rest]
    if not args.rest:
        raise Usage("run which script?")
    script = os.path.abspath(args.rest[0])
    if not os.path.isfile(script):
        raise Usage(f"no script {script}")
    shell = [] if os.access(script, os.X_OK) else ["/bin/sh"]
    return [*shell, script, *args.rest[1:]]


def kept_paths(words, directory):
    """The current folder, and what the arguments name for output."""
    kept = [directory]
    for word, value in zip(words, words[1:]):
        if word in WRITES_TO:
            kept.append(os.path.normpath(os.path.join(directory, value)))
    inside = [path for path in kept[1:] if not (path + "/").startswith(directory.rstrip("/") + "/")]
    return [directory] + inside if directory != "/" else inside


def machine_of(args):
    """A measurement wants CPUs that are really slower, and a clock that no other load disturbs."""
    measures = args.command == "perfwatt"
    icount = args.icount or ("steady" if measures and args.cpus in (None, 1) else "off")
    icount = "" if icount == "off" else icount
    made = machine.Machine(kernel=args.kernel, cpus=args.cpus or (1 if icount else 2),
                           sockets=args.sockets, threads=args.threads, cpu=args.cpu or "", driver=args.driver, icount=icount,
                           params=(*(["slow=1"] if measures else []), *args.param), cmdline=args.cmdline,
                           defines=tuple(args.define))
    made.check()
    return made


def environment_of(args):
    pairs = []
    for text in args.env:
        name, mark, value = text.partition("=")
        if not mark or not name.isidentifier():
            raise Usage(f"--env wants NAME=VALUE, not '{text}'")
        pairs.append((name, value))
    if args.command == "run" and os.environ.get("PERFWATT"):
        pairs.append(("PERFWATT", os.path.abspath(os.environ["PERFWATT"])))
    return pairs


def timeline_of(args):
    if not args.timeline:
        return None
    try:
        with open(args.timeline, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Usage(f"{args.timeline}: {error.strerror}") from None


def act(args):
    made, environment, timeline = machine_of(args), environment_of(args), timeline_of(args)
    argv = None if args.command == "fetch" else guest_argv(args)
    machine.tool("qemu-system-x86_64", "qemu-system-x86")
    cache = caches.Cache(args.cache)
    kern = kernel.get(cache, made.kernel)
    initrd = initramfs.get(cache, kern)
    ko = module.get(cache, kern, made.defines)
    spin = programs.get(cache)
    if argv is None:
        return 0
    guest = guests.Guest(made, cache, kern, initrd, ko, spin, args.limit)
    try:
        directory = os.getcwd()
        keep = kept_paths(args.rest, directory) if args.command == "perfwatt" else []
        guest.prepare(argv, directory, environment, timeline, keep)
        status = guest.run()
        guest.bring_back()
        if args.console:
            sys.stderr.write(guest.console())
        return status
    except OSError as error:
        raise Trouble(caches.reason(error)) from None
    finally:
        guest.close()


def main(words):
    args = parser().parse_args(words)
    try:
        return act(args)
    except Trouble as trouble:
        print(f"lab: {'skipped: ' if trouble.code == 77 else ''}{trouble}", file=sys.stderr)
        return trouble.code
