# SPDX-License-Identifier: GPL-2.0-or-later
"""
Packages of the distribution, downloaded and never installed. The system's package lists serve where
they are there and fresh; else lists of our own in a folder, which needs no privileges.
"""
import glob
import os
import re
import shutil

from .trouble import Missing, run, tool


class Apt:
    def __init__(self, folder=None):
        """folder: of lists of our own; None: the system's."""
        self.folder, self.options = folder, []
        if folder:
            for name in ("lists/partial", "archives/partial"):
                os.makedirs(os.path.join(folder, name), exist_ok=True)
            self.options = ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}",
                            "-o", f"Dir::Cache::archives={folder}/archives"]

    def _run(self, program, *words, **more):
        return run([tool(program, "apt"), *self.options, *words], Missing, env=dict(os.environ, LC_ALL="C"), **more)

    def update(self):
        self._run("apt-get", "-q", "-o", "APT::Sandbox::User=", "update")

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def depends(self, package, pattern):
        """The first package that `package` depends on and that fits the pattern."""
        text = self._run("apt-cache", "depends", package).decode()
        for found in re.findall(r"^\s+Depends: (\S+)", text, re.M):
            if re.fullmatch(pattern, found):
                return found
        raise Missing(f"the package source has no {package}: this is no Debian 12, or it is not among its sources")

    def download(self, folder, package):
        """The path of the downloaded package."""
        self._run("apt-get", "-q", "-o", "APT::Sandbox::User=", "download", package, cwd=folder)
        found = glob.glob(os.path.join(folder, package + "_*.deb"))
        if not found:
            raise Missing(f"apt-get download left no {package}")
        return found[0]
