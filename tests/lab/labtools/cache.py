# SPDX-License-Identifier: GPL-2.0-or-later
"""
The folder of what was built once. An item is a folder that is filled under a name of its own and
renamed when it is whole, so that an interrupted build leaves nothing that looks ready; one lock
keeps two labs from building the same.
"""
import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import tempfile

from .trouble import Trouble

BUILDING = ".building-"


def default_folder():
    chosen = os.environ.get("PERFWATT_LAB_CACHE")
    if chosen:
        return os.path.abspath(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "perfwatt-lab")


def digest(*parts):
    """A short name for the content of texts (str or bytes)."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()[:12]


def reason(error):
    if error.errno == errno.ENOSPC:
        return f"the disk is full ({error.filename or 'cache'})"
    return f"{error.filename or 'cache'}: {error.strerror}"


class Cache:
    def __init__(self, folder=None):
        self.folder = os.path.realpath(folder or default_folder())
        self.held = 0
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as error:
            raise Trouble(f"no cache folder: {reason(error)}") from None

    @contextlib.contextmanager
    def lock(self):
        """Ours alone for the time of a build; may be nested."""
        if self.held:
            yield
            return
        with open(os.path.join(self.folder, "lock"), "w", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.held += 1
            try:
                self._sweep()
                yield
            finally:
                self.held -= 1

    def _sweep(self):
        """What an earlier build that was killed has left: under the lock nobody builds."""
        for name in os.listdir(self.folder):
            if name.startswith(BUILDING):
                shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)

    def item(self, name, build):
        """The folder `name`, made by build(folder) if it is not there yet."""
        path = os.path.join(self.folder, name)
        if os.path.isdir(path):
            return path
        with self.lock():
            if not os.path.isdir(path):
                self._make(path, build)
        return path

    def _make(self, path, build):
        scratch = None
        try:
            scratch = tempfile.mkdtemp(prefix=BUILDING, dir=self.folder)
            build(scratch)
            os.chmod(scratch, 0o755)
            os.rename(scratch, path)
        except OSError as error:
            raise Trouble(f"cannot build {os.path.basename(path)}: {reason(error)}") from None
        finally:
            if scratch:
                shutil.rmtree(scratch, ignore_errors=True)
