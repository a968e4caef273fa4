"""Prompts from templates: everything a participant may see, in one text.

Whatever somebody else wrote stands in lines that begin with `>`, and nowhere else: a template
quotes all but the program's own words, which are `Markup`.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from debate_ops.analysis.evidence import CHECKED, Remark, find_unused, list_remarks, name_documents
from debate_ops.core.errors import ConfigurationError
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.texts import LEFT_OUT, LINE, broken, one_line, quoted, signed
from debate_ops.core.values import ADVICE, PRIVATE, Debate, Entry, Fault, Task
from debate_ops.engine.cited_files import open_library

if TYPE_CHECKING:
    from jinja2 import Environment

OWN_TEMPLATES = "templates"
"""The folder of a user's project whose templates take the place of ours, file by file."""
MOST_UNUSED = 12
"""How many points of the context that nobody has named are listed; of more, their number."""
EXCERPT = 200
"""Characters of an entry that is given on one line."""
_LONG_PAGE = 9_000
"""From how many characters on a prompt says that it is long: some tools cut at 10,000 bytes."""
_END = "(end of this page)\n"
_READ_ALL = (
    "(A long page, which many tools cut: read it in parts, down to the line that ends it.)\n\n"
)


def find_skill_folder() -> Path:
    """Return the folder of SKILL.md and the templates: the checkout, or the wheel's copy."""
    package = Path(__file__).resolve().parent.parent
    packed = package / "_skill"
    return packed if (packed / "templates").is_dir() else package.parent


