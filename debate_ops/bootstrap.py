"""Finds or makes a Python with the packages that the program needs, and goes on there.

A skill is a folder that somebody has cloned: nothing is installed, and `python3` may be any Python.
So the packages go, once, into a virtual environment in the user's cache folder, with the exact
versions and hashes of `requirements.txt`. This file, `interpreters` and `ownership` use the
standard library alone, and Python 3.6 can read them. Run as a program, this one does the
set-up and nothing else.
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
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

PACKAGE = Path(__file__).resolve().parent
if not __package__:  # run by its path: Python looks for modules inside the package, not beside it
    sys.path.insert(0, str(PACKAGE.parent))

from debate_ops import interpreters, ownership  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUIREMENTS = PACKAGE / "requirements.txt"
FROM_LIST = ("--quiet", "--require-hashes", "--only-binary", ":all:", "-r", str(REQUIREMENTS))

CHECK = "import frontmatter, jinja2, markdown_it, nh3"

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
        newer = interpreters.output(python, "-I", "-S", "-c", NEW_ENOUGH)
        if newer:
            return newer
    this = f"{sys.executable} is Python {platform.python_version()}"
    problem = f"Python 3.11 or newer is needed; {this}, and no newer one was found."
    raise SetupError(problem, interpreters.how_to_get_one())


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
        SetupError: It is not there, and cannot or may not be made; or others can write in it.
    """
    require_own(home)
    if _is_ready(home):
        return _remove_half_built(home.parent)
    if os.environ.get(FORBIDDEN, "0") not in ("", "0"):
        problem = f"The Python packages are missing, and {FORBIDDEN} forbids setting them up."
        raise SetupError(problem, f"env -u {FORBIDDEN} {_setup()}")
    try:
        with ownership.closed_to_others():
            home.parent.mkdir(parents=True, exist_ok=True)
            require_own(home)  # somebody may have been quicker
            with ownership.locked(home.parent), _unwound_by_signals():
                if not _is_ready(home):  # another command may have made it while we waited
                    _say(f"setting up its Python packages once in {home} (about 45 MB to fetch)")
                    _build(home)
    except OSError as error:
        raise _cannot_write(home.parent, error) from error


def require_own(home: Path) -> None:
    """Refuse an environment that anybody else can have put there: it is about to be executed.

    Raises:
        SetupError: Names the first folder or file that is not as it should be.
    """
    for path, why in _open_places(home):
        problem = f"{home} is not used, because what is in it would be executed: {path} {why}."
        raise SetupError(problem, _closing(home, path))


def _closing(home: Path, path: str) -> str:
    """Return the command after which an open place is closed, or not used any more."""
    cache = os.path.realpath(str(home.parent))
    if ownership.is_ours(path) and ownership.is_within(path, cache, str(home)):
        return _command("rm", "-r", cache)  # nobody knows what others have put there
    with contextlib.suppress(SetupError):
        if ownership.is_ours(path) and ownership.is_within(path, str(_home())):
            return _command("chmod", "go-w", path)
    return _another_cache(home.parent)


def _open_places(home: Path) -> "Iterator[tuple[str, str]]":
    """Yield each place on the way to an environment's Python that others can have filled, and why.

    On Windows the rights of the user's own folders do that.
    """
    if os.name != "nt":
        trusted = ""
        with contextlib.suppress(SetupError):
            trusted = str(_home())
        packages = list(home.glob("lib/python*/site-packages"))
        inside = [home, home / "bin", home / "pyvenv.cfg", home / "lib", *packages]
        inside += [path.parent for path in packages]
        program = str(python_of(home))
        yield from ownership.open_places(str(home.parent), map(str, inside), program, trusted)


def _cannot_write(cache: Path, error: OSError) -> SetupError:
    problem = f"The Python packages cannot be set up in {cache}: {error}."
    there = next(path for path in cache.parents if path.exists())
    is_forbidden = error.errno in (errno.EACCES, errno.EPERM) and ownership.is_ours(str(there))
    if error.errno == errno.EROFS or is_forbidden:
        once = "This looks like a sandbox: run the set-up once in a terminal of your own, outside."
        return SetupError(f"{problem} {once}", _setup())
    return SetupError(problem, _another_cache(cache))


def _another_cache(refused: Path) -> str:
    """Return the command that chooses a folder of the user's own; never the working folder."""
    with contextlib.suppress(SetupError):
        for base in (_home() / ".cache", _home() / ".debate-ops"):
            cache = base / "debate-ops"
            there = next(path for path in (cache, *cache.parents) if path.exists())
            would_do = there.is_dir() and os.access(str(there), os.W_OK)
            if cache != refused and would_do and not any(_open_places(cache / "env")):
                return f"export {CACHE}={shlex.quote(str(base))}"
    return PASSING_CACHE


def _candidates() -> "Iterator[str]":
    for home in sorted(set(_cache().glob(_prefix() + "*")) - set(_cache().glob(HALF_BUILT))):
        if not any(_open_places(home)):
            yield str(python_of(home))
    yield from interpreters.candidates(_home())


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


def _prefix() -> str:
    return f"env-{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]}-"


def _is_ready(home: Path) -> bool:
    """An environment gets its name only when it is whole; but its Python may have gone since."""
    return python_of(home).exists()


def _build(home: Path) -> None:
    """Build aside and rename, so that an interruption leaves nothing that looks whole."""
    _clear(home.parent)
    new = home.with_name(f"{home.name}.new-{os.getpid()}")
    try:
        _install(new)
        _run("the check", str(python_of(new)), "-I", "-c", CHECK)
        if home.exists():
            shutil.rmtree(str(home))
        new.rename(home)
    finally:
        shutil.rmtree(str(new), ignore_errors=True)
    with contextlib.suppress(SetupError):  # a read-only program folder is no reason to fail
        _run("compileall", str(python_of(home)), "-I", "-m", "compileall", "-q", str(PACKAGE))


def _remove_half_built(cache: Path) -> None:
    """Remove what a killed set-up left, unless one is at work; nearly always there is nothing."""
    if any(cache.glob(HALF_BUILT)):
        with contextlib.suppress(OSError), ownership.locked(cache, wait=False):
            _clear(cache)


def _clear(cache: Path) -> None:
    """Remove every half-built environment: we have the lock, so nobody builds it."""
    for left_over in cache.glob(HALF_BUILT):
        shutil.rmtree(str(left_over), ignore_errors=True)


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


@contextlib.contextmanager
def _unwound_by_signals() -> "Iterator[None]":
    """Let a signal that would kill us remove first what is half built, as Ctrl-C does."""

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    ours = [signal.SIGTERM] if sys.platform == "win32" else [signal.SIGTERM, signal.SIGHUP]
    ours = [number for number in ours if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


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
    _say(f"{problem} To repair it: {error.fix}")
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
    except KeyboardInterrupt:
        return INTERRUPTED
    sys.stdout.write(f"{home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
