"""How the program starts where its packages are missing, or Python is too old."""

import ast
import errno
import json
import os
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from debate_ops import bootstrap, interpreters

PACKAGE = Path(bootstrap.__file__).parent
FIRST_STAGE = ("__init__.py", "__main__.py", "bootstrap.py", "interpreters.py")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake programs are shell scripts")

APP = """
import os, sys

def main(argv):
    if argv == ["hot"]:
        return 7
    if not os.environ.get("FAKE_PACKAGES"):
        raise ModuleNotFoundError("No module named 'nh3'", name="nh3")
    print(argv, sys.stdin.read())
    return 3
"""
REAL_APP = """
import sys
import frontmatter, yaml, jinja2, markdown_it, nh3

def main(argv):
    print(argv, sys.prefix)
    return 3
"""
FAKE_UV = f"""#!/bin/sh
PATH=/usr/bin:/bin
cat > /dev/null  # what was typed is not for us
echo "$1" >> "$FAKE_UV_LOG"
if [ "$1" = venv ]; then
  for folder; do :; done
  mkdir -p "$folder/bin"
  printf '%s\\n' '#!/bin/sh' 'export FAKE_PACKAGES=$FAKE_UV_BRINGS' 'exec {sys.executable} "$@"' \
    > "$folder/bin/python"
  chmod +x "$folder/bin/python"
else
  sleep ${{FAKE_UV_SLEEPS:-0}}
fi
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A copy of the program's first stage, its other stages faked, in a world of its own."""

    home: Path

    @property
    def folder(self) -> Path:
        return self.home / "skill" / "debate_ops"

    @property
    def cache(self) -> Path:
        return self.home / "cache" / "debate-ops"

    def world(self, **changes: str) -> dict[str, str]:
        own = {
            "HOME": str(self.home),
            "PATH": str(self.home / "bin"),
            "XDG_CACHE_HOME": str(self.cache.parent),
            "FAKE_UV_BRINGS": "1",
            "FAKE_UV_LOG": str(self.home / "uv.log"),
        }
        return own | changes

    def command(self, *arguments: str, python: str = sys.executable) -> list[str]:
        return [python, str(self.folder), *arguments]

    def start(
        self, *arguments: str, cwd: Path | None = None, umask: int = -1, **changes: str
    ) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self.command(*arguments),
            env=self.world(**changes),
            cwd=cwd,
            umask=umask,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *arguments: str, cwd: Path | None = None, umask: int = -1, **changes: str
    ) -> SimpleNamespace:
        with self.start(*arguments, cwd=cwd, umask=umask, **changes) as process:
            out, err = process.communicate("typed")
        return SimpleNamespace(code=process.returncode, out=out, err=err)

    def set_ups(self) -> int:
        log = self.home / "uv.log"
        return log.read_text().count("venv") if log.exists() else 0


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    (program.folder / "cli").mkdir(parents=True)
    for name in (*FIRST_STAGE, "requirements.txt"):
        shutil.copy(PACKAGE / name, program.folder)
    (program.folder / "cli/__init__.py").touch()
    (program.folder / "cli/app.py").write_text(APP)
    script(tmp_path / "bin/uv", FAKE_UV)
    return program


def problem(output: str) -> dict[str, Any]:
    """The one object that a command answers with when it cannot start."""
    answer: dict[str, Any] = json.loads(output)
    assert set(answer) == {"success", "error", "errors", "fix", "warnings"}
    assert answer["success"] is False
    assert answer["errors"] == [answer["error"]]
    assert answer["warnings"] == []
    assert answer["fix"]
    return answer


@pytest.mark.parametrize("name", FIRST_STAGE)
def test_an_old_python_can_read_the_first_stage(name: str) -> None:
    ast.parse((PACKAGE / name).read_text(), feature_version=(3, 8))


def test_a_command_that_needs_no_packages_sets_nothing_up(program: Program) -> None:
    assert program.run("hot").code == 7
    assert not program.cache.exists()


def test_missing_packages_are_set_up_once_and_each_command_goes_on(program: Program) -> None:
    left_by_a_killed_one = program.cache / "env-0-x.new-1"
    left_by_a_killed_one.mkdir(parents=True)
    first = program.run("report", "a b")
    assert not left_by_a_killed_one.exists()
    assert (first.code, first.out) == (3, "['report', 'a b'] typed\n")
    assert first.err.count("\n") == 1
    again = program.run(DEBATE_OPS_NO_SETUP="1")
    assert (again.code, again.err, program.set_ups()) == (3, "", 1)


