"""The library of a debate: files too large for a prompt, which are searched, cited and compared.

No link is followed and nothing hidden is entered: a file is one that was listed, or none.
"""

import difflib
import io
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from debate_ops.analysis.evidence import Cited, explain_difference, find_citations
from debate_ops.analysis.quotations import Kind, Source
from debate_ops.core.errors import ConfigurationError, MissingExtraError, UsageError
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.texts import decode, is_blank, one_line, plain, shown
from debate_ops.core.values import Debate, Entry, Fault, Faults
from debate_ops.engine import files
from debate_ops.engine.headers import digest_bytes
from debate_ops.engine.store import DEBATE_FILE

MOST_LISTED = 150
"""Files that a prompt lists, each on a line; of more, their number."""
MAX_BYTES = 20 * 1024 * 1024
MOST_COMPARED = 2_000_000
"""Characters of a file in which a quotation is looked for that its lines do not have."""
MOST_HITS, LONGEST_LINE, MOST_READ = 60, 300, 12_000
"""Lines that one search gives, characters of each, and characters that one reading gives."""
_PDF = ".pdf"


class Finding(NamedTuple):
    """A citation that was looked up: what goes on record of a quotation, and what is wrong."""

    cited: Cited
    record: Mapping[str, str]
    problem: str = ""


