"""The memo: the page of advice that a reporter writes after a debate, shown first.

It is Markdown, free in its form, under a header of three keys. The program checks little and writes
nothing of it: words between quotation marks are compared with the context and the record, ids that
slipped in are refused, and a direction that contradicts the record is noted on the page.
"""

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

from markupsafe import Markup
from pydantic import BeforeValidator, Field, ValidationError

from debate_ops.analysis.evidence import list_checked
from debate_ops.analysis.quotations import Kind, Source
from debate_ops.core.errors import BadRecordError, ToRepairError
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.replies import Item, Reply, Said, as_list, parse_reply, text
from debate_ops.core.texts import count_words, decode, one_line, quoted
from debate_ops.core.values import ADVICE, PRIVATE, Fault
from debate_ops.engine import files, inbox, prompts, store
from debate_ops.engine.headers import canonical, compose_file, digest_text, split_file
from debate_ops.engine.inbox import Slot
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import MEMO, Folder
from debate_ops.report import markdown
from debate_ops.report.provenance import describe_maker
from debate_ops.report.record import count_shortened, list_texts, sort_entries, spell_texts
from debate_ops.report.verdict import Verdict, View, name_decision
from debate_ops.report.words import count, shorten, some

REPORTER, OPEN = "reporter", "open"
SLOT = "memo"
WORDS, MOST_WORDS = 800, 1_000
"""How many words the text of a memo should have at most, and may."""
FEWER_WORDS = dict.fromkeys(("exchange", "formal", "speeches"), 700)
"""Of these it is asked for fewer: an answer to a question needs no room for a design."""
ANSWER_WORDS = 60
_MOST_SAID, _MOST_TEXT = 600, 20_000
"""How many characters a text of the header and the text below it may have, whatever a word is."""
_LEAST_QUOTED = 4
"""Words between quotation marks that are compared: fewer may be a way of speaking."""
_LINE_END = r"\n(?! *(?:\n|[-+*|#>]|[0-9]+[.)]))"
"""The end of a line within a paragraph."""
_PAIRS = ("“”", "„“”", "«»", "»«", "‹›", "「」", "『』")  # noqa: RUF001
_QUOTED = re.compile(
    "|".join(rf"{p[0]}((?:[^{p}\n]|{_LINE_END}){{1,2000}})[{p[1:]}]" for p in _PAIRS)
    + rf"|‘((?:[^‘\n]|{_LINE_END}){{1,2000}}?)’(?!\w)"  # noqa: RUF001  (inside a word it is an apostrophe)
    + r"|\"([^\"\n]{1,2000})\""
    + rf"|(?<!\w)\"(?=\S)((?:[^\"\n]|{_LINE_END}){{1,2000}})\"(?!\w)"  # over lines: no inches
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FENCE = re.compile(r"\A\s*```[a-z]*\n(.*?)\n```\s*\Z", re.DOTALL)


class Sure(Item):
    """How sure the reporter is of one thing."""

    percent: int = Field(ge=1, le=100)
    """How sure, in per cent."""
    of: Said = Field(max_length=_MOST_SAID)
    """Of what, in a few words: what would have to come true."""


class Advice(Reply):
    """The header of a memo."""

    answer: Said = text(words=ANSWER_WORDS, max_length=_MOST_SAID)
    """The advice in at most two plain sentences; its first words are yes, no, or what to do."""
    direction: Said
    """Where it leans: a choice by its key, or open."""
    confidence: Annotated[list[Sure], BeforeValidator(as_list)] = Field(min_length=1, max_length=5)
    """Percentages, each with what it is of."""


class Memo(NamedTuple):
    """A memo: its header, its text, who wrote it, and what the page says of it."""

    advice: Advice
    text: str
    by: str
    notes: tuple[str, ...] = ()


def find_memo_faults(
    header: Mapping[str, object], body: str, at: Replayed, verdict: Verdict
) -> Iterator[Fault]:
    """Yield what is wrong with a memo, or worth a note: length, ids, quotations, direction.

    A text that its header lacks is the header's own fault.
    """
    given = [header.get(key) for key in ("answer", "direction")]
    answer, direction = (each if isinstance(each, str) else "" for each in given)
    if len(body) > _MOST_TEXT:
        yield Fault("", f"has {len(body)} characters, expected at most {_MOST_TEXT}")
    number = count_words(body)
    if number > WORDS:
        is_note = number <= MOST_WORDS
        yield Fault("", f"has {number} words, expected at most {WORDS}", is_warning=is_note)
    if count_words(answer) > ANSWER_WORDS:
        most = f"has more than {ANSWER_WORDS} words: two plain sentences will do"
        yield Fault("answer", most)
    for where, said in (("answer", answer), ("", body)):
        if named := sorted(i for i in at.debate.entries if i in said):
            instead = "say what it claims instead; readers know no ids"
            yield Fault(where, f"names {some(named)}: {instead}")
    yield from _find_misquotations(body, at)
    if direction.strip():
        yield from _check_direction(direction, verdict)


def _find_misquotations(body: str, at: Replayed) -> Iterator[Fault]:
    d = at.debate
    quoted_parts = [one_line(m[m.lastindex or 0]) for m in _QUOTED.finditer(body)]
    long = [q for q in quoted_parts if count_words(q) >= _LEAST_QUOTED]
    if not long:
        return
    texts = [d.motion, d.scope, *(part for pair in d.definitions for part in pair)]
    texts += [t for *_, t in (*d.documents, *(d.papers if at.is_over else ()))]
    texts += [t for e in d.entries.values() for _, t in list_texts(e)]
    source = Source("\n\n".join(texts))
    for each in long:
        found = source.compare(each)
        if found.kind is Kind.VERBATIM:
            continue
        said = f"“{one_line(each, 80)}” stands neither in the context nor in the record"
        near = f"; nearest is “{one_line(found.passage, 120)}”" if found.passage else ""
        yield Fault("", f"{said}{near}. Quote to the letter, or leave the quotation marks out")


def _check_direction(direction: str, verdict: Verdict) -> Iterator[Fault]:
    known = [*verdict.choices, OPEN]
    if direction not in known:
        yield Fault("direction", f"is {one_line(direction, 60)}, expected {' or '.join(known)}")
        return
    if direction == (verdict.favoured or OPEN) or not verdict.is_sought:
        return
    said = "The debate itself decided neither way; this advice does."
    if verdict.favoured:
        outcome = name_decision(verdict.choices[verdict.favoured])
        said = f"The debate itself came out {outcome}, other than this advice."
    yield Fault("direction", said, is_warning=True)


def parse_memo(text: str, at: Replayed, verdict: Verdict) -> tuple[Advice | None, str, list[Fault]]:
    """Return the header and the text of a memo, and all that is wrong with it.

    Whatever stands before the header, and a fence around the whole, is left out.
    """
    text = text.removeprefix("\ufeff")
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text
    start = re.search(r"^---[ \t]*$", text, re.MULTILINE)
    try:
        front = split_file(text[start.start() :] if start else text, MEMO)
    except BadRecordError as error:
        fault = Fault("", f"{error.message}; expected there: answer, direction, confidence")
        return None, "", [fault, *find_memo_faults({}, text, at, verdict)]
    body = front.body.strip()
    own = {key: front.header[key] for key in Advice.model_fields if key in front.header}
    try:  # most are good, and to load what names every fault takes as long as half a report
        advice, faults = Advice.model_validate(Advice.prepare(own), strict=True), list[Fault]()
    except ValidationError:
        advice, faults = parse_reply(Advice, own)
    if not body:
        faults.append(Fault("", "has no text below the header"))
    faults += find_memo_faults(own, body, at, verdict)
    return advice, body, faults


def digest_record(at: Replayed) -> str:
    """Return one digest of all that a memo rests on."""
    return digest_text(canonical([e.compared() for e in sort_entries(at)]))[:32]


# On the first screen.

_QUESTIONS = {
    "Why": ("$", "why\\b"),
    "What could change it": (".*(overturn|change|turns on)", ".*find out", "(what .*)?open\\b"),
    "What next": (".*(next|make up your)",),
}
"""What a reader asks first, and how the part of a memo is headed that says it, the likeliest first.

The empty heading is that of what stands above all.
"""
_SENTENCE = re.compile(r".+?[.!?](?=\s|\Z)|.+")
_MOST_OF_A_LEAD, _LEAST_SAID = 900, 5
"""Characters of a first paragraph; words of a sentence that says something without the next one."""


def list_highlights(memo: Memo | None, most: int) -> Iterator[tuple[str, str]]:
    """Yield what a memo says to each of `_QUESTIONS`, in its own words; of no part, nothing.

    Of a part that is the first sentence of each item of a list (two where it is short or bold), or
    the first three cells of each row of a table, as many as have `most` characters in all, and of
    the next steps how many more there are. The first paragraph is what a reader has to be able to
    repeat: it stands there whole, but for very long ones, and `omit_lead` takes it out below. A
    long one leaves the others less room, so that all fit on a phone at once.
    """
    parts = _split_parts(memo.text) if memo else {}
    if lead := parts.get("", [])[:1]:
        most = max(most // 2, most - max(0, len(lead[0]) - 2 * most) // 4)
    for question, patterns in _QUESTIONS.items():
        found = (h for p in patterns for h in parts if re.match(p, h, re.IGNORECASE) and parts[h])
        if (heading := next(found, None)) is not None:
            said, *points = parts[heading] if heading else parts[heading][:1]
            while points and len(said) + len(points[0]) < most:
                said = f"{said} {points.pop(0)}"
            more = f" (and {len(points)} more)" if points and question == "What next" else ""
            yield question, shorten(said, most if heading else _MOST_OF_A_LEAD) + more


def omit_lead(memo: Memo, shown: Collection[str]) -> str:
    """Return the text of a memo without its first paragraph, if that is shown whole above it."""
    lead, _, rest = memo.text.strip().partition("\n\n")
    return rest if rest and " ".join(_split_parts(lead)[""]) in shown else memo.text


def _split_parts(text: str) -> dict[str, list[str]]:
    """Return what each part of a memo says first, in lists and tables, if any, by its heading."""
    parts, paragraphs = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    heads, cells = [""], list[str]()
    for before, token in pairwise(markdown.parse(text)):
        line = (" " if t.type.endswith("break") else t.content for t in token.children or ())
        said = one_line("".join(line))
        match before.type, token.type:
            case "heading_open", "inline":
                heads.append(said)
            case "td_open", "inline" if heads[-1]:
                cells.append(said)
            case _, "tr_close" if cells:
                parts[heads[-1]].append(f"{' · '.join(cells[:3]).rstrip('.')}.")
                cells = []
            case "paragraph_open", "inline" if before.level and heads[-1]:
                if sentences := _SENTENCE.findall(said)[:2]:
                    is_bold = "strong_open" in [t.type for t in (token.children or ())[:2]]
                    is_lead = is_bold or len(sentences[0].split()) < _LEAST_SAID
                    parts[heads[-1]].append("".join(sentences[: 1 + is_lead]))
            case "paragraph_open", "inline" if not before.level:
                paragraphs[heads[-1]].append(said)
    split = {h: [s.strip() for p in paragraphs[h] for s in _SENTENCE.findall(p)] for h in heads}
    return {h: parts[h] or (split[h] if h else paragraphs[h]) for h in heads}


# In the folder.


def find_memo_slot(folder: Folder) -> Slot:
    """Return where the prompt for the memo and its reply are."""
    names = ("prompt.md", "md", "repair.md", "skip", "again.md", "made.json")
    return Slot(*(folder.within(store.INBOX, f"{SLOT}.{name}") for name in names))


def is_written(place: Slot, path: str) -> bool:
    """Return whether a memo is at a path, other than the one that was refused last."""
    try:
        changed = os.lstat(path).st_mtime_ns
    except OSError:
        return False
    return not os.path.lexists(place.repair) or changed > os.lstat(place.repair).st_mtime_ns


def read_memo(folder: Folder, at: Replayed, verdict: Verdict) -> tuple[Memo | None, list[Fault]]:
    """Return the memo in a folder, if there is a good one of this record, and what to warn of.

    It is checked at each reading, because anybody may have laid it into the folder.
    """
    path = folder.within(MEMO)
    if not os.path.lexists(path):
        return None, []
    try:
        text = files.read_text(path)
        header = split_file(text, MEMO).header
    except BadRecordError as error:
        return None, [Fault("", f"is left out: {error.message}", file=MEMO, is_warning=True)]
    advice, body, faults = parse_memo(text, at, verdict)
    wrong = [f"is left out: {f.sentence()}" for f in faults if not f.is_warning]
    if header.get("rests_on") != digest_record(at):
        wrong = ["was written for another record; have a new one written"]
    if advice is None or wrong:
        return None, [Fault("", wrong[0], file=MEMO, is_warning=True)]
    notes = tuple(f.message for f in faults if f.is_warning and f.where)
    return Memo(advice, body, describe_maker(header.get("made_by")), notes), []


def write_memo_prompt(folder: Folder, at: Replayed, verdict: Verdict) -> Slot:
    """Write the prompt for the memo into the inbox, and return where.

    A reply to another prompt than this one is removed, so that it cannot pass for the new one.

    Raises:
        DiskError: it cannot be written.
    """
    place, prompt = find_memo_slot(folder), make_memo_prompt(at, verdict)
    files.make_ignored(folder.within(store.INBOX))
    if not files.has_content(place.prompt, prompt.encode()):
        for path in (place.reply, place.made, place.repair, place.again):
            files.discard(path)
        files.write_derived(place.prompt, prompt)
    return place


def make_memo_prompt(at: Replayed, verdict: Verdict) -> str:
    """Return the prompt for the memo; the same debate, the same bytes.

    Of the oldest entries the titles alone are given where it would be too much.
    """
    d = at.debate
    said = [e for e in sort_entries(at) if e.folder != ADVICE and e.kind not in PRIVATE]
    first = count_shortened(said)
    listed = "\n".join(f"- {e.id}: {one_line(e.title, 120)}" for e in said[:first])
    older = f"Of the {count(first, 'oldest entry', 'oldest entries')} only titles stand here:"
    blocks = [f"{older}\n\n{quoted(listed)}"] if first else []
    names = View(at).name_participants(verdict.names)
    for e in said[first:]:
        who = f'id="{e.id}" by="{names.get(e.by, e.by)}" kind="{e.kind}" exchange="{e.round}"'
        shown = quoted("\n".join([e.title, *spell_texts(e)]))
        found = prompts.note_checks(list_checked(e))
        blocks.append("\n".join((f"<entry {who}>", shown, *found, "</entry>")))
    answers = [e.texts.get("Answer", "") for e in d.find("advice", by=ADVISER)]
    choices = "\n".join(f"- {k}: {one_line(v, 200)}" for k, v in verdict.choices.items())
    framing = prompts.describe_framing(d, with_names=False)
    if at.is_over:
        framing["has_library"] = bool(d.settings.cited_folder)  # papers are open to all by now
        framing["documents"] += (
            prompts.name_document(f"{name} (given to {names.get(owner, owner)} alone)", text)
            for owner, name, text in d.papers
        )
    days = [str(e.header.get("at", ""))[:10] for e in said]
    values = {
        **framing,
        "protocol": at.protocol.name,
        "choices": choices,
        "first_answer": "".join(answers[-1:]),
        "is_second": len(answers) > 1,
        "has_outcome": bool(verdict.outcome),
        "entries": Markup("\n\n".join(blocks) or "(none)"),  # noqa: S704  (quoted above)
        "language": d.settings.language,
        "words": FEWER_WORDS.get(at.protocol.name, WORDS),
        "day": Markup(max(filter(_DAY.fullmatch, days), default="")),  # noqa: S704  (digits)
    }
    return prompts.render_page(values, "memo.md")


def take_memo(
    folder: Folder, at: Replayed, verdict: Verdict, path: str, made: Mapping[str, Any] | None = None
) -> list[Fault]:
    """Check the memo in a file and keep it as `memo.md`; return what to warn of.

    The one that was there goes to `set-aside/`.

    Raises:
        ToRepairError: it has faults; a repair prompt was written, and nothing else changed.
        UsageError: the file cannot be read.
        DiskError: it cannot be written.
    """
    raw = files.read_named(path, MAX_BYTES)
    place, prompt = find_memo_slot(folder), make_memo_prompt(at, verdict).strip()
    text = decode(raw, "replace").rpartition(prompt)[2]  # some repeat what they were given
    advice, body, faults = parse_memo(text, at, verdict)
    if advice and f'answer: "{advice.answer}"' in prompt:
        faults.append(Fault("answer", "is that of the prompt's example, from a different question"))
    wrong = tuple(f for f in faults if not f.is_warning)
    files.make_ignored(folder.within(store.INBOX))
    if advice is None or wrong:
        repair = prompts.render_repair(REPORTER, wrong, decode(raw, "replace"), is_memo=True)
        files.write_derived(place.repair, repair)
        raise ToRepairError(
            f"{count(len(wrong), 'fault')} found in {path}; nothing was changed",
            hint=f"Put right what the faults name, give the file again; {place.repair} says how.",
            faults=wrong,
            repair_prompt=place.repair,
        )
    made = made or inbox.read_made_by(place, raw)
    header = advice.model_dump(mode="json") | {
        "step": at.debate.step,
        "rests_on": digest_record(at),
        **({"made_by": dict(made)} if made else {}),
    }
    kept, written = folder.within(MEMO), compose_file(header, f"\n{body}\n")
    with inbox.lock(folder):
        if os.path.lexists(kept) and not files.has_content(kept, written.encode()):
            store.set_aside(folder, kept)
        files.write_durable(kept, written)
    for used in (place.repair, place.again):
        files.discard(used)
    return [f for f in faults if f.is_warning]