@pytest.mark.slow
def test_two_first_commands_at_once_set_up_once(program: Program) -> None:
    processes = [program.start(str(number), FAKE_UV_SLEEPS="0.3") for number in range(3)]
    for process in processes:
        process.communicate("")
    assert [process.returncode for process in processes] == [3, 3, 3]
    assert program.set_ups() == 1


@pytest.mark.slow
def test_an_environment_whose_python_has_gone_is_made_again(program: Program) -> None:
    program.run()
    (python,) = program.cache.glob("env-*/bin/python")
    python.unlink()
    python.symlink_to("gone")
    assert program.run().code == 3
    assert program.set_ups() == 2


def test_a_forbidden_set_up_is_refused_with_the_command_that_does_it(program: Program) -> None:
    done = program.run(DEBATE_OPS_NO_SETUP="1")
    assert done.code == 4
    assert problem(done.out)["fix"].startswith("env -u DEBATE_OPS_NO_SETUP ")
    assert done.err.startswith("debate-ops: ")
    assert not program.cache.exists()

    mended = subprocess.run(
        ["/bin/sh", "-c", problem(done.out)["fix"]],
        env=program.world(DEBATE_OPS_NO_SETUP="1", PATH=f"{program.home}/bin:/usr/bin:/bin"),
        capture_output=True,
        check=True,
    )
    assert Path(mended.stdout.decode().strip()).parent == program.cache
    assert program.run(DEBATE_OPS_NO_SETUP="1").code == 3


def test_packages_still_missing_after_the_set_up_are_an_error_and_no_loop(
    program: Program,
) -> None:
    done = program.run(FAKE_UV_BRINGS="")
    assert done.code == 4
    assert problem(done.out)["fix"].startswith(f"rm -r {program.cache}")
    assert program.set_ups() == 1


def test_other_missing_modules_are_bugs_and_show_themselves(program: Program) -> None:
    (program.folder / "cli/app.py").write_text("import debate_ops.nowhere\n")
    done = program.run()
    assert done.code == 1
    assert "debate_ops.nowhere" in done.err
    assert not program.cache.exists()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this process; there is no uv."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(bootstrap.FORBIDDEN, raising=False)
    return tmp_path / "debate-ops"


