"""A text of somebody else's, before it enters a line, a prompt or a terminal of ours.

Whatever a participant, a model or a stranger's file has written is foreign. It reaches a reader in
one of four ways, and each has its functions: `one_line` for a part of a line, `quoted` for lines of
a prompt, `spelled` for JSON on a terminal, `escape` and its relatives in `core.markdown` for
Markdown. What cannot be shown is left out by `shown` alone, and by `plain` where lines are kept.
"""

import codecs
import difflib
import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

UNSEEN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164"
    r"\ufdd0-\ufdef\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters, as between brackets of a pattern, of which a text looks empty: controls, formats,
fillers, selectors of variants, tags, what is no character; and combining marks alone."""
VISIBLE = rf"[^\s{UNSEEN}]"
"""Pattern of a character that a text says something with, in Python and in ECMA 262 (`u`) alike."""
LINE = 900
"""Characters to a line of a prompt at most: agent clients cut longer ones when they read a file."""

# All that some reader takes for the end of a line, as `str.splitlines` has it.
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Control characters, lone surrogates and non-characters, which files and terminals cannot show;
# marks that turn the direction of what comes after them; tag characters, which nobody sees.
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\ufdd0-\ufdef\U000e0000-\U000e007f]"
)
_UNSPELLED = re.compile(rf"[\x85\u2028\u2029]|{_UNSHOWABLE.pattern}")
"""What no JSON may have as it is: the other controls are spelled out in all JSON."""


def decode(data: bytes, errors: str = "strict") -> str:
    r"""Return the text of a file: UTF-8, or UTF-16 by its mark, as PowerShell writes it.

    >>> decode("é".encode("utf-16")), decode(b"\xc3\xa9")
    ('é', 'é')
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors)
    if errors == "strict" and data[:2].count(0) == 1:
        at = data.index(0)
        raise UnicodeDecodeError("utf-8", data, at, at + 1, "UTF-16 without a byte-order mark")
    return data.decode("utf-8", errors)


def is_blank(text: str) -> bool:
    """Tell whether a text has nothing to be seen."""
    return re.search(VISIBLE, text) is None


def trimmed(text: str) -> str:
    """Return a text without the white space around it; nothing of a blank one."""
    return "" if is_blank(text) else text.strip()


def shown(text: str) -> str:
    r"""Return a text without what cannot be shown or would change how the rest is shown.

    Line breaks and tabs stay as they are.

    >>> shown("a\x1b[2Jb\u202ec\n")
    'a[2Jbc\n'
    """
    return _UNSHOWABLE.sub("", text)


def plain(text: str) -> str:
    r"""Return a text as `shown` does, each of its line breaks as LF.

    >>> plain("a\r\nb\x00\u2028c")
    'a\nb\nc'
    """
    return shown(_BREAK.sub("\n", text))


def spelled(text: str) -> str:
    r"""Return JSON, or a part of it, with what `shown` would leave out spelled `\uXXXX`.

    So are ends of lines that only some readers know.

    >>> print(spelled('{"a": "\u202eb\u2028"}'))
    {"a": "\u202eb\u2028"}
    """
    return _UNSPELLED.sub(lambda match: json.dumps(match[0])[1:-1], text)


def suggest_near(name: str, known: Iterable[str]) -> str:
    """Return the question whether the nearest of some names was meant; empty where none is near.

    >>> suggest_near("antropic", ("anthropic", "openai")), suggest_near("x", ("openai",))
    ('; did you mean anthropic?', '')
    """
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else ""


def one_line(text: str, most: int = 0) -> str:
    r"""Return a text as a part of one line, its end left out where it has over `most` characters.

    >>> one_line("one\n two\u2028three\x00"), one_line("one two three", 7)
    ('one two three', 'one two …')
    """
    line = " ".join(shown(text).split())
    if not most or len(line) <= most:
        return line
    whole = line[: most + 1].rpartition(" ")[0]
    return f"{whole if len(whole) > most - 20 else line[:most].rstrip()} …"


def spell_place(path: str) -> str:
    """Return a path in a reply or a setting with its items counted from 1, as people do.

    >>> spell_place("arguments.0.claim"), spell_place("0.name"), len(spell_place("9" * 5000))
    ('arguments #1.claim', '#1.name', 5000)
    """
    number = re.compile(r"(\A|\.)([0-9]{1,9})(?=\Z|\.)")
    return number.sub(lambda at: f"{' ' * bool(at[1])}#{int(at[2]) + 1}", path)


UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, Kana, Han."""
_SIGNS = rf"[^\w\s{UNSPACED}]*+"
_WORD = re.compile(rf"{_SIGNS}[{UNSPACED}]{{1,2}}{_SIGNS}|[^\s{UNSPACED}]+")
_SAYING = re.compile(rf"[^\W_]|[{UNSPACED}]")
"""What makes a word of signs: a letter or a digit, or a mark of those scripts."""


def split_words(text: str) -> list[str]:
    """Return the words of a text: what white space separates.

    Where a script puts no spaces between words, two letters are one.

    >>> [len(split_words(text)) for text in ("one | two-three", "\u56e0\u4e3a\u5b83\u3002 x")]
    [3, 3]
    """
    return _WORD.findall(text)


def count_words(text: str) -> int:
    """Return how many words a text has; signs alone are none.

    >>> count_words("one | two-three"), count_words("\u56e0\u4e3a\u5b83 x")
    (2, 3)
    """
    return sum(_SAYING.search(word) is not None for word in split_words(text))


LEFT_OUT = "Left out"
"""The section of an entry with what a word limit cut off its text."""
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)\]]*\Z")
_SENTENCE = re.compile(r"[.!?\u2026][\"'\u201d\u2019\u00bb)\]]*(?=\s)|[\u3002\uff01\uff1f]")


def cut_words(text: str, most: int) -> tuple[str, str]:
    """Return at most `most` words of a text, to the end of a sentence if one is near; and the rest.

    White space stays as it is. A text within the limit, or no limit (0), leaves nothing out.

    >>> cut_words("One two. Three four.", 3)
    ('One two. Three', ' four.')
    """
    words = list(re.finditer(r"\S+", text)) if most else []
    if len(words) <= most:
        return text, ""
    near = range(most, most - most * 15 // 100 - 1, -1)  # its last 15 per cent
    last = next((n for n in near if _SENTENCE_END.search(words[n - 1][0])), most)
    end = words[last - 1].end()
    return text[:end], text[end:]


def cut_characters(text: str, most: int) -> tuple[str, str]:
    """Return at most `most` characters of a text, to the end of a sentence; and the rest.

    Where no sentence ends in them, it is to the end of a word. White space stays as it is.

    >>> cut_characters("One is. Two are. Three.", 17), cut_characters("One is.", 5)
    (('One is. Two are.', ' Three.'), ('One', ' is.'))
    """
    if len(text) <= most:
        return text, ""
    sentences = (match.end() for match in _SENTENCE.finditer(text, 0, most + 1))
    words = (match.start() for match in re.finditer(r"\s+", text[: most + 1]))
    ends = [end for end in sentences if end <= most] or [start for start in words if start]
    end = ends[-1] if ends else most
    return text[:end], text[end:]


def quoted(text: str) -> str:
    """Return a text as lines of a prompt: each begins with `>`, and none is longer than `LINE`.

    So no word of it can stand where the program's own lines begin, whatever tags, headings or
    line breaks it has: that needs no list of what is dangerous.
    """
    lines = plain(text).split("\n")
    return "\n".join(f"> {part}".rstrip() for line in lines for part in broken(line, LINE - 2))


def broken(line: str, most: int = LINE) -> Iterator[str]:
    """Yield a line in parts of at most so many characters, broken at spaces where it has any."""
    start = 0
    while len(line) - start > most:
        space = line.rfind(" ", start, start + most)
        end = space if space > start else start + most
        yield line[start:end]
        start = end + 1 if space > start else end
    yield line[start:]


def spell_number(number: object) -> str:
    """Return a number without zeros that say nothing.

    >>> spell_number(Decimal("26.600")), spell_number(27.0), spell_number(Decimal("-0.0"))
    ('26.6', '27', '0')
    """
    return f"{Decimal(str(number)).normalize() + 0:f}"


def signed(score: object) -> str:
    """Return a score on a line of a terminal: two decimals, three where it has them.

    >>> signed(Decimal("0.35")), signed(-1), signed("0.125"), signed(None)
    ('+0.35', '-1.00', '+0.125', 'not scored')
    """
    if score is None:
        return "not scored"
    number = Decimal(str(score))
    digits = max(2, -int(number.normalize().as_tuple().exponent)) if number else 2
    return f"{number:{'+' if number else ''}.{digits}f}"


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun; `nouns` is the plural, if it is not with an s alone.

    >>> count(1, "argument"), count(2, "reply", "replies")
    ('1 argument', '2 replies')
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"
