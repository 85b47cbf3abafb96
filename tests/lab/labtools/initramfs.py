# SPDX-License-Identifier: GPL-2.0-or-later
"""The guest's first file system: busybox, the modules that reach the host's files, guest/init."""
import gzip
import lzma
import os

from . import cache as caches
from .trouble import Missing, Trouble, run, tool

MODULES = ("virtio_pci", "9pnet_virtio", "9p", "overlay")
FOLDERS = ("bin", "sbin", "mod", "proc", "sys", "dev", "lower", "rw", "new")
GUEST_INIT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "guest/init")


def get(cache, kernel):
    with open(GUEST_INIT, "rb") as file:
        init = file.read()
    name = f"initramfs-{kernel.release}-{caches.digest(init, _busybox(), ' '.join(MODULES))}"
    folder = cache.item(name, lambda scratch: _build(scratch, kernel, init))
    return os.path.join(folder, "initrd")


def _busybox():
    for path in ("/bin/busybox", "/usr/bin/busybox"):
        if os.path.exists(path):
            return path
    raise Missing("no busybox here (Debian package busybox-static)")


def _modules(kernel):
    """Name and content of each module, in the order in which they load."""
    seen = []
    for module in MODULES:
        text = run([tool("modprobe", "kmod"), "-d", kernel.root, "-S", kernel.release, "--show-depends",
                    module]).decode()
        for line in text.splitlines():
            path = line.split()[1] if line.startswith("insmod ") else None
            if path and path not in seen:
                seen.append(path)
    for path in seen:
        with open(path, "rb") as file:
            content = file.read()
        name = os.path.basename(path)
        if name.endswith(".xz"):
            name, content = name[:-3], lzma.decompress(content)
        yield name, content


def _entry(number, path, mode, content=b""):
    """One file of a cpio archive ("newc"; kernel Documentation/driver-api/early-userspace)."""
    name = path.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    head += b"\0" * (-len(head) % 4)
    return head + content + b"\0" * (-len(content) % 4)


def archive(files):
    """A cpio archive of (path, mode, content)."""
    parts = [_entry(number, *file) for number, file in enumerate(files, 1)]
    return b"".join(parts) + _entry(0, "TRAILER!!!", 0)


def _build(folder, kernel, init):
    with open(_busybox(), "rb") as file:
        busybox = file.read()
    if b"ld-linux" in busybox[:4096]:
        raise Trouble("busybox is not static (Debian package busybox-static)")
    files = [(path, 0o040755, b"") for path in FOLDERS]
    files += [("bin/busybox", 0o100755, busybox), ("init", 0o100755, init)]
    names = []
    for name, content in _modules(kernel):
        files.append(("mod/" + name, 0o100644, content))
        names.append(name)
    files.append(("mod/list", 0o100644, ("\n".join(names) + "\n").encode()))
    with open(os.path.join(folder, "initrd"), "wb") as file:
        file.write(gzip.compress(archive(files), 1))