class Library:
    """A folder of files, and papers that one participant alone has been given."""

    def __init__(self, folder: str, papers: Sequence[tuple[str, str]] = ()) -> None:
        self.folder, self._papers = folder, dict(papers)
        self.sizes: dict[str, int] = {}
        if folder and not os.path.isdir(folder):
            raise ConfigurationError(
                f"the library {folder} is not there, seen from the working folder",
                hint="Bring the folder back, or start the command where it was started before.",
            )
        for base, folders, names in os.walk(folder) if folder else ():
            if DEBATE_FILE in names:  # a debate is none of its participants' business
                folders.clear()
                continue
            folders[:] = sorted(filter(_is_given, folders))
            for path in (os.path.join(base, name) for name in sorted(filter(_is_given, names))):
                if os.path.isfile(path) and not os.path.islink(path):
                    name = os.path.relpath(path, folder).replace(os.sep, "/")
                    self.sizes[name] = os.lstat(path).st_size
        self._suffixes = {os.path.splitext(n)[1] for n in [*self.sizes, *self._papers]} - {""}

    def has(self, name: str) -> bool:
        """Tell whether there is a file, or a paper, of a name."""
        return name in self.sizes or name in self._papers

    @lru_cache(maxsize=64)  # noqa: B019  (a library lives as long as one command)
    def read(self, name: str) -> tuple[str, ...]:
        """Return the lines of a file, or the pages of a PDF; none where it is no text."""
        if name in self._papers:
            return tuple(plain(self._papers[name]).split("\n"))
        if name not in self.sizes:
            near = difflib.get_close_matches(name, [*self.sizes, *self._papers], 1, 0.4)
            nearest = f"; the nearest is {near[0]}" if near else ""
            raise UsageError(f"{one_line(name, 100)} is no file of the library{nearest}")
        data = files.read_named(os.path.join(self.folder, name), MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise UsageError(f"{name} is larger than {MAX_BYTES // 1024**2} MiB")
        if name.lower().endswith(_PDF):
            return read_pdf(name, data)
        if b"\0" in data[:8_000] and data[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
            return ()
        text = decode(data, "replace").replace("\r\n", "\n").removesuffix("\n")
        return tuple(map(shown, text.split("\n")))  # lines as every search counts them

    def _try_to_read(self, name: str) -> tuple[Sequence[str], str]:
        try:
            lines = self.read(name)
        except (UsageError, ConfigurationError) as error:
            return (), error.message
        return lines, "" if lines else f"{name} is no text"

    def describe(self) -> str:
        """Return a line for each file with its size, and how many more there are to be searched."""
        lines = [f"{name}  {-(-size // 1024):,} KiB" for name, size in self.sizes.items()]
        if more := lines[MOST_LISTED:]:
            lines[MOST_LISTED:] = [f"and {len(more):,} more files, to be searched"]
        return "\n".join(lines)

    def search(self, pattern: str, under: str = "") -> str:
        """Return the lines that have the words of a pattern, or of one of its parts between `|`.

        `under` is how the names of the files begin. A model writes the pattern, so it is no
        expression: some take for ever, and nothing could stop them.
        """
        ways = [r"\s+".join(map(re.escape, way.split())) for way in pattern.split("|")]
        sought = re.compile("|".join(filter(None, ways)), re.IGNORECASE)
        hits = list[str]()
        for name in (n for n in self.sizes if any(ways) and n.startswith(under)):
            mark = "#p" if name.lower().endswith(_PDF) else ":"
            for number, line in enumerate(self._try_to_read(name)[0], 1):
                if not (match := sought.search(line[:100_000])):
                    continue
                if len(hits) == MOST_HITS:
                    return "\n".join([*hits, "and more; narrow the search"])
                start = max(0, match.start() - LONGEST_LINE // 3)
                hits.append(f"{name}{mark}{number}: {line[start : start + LONGEST_LINE].strip()}")
        return "\n".join(hits) or "nothing found"

    def read_part(self, name: str, first: int = 1, last: int = 0) -> str:
        """Return lines of a file with their numbers, or one page of a PDF; or why it has none."""
        lines, why = self._try_to_read(name)
        if why:
            return why
        if not 1 <= first <= len(lines):
            return f"{name} has {len(lines)} lines or pages"
        if name.lower().endswith(_PDF):
            return f"{name}#p{first}\n{lines[first - 1][:MOST_READ]}"
        end = min(last or len(lines), len(lines))
        rows = enumerate(lines[first - 1 : end], first)
        text = "\n".join(f"{number}\t{line[: 4 * LONGEST_LINE]}" for number, line in rows)
        is_whole = end == len(lines) and len(text) <= MOST_READ
        return text[:MOST_READ] + ("" if is_whole else f"\n({len(lines)} lines in all)")

    def examine(self, value: Any, d: Debate) -> Iterator[Finding]:
        """Yield what comes of each citation of a file or an own paper in a reply or an entry."""
        known = {name for *_, name, _ in (*d.documents, *d.papers)} - {*self._papers}
        for cited in find_citations(value, lambda name: self.has(name) or name in known):
            is_other = cited.name in known or f"{cited.name}#{cited.first}" in known
            is_file = self.has(cited.name)
            is_meant = cited.is_named or os.path.splitext(cited.name)[1] in self._suffixes
            if not is_other and (is_file or is_meant):
                try:
                    yield self._compare(cited)
                except UsageError as error:
                    yield Finding(cited, {}, error.message)

    def _compare(self, cited: Cited) -> Finding:
        lines, is_pdf = self.read(cited.name), cited.name.lower().endswith(_PDF)
        if cited.name in self._papers:  # which are short, and cited by points too
            cited = cited._replace(first=0, is_page=False)
        unit = "page" if is_pdf else "line"
        if not lines:
            return Finding(cited, {}, f"{cited.name} is no text")
        if cited.last > len(lines) or cited.first > cited.last or cited.is_page > is_pdf:
            has = f"{len(lines)} {unit}{'s' * (len(lines) != 1)}"
            return Finding(cited, {}, f"{cited.source}: {cited.name} has {has}")
        if is_blank(cited.quote):
            return Finding(cited, {})
        own = "\n".join(lines[cited.first - 1 : cited.last] if cited.first else lines)
        match, problem = Source(own).compare(cited.quote), ""
        if match.kind is not Kind.VERBATIM and cited.first and sum(map(len, lines)) < MOST_COMPARED:
            whole = Source("\n".join(lines)).compare(cited.quote)
            if whole.kind is Kind.VERBATIM:
                ends = [*accumulate(line.count("\n") + 1 for line in lines)]
                span = (whole.line, whole.line + whole.passage.count("\n"))
                first, last = (bisect_right(ends, at) + 1 for at in span)
                right = cited._replace(first=first, last=last)
                problem = f"the quotation stands in {right.source}, not in {cited.source}"
                own, match, cited = "\n".join(lines[first - 1 : last]), whole, right
        if match.kind is not Kind.VERBATIM:
            problem = explain_difference(match, cited.source)
            if cited.name in self._papers:  # others read faults too
                problem = f"the quotation does not stand in {cited.name} word for word; copy it"
        quote, found = one_line(cited.quote, 120), match.kind.value
        digest = digest_bytes(own.encode("utf-8", "replace"))
        record = {"source": cited.source, "quote": quote, "found": found, "digest": digest}
        return Finding(cited, record, problem)

    def find_faults(self, reply: Any, d: Debate) -> Faults:
        """Yield what is wrong with the citations of a reply; some of it only gets a mark."""
        is_strict = getattr(d.settings, "quotations", "strict") == "strict"
        for cited, record, problem in self.examine(reply, d):
            if problem:
                is_there = record.get("found") == Kind.VERBATIM
                passes = is_there or (bool(record) and not is_strict)
                yield Fault(cited.where, problem, is_warning=passes)

    def check_entry(self, entry: Entry, d: Debate) -> list[Mapping[str, str]]:
        """Return what goes on record of the quotations in an entry, each once."""
        found = self.examine({**entry.data, "texts": dict(entry.texts)}, d)
        kept = {(f.record["source"], f.record["quote"]): f.record for f in found if f.record}
        return list(kept.values())


def open_library(at: Replayed, by: str) -> Library | None:
    """Return what a participant may cite beside the context: the library, and its own papers."""
    settings = at.debate.settings
    is_reader = by == ADVISER or at.protocol.participants(settings).get(by) == "debater"
    papers = [(name, text) for owner, name, text in at.debate.papers if owner == by]
    folder = settings.cited_folder if is_reader else ""
    return Library(folder, papers) if folder or papers else None


def _is_given(name: str) -> bool:
    """Tell whether a file or folder is neither hidden nor of a name that no prompt can have."""
    return name.isprintable() and not name.startswith(".")


def read_pdf(name: str, data: bytes) -> tuple[str, ...]:
    """Return the text of a PDF by pages."""
    try:
        import pypdf
    except ModuleNotFoundError:
        raise MissingExtraError(f"{name} is a PDF, which needs", "documents") from None
    try:
        return tuple(plain(p.extract_text()) for p in pypdf.PdfReader(io.BytesIO(data)).pages)
    except Exception as error:  # noqa: BLE001  (a damaged file fails in many ways)
        raise UsageError(f"{name} cannot be read as a PDF: {one_line(str(error), 200)}") from None
