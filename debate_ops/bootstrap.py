"""Finds or makes a Python with the packages that the program needs, and goes on there.

A skill is a folder that somebody has cloned: nothing is installed, and `python3` may be any Python.
So the packages go, once, into a virtual environment in the user's cache folder, with the exact
versions and hashes of `requirements.txt`. This file and `interpreters` use the standard library
alone, and Python 3.6 can read them. Run as a program, this one does the set-up and nothing else.
"""

import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

PACKAGE = Path(__file__).resolve().parent
if not __package__:  # run by its path: Python looks for modules inside the package, not beside it
    sys.path.insert(0, str(PACKAGE.parent))

from debate_ops import interpreters  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REQUIREMENTS = PACKAGE / "requirements.txt"
FROM_LIST = ("--quiet", "--require-hashes", "--only-binary", ":all:", "-r", str(REQUIREMENTS))

CHECK = "import click, frontmatter, jinja2, jsonschema, markdown_it, nh3"

NEW_ENOUGH = "import sys; sys.version_info < (3, 11) and sys.exit(1); print(sys.executable)"

CACHE = "XDG_CACHE_HOME"
PASSING_CACHE = f'export {CACHE}="$(mktemp -d)"'
HALF_BUILT = "*.new-*"

FORBIDDEN = "DEBATE_OPS_NO_SETUP"
RESTARTED = "DEBATE_OPS_RESTARTED"
CONFIGURATION = 4  # exit codes, as everywhere in the program
INTERRUPTED = 130


