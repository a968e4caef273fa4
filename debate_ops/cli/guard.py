"""The one place where errors become output and exit codes."""

from __future__ import annotations

from collections.abc import Callable

from debate_ops.cli import answers
from debate_ops.errors import BUG, INTERRUPTED, DebateError, disk_refused
from debate_ops.model.texts import one_line


def guarded(act: Callable[[], int], *, as_json: bool) -> int:
    """Call `act`; tell every error in sentences, and as one JSON object where JSON is printed.

    Missing packages are let through: the caller sets them up.
    """
    try:
        return act()
    except DebateError as error:
        return _refused(error, as_json=as_json)
    except KeyboardInterrupt:
        answers.remark("debate-ops: interrupted; everything written so far is kept")
        return INTERRUPTED
    except ImportError:
        raise
    except OSError as error:
        return _refused(disk_refused(error), as_json=as_json)
    except Exception:  # noqa: BLE001  (whatever it is, it is ours)
        return _bug(as_json=as_json)


def fail(code: str, message: str, exit_code: int, *, as_json: bool) -> int:
    """Tell one error that has no more to it than a sentence; return its exit code."""
    if as_json:
        result = {"success": False, "code": code, "error": message, "errors": [message]}
        answers.show(result | {"warnings": []})
    answers.remark(f"debate-ops: {message}")
    return exit_code


def _refused(error: DebateError, *, as_json: bool) -> int:
    if as_json:
        answers.show(answers.refusal(error))
    answers.remark(f"debate-ops: {one_line(error.message)}")
    if not as_json:
        sentences = error.sentences()
        for sentence in sentences if sentences != [error.message] else ():
            answers.remark(f"  {one_line(sentence)}")
    if error.hint:
        answers.remark(f"  {error.hint}")
    return error.exit_code


def _bug(*, as_json: bool) -> int:
    import traceback

    traceback.print_exc()
    message = "this is a bug of the program, not of yours; nothing is lost"
    return fail("bug", message, BUG, as_json=as_json)
