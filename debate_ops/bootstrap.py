"""Finds or makes a Python with the packages that the program needs, and goes on there.

A skill is a folder that somebody has cloned: nothing is installed, and `python3` may be any Python.
So the packages go, once, into a virtual environment in the user's cache folder, with the exact
versions and hashes of `requirements.txt`. This file uses the standard library alone, and Python 3.6
can read it. Run as a program, it does the set-up and nothing else.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).resolve().parent
REQUIREMENTS = PACKAGE / "requirements.txt"
FROM_LIST = ("--quiet", "--require-hashes", "--only-binary", ":all:", "-r", str(REQUIREMENTS))

# What the packages in it are called when they are imported.
MODULES = frozenset(
    {
        "PIL",
        "attr",
        "attrs",
        "click",
        "contourpy",
        "cycler",
        "dateutil",
        "fontTools",
        "frontmatter",
        "jinja2",
        "jsonschema",
        "jsonschema_specifications",
        "kiwisolver",
        "markdown_it",
        "markupsafe",
        "matplotlib",
        "mdurl",
        "mpl_toolkits",
        "nh3",
        "numpy",
        "packaging",
        "pylab",
        "pyparsing",
        "referencing",
        "rpds",
        "typing_extensions",
        "tzdata",
        "yaml",
    }
)
CHECK = "import click, jsonschema, frontmatter, matplotlib, jinja2, markdown_it, nh3"

NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"
PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")
# Where people keep Pythons that an agent client started from the desktop does not see.
MORE_FOLDERS = (".local/bin", "/opt/homebrew/bin", "/usr/local/bin")

USE_THIS_FOLDER = 'export XDG_CACHE_HOME="$PWD/.cache"'

FORBIDDEN = "DEBATE_OPS_NO_SETUP"
RESTARTED = "DEBATE_OPS_RESTARTED"
CONFIGURATION = 4  # exit codes, as everywhere in the program
INTERRUPTED = 130


class SetupError(Exception):
    """Why the program cannot start, and the command that mends it."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.fix = fix


def provides(module: "str | None") -> bool:
    """Whether a set-up brings this module.

    >>> provides("click.testing"), provides("debate_ops.cli"), provides(None)
    (True, False, False)
    """
    return module is not None and module.split(".")[0] in MODULES


def run_elsewhere() -> int:
    """Run this command with a Python that is new enough."""
    try:
        return _restart(find_python(), "version")
    except SetupError as error:
        return _explain(error)


def run_with_packages(missing: str) -> int:
    """Run this command in the environment that has the packages."""
    try:
        home = environment()
        if _was_restarted_for("packages"):
            problem = f"{missing}, though {home} was set up for this."
            return _explain(SetupError(problem, _command("rm", "-r", str(home))))
        make_ready(home)
        return _restart(str(python_of(home)), "packages")
    except SetupError as error:
        return _explain(error)
    except KeyboardInterrupt:
        return INTERRUPTED


def find_python() -> str:
    """Return the first Python that is new enough, and runs: a pyenv shim may be there and fail.

    Raises:
        SetupError: There is none.
    """
    for python in _candidates():
        if _output(python, "-I", "-S", "-c", NEW_ENOUGH) is not None:
            return python
    this = f"{sys.executable} is Python {platform.python_version()}"
    problem = f"Python 3.11 or newer is needed; {this}, and no newer one was found."
    raise SetupError(problem, _how_to_get_python())


def environment() -> Path:
    """Return the folder for these packages, this Python and this machine."""
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))  # .cpython-311-x86_64-linux-gnu.so
    return _cache() / f"{_prefix()}{suffix.split('.')[1]}-{platform.machine()}"


def python_of(home: Path) -> Path:
    """Return the interpreter of an environment."""
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_ready(home: Path) -> None:
    """Set the environment up, unless it is there.

    Raises:
        SetupError: It is not there, and cannot or may not be made.
    """
    if _is_ready(home):
        return
    if os.environ.get(FORBIDDEN, "0") not in ("", "0"):
        problem = f"The Python packages are missing, and {FORBIDDEN} forbids setting them up."
        raise SetupError(problem, f"env -u {FORBIDDEN} {_setup()}")
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with _lock(home.parent / "setup.lock"):
            if not _is_ready(home):  # another command may have made it while we waited
                _say(f"setting up its Python packages once in {home} (about 45 MB to fetch)")
                _build(home)
    except OSError as error:
        problem = f"The Python packages cannot be set up in {home.parent}: {error}"
        raise SetupError(problem, USE_THIS_FOLDER) from error


def _candidates() -> "Iterator[str]":
    yield from (str(python_of(home)) for home in _cache().glob(_prefix() + "*"))
    folders = [os.environ.get("PATH", os.defpath), *(str(_home() / more) for more in MORE_FOLDERS)]
    found = (shutil.which(name, path=os.pathsep.join(folders)) for name in PYTHONS)
    yield from filter(None, found)
    yield from map(str, (_home() / ".pyenv/versions").glob("3.*/bin/python"))
    yield _output("uv", "python", "find", ">=3.11") or ""
    yield _output("py", "-3", "-c", "import sys; print(sys.executable)") or ""


def _cache() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen:
        return Path(chosen).resolve() / "debate-ops"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home()) / "debate-ops"
    return _home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "debate-ops"