def test_a_failed_set_up_leaves_no_half_environment(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = script(cache.parent / "python", '#!/bin/sh\n/bin/mkdir -p "$4"; echo no disk; exit 1')
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(bootstrap.SetupError, match="venv: no disk") as caught:
        bootstrap.make_ready(bootstrap.environment())
    by_hand = [str(python), str(PACKAGE / "bootstrap.py")]
    assert shlex.split(caught.value.fix) == ["env", f"XDG_CACHE_HOME={cache.parent}", *by_hand]
    assert [path.name for path in cache.iterdir()] == ["setup.lock"]


def test_where_uv_fails_pip_is_tried_and_that_is_said(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script(cache.parent / "bin/uv", "#!/bin/sh\necho no luck; exit 2")
    tried: list[Path] = []

    def install(new: Path) -> None:
        tried.append(new)
        script(new / "bin/python", "#!/bin/sh\n")

    monkeypatch.setattr(bootstrap, "_install_with_pip", install)
    bootstrap.make_ready(bootstrap.environment())
    assert len(tried) == 1
    assert "no luck Trying pip." in capsys.readouterr().err
    assert bootstrap.python_of(bootstrap.environment()).exists()


@pytest.mark.usefixtures("cache")
def test_a_python_that_cannot_make_environments_names_the_debian_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(bootstrap.SetupError) as caught:
        bootstrap.make_ready(bootstrap.environment())
    minor = sys.version_info.minor
    assert caught.value.fix == f"sudo apt-get install -y python3.{minor}-venv"


def test_without_a_new_enough_python_the_answer_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interpreters, "candidates", lambda _: iter(["/nowhere/python3.14"]))
    assert bootstrap.run_elsewhere() == 4
    assert "3.11" in problem(capsys.readouterr().out)["error"]


def test_a_python_on_the_path_that_does_not_run_is_passed_over(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "MORE_FOLDERS", ())
    script(cache.parent / "bin/python3.14", "#!/bin/sh\necho 'pyenv: not found' >&2; exit 127")
    script(cache.parent / "bin/python3.11", f'#!/bin/sh\nexec {sys.executable} "$@"')
    assert bootstrap.find_python() == sys.executable


PLANTED = f"""#!/bin/sh
echo ran >> "$PLANTED_LOG"
exec {sys.executable} "$@"
"""
SOMEBODY_ELSE = 12345


@dataclass(frozen=True, slots=True)
class Planted:
    """An environment that was not built by the program."""

    home: Path
    log: Path

    def was_executed(self) -> bool:
        return self.log.exists()


def planted(base: Path, monkeypatch: pytest.MonkeyPatch) -> Planted:
    home = base / "debate-ops" / bootstrap.environment().name
    script(home / "bin/python", PLANTED)
    (home / "lib/python3.11/site-packages").mkdir(parents=True)
    (home / "pyvenv.cfg").touch()
    for folder in (base / "debate-ops").rglob("*"):
        folder.chmod(folder.stat().st_mode & ~0o022)
    log = base.parent / "planted.log"
    monkeypatch.setenv("PLANTED_LOG", str(log))
    return Planted(home, log)


PLACES = (".", "bin/python", "pyvenv.cfg", "lib/python3.11/site-packages")


@pytest.mark.parametrize("rights", [stat.S_IWOTH, stat.S_IWGRP])
@pytest.mark.parametrize("place", PLACES)
def test_an_environment_that_others_can_write_is_not_executed_until_that_is_repaired(
    program: Program, monkeypatch: pytest.MonkeyPatch, place: str, rights: int
) -> None:
    trap = planted(program.cache.parent, monkeypatch)
    path = trap.home / place
    path.chmod(path.stat().st_mode | rights)
    done = program.run(PLANTED_LOG=str(trap.log))
    assert done.code == 4
    assert f": {path} " in problem(done.out)["error"]
    assert not trap.was_executed()

    subprocess.run(["/bin/sh", "-c", problem(done.out)["fix"]], check=True)
    bootstrap.require_own(trap.home)
    assert not trap.home.exists()  # what others can have put there is gone


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_an_environment_that_belongs_to_somebody_else_is_not_executed(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = planted(program.cache.parent, monkeypatch)
    os.chown(trap.home / "lib", SOMEBODY_ELSE, -1)
    done = program.run(PLANTED_LOG=str(trap.log))
    assert done.code == 4
    assert problem(done.out)["fix"] == f"export XDG_CACHE_HOME={program.home}/.debate-ops"
    assert not trap.was_executed()


def test_an_environment_behind_a_link_is_not_executed(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = planted(program.home / "elsewhere", monkeypatch)
    program.cache.mkdir(parents=True)
    (program.cache / trap.home.name).symlink_to(trap.home)
    assert program.run(PLANTED_LOG=str(trap.log)).code == 4
    assert not trap.was_executed()


def test_a_link_that_others_could_exchange_is_refused(program: Program) -> None:
    (program.home / "mine").mkdir()
    shared = program.home / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    (shared / "cache").symlink_to(program.home / "mine")
    done = program.run(XDG_CACHE_HOME=str(shared / "cache"))
    assert (done.code, f"{shared} " in problem(done.out)["error"]) == (4, True)


@pytest.mark.slow
def test_a_folder_that_keeps_what_is_ours_from_others_will_do(program: Program) -> None:
    program.cache.parent.mkdir()
    program.cache.parent.chmod(0o1777)  # as /tmp
    assert [program.run().code, program.run().code] == [3, 3]


@pytest.mark.slow
def test_what_the_set_up_makes_is_closed_to_others_whatever_the_mask(program: Program) -> None:
    assert [program.run(umask=0).code, program.run(umask=0).code] == [3, 3]
    assert program.set_ups() == 1


@pytest.mark.slow
def test_a_relative_cache_folder_is_not_used(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = program.home / "here"
    trap = planted(here / ".cache", monkeypatch)
    assert program.run(cwd=here, XDG_CACHE_HOME=".cache", PLANTED_LOG=str(trap.log)).code == 3
    assert not trap.was_executed()
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    assert list(program.home.glob(f"{usual}/debate-ops/env-*"))


@pytest.mark.parametrize("home", ["/dev/null", "."])
@pytest.mark.parametrize("cache", ["/dev/null/cache", ""])
def test_no_repair_names_the_working_folder(program: Program, home: str, cache: str) -> None:
    done = program.run(cwd=program.home, HOME=home, XDG_CACHE_HOME=cache)
    assert done.code == 4
    assert "PWD" not in problem(done.out)["fix"]
    assert str(program.home) not in problem(done.out)["fix"]


def test_links_that_lead_round_in_a_circle_are_an_error_with_its_repair(program: Program) -> None:
    (program.home / "round").symlink_to("round")
    done = program.run(XDG_CACHE_HOME=str(program.home / "round"))
    assert (done.code, problem(done.out)["fix"].startswith("export ")) == (4, True)


@pytest.mark.slow
def test_where_the_cache_cannot_be_the_repair_is_a_folder_that_works(program: Program) -> None:
    done = program.run(XDG_CACHE_HOME="/dev/null/cache")
    assert done.code == 4
    assert "PWD" not in problem(done.out)["fix"]
    again = problem(done.out)["fix"] + " && exec " + shlex.join(program.command())
    repaired = subprocess.run(
        ["/bin/sh", "-c", again], env=program.world(), input=b"", capture_output=True, check=False
    )
    assert repaired.returncode == 3


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_in_a_sandbox_the_repair_is_the_set_up_in_a_terminal_outside(
    cache: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", forbidden)
    with pytest.raises(bootstrap.SetupError) as caught:
        bootstrap.make_ready(bootstrap.environment())
    by_hand = [sys.executable, str(PACKAGE / "bootstrap.py")]
    assert shlex.split(caught.value.fix) == ["env", f"XDG_CACHE_HOME={cache.parent}", *by_hand]


def test_a_python_of_the_working_folder_is_not_tried(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = cache.parent / "hostile"
    log = cache.parent / "log"
    bait = f"#!/bin/sh\necho ran >> {log}; echo {sys.executable}"
    for name in ("python3.11", "uv", ".venv/bin/python"):
        script(hostile / name, bait)
    script(cache.parent / "bin/uv", '#!/bin/sh\necho "$PWD/.venv/bin/python"')
    monkeypatch.chdir(hostile)
    monkeypatch.setenv("PATH", f".{os.pathsep}{cache.parent / 'bin'}")
    monkeypatch.setenv("HOME", str(cache.parent))
    monkeypatch.setattr(interpreters, "MORE_FOLDERS", ())
    with pytest.raises(bootstrap.SetupError):
        bootstrap.find_python()
    assert not log.exists()


def half_built(program: Program) -> list[Path]:
    return list(program.cache.glob("*.new-*"))


def test_a_set_up_that_is_interrupted_leaves_nothing(program: Program) -> None:
    # A job in the background ignores Ctrl-C, and so would all it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with program.start(FAKE_UV_SLEEPS="30") as process:
        wait_for(lambda: program.set_ups() == 1 and bool(half_built(program)))
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert half_built(program) == []


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def old_pythons() -> Iterator[str]:
    on_path = (shutil.which(f"python3.{minor}") for minor in range(6, 11))
    by_pyenv = map(str, Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python"))
    for python in (*on_path, *by_pyenv):
        if python and _is_old(python):
            yield python


def _is_old(python: str) -> bool:
    test = "import sys; sys.exit(not (3, 6) <= sys.version_info < (3, 11))"
    return not subprocess.run([python, "-c", test], capture_output=True, check=False).returncode


@pytest.mark.slow
def test_an_old_python_hands_over_to_a_newer_one_or_explains_itself(program: Program) -> None:
    (program.home / "bin/python3.11").symlink_to(sys.executable)
    pythons = sorted(set(old_pythons()))
    for python in pythons:
        words, world = program.command("hot", python=python), program.world()
        done = subprocess.run(words, env=world, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (7, b""), python
        _explains_itself(program, python)
    if not pythons:
        pytest.skip("there is no older Python here")


def _explains_itself(program: Program, python: str) -> None:
    alone = (
        f"import sys; sys.path.insert(0, {str(program.folder.parent)!r})\n"
        "from debate_ops import bootstrap, interpreters; interpreters.MORE_FOLDERS = ()\n"
        "sys.exit(bootstrap.run_elsewhere())"
    )
    done = subprocess.run(
        [python, "-c", alone],
        env=program.world(PATH="/nowhere"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert "Python 3.11 or newer is needed" in problem(done.stdout)["error"]


@pytest.mark.slow
def test_a_real_set_up_gives_an_environment_that_works(program: Program) -> None:
    """By pip, which is always there; how uv is called, the tests above say."""
    try:
        socket.create_connection(("pypi.org", 443), timeout=10).close()
    except OSError as error:
        pytest.skip(f"there is no package index here: {error}")

    (program.folder / "cli/app.py").write_text(REAL_APP)
    (program.home / "bin/uv").unlink()
    bare = program.home / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)

    done = subprocess.run(
        program.command("x", python=str(bare / "bin/python")),
        env={**os.environ, **program.world()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    (home,) = program.cache.glob("env-*")
    assert done.stdout == f"['x'] {home}\n"
