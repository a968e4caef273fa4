"""Every command as data: its words and options, its help, and the function that does it."""

from __future__ import annotations

from typing import Any

from debate_ops.cli import reading
from debate_ops.cli.parser import VERSION, Command, Option, Word, option
from debate_ops.cli.reading import DEBATE, JSON, KNOWS_JSON
from debate_ops.protocols.table import PROTOCOLS

USUAL_PROTOCOL = "exchange"

_REASON = option("--reason TEXT", "Why; it goes on record.", default="")
_BY = option("--by NAME", "Who it is; goes on record.", default="user")
_KEEP = option("--keep", "Leave the files of the replies after the commit.")


def _whole(spec: str, text: str, **more: Any) -> Option:
    return option(spec, text, kind=int, least=0, **more)


PROGRAM = Command(
    "",
    """\
Run structured debates between AI agents, on a folder of Markdown files.

    A first look:        debate-ops demo
    A debate of yours:   debate-ops new my-decision --motion "This house would ..."
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision

DEBATE is a slug (a folder below 'debates') or a relative path.

Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration,
5 bad data on disk, 6 a limit, 7 busy, 8 a person has to act, 74 disk, 75 run it again.
""",
    (Word("command", "COMMAND"), Word("rest", "[ARGS]...")),
    (
        VERSION,
        option(
            "-C, --directory DIR", "Work as if started in DIR; debates are in its folder 'debates'."
        ),
    ),
)