@cache
def load_templates(*folders: Path) -> "Environment":
    """Return the templates of these folders, the first preferred: they quote what is foreign."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(  # noqa: S701  (these are prompts: what is foreign is quoted, not escaped)
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        finalize=_show,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _show(value: object) -> object:
    if isinstance(value, Markup):
        return Markup("\n").join(
            Markup(part) for part in chain.from_iterable(map(broken, value.split("\n")))
        )
    return value if isinstance(value, int) else value and quoted(str(value))


def render_prompt(
    at: Replayed, task: Task, name: str, asked: str = "", said: Sequence[str] = ()
) -> str:
    """Return the prompt of one task: the same debate at the same step gives the same bytes.

    `asked` is when the debate was made, if known; `said` what people say to the participant.
    """
    d, turn, protocol = at.debate, at.turn, at.protocol
    is_adviser = task.by == ADVISER
    shown = {} if is_adviser else dict(protocol.shows(d, turn, task.by))
    lists = {key: ids for key, ids in shown.items() if isinstance(ids, list)}
    shortened = sorted({*protocol.may_shorten} & {*lists})
    old = {*chain.from_iterable(lists[key] for key in shortened)}
    full = cut_history(d, old)
    entries = {
        key: render_entries(d, [i for i in ids if (i in full) == (key in shortened)])
        for key, ids in lists.items()
    }
    library = open_library(at, task.by)
    is_debater = protocol.participants(d.settings).get(task.by) == "debater"
    answers = [e.texts.get("Answer", "") for e in d.find("advice")]
    is_debated = is_debater and d.settings.first_answer == "debated"
    values = {
        **describe_framing(d, with_names=not is_adviser),
        "library": library
        and library.folder
        and {"folder": os.path.abspath(library.folder), "files": library.describe()},
        "papers": [name_document(name, text) for by, name, text in d.papers if by == task.by],
        "debated_answer": "".join(answers[:1]) if is_debated else "",
        "first_answer": "".join(answers[:1]) if is_adviser else "",
        "d": d,
        "s": d.settings,
        "language": d.settings.language,
        "name": Markup(name),
        "participant": Markup(task.by),
        "exchange": turn.round,
        "asked_on": Markup(asked[:10]),
        "last_exchange": d.last_exchange,
        "phase": Markup(turn.phase),
        "left_out": len(old - full),
        "words": said,
    }
    path = f"{task.template}.md" if is_adviser else f"{protocol.name}/{task.template}.md"
    return render_page({**values, **shown, **entries}, path, *(["said.md"] if said else []))


def render_page(values: Mapping[str, Any], *paths: str) -> str:
    """Return templates with their values, as one page; a long one says so first, and where it ends.

    Every prompt and repair is written here.
    """
    text = "\n".join(_render_template(path, values) for path in paths)
    return f"{_READ_ALL}{text}\n{_END}" if len(text) > _LONG_PAGE else text


def _render_template(path: str, values: Mapping[str, Any]) -> str:
    """Return a template with its values; several blank lines become one."""
    from jinja2 import TemplateError  # many commands write no prompt

    folders = (Path(OWN_TEMPLATES).resolve(), find_skill_folder() / "templates")
    try:
        text = load_templates(*filter(Path.is_dir, folders)).get_template(path).render(values)
    except TemplateError as error:
        raise ConfigurationError(
            f"the template {path} is not there or does not fit: {error}",
            hint=f"If it is one of your own in {OWN_TEMPLATES}, repair it or take it away.",
        ) from None
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def render_repair(by: str, faults: Iterable[Fault], reply: str, *, is_memo: bool = False) -> str:
    """Return the prompt that hands a refused reply, or memo, back with every fault."""
    lines = (f"- {one_line(fault.sentence(), 500)}" for fault in faults)
    values = {
        "participant": Markup(by),
        "faults": Markup("\n".join(lines)),
        "refused_reply": reply,
        "is_memo": is_memo,
    }
    return render_page(values, "repair.md")


def describe_framing(d: Debate, *, with_names: bool) -> dict[str, Any]:
    """Return what the debate is about, for a template; points may have their names beside them."""
    marked = name_documents(d.documents)
    texts = [(one.name, one.text) for one in marked] if with_names else d.documents
    unused: tuple[str, ...] = ()
    points = {name: text for one in marked for name, text in one.points.items()}
    if with_names and points and d.entries:
        public = (e for e in reversed(d.entries.values()) if e.kind not in PRIVATE)
        said = ("\n".join(describe_entry(e)) for e in public if e.folder != ADVICE)
        found = find_unused(points, said)
        unused = tuple(name for name in found if "#p" not in name)  # no point of its own
    listed = [one_line(f"{name}: {points[name]}", EXCERPT) for name in unused[:MOST_UNUSED]]
    terms = (f"- {term}: {text}" if term else f"- {text}" for term, text in d.definitions)
    return {
        "motion": d.motion,
        "definitions": "\n".join(terms),
        "scope": d.scope,
        "documents": [name_document(name, text) for name, text in texts],
        "papers": [],
        "debated_answer": "",
        "has_named_points": with_names,
        "library": None,
        "has_library": bool(d.settings.cited_folder or d.papers),
        "unused_points": "\n".join(listed),
        "more_unused_points": max(0, len(unused) - MOST_UNUSED),
    }


def name_document(name: str, text: str) -> str:
    """Return a document as a prompt has it, below its name."""
    return f"Name: {one_line(name)}\n\n{text}"


def cut_history(d: Debate, ids: Iterable[str]) -> frozenset[str]:
    """Return which entries to give, within `history_characters`; the others are left out.

    Beyond the budget the oldest go until two thirds of it are left, so that the cut stays for many
    turns, and prompts keep their common beginning, which providers charge less for.
    """
    entries = sorted((d.entries[i] for i in {*ids}), key=lambda e: (e.step, e.id))
    budget, total, first = d.settings.history_characters, 0, 0
    sizes = [sum(map(len, describe_entry(entry))) for entry in entries]
    for place, size in enumerate(sizes, 1):
        total += size
        is_last = place == len(entries) or entries[place].step != entries[place - 1].step
        if total > budget and is_last:
            while total > budget * 2 // 3 and first < place:
                total -= sizes[first]
                first += 1
    return frozenset(e.id for e in entries[first:])


def render_entries(d: Debate, ids: Iterable[str]) -> Markup:
    """Return entries in full, each in a tag of its own."""
    blocks = []
    for entry_id in ids:
        entry = d.entries[entry_id]
        is_argument = entry.kind == "argument"
        tag, kind = ("argument", "") if is_argument else ("entry", f' kind="{entry.kind}"')
        text = [quoted("\n".join(describe_entry(entry))), *note_checks(list_remarks(d, entry))]
        start = f'<{tag}{kind} id="{entry_id}" exchange="{entry.round}">'
        blocks.append("\n".join((start, *text, f"</{tag}>")))
    return Markup("\n\n".join(blocks) or "(none)")


def note_checks(found: Iterable[Remark]) -> Iterator[str]:
    """Yield what the program found of quotations: a line of its own for each, and one quoted."""
    for part, verdict, details, _ in found:
        yield f"({CHECKED}: {part} {verdict}.)"
        yield from [quoted(details)] if details else []


def list_sections(
    entry: Entry, spell_score: Callable[[object], str] = signed
) -> Iterator[tuple[str, str]]:
    """Yield what an entry says, each text with its heading; some are blank."""
    data, texts = entry.data, entry.texts
    if entry.kind == "absence":
        yield "", str(data.get("reason") or "")
    for item in _list_scores(entry):
        score = spell_score(item["score"])
        yield f"{item['argument_id']} {score}", str(item.get("reasoning") or "")
    for item in data.get("effects") or ():
        effect = "{attacker_id} on the {component} of {target_id} {effect}".format(**item)
        yield effect, str(item.get("reasoning") or "")
    is_argument = entry.kind == "argument"
    if is_argument:
        texts = {"Claim": "", **texts, **({"Claim": data["claim"]} if data.get("claim") else {})}
    for heading, said in texts.items():
        yield heading, said
        for ground in data.get("grounds") or () if heading == "Claim" else ():
            yield f"Ground, from {ground.get('source', '')}", str(ground.get("content") or "")
            document = ground.get("document") or ground.get("source", "")
            yield f"Quoted from {document}", str(ground.get("quote") or "")
            yield "Why", str(ground.get("relevance") or "")
    for key in ("attacks", "defends", "concedes"):
        links = data.get(key) or ()
        if not is_argument:
            yield key.capitalize(), "\n".join(f"{x['target_id']} ({x['type']})" for x in links)
            continue
        for link in links:
            about = f" ({link['type'].replace('_', ' ')})" if link.get("type") else ""
            yield f"{key.capitalize()} {link['target_id']}{about}", str(link.get("content") or "")


def describe_entry(entry: Entry) -> list[str]:
    """Return an entry as plain lines that say what each text is."""
    data = entry.data
    if entry.kind == "absence":
        return [f"{summarise_entry(entry)}: {data.get('reason', '')}"]
    title = [("Title", data["title"])] if data.get("title") else []
    texts = [*title, *list_sections(entry)]
    return [f"{name}: {said}" for name, said in texts if name != LEFT_OUT and said.strip()]


def _list_scores(judgment: Entry) -> list[Mapping[str, Any]]:
    """Return what a judgment says of each argument, new ones first; nothing of another entry."""
    return [*(judgment.data.get("scores") or ()), *(judgment.data.get("rescores") or ())]


_REPEATED = {"Question": "Answer", "Requirements": "Point 1"}
"""Sections that only say what another is about, where that one is there."""


def summarise_entry(entry: Entry) -> str:
    """Return an entry in one line: its title if it has one, and its first own text."""
    data, texts = entry.data, entry.texts
    if entry.kind == "argument":
        return one_line(f"{data.get('title', '')}: {data.get('claim', '')}", LINE - len(">  …"))
    if entry.kind == "absence":
        return f"{entry.by} gave no reply ({data.get('how', '')}, by {data.get('by', '')})"
    if scores := _list_scores(entry):
        said = ", ".join(f"{item['argument_id']} {signed(item['score'])}" for item in scores)
        return one_line(said, EXCERPT)
    own = [said for name, said in texts.items() if _REPEATED.get(name) not in texts]
    first = next(iter([*own, *texts.values()]), "")
    if entry.kind == "advice":  # a page of Markdown
        first = re.sub(r"(?m)^#.*|\*\*", "", first)
    line = ": ".join(filter(None, (str(data.get("title") or ""), first))) or entry.title
    return one_line(line, EXCERPT)
