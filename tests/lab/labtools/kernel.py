# SPDX-License-Identifier: GPL-2.0-or-later
"""
A kernel of the distribution with the headers to build a module against it: packages are downloaded
and unpacked, never installed, so no privileges are needed and nothing lands in /boot.
"""
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

from .apt import Apt
from .trouble import Missing, Trouble, run, tool

# What `--kernel` accepts, and the package that names the newest one of it.
FLAVOURS = {"6.1": "linux-image-amd64", "6.12": "linux-image-6.12-amd64"}

# Of the image package; not every kernel has every one of these.
WANTED = ("drivers/cpufreq", "drivers/cpuidle", "drivers/virtio", "drivers/hwmon", "drivers/i2c",
          "drivers/powercap", "drivers/acpi", "arch/x86", "net/9p", "fs/9p", "fs/fscache", "fs/netfs",
          "fs/overlayfs", "lib")


class Kernel:
    """An unpacked kernel: `folder` holds release, vmlinux and root/ (modules, headers)."""

    def __init__(self, flavour, folder):
        self.flavour, self.folder = flavour, folder
        with open(os.path.join(folder, "release"), encoding="utf-8") as file:
            self.release = file.read().strip()

    @property
    def image(self):
        return os.path.join(self.folder, "vmlinux")

    @property
    def root(self):
        return os.path.join(self.folder, "root")

    @property
    def headers(self):
        return os.path.join(self.root, "usr/src/linux-headers-" + self.release)


def get(cache, flavour):
    if flavour not in FLAVOURS:
        raise Trouble(f"no kernel '{flavour}' (there are {', '.join(FLAVOURS)})")
    return Kernel(flavour, cache.item("kernel-" + flavour, lambda folder: _build(folder, cache, flavour)))


def _packages(apt, flavour):
    image = apt.depends(FLAVOURS[flavour], r"linux-image-\d.*")
    release = image[len("linux-image-"):]
    headers = "linux-headers-" + release
    return release, image, [headers, apt.depends(headers, r"linux-headers-.*-common"),
                            apt.depends(headers, r"linux-kbuild-.*")]


def _fetch(cache, flavour, folder):
    """Release, image and headers; with lists of our own where the system's are missing or too old."""
    try:
        return _fetch_with(Apt(), flavour, folder)
    except Missing as first:
        print(f"lab: {first}; trying with package lists of its own", file=sys.stderr)
    apt = Apt(os.path.join(cache.folder, "apt"))
    try:
        apt.update()
        return _fetch_with(apt, flavour, folder)
    finally:
        apt.clear()


def _fetch_with(apt, flavour, folder):
    release, image, headers = _packages(apt, flavour)
    return release, apt.download(folder, image), [apt.download(folder, package) for package in headers]


def _unpack_image(deb, root, release):
    """Only what a guest needs: the whole package is 400 MB."""
    modules = "./lib/modules/" + release
    patterns = ["./boot/*", modules + "/modules.*"]
    patterns += [f"{modules}/kernel/{folder}/*" for folder in WANTED]
    unpack = subprocess.Popen([tool("dpkg-deb", "dpkg"), "--fsys-tarfile", deb], stdout=subprocess.PIPE)
    take = subprocess.run(["tar", "-x", "-C", root, "--wildcards", *patterns], stdin=unpack.stdout,
                          stderr=subprocess.PIPE, check=False)
    unpack.stdout.close()
    missing = re.sub(rb"^tar: .*(Not found in archive|Exiting with failure).*\n", b"", take.stderr, flags=re.M)
    if unpack.wait() != 0 or missing.strip():
        raise Trouble(f"cannot unpack {os.path.basename(deb)}: {missing.decode(errors='replace').strip()}")


def _unpack_headers(debs, folder, final, release):
    root = os.path.join(folder, "root")
    for deb in debs:
        run([tool("dpkg-deb", "dpkg"), "-x", deb, root])
    # The headers include their common part by the path where the package would be installed.
    path = os.path.join(root, "usr/src/linux-headers-" + release, "Makefile")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^include /usr/src/", f"include {final}/root/usr/src/", text, flags=re.M))


def extract(image):
    """
    The ELF inside a bzImage: QEMU starts it by PVH, and the emulated CPU need not unpack it, which
    is half of a guest's boot. Offsets: kernel Documentation/x86/boot.rst (protocol 2.08).
    """
    setup = image[0x1f1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    payload = image[(setup + 1) * 512 + offset:][:length]
    if payload.startswith(b"\xfd7zXZ\0"):
        elf = lzma.LZMADecompressor().decompress(payload)
    elif payload.startswith(b"\x1f\x8b"):
        elf = zlib.decompressobj(31).decompress(payload)
    elif payload.startswith(b"\x28\xb5\x2f\xfd"):  # the last four bytes are the unpacked length
        elf = subprocess.run([tool("zstd", "zstd"), "-dc"], input=payload[:-4], stdout=subprocess.PIPE,
                             check=True).stdout
    else:
        raise Trouble(f"the kernel is compressed in an unknown way ({payload[:4].hex()})")
    if not elf.startswith(b"\x7fELF"):
        raise Trouble("the kernel holds no ELF image")
    return elf


def _build(folder, cache, flavour):
    root, debs = os.path.join(folder, "root"), os.path.join(folder, "debs")
    os.mkdir(root)
    os.mkdir(debs)
    release, image, headers = _fetch(cache, flavour, debs)
    _unpack_image(image, root, release)
    _unpack_headers(headers, folder, os.path.join(cache.folder, "kernel-" + flavour), release)
    run([tool("depmod", "kmod"), "-b", root, release])
    with open(os.path.join(root, "boot/vmlinuz-" + release), "rb") as file:
        elf = extract(file.read())
    with open(os.path.join(folder, "vmlinux"), "wb") as file:
        file.write(elf)
    with open(os.path.join(folder, "release"), "w", encoding="utf-8") as file:
        file.write(release + "\n")
    shutil.rmtree(debs)
