# SPDX-License-Identifier: GPL-2.0-or-later
"""What the lab's tests share on the host: calling the lab, results folders, verdicts."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
LAB = os.path.join(HERE, "lab")
SKIPPED = 77


class Skip(Exception):
    """Nothing could be tried here; the text says why."""


def need(condition, *details):
    if not condition:
        raise AssertionError(" | ".join(str(detail) for detail in details))


def lab(*words, **more):
    """The ended lab: returncode, stdout, stderr. Skips the test where it could try nothing."""
    done = raw_lab(*words, **more)
    if done.returncode == SKIPPED:
        raise Skip(done.stderr.strip())
    return done


def raw_lab(*words, env=None, cwd=None, limit=250):
    return subprocess.run([sys.executable, "-B", LAB, *map(str, words)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env={**os.environ, **(env or {})}, cwd=cwd,
                          timeout=limit, check=False)


def records(folder):
    with open(os.path.join(folder, "runs.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Place:
    """A folder of one test."""

    def __enter__(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="pwlab-"))
        os.chmod(self.top, 0o755)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.top, name)

    def compare(self, content, *options, icount="steady"):
        """perfwatt run of a config in a guest; its records."""
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)
        results = self.path("results")
        shutil.rmtree(results, ignore_errors=True)
        done = lab("--icount", icount, *options, "perfwatt", "run", self.path("config.json"), "-o", results,
                   "--no-timeline", "--user", "root", cwd=self.top)
        need(done.returncode == 0, f"exit {done.returncode}", done.stdout[-800:], done.stderr[-1500:])
        return records(results)


def main(tests, names):
    """Runs the tests named, or all."""
    verdicts = []
    for name, test in tests.items():
        if names and name not in names:
            continue
        try:
            with Place() as place:
                test(place)
            verdict = "ok"
        except Skip as reason:
            verdict = "skip"
            print(f"skipped: {reason}")
        except Exception:  # whatever it is, the other tests go on
            verdict = "FAIL"
            traceback.print_exc(file=sys.stdout)
        print(f"{verdict:4} {name}", flush=True)
        verdicts.append(verdict)
    if not verdicts:
        sys.exit(f"no such test; there are {' '.join(tests)}")
    sys.exit(1 if "FAIL" in verdicts else 0 if "ok" in verdicts else SKIPPED)