def _home() -> Path:
    try:
        return Path.home()
    except (RuntimeError, KeyError) as error:  # the first by newer Pythons, the second by older
        raise SetupError("This user has no home folder.", USE_THIS_FOLDER) from error


def _prefix() -> str:
    return f"env-{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]}-"


def _is_ready(home: Path) -> bool:
    """An environment gets its name only when it is whole; but its Python may have gone since."""
    return python_of(home).exists()


def _build(home: Path) -> None:
    """Build aside and rename, so that an interruption leaves nothing that looks whole."""
    for left_over in home.parent.glob("*.new-*"):  # by a killed set-up: we have the lock
        shutil.rmtree(str(left_over), ignore_errors=True)
    new = home.with_name(f"{home.name}.new-{os.getpid()}")
    try:
        _install(new)
        _run("the check", new.parent, str(python_of(new)), "-I", "-c", CHECK)
        if home.exists():
            shutil.rmtree(str(home))
        new.rename(home)
    finally:
        shutil.rmtree(str(new), ignore_errors=True)
    with contextlib.suppress(SetupError):  # a read-only program folder is no reason to fail
        _run("compileall", PACKAGE, str(python_of(home)), "-I", "-m", "compileall", "-q", ".")


def _install(new: Path) -> None:
    """Install with uv, which is several times faster, else with what Python itself brings."""
    if shutil.which("uv"):
        try:
            return _install_with_uv(new)
        except SetupError as error:
            _say(f"{error} Trying pip.")
            shutil.rmtree(str(new), ignore_errors=True)
    return _install_with_pip(new)


def _install_with_uv(new: Path) -> None:
    create = ["uv", "venv", "--quiet", "--no-project", "--python", sys.executable, str(new)]
    install = ["uv", "pip", "install", "--compile-bytecode", "--python", str(python_of(new))]
    _run("uv", new.parent, *create)
    _run("uv", new.parent, *install, *FROM_LIST)


def _install_with_pip(new: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        major, minor = sys.version_info[:2]
        fix = f"sudo apt-get install -y python{major}.{minor}-venv"  # only Debian splits it off
        raise SetupError(f"{sys.executable} cannot make environments: it lacks ensurepip.", fix)
    _run("venv", new.parent, sys.executable, "-I", "-m", "venv", str(new))
    _run("pip", new.parent, str(python_of(new)), "-I", "-m", "pip", "install", *FROM_LIST)


def _run(step: str, folder: Path, *command: str) -> None:
    """Take a step of the set-up, away from the user's folder: its settings are not meant for us."""
    done = subprocess.run(
        command,
        cwd=str(folder),
        env=dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", PIP_USER="0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().split("\n")
        reason = " … ".join(said[:1] + said[1:][-2:])  # the first line often has the cause
        problem = (
            f"The Python packages could not be set up (this once, it takes a network): {step}: "
        )
        raise SetupError(problem + reason, _setup())


def _output(*command: str) -> "str | None":
    """Return what a command prints, or nothing if it fails."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.check_output(
            command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20
        )
        return said.decode(errors="replace").strip()
    return None


@contextlib.contextmanager
def _lock(path: Path) -> "Iterator[None]":
    """Hold a lock that the system frees when we end, however we end."""
    with path.open("a") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _restart(python: str, reason: str) -> int:
    """Become the same command in another Python; where that is impossible, run it and wait."""
    if _was_restarted_for(reason):
        raise SetupError(f"{python} was tried and is no better.", _how_to_get_python())
    os.environ[RESTARTED] = f"{os.getpid()} {reason}"
    command = [python, str(PACKAGE), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(python, command)
    return subprocess.call(command)


def _was_restarted_for(reason: str) -> bool:
    """Tell a second try from a first one; with the process in it, children do not inherit it."""
    process = os.getppid() if os.name == "nt" else os.getpid()
    return os.environ.get(RESTARTED) == f"{process} {reason}"


def _how_to_get_python() -> str:
    if os.name == "nt":
        return "winget install Python.Python.3.13"
    if shutil.which("uv"):
        return "uv python install 3.13"
    if shutil.which("brew"):
        return "brew install python@3.13"
    uv = "curl -LsSf https://astral.sh/uv/install.sh | sh"
    return uv + " && ~/.local/bin/uv python install 3.13"


def _setup() -> str:
    return _command(sys.executable, str(PACKAGE / "bootstrap.py"))


def _command(*words: str) -> str:
    return " ".join(map(shlex.quote, words))


def _say(remark: str) -> None:
    sys.stderr.write(f"debate-ops: {remark}\n")
    sys.stderr.flush()


def _explain(error: SetupError) -> int:
    """Answer as every command does: one object for a program, a line for a person."""
    problem = str(error)
    result = {
        "success": False,
        "error": problem,
        "errors": [problem],
        "fix": error.fix,
        "warnings": [],
    }
    sys.stdout.write(json.dumps(result) + "\n")
    _say(f"{problem} To mend it: {error.fix}")
    return CONFIGURATION


def main() -> int:
    """Do the set-up and print the environment's folder."""
    try:
        if sys.version_info < (3, 11):
            return subprocess.call([find_python(), __file__])
        home = environment()
        make_ready(home)
    except SetupError as error:
        return _explain(error)
    sys.stdout.write(f"{home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