class SetupError(Exception):
    """Why the program cannot start, and the command that repairs it."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.fix = fix


def provides(module: "str | None") -> bool:
    """Whether a set-up may bring this module: it is neither ours nor one of Python's own.

    >>> provides("yaml.nodes"), provides("debate_ops.cli"), provides("zlib"), provides(None)
    (True, False, False, False)
    """
    top = (module or PACKAGE.name).split(".")[0]
    return top != PACKAGE.name and top not in sys.stdlib_module_names


def run_elsewhere() -> int:
    """Run this command with a Python that is new enough."""
    return _answering(lambda: _restart(find_python(), "version"))


def run_with_packages(missing: str) -> int:
    """Run this command in the environment that has the packages."""
    return _answering(lambda: _in_environment(missing))


def _in_environment(missing: str) -> int:
    home = environment()
    if _was_restarted_for("packages"):
        problem = f"{missing}, though {home} was set up for this."
        raise SetupError(problem, _command("rm", "-r", str(home)))
    make_ready(home)
    return _restart(str(python_of(home)), "packages")


def find_python() -> str:
    """Return the first Python that is new enough, and runs: a pyenv shim may be there and fail.

    Raises:
        SetupError: There is none.
    """
    for python in interpreters.candidates(_home()):
        newer = interpreters.output(python, "-I", "-S", "-c", NEW_ENOUGH)
        if newer:
            return newer
    this = f"{sys.executable} is Python {platform.python_version()}"
    problem = f"Python 3.11 or newer is needed; {this}, and no newer one was found."
    raise SetupError(problem, interpreters.how_to_get_one())


def environment() -> Path:
    """Return the folder for these packages, this Python and this machine."""
    digest = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))  # .cpython-311-x86_64-linux-gnu.so
    return _cache() / f"env-{digest}-{suffix.split('.')[1]}-{platform.machine()}"


def python_of(home: Path) -> Path:
    """Return the interpreter of an environment."""
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_ready(home: Path) -> None:
    """Set the environment up, unless it is there.

    Raises:
        SetupError: It is not there, and cannot or may not be made; or others can write in it.
    """
    require_own(home)
    if _is_ready(home):
        return
    if os.environ.get(FORBIDDEN, "0") not in ("", "0"):
        problem = f"The Python packages are missing, and {FORBIDDEN} forbids setting them up."
        raise SetupError(problem, f"env -u {FORBIDDEN} {_setup()}")
    try:
        with _closed_to_others():
            home.parent.mkdir(parents=True, exist_ok=True)
            require_own(home)  # somebody may have been quicker
            with _locked(home.parent):
                if not _is_ready(home):  # another command may have made it while we waited
                    _say(f"setting up its Python packages once in {home} (about 5 MB to fetch)")
                    _build(home)
    except OSError as error:
        raise _cannot_write(home, error) from error


def require_own(home: Path) -> None:
    """Refuse an environment that anybody else can have put there: it is about to be executed.

    The cache folder and what is in it has to belong to this user or to root, and others may not
    write there; in a folder above they may if it keeps what belongs to one from another, as `/tmp`
    does. On Windows the rights of the user's own folders do that.

    Raises:
        SetupError: Names the first folder or file that is not as it should be.
    """
    for path, why in () if os.name == "nt" else _open_places(home):
        problem = f"{home} is not used, because what is in it would be executed: {path} {why}."
        is_inside = path not in (*home.parent.parents, *_real(home.parent).parents)
        remove = _command("rm", "-r", str(home.parent))  # nobody knows what others have put there
        raise SetupError(problem, remove if is_inside and _is_ours(path) else _another_cache(home))


def _open_places(home: Path) -> "Iterator[tuple[Path, str]]":
    """Yield each place on the way to an environment's Python that others can have filled, and why.

    Only the Python itself, and folders from the cache folder upwards, may be links.
    """
    cache, python = _real(home.parent), python_of(home)
    for path in (*home.parent.parents, *cache.parents):
        mode = _mode(path)
        if stat.S_ISDIR(mode) and mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            yield path, "can be written by everybody"
    packages = list(home.glob("lib/python*/site-packages"))
    inside = (cache, home, home / "bin", home / "pyvenv.cfg", home / "lib")
    for path in (*inside, *(path.parent for path in packages), *packages, python):
        mode = _mode(path)
        if mode and not _is_ours(path) and path.lstat().st_uid:
            yield path, "belongs to somebody else"
        elif stat.S_ISLNK(mode) and path != python:
            yield path, "is a link"
        elif not stat.S_ISLNK(mode) and mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield path, "can be written by others"


def _real(path: Path) -> Path:
    """Return where a path leads; unlike `resolve`, also where its links lead round in a circle."""
    return Path(os.path.realpath(str(path)))


def _mode(path: Path) -> int:
    """Return the kind and the rights of a file or folder; 0 where there is none."""
    with contextlib.suppress(OSError):
        return path.lstat().st_mode
    return 0


def _is_ours(path: Path) -> bool:
    """Tell whether a file or folder belongs to this user; not known on Windows."""
    return os.name != "nt" and path.lstat().st_uid == os.geteuid()


def _cannot_write(home: Path, error: OSError) -> SetupError:
    problem = f"The Python packages cannot be set up in {home.parent}: {error}."
    there = next(path for path in home.parents if path.exists())
    is_forbidden = error.errno in (errno.EACCES, errno.EPERM) and _is_ours(there)
    if error.errno == errno.EROFS or is_forbidden:
        once = "This looks like a sandbox: run the set-up once in a terminal of your own, outside."
        return SetupError(f"{problem} {once}", _setup())
    return SetupError(problem, _another_cache(home))


def _another_cache(refused: Path) -> str:
    """Return the command that chooses a folder of the user's own; never the working folder."""
    with contextlib.suppress(SetupError):
        base = _home() / ".debate-ops"
        may_write = os.access(str(base if base.exists() else base.parent), os.W_OK)
        if may_write and base not in refused.parents:
            return f"export {CACHE}={shlex.quote(str(base))}"
    return PASSING_CACHE


@contextlib.contextmanager
def _closed_to_others() -> "Iterator[None]":
    """Let nobody else write in what is made meanwhile, whatever the user's mask allows."""
    before = os.umask(0o022)
    os.umask(before | 0o022)
    try:
        yield
    finally:
        os.umask(before)