COMMANDS: dict[str, Command] = {
    "new": Command(
        "look.new",
        r"""
Create a debate in debates/SLUG.

    debate-ops new pricing --motion "This house would move to usage-based pricing" \
        --definition "usage-based=billed by metered calls" --scope "existing customers" \
        --context facts.md --web-search forbidden
    debate-ops new storage --protocol consensus --motion "Which database do we use?" \
        --participants ann,ben:expert,cara:architect,dan --set max_cycles=2
    debate-ops new caching --protocol design --motion "How do we cache product pages?" \
        --settings team.toml --agents architect,security --context src/pages
""",
        (Word("slug"),),
        (
            option(
                "--motion TEXT",
                "What is debated, kept word for word; '-' reads it from standard input.",
            ),
            option("--motion-file FILE", "Read the motion from a file."),
            option(
                "--definition TERM=TEXT",
                "What a term means; may be given several times.",
                many=True,
            ),
            option("--scope TEXT", "What the debate is about, and what not.", default=""),
            option(
                "--context PATH",
                "A text that every participant is given, or a folder of texts; may be given "
                "several times.",
                many=True,
            ),
            option(
                "--protocol NAME",
                f"The rules of the debate: {', '.join(PROTOCOLS)}.",
                default=USUAL_PROTOCOL,
            ),
            option(
                "--participants LIST",
                "Who takes part, where the protocol does not say: such as "
                "ann,ben:expert,cara:architect.",
            ),
            option(
                "--agents LIST",
                "In design debates: which participants of the settings file take part, by name or "
                "role; without one, their roles.",
            ),
            option(
                "--web-search allowed|forbidden",
                "Whether debaters may search the web for evidence.",
            ),
            option(
                "--word-limits POLICY",
                "What a text over its word limit does: warn, reject or, in formal debates, cut.",
            ),
            option(
                "--language NAME",
                "The language of the debate; the motion's own if not given.",
            ),
            option(
                "--history-characters N",
                "How much of what was said before a participant is given in full.",
                kind=int,
            ),
            option(
                "--set NAME=VALUE",
                "Any setting of the protocol; may be given several times.",
                many=True,
            ),
            option(
                "--settings FILE",
                "Settings from a file, TOML or JSON, or '-' for standard input; options given "
                "beside it take precedence.",
            ),
            option(
                "--allow-files-outside",
                "Let the settings file name files outside of its own folder, or behind links.",
            ),
            KNOWS_JSON,
        ),
    ),
    "list": Command(
        "look.list_debates",
        "List the debates in this folder's 'debates'.",
        (),
        (option("--active", "Only those that wait for a reply or a person."), JSON),
    ),
    "status": Command(
        "steps.status",
        "Show the state of a debate, and which commands make sense now.",
        (DEBATE,),
        (JSON,),
    ),
    "next": Command(
        "steps.next_",
        "Print the turn that is due: its tasks, their prompt files and where the replies go.",
        (DEBATE,),
        (
            _whole(
                "--exchanges N",
                "Ask for N more exchanges (or cycles), the opening not counted; 0 gives up the "
                "unfinished request. Without it: what was asked for before, or else the debate's "
                "own end.",
            ),
            JSON,
        ),
    ),
    "submit": Command(
        "steps.submit",
        "Check the replies in the inbox, commit them, and print the next turn.",
        (DEBATE,),
        (
            _whole(
                "--step K",
                "The step that the replies answer, as 'next' printed it.",
                required=True,
            ),
            option(
                "--made-by TEXT",
                "Who wrote the replies, for the record: model, client.",
                default="",
            ),
            _whole(
                "--wait SECONDS",
                "Wait so long, at most, until every reply is there and nobody is writing it any "
                "more; exit code 75 if that takes longer.",
            ),
            JSON,
        ),
    ),
    "process-exchange": Command(
        "steps.process_exchange",
        "Commit both sides' arguments of one exchange from two files.",
        (DEBATE, Word("exchange", kind=int, least=0)),
        (
            option("--prop-file FILE", "The proposition's reply.", required=True),
            option("--opp-file FILE", "The opposition's reply.", required=True),
            _KEEP,
            JSON,
        ),
    ),
    "process-judge": Command(
        "steps.process_judge",
        "Commit the judgment of the exchange that awaits it, from a file.",
        (DEBATE,),
        (option("--json-file FILE", "The judge's reply.", required=True), _KEEP, JSON),
    ),
    "skip": Command(
        "steps.skip",
        "End a participant's task without a reply: an absence, with its reason, on record.",
        (DEBATE,),
        (
            option("--participant NAME", "Who is skipped, as in prop or judge.", required=True),
            _REASON,
            _whole(
                "--step K",
                "The step that it is about; a repeat is then harmless.",
            ),
            option("--withdraw", "Take back a skip that is not on record yet."),
            JSON,
        ),
    ),
    "advance": Command(
        "steps.advance",
        "Close the turn now due with the replies that are there; whoever has none is absent.",
        (DEBATE,),
        (
            _whole(
                "--step K",
                "The step that is closed, as 'next' printed it.",
                required=True,
            ),
            _REASON,
            JSON,
        ),
    ),
    "answer": Command(
        "answering.command",
        r"""
Answer questions that agents have put to you; without words, each is asked for in turn.

All answers are filed as one step. An empty TEXT says that a question is not applicable.

    debate-ops answer caching security_000-question-1="Only staff may see drafts." \
        security_000-question-2= --by kim
""",
        (DEBATE, Word("words", "[ID=TEXT]...")),
        (
            option(
                "--file FILE",
                "Answers from a file, TOML or JSON: each ID and its text; '-' is standard input.",
                key="path",
            ),
            option("--rest-not-applicable", "No other open question is applicable.", key="rest"),
            _BY,
            KNOWS_JSON,
        ),
    ),
    "decide": Command(
        "steps.decide",
        "Decide a debate that was escalated to a person; the decision goes on record.",
        (DEBATE,),
        (
            option("--proposal ID", "The proposal that is decided for.", default=""),
            option("--text TEXT", "What is decided, if no proposal says it.", default=""),
            _REASON,
            _BY,
            JSON,
        ),
    ),
    "escalate": Command(
        "steps.escalate",
        "Hand a debate over to a person, who is to decide it.",
        (DEBATE,),
        (_REASON, _BY, JSON),
    ),
    "cancel": Command(
        "steps.cancel", "End a debate without a result.", (DEBATE,), (_REASON, _BY, JSON)
    ),
    "undo": Command(
        "steps.undo",
        "Take the last exchange back; its files move to set-aside, and none is deleted.",
        (DEBATE,),
        (
            _whole(
                "--exchange N",
                "The exchange that it is about; a repeat is then harmless.",
            ),
            _whole(
                "--step K",
                "Take back all from this step on instead; a repeat is then harmless.",
            ),
            JSON,
        ),
    ),
    "show": Command(
        "look.show",
        "Show a debate's arguments with their scores, or one entry with its history.",
        (DEBATE, Word("entry_id", "[ID]")),
        (JSON,),
    ),
    "check": Command(
        "steps.check",
        "Check whether a debate meets requirements; exit code 10 if not: a gate for CI.",
        (DEBATE,),
        (
            option(
                "--require NAME",
                "What is required, such as consensus or no-blocking; may be given several times.",
                key="required",
                many=True,
            ),
            JSON,
        ),
    ),
    "validate": Command(
        "look.validate",
        "Check a whole debate: every file, link, score and total, and the word limits.",
        (DEBATE,),
        (
            option(
                "--fix",
                "Make debate.md from the record, and move what an interruption left to set-aside.",
            ),
            JSON,
        ),
    ),
    "run": Command(
        "hold.run",
        r"""
Run N more exchanges without an agent client; without N, finish what was asked for.

A debate whose protocol ends by itself runs to its end if no N is given.

SPEC says who replies: cmd:"PROGRAM ARGS" gets the prompt on standard input and prints its reply;
replay:DEBATE gives the replies on another debate's record.

    debate-ops run my-decision 3 --all cmd:"claude -p"
    debate-ops run my-decision 3 --prop cmd:"codex exec -" --opp cmd:"claude -p" \
        --judge cmd:./judge.sh
""",
        (DEBATE, Word("exchanges", "[N]", int, 1)),
        (
            option("--prop SPEC", "Who argues for the motion."),
            option("--opp SPEC", "Who argues against it."),
            option("--judge SPEC", "Who judges."),
            option(
                "--adviser SPEC",
                "Who gives the first answer, beside the first turn; without one it is left out, "
                "and --all does not include it.",
            ),
            option(
                "--as NAME=SPEC",
                "Who replies for any participant, or for all of a role such as debater; may be "
                "given several times.",
                key="named",
                many=True,
            ),
            option("--all SPEC", "Who does what no other option names.", key="everybody"),
            option(
                "--reporter SPEC",
                "Who writes the brief once the debate is complete; without N, also of one that "
                "was complete before.",
            ),
            option(
                "--timeout SECONDS",
                "Time for one reply; tried once more with half as much again.",
                kind=float,
                least=0.1,
                default=600.0,
            ),
            option("-q, --quiet", "No progress on standard error."),
            option("--json", "Print events as JSON lines.", key="as_json"),
        ),
    ),
    **reading.COMMANDS,
}
