"""The commands that show a debate: report, outcome, export, transcript, flow, watch."""

import os
import secrets
import shutil
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, debate_state, waiting
from debate_ops.cli.answers import Answer, print_object, remark
from debate_ops.cli.command import bundle, command, flag_option, number_option, option, several
from debate_ops.core.errors import DebateError, MissingExtraError, RefusedError, UsageError
from debate_ops.core.values import ARGUMENTS, Fault
from debate_ops.engine import files, store
from debate_ops.engine.validate import load_sound
from debate_ops.report.memo import is_written, take_memo
from debate_ops.report.page import All, Rendered, render_all, render_report
from debate_ops.report.reading import read_debate

_LOOPBACK = "127.0.0.1"
HTML = "html"
output_options = bundle(
    option("--output FILE", help="Write it there instead of printing it."),
    flag_option("--force", help="Replace the file, if it is there."),
)
FORMATS = ("argdown", "mermaid", "dot", "csv-flow", "csv-arguments", "json", HTML)


@command("report")
@flag_option("--all", "all_", help="Render every debate, and debates/index.md and .html.")
@option(
    "--memo FILE",
    help="Accept a memo that an agent wrote by the prompt, if it agrees with the record.",
)
@number_option(
    "--wait SECONDS",
    least=0,
    help="Wait so long, at most, until the memo is there and nobody is writing it any more; exit "
    "code 75 if that takes longer.",
)
@flag_option("--open", "open_", help="Open the page in the browser.")
def report(
    debate: str | None,
    memo: str | None = None,
    wait: int | None = None,
    *,
    all_: bool = False,
    open_: bool = False,
) -> Answer:
    """Write the page of a debate: report.html, README.md and, if any, the charts.

    \b
    debate-ops report my-decision --open
    debate-ops report --all
    debate-ops export my-decision --to html --output ~/Desktop
    """
    if wait is not None and memo is None:
        raise UsageError("--wait waits for the FILE of --memo, which is not given")
    if all_:
        if debate or memo or open_:
            raise UsageError("--all takes no debate, --memo or --open")
        return _report_all()
    place = store.find_folder(debate or "")
    if memo is not None and wait:
        waiting.wait_for_memo(place, memo, wait)
    reading = read_debate(load_sound(place))
    taken: list[Fault] = []
    if memo is not None:
        taken = take_memo(place, reading.at, reading.verdict, memo)
        reading = read_debate(reading.position)
    rendered = render_report(reading, ask=True)
    result = {"success": True} | _describe(rendered, taken)
    result |= {"answer": reading.answer, "sureness": reading.sureness}
    lines = [f"{_done(rendered)}: {path}" for path in rendered.files]
    if slot := rendered.slot:
        is_there = is_written(slot, slot.reply)
        result |= {"memo_prompt_file": slot.prompt, "memo_file": slot.reply}
        result["memo_is_written"] = is_there
        first = f"it is in {slot.reply}:" if is_there else f"give {slot.prompt} to an agent, then"
        lines += [
            f"A memo of it: {first}",
            f"    {answers.name_invocation()} report {place.name} --memo FILE --wait 100",
        ]
    return Answer(result, [*lines, show_page(place.within(store.PAGE), opens=open_)])


def show_page(page: str, *, opens: bool) -> str:
    """Open a page in the browser, if it is to be; return the line that says where it is."""
    if opens:
        webbrowser.open(Path(page).resolve().as_uri())
    return f"Opened: {page}" if opens else f"Open:  {page}   (in any browser, or with --open)"


def _describe(rendered: Rendered, taken: Sequence[Fault] = ()) -> dict[str, Any]:
    """Return what every answer says of a report, with warnings about a memo that was taken in."""
    result = {"files": list(rendered.files), "unchanged": rendered.unchanged}
    return result | answers.list_remarks((*taken, *rendered.warnings))


def _done(made: All | Rendered) -> str:
    return "Unchanged" if made.unchanged else "Rendered"


def _report_all() -> Answer:
    """Render every debate in `debates/`, and the index; faults stop no other debate."""
    done = render_all()
    failed = {slug: made for slug, made in done.debates.items() if isinstance(made, DebateError)}
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for slug, made in done.debates.items():
        if isinstance(made, Rendered):
            rows.append({"debate": slug, "success": True} | _describe(made))
            lines.append(f"{_done(made)}: {made.files[0]} and {len(made.files) - 1} more")
            lines += answers.label(f"warning: {slug}", rows[-1]["warnings"])
        else:
            rows.append({"debate": slug} | debate_state.describe_refusal(made))
    result: dict[str, Any] = {"success": not failed, "debates": rows, "index": done.files[0]}
    result |= answers.list_remarks(done.warnings)
    result |= {"unchanged": done.unchanged, "errors": answers.list_failed(failed)}
    lines += answers.label("fault", result["errors"])
    codes = [error.exit_code for error in failed.values()]
    return Answer(result, [*lines, f"{_done(done)}: {done.files[0]}"], max(codes, default=0))


@command("outcome")
@output_options
@flag_option("--text", "as_text", help="Print it alone, to the letter.")
def outcome(debate: str, *, output: str | None, as_text: bool = False, force: bool) -> Answer:
    """Print the outcome of a debate: the memo, and what was decided in full.

    \b
    debate-ops outcome my-decision
    debate-ops outcome my-decision --output solution.md
    """
    from debate_ops.report.texts import write_outcome

    position = debate_state.load_with_warnings(debate, load_sound)
    text, name = write_outcome(read_debate(position)), position.folder.name
    if not text:
        raise RefusedError(
            f"{name} has no outcome: {debate_state.describe_progress(position)}",
            hint=f"'export {name} --to json' gives the record as it is now.",
        )
    return _give(text, output, force=force, is_exact=as_text, key="outcome")


