# SPDX-License-Identifier: GPL-2.0-or-later
"""How the lab fails: exit codes that no script in a guest uses, and running a tool with its reason."""
import shutil
import subprocess

SKIPPED = 77  # nothing could be tried here: a tool or the packages are missing
USAGE = 2
CANNOT = 98  # the lab itself broke (disk full, a build that fails)
NO_STATUS = 99  # the guest ended without an exit status: hang, panic, crash


class Trouble(Exception):
    """Why the lab cannot go on; `code` is its exit status."""

    code = CANNOT


class Missing(Trouble):
    code = SKIPPED


class Usage(Trouble):
    code = USAGE


class NoStatus(Trouble):
    code = NO_STATUS


def tool(name, package):
    """The path of a program; the sbin folders count as well."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if not path:
        raise Missing(f"no {name} here (Debian package {package})")
    return path


def last_lines(text, count=15):
    return "\n".join(text.strip().splitlines()[-count:])


def run(argv, failure=Trouble, **more):
    """A tool's stdout; where it fails, what it said last."""
    more.setdefault("stdin", subprocess.DEVNULL)
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    except OSError as error:
        raise failure(f"cannot start {argv[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = last_lines((done.stdout + done.stderr).decode(errors="replace"), 6)
        raise failure(f"{' '.join([*map(str, argv[:1]), *map(str, argv[-2:])])} failed (exit {done.returncode}): {said}")
    return done.stdout
