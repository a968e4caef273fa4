"""What happens where packages are missing: an environment in the user's cache, made once.

A skill is a clone, and `python3` may be any Python. So what pyproject.toml names is installed, by
uv or else by pip, and the command goes on there. Python 3.6 can read this file.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from shlex import quote
from subprocess import PIPE, STDOUT

PACKAGE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(os.path.dirname(PACKAGE), "pyproject.toml")
PYTHON = "Scripts/python.exe" if os.name == "nt" else "bin/python"
IS_OLD = sys.version_info < (3, 11)
CACHE, FORBIDDEN = "XDG_CACHE_HOME", "DEBATE_OPS_NO_SETUP"
WHEELS = ("pip", "install", "--quiet", "--only-binary", ":all:")  # nothing is built or run
NEWER = "curl -LsSf https://astral.sh/uv/install.sh | sh && ~/.local/bin/uv python install 3.13"


class StartError(Exception):
    """Why the program cannot start, and the command that repairs it."""


def run_elsewhere() -> int:
    """Run this command in the environment with the packages; where there can be none, say why."""
    try:
        python = prepare_environment()
    except StartError as error:
        problem, fix = error.args
        if "--json" in sys.argv or not sys.stdout.isatty():
            answer = {"success": False, "error": problem, "errors": [problem], "fix": fix}
            sys.stdout.write(json.dumps(dict(answer, warnings=[])) + "\n")
        sys.stderr.write(f"debate-ops: {problem} To repair it, type: {fix}\n")
        return 4
    command = [python, PACKAGE, *sys.argv[1:]]
    if os.name != "nt":
        os.execv(python, command)  # noqa: S606  (there is no shell in it, as intended)
    return subprocess.call(command)


def prepare_environment() -> str:
    """Return the Python of the environment for these packages; make it if need be."""
    try:
        with open(PROJECT, encoding="utf-8") as file:  # not every Python here has tomllib
            listed = file.read().split("\ndependencies = [")[1].split("\n]")[0]
    except OSError:
        raise StartError(
            "Packages are missing.", "pip install --force-reinstall debate-ops"
        ) from None
    packages = re.findall('^  "(.+?)"', listed, re.MULTILINE)
    folders = (os.environ.get(CACHE, ""), os.environ.get("LOCALAPPDATA", ""), "~/.cache")
    base = next(filter(os.path.isabs, map(os.path.expanduser, folders)), None)
    if base is None:
        problem = f"The home folder has no full path (HOME: {os.environ.get('HOME', 'not set')})."
        raise StartError(problem, f'export {CACHE}="$(mktemp -d)"')
    key = repr((packages, sys.version_info[:2], sys.base_prefix, platform.machine()))
    cache = os.path.join(base, "debate-ops")
    home = os.path.join(cache, "env-" + hashlib.sha256(key.encode()).hexdigest()[:12])
    python = os.path.join(home, PYTHON)
    if os.path.realpath(sys.prefix) == os.path.realpath(home):
        raise StartError(f"{home} lacks packages.", "rm -r " + quote(home))
    if os.path.exists(python):
        return python
    where = f"env {CACHE}={quote(base)} " if CACHE in os.environ else ""  # maybe set here alone
    again = f"{where}{quote(sys.executable)} {quote(PACKAGE)} --version"
    if os.environ.get(FORBIDDEN, "0") not in ("", "0"):
        problem = f"Python packages are missing, and {FORBIDDEN} forbids setting them up."
        raise StartError(problem, f"env -u {FORBIDDEN} {again}")
    sys.stderr.write(f"debate-ops: setting up its Python packages once, in {home}\n")
    try:
        os.makedirs(cache, exist_ok=True)
        shutil.rmtree(home, ignore_errors=True)  # it is there if its Python has gone
        with tempfile.TemporaryDirectory(prefix="new-", dir=cache) as folder:
            install(os.path.join(folder, "env"), packages)
            os.rename(os.path.join(folder, "env"), home)
    except OSError as error:
        if not os.path.exists(python):  # else another command was quicker
            problem = (
                f"Python packages are missing; the set-up takes a network, and failed: {error}"
            )
            raise StartError(problem, again) from error
    return python


def install(new: str, packages: "list[str]") -> None:
    """Make an environment with these packages, by uv where it runs, else by pip."""
    python = os.path.join(new, PYTHON)
    uv = shutil.which("uv") or os.path.expanduser("~/.local/bin/uv")
    is_uv = os.path.isabs(uv) and os.path.exists(uv) and not run(uv, "--version")
    if is_uv:
        base = ">=3.11" if IS_OLD else sys.executable
        make = [uv, "venv", "--no-project", "--no-python-downloads", "--python", base, new]
        fill = [uv, *WHEELS, "--compile-bytecode", "--python", python, *packages]
    else:
        make = [sys.executable, "-I", "-m", "venv", new]
        fill = [python, "-I", "-m", *WHEELS, "--retries", "0", "--timeout", "10", *packages]
    failure = (IS_OLD and not is_uv) or run(*make)
    if failure and IS_OLD:
        version = platform.python_version()
        raise StartError(f"Python 3.11 or newer is needed; {sys.executable} is {version}.", NEWER)
    failure = failure or run(*fill)
    if failure:
        raise OSError(failure)


def run(*command: str) -> str:
    """Run a step away from the user's folder and its settings; return what a failed one said."""
    env = dict(os.environ, PIP_USER="0", UV_HTTP_RETRIES="0", UV_HTTP_TIMEOUT="10")
    done = subprocess.run(
        command, cwd=os.sep, env=env, check=False, input=b"", stdout=PIPE, stderr=STDOUT
    )
    said = " ".join(done.stdout.decode(errors="replace").split())
    return (said or "it failed")[-400:] if done.returncode else ""