def _give(
    text: str,
    output: str | None,
    *,
    force: bool,
    is_exact: bool = False,
    key: str = "text",
    **data: Any,
) -> Answer:
    """Print a text, or write it into a file of the user's choice, but in no debate's folder."""
    data = {"success": True, **data}
    if output is None:
        lines = () if is_exact else text.rstrip("\n").split("\n")
        return Answer(data | {key: text}, lines, text=text if is_exact else None)
    folder, name = Path(output).parent.resolve(), os.path.basename(output)
    is_file = name and folder.is_dir() and not (os.path.islink(output) or os.path.isdir(output))
    if not is_file or any(
        os.path.lexists(each / store.DEBATE_FILE) for each in (folder, *folder.parents)
    ):
        place = "a file in a folder that is there, outside of every debate's folder"
        raise UsageError(f"--output {output!r} does not name {place}; nothing was written")
    if os.path.lexists(output) and not force:
        raise RefusedError(
            f"{output} is there already; nothing was written",
            hint="Name another file, or give --force to replace this one.",
        )
    files.write_durable(os.path.join(folder, name), text)
    return Answer(data | {"file": output}, [f"Written: {output}"])


@command("export")
@option("--to", type=click.Choice(FORMATS), required=True, help="The format.")
@output_options
def export(debate: str, to: str, *, output: str | None, force: bool) -> Answer:
    """Write a debate as an argument map, a graph, a table, data or a page that other tools open.

    \b
    debate-ops export my-decision --to argdown --output my-decision.argdown
    debate-ops export my-decision --to csv-arguments > arguments.csv
    debate-ops export my-decision --to dot | dot -Tsvg > my-decision.svg
    debate-ops export my-decision --to html --output ~/Desktop
    """
    from debate_ops.report.exports import EXPORTS

    position = debate_state.load_with_warnings(debate, load_sound)
    place = position.folder
    if to == HTML:
        render_report(read_debate(position))
        text = files.read_text(place.within(store.PAGE))
        if output and os.path.isdir(output):
            output = os.path.join(output, f"{place.slug}.html")
    else:
        text = EXPORTS[to](read_debate(position))
    return _give(text, output, force=force, is_exact=True, debate=debate, format=to)


@command("transcript")
@output_options
def transcript(debate: str, *, output: str | None, force: bool) -> Answer:
    """Print all that was said in a debate, in order; an unfinished one is marked as partial."""
    from debate_ops.report.texts import write_transcript

    text = write_transcript(read_debate(debate_state.load_with_warnings(debate)))
    return _give(text, output, force=force, debate=debate)


@command("flow")
def flow(debate: str) -> Answer:
    """Show how each attack was answered, and which were dropped.

    In design and consensus debates: how each critique was answered.

    \b
    debate-ops flow my-decision
    debate-ops export my-decision --to csv-flow
    """
    position = debate_state.load_with_warnings(debate)
    from debate_ops.report.texts import find_flow, make_flow_data, to_plain, write_flow_sheet

    reading, name = read_debate(position), position.folder.name
    result = {"success": True, "debate": name, "protocol": position.protocol.name}
    result |= make_flow_data(find_flow(reading))
    if not any(entry.folder == ARGUMENTS for entry in position.debate.entries.values()):
        return Answer(result, [f"{name} has no arguments yet."])
    sheet = to_plain(write_flow_sheet(reading), max(40, shutil.get_terminal_size().columns))
    return Answer(result, sheet.rstrip("\n").split("\n"))


@command("watch")
@option("--port N", type=click.IntRange(1, 65535), help="The port; a free one if not given.")
@several("--host NAME", help="A name under which your own proxy passes requests on.")
def watch(debate: str, port: int | None, host: Sequence[str], *, as_json: bool) -> Answer:
    """Serve a page on this machine that shows the debate as it runs, until Ctrl-C.

    Its link is printed. The page shows runs and agent clients alike, and nothing that only some may
    know.

    \b
    debate-ops watch my-decision
    debate-ops watch our-class --port 8000 --host debates.school.example
    """
    try:
        from debate_ops.live import server  # comes with an extra
    except ImportError:
        raise MissingExtraError("the live page needs", "watch") from None
    place = store.find_folder(debate)
    engine.load(place)  # which says what is wrong with it
    secret = secrets.token_urlsafe(18)
    hosts = frozenset(name.lower() for name in host)
    try:
        listening = socket.create_server((_LOOPBACK, port or 0))  # a link may be opened at once
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {os.strerror(error.errno or 0)}",
            hint="Leave --port out, and a free one is taken.",
        ) from None
    with listening:
        own = f"http://{_LOOPBACK}:{listening.getsockname()[1]}"
        link = f"{f'https://{host[0]}' if host else own}/?key={secret}"
        application = server.make_app(place, secret, hosts)
        if as_json:
            print_object({"success": True, "debate": place.name, "link": link})
        else:
            remark(f"Watch:  {link}")
        if host:
            remark(f"It listens at {own}, for your proxy to pass requests to.")
        remark("Ctrl-C ends the page.")
        server.serve(application, listening)
    return Answer(code=0)