@contextlib.contextmanager
def _locked(folder: Path) -> "Iterator[None]":
    """Hold a lock in a folder that the system frees when we end, however we end."""
    with (folder / "setup.lock").open("a") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _cache() -> Path:
    chosen = _absolute(CACHE) or (_absolute("LOCALAPPDATA") if sys.platform == "win32" else "")
    usual = {"win32": "", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
    return Path(chosen or _home() / usual) / "debate-ops"


def _absolute(variable: str) -> str:
    """Return the folder that a variable names; a relative one means nothing, by the standard."""
    path = os.environ.get(variable, "")
    return path if os.path.isabs(path) else ""


def _home() -> Path:
    with contextlib.suppress(RuntimeError, KeyError):  # the first by newer Pythons, then by older
        home = Path.home()
        if home.is_absolute():
            return home
    raise SetupError("This user has no home folder.", PASSING_CACHE)


def _is_ready(home: Path) -> bool:
    """An environment gets its name only when it is whole; but its Python may have gone since."""
    return python_of(home).exists()


def _build(home: Path) -> None:
    """Build aside and rename, so that an interruption leaves nothing that looks whole.

    What earlier interruptions left is removed: we have the lock, so nobody is building it.
    """
    for left_over in home.parent.glob(HALF_BUILT):
        shutil.rmtree(str(left_over), ignore_errors=True)
    new = home.with_name(f"{home.name}.new-{os.getpid()}")
    try:
        _install(new)
        _run("the check", str(python_of(new)), "-I", "-c", CHECK)
        if home.exists():
            shutil.rmtree(str(home))
        new.rename(home)
    finally:
        shutil.rmtree(str(new), ignore_errors=True)
    with contextlib.suppress(SetupError):  # later, in a sandbox, this folder may be read-only
        _run("compileall", str(python_of(home)), "-I", "-m", "compileall", "-q", str(PACKAGE))


def _install(new: Path) -> None:
    """Install with uv, which is several times faster, else with what Python itself brings."""
    uv = interpreters.which("uv")
    if uv:
        try:
            return _install_with_uv(uv, new)
        except SetupError as error:
            _say(f"{error} Trying pip.")
            shutil.rmtree(str(new), ignore_errors=True)
    return _install_with_pip(new)


def _install_with_uv(uv: str, new: Path) -> None:
    create = [uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(new)]
    install = [uv, "pip", "install", "--compile-bytecode", "--python", str(python_of(new))]
    _run("uv", *create)
    _run("uv", *install, *FROM_LIST)


def _install_with_pip(new: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        major, minor = sys.version_info[:2]
        fix = f"sudo apt-get install -y python{major}.{minor}-venv"  # only Debian splits it off
        raise SetupError(f"{sys.executable} cannot make environments: it lacks ensurepip.", fix)
    _run("venv", sys.executable, "-I", "-m", "venv", str(new))
    _run("pip", str(python_of(new)), "-I", "-m", "pip", "install", *FROM_LIST)


def _run(step: str, *command: str) -> None:
    """Take a step of the set-up, away from the user's folder: its settings are not meant for us."""
    done = subprocess.run(
        command,
        cwd=interpreters.ELSEWHERE,
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


def _restart(python: str, reason: str) -> int:
    """Become the same command in another Python; where that is impossible, run it and wait."""
    if _was_restarted_for(reason):
        raise SetupError(f"{python} was tried and is no better.", interpreters.how_to_get_one())
    os.environ[RESTARTED] = f"{os.getpid()} {reason}"
    command = [python, str(PACKAGE), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(python, command)
    return subprocess.call(command)


def _was_restarted_for(reason: str) -> bool:
    """Tell a second try from a first one; with the process in it, children do not inherit it."""
    process = os.getppid() if os.name == "nt" else os.getpid()
    return os.environ.get(RESTARTED) == f"{process} {reason}"


def _setup() -> str:
    """Return the command that does the set-up and nothing else, from any terminal."""
    chosen = _absolute(CACHE)
    where = ["env", f"{CACHE}={chosen}"] if chosen and os.name != "nt" else []
    return _command(*where, sys.executable, str(PACKAGE / "bootstrap.py"))


def _command(*words: str) -> str:
    return " ".join(map(shlex.quote, words))


def _say(remark: str) -> None:
    sys.stderr.write(f"debate-ops: {remark}\n")
    sys.stderr.flush()


def _answering(act: "Callable[[], int]") -> int:
    """Return the exit code of a stage; what ends it is answered as by every command.

    That is one object for a program and a line for a person.
    """
    try:
        return act()
    except KeyboardInterrupt:
        return INTERRUPTED
    except SetupError as error:
        problem, fix = str(error), error.fix
        result = {"success": False, "error": problem, "errors": [problem]}
        sys.stdout.write(json.dumps(dict(result, fix=fix, warnings=[])) + "\n")
        _say(f"{problem} To repair it: {fix}")
        return CONFIGURATION


def main() -> int:
    """Do the set-up and print the environment's folder."""
    if sys.version_info < (3, 11):
        return subprocess.call([find_python(), __file__])
    home = environment()
    make_ready(home)
    sys.stdout.write(f"{home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(_answering(main))
