"""Every command as data: what help says of it, its options included, and what does it."""

from __future__ import annotations

from debate_ops.cli.parser import DEBATE, Command, Word
from debate_ops.protocols.table import PROTOCOLS

_REASON = "--reason TEXT: Why; it goes on record."
_BY = "--by NAME: Who it is; goes on record (default: user)."
_KEEP = "--keep: Leave the files of the replies after the commit."
_OUTPUT = "--output FILE: Write it there instead of printing it; '-' prints it."
_FORCE = "--force: Replace the file, if it is there."
_PREPARATION = """--preparation/--no-preparation: Show the notes that each side made for itself, or
    not; else the debate's setting says."""

PROGRAM = Command(
    "",
    """Run structured debates between AI agents, on a folder of Markdown files.

    A first look:        debate-ops demo
    A debate of yours:   debate-ops new my-decision --motion "This house would ..."
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision

DEBATE is a slug (a folder below 'debates') or a relative path.

Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration,
5 bad data on disk, 6 a limit, 7 busy, 8 a person has to act, 74 disk, 75 run it again.

--version: Show the version and exit.
-C, --directory DIR: Work as if started in DIR; debates are in its folder 'debates'.
""",
    (Word("command", "COMMAND"), Word("rest", "[ARGS]...")),
    json="",
)

COMMANDS: dict[str, Command] = {
    "new": Command(
        "new.new",
        rf"""Create a debate in debates/SLUG.

    debate-ops new pricing --motion "This house would move to usage-based pricing" \
        --definition "usage-based=billed by metered calls" --scope "existing customers" \
        --context facts.md --web-search forbidden
    debate-ops new storage --protocol consensus --motion "Which database do we use?" \
        --participants ann,ben:expert,cara:architect,dan --set max_cycles=2
    debate-ops new caching --protocol design --motion "How do we cache product pages?" \
        --settings team.toml --agents architect,security --context src/pages

--motion TEXT: What is debated, kept word for word; '-' reads it from standard input.
--motion-file FILE: Read the motion from a file.
--definition TERM=TEXT: What a term means (repeatable).
--scope TEXT: What the debate is about, and what not.
--context PATH: A text that every participant is given, or a folder of texts (repeatable).
--protocol NAME: The rules of the debate:
    {", ".join(PROTOCOLS)} (default: exchange).
--participants LIST: Who takes part, where the protocol does not say: such as
    ann,ben:expert,cara:architect.
--agents LIST: In design debates: which participants of the settings file take part, by name or
    role; without one, their roles.
--web-search allowed|forbidden: Whether debaters may search the web for evidence.
--word-limits POLICY: What a text over its word limit does: warn, reject or, in formal debates,
    cut.
--language NAME: The language of the debate; the motion's own if not given.
--history-characters N: How much of what was said before a participant is given in full.
--set NAME=VALUE: Any setting of the protocol (repeatable).
--settings FILE: Settings from a file, TOML or JSON, or '-' for standard input; options given
    beside it take precedence.
--allow-files-outside: Let the settings file name files outside of its own folder, or behind
    links.
""",
        (Word("slug"),),
        knows_json=True,
    ),
    "import": Command(
        "imports.import_",
        """Make a debate of one that was held elsewhere: its speeches word for word, nothing added.

    debate-ops import old-question thread.md
    debate-ops import night-trains map.argdown --no-judge
    debate-ops import first debates.json --pick the-absurdity-of-family-love-1

FILE is a transcript or a discussion thread, Argdown, or JSON of the NYU debates; '-' is standard
input. What was not taken is listed. The debate is one in speeches: a judge, agent or person, may
decide it, and it can be shown, drawn and reported like any other.

--format FORM: transcript, nyu or argdown; else the ending of the file says (.json, .argdown).
--motion TEXT: What was debated, where the file does not say it, or says it otherwise.
--speakers LIST: Who speaks in a transcript, where other words stand like names.
--pick ID: Which debate of a file with several: its id, or its number.
--no-judge: Nobody is to judge it.
""",
        (Word("slug"), Word("file")),
    ),
    "list": Command(
        "status.list_debates",
        """List the debates in this folder's 'debates'.

--active: Only those that wait for a reply or a person.
--newest: In the order in which they were made, the last one first; else by name.
""",
        (),
    ),
    "status": Command(
        "status.status",
        "Show the state of a debate, and which commands make sense now.",
    ),
    "next": Command(
        "submit.next_turn",
        """Print the turn that is due: its tasks, their prompt files and where the replies go.

--exchanges N: Ask for N more exchanges (or cycles), the opening not counted; 0 gives up the
    unfinished request. Without it: what was asked for before, or else the debate's own end
    (at least 0).
""",
    ),
    "submit": Command(
        "submit.submit",
        """Check the replies in the inbox, commit them, and print the next turn.

--step K: The step that the replies answer, as 'next' printed it (required; at least 0).
--made-by TEXT: Who wrote the replies, for the record: model, client.
--wait SECONDS: Wait so long, at most, until every reply is there and nobody is writing it any
    more; exit code 75 if that takes longer (at least 0).
""",
    ),
    "process-exchange": Command(
        "submit.process_exchange",
        f"""Commit both sides' arguments of one exchange from two files.

--prop-file FILE: The proposition's reply (required).
--opp-file FILE: The opposition's reply (required).
{_KEEP}
""",
        (DEBATE, Word("exchange", least=0)),
    ),
    "process-judge": Command(
        "submit.process_judge",
        f"""Commit the judgment of the exchange that awaits it, from a file.

--json-file FILE: The judge's reply (required).
{_KEEP}
""",
    ),
    "check-reply": Command(
        "submit.check_reply",
        """Check a reply to the turn that is due, as 'submit' would; nothing is changed.

FILE is a draft, wherever it lies; exit code 1 if it would be refused.

--as NAME: Whose reply it is, where several are due and it does not say so.
""",
        (DEBATE, Word("file")),
    ),
    "reply": Command(
        "reply.reply",
        r"""Reply to the turn that is due as a person; what is refused is not filed.

Without FILE, the prompt and a form open in the editor that EDITOR or VISUAL names; what was written
stays there until it is filed. FILE is such a form, filled in, or JSON; '-' is standard input.

    debate-ops run my-decision 3 --prop person:kim --opp cmd:"claude -p" --judge cmd:"claude -p"
    debate-ops reply my-decision --by kim

--as NAME: Whose reply it is, where several are due.
--form: Print the form instead.
--by NAME: Who it is; goes on record. Without it, the name that 'run' has for this participant.
""",
        (DEBATE, Word("file", "[FILE]")),
    ),
    "skip": Command(
        "intervene.skip",
        f"""End a participant's task without a reply: an absence, with its reason, on record.

--participant NAME: Who is skipped, as in prop or judge (required).
{_REASON}
--step K: The step that it is about; a repeat is then harmless (at least 0).
--withdraw: Take back a skip that is not on record yet.
""",
    ),
    "advance": Command(
        "intervene.advance",
        f"""Close the turn now due with the replies that are there; whoever has none is absent.

--step K: The step that is closed, as 'next' printed it (required; at least 0).
{_REASON}
""",
    ),
    "answer": Command(
        "answer.answer",
        rf"""Answer questions that agents have put to you; without words, each is asked for in turn.

All answers are filed as one step. An empty TEXT says that a question is not applicable.

    debate-ops answer caching security_000-question-1="Only staff may see drafts." \
        security_000-question-2= --by kim

--file FILE: Answers from a file, TOML or JSON: each ID and its text; '-' is standard input.
--rest-not-applicable: No other open question is applicable.
{_BY}
""",
        (DEBATE, Word("words", "[ID=TEXT]...")),
        knows_json=True,
    ),
    "decide": Command(
        "intervene.decide",
        f"""Decide a debate that was escalated to a person; the decision goes on record.

--proposal ID: The proposal that is decided for.
--text TEXT: What is decided, if no proposal says it.
{_REASON}
{_BY}
""",
    ),
    "escalate": Command(
        "intervene.escalate",
        f"""Hand a debate over to a person, who is to decide it.

{_REASON}
{_BY}
""",
    ),
    "cancel": Command(
        "intervene.cancel",
        f"""End a debate without a result.

{_REASON}
{_BY}
""",
    ),
    "pause": Command(
        "control.pause",
        f"""Hold a debate back before its next turn, until 'resume': a run waits, 'next' says so.

What participants are writing now is still taken.

--reason TEXT: Why; others are shown it.
{_BY}
""",
    ),
    "resume": Command(
        "control.resume",
        f"""Let a debate go on that is paused or stopped.

{_BY}
""",
    ),
    "stop": Command(
        "control.stop",
        f"""Hold a debate back before its next turn, as 'pause' does, and end a run that is in it.

Another 'run' goes on from there.

--reason TEXT: Why; others are shown it.
{_BY}
""",
    ),
    "say": Command(
        "control.say",
        f"""Say something to the participants: on record, and in all their prompts from now on.

    debate-ops say my-decision "Assume that the budget is fixed."
    debate-ops say my-decision "Name your sources." --to opp --by kim

--to NAME: To one participant, or to one role, instead of all.
{_BY}
""",
        (DEBATE, Word("text", "TEXT")),
    ),
    "undo": Command(
        "intervene.undo",
        """Take the last exchange back; its files move to set-aside, and none is deleted.

--exchange N: The exchange that it is about; a repeat is then harmless (at least 0).
--step K: Take back all from this step on instead; a repeat is then harmless (at least 0).
""",
    ),
    "show": Command(
        "show.show",
        "Show a debate's arguments with their scores, or one entry with its history.",
        (DEBATE, Word("entry_id", "[ID]")),
    ),
    "check": Command(
        "check.check",
        """Check whether a debate meets requirements; exit code 10 if not: a gate for CI.

--require NAME: What is required: complete or decided (not too close to call), and by protocol
    others such as consensus or no-blocking (repeatable).
""",
    ),
    "validate": Command(
        "check.validate",
        """Check a whole debate: every file, link, score and total, and the word limits.

--fix: Make debate.md from the record, and move what an interruption left to set-aside.
""",
    ),
    "run": Command(
        "run.run",
        r"""Run N more exchanges without an agent client; without N, finish what was asked for.

A debate whose protocol ends by itself runs to its end if no N is given.

SPEC says who replies: cmd:"PROGRAM ARGS" gets the prompt on standard input and prints its reply;
replay:DEBATE gives the replies on another debate's record; person:NAME waits for somebody, who
replies with 'debate-ops reply', as person:NAME?minutes=10 no longer than that; PROVIDER:MODEL asks
a model with the key in the environment, with options as openai:MODEL?temperature=0.5&effort=low.

    debate-ops run my-decision 3 --all cmd:"claude -p"
    debate-ops run my-decision 3 --all anthropic:MODEL --judge google:MODEL --max-cost 2
    debate-ops run my-decision 3 --prop cmd:"codex exec -" --opp cmd:"claude -p" \
        --judge cmd:./judge.sh

--prop SPEC: Who argues for the motion.
--opp SPEC: Who argues against it.
--judge SPEC: Who judges.
--adviser SPEC: Who gives the first answer, beside the first turn; without one it is left out, and
    --all does not include it.
--as NAME=SPEC: Who replies for any participant, or for all of a role such as debater
    (repeatable).
--all SPEC: Who does what no other option names.
--models FILE: Who replies, from a file: a table "participants" of NAME = "SPEC", and "presets.NAME"
    with participant = "SPEC" and options, which may stand for a SPEC; options here take precedence.
--reporter SPEC: Who writes the brief once the debate is complete; without N, also of one that was
    complete before.
--timeout SECONDS: Time for one reply; tried once more with half as much again
    (at least 0.1; default: 600.0).
--max-cost DOLLARS: Do not begin a turn that is likely to bring the run above this (at least 0.0).
--max-tokens N: The same for tokens that are read and written (at least 1).
--max-minutes M: Begin no turn after so many minutes (at least 0.0).
--at-once N: Ask so many at the same time (at least 1).
--per-minute N: Ask so many in any minute (at least 1).
--watch: Serve the live page beside the run, as the command of that name does.
--dry-run: Ask nobody; say how many replies, tokens and dollars the run is likely to take.
-q, --quiet: No progress on standard error.
""",
        (DEBATE, Word("exchanges", "[N]", least=1)),
        knows_json=True,
        json="Print the events of the debate and of the run as JSON lines.",
    ),
    "panel": Command(
        "panel.panel",
        """Have a panel read a debate once, blind, half of it with the sides in the other order.

Each member says what it thinks before it reads, and casts a ballot after: who had the better of
each issue of the brief, how sure, and why. It is kept in the debate's folder; the record and its
scores stay as they are. The page then says whether the verdict stands. Without --judge the prompts
for agents of yours are listed; the same command takes what they wrote, and goes on.

    debate-ops panel my-decision --judge anthropic:MODEL --judge google:MODEL
    debate-ops panel my-decision

--judges N: How many members, an odd number; 3 if not given (at least 1).
--judge SPEC: Who replies, as for 'run'; several take turns (repeatable).
--persona TEXT: How a member is to look at it; several take turns (repeatable).
--anew: Set the panel that is there aside.
--timeout SECONDS: Time for one reply (at least 0.1; default: 600.0).
-q, --quiet: No progress on standard error.
""",
    ),
    "rejudge": Command(
        "rejudge.rejudge",
        """Have the record of a debate in exchanges judged again, and compare.

Each time a fresh judge scores one exchange after the other, without new debating; every second
judge reads the other side first. The record does not change. Without --judge the prompts for
agents of yours are listed; the same command takes what they wrote, and goes on.

    debate-ops rejudge my-decision --times 4 --judge anthropic:MODEL

--times N: How often (at least 1; default: 3).
--judge SPEC: Who judges, as for 'run'.
--timeout SECONDS: Time for one reply (at least 0.1; default: 600.0).
-q, --quiet: No progress on standard error.
""",
    ),
    "compare": Command(
        "rejudge.compare",
        """Put the verdicts of debates side by side: scores, their spread, and what is answered.
""",
        (Word("debates", "DEBATE..."),),
    ),
    "calibrate": Command(
        "calibrate.calibrate",
        """Have a judge decide debates whose answers are known, and say how well it does.

Measured are the debate, the question without it, and one side alone: how often the judge is right,
how sure it was, and what order and length did. The debates are kept in debates/calibration, so that
a run that was stopped goes on, and the page of a debate says how well its judge did here. The
prompts for agents of yours are listed if no --judge is given.

    debate-ops calibrate --judge anthropic:MODEL --limit 30
    debate-ops calibrate --set own --made-by MODEL
    debate-ops calibrate --set my-questions.json --panel 3

--judge SPEC: Who judges, as for 'run'.
--set NAME: A set that ships with the program (nyu, own), or a JSON file (default: nyu).
--limit N: Only the first so many debates (at least 1).
--panel N: How many members a panel has, an odd number (at least 1; default: 1).
--at-once N: How many debates at the same time (at least 1; default: 4).
--timeout SECONDS: Time for one reply (at least 0.1; default: 600.0).
--made-by TEXT: Which model your agents are, as for 'submit'.
--dry-run: Ask nobody; say how many replies and tokens it is likely to take.
""",
        (),
    ),
    "watch": Command(
        "watch.watch",
        """Serve a page on this machine that shows the debate as it runs, until Ctrl-C.

Each line printed is a link: the owner's has controls, the viewer's only shows, and with --seats
each participant gets one to reply with. The page shows runs and agent clients alike.

    debate-ops watch my-decision
    debate-ops watch our-class --seats --port 8000 --host debates.school.example

--port N: The port; a free one if not given (at least 1).
--host NAME: A name under which your own proxy passes requests on (repeatable).
--seats: A link for each participant.
""",
    ),
    "report": Command(
        "report.report",
        """Render report.html, README.md and, if any, the charts and the argument graph.

    debate-ops report my-decision --verbose
    debate-ops report --all

--all: Render every debate, and debates/index.md.
--brief FILE: Accept a brief that an agent wrote by the prompt, if it agrees with the record.
--verbose: Print for each entry when it came, its time, tokens and model, on standard error.
""",
        (Word("debate", "[DEBATE]"),),
    ),
    "outcome": Command(
        "report.outcome",
        f"""Print the outcome of a debate: the solution, closing, proposal, ballot or verdict.

    debate-ops outcome my-decision
    debate-ops outcome my-decision --output solution.md
    debate-ops outcome my-decision --output record.json

--output FILE: Write it there instead of printing it; the whole record where the name ends in
    .json; '-' prints it.
{_FORCE}
""",
    ),
    "transcript": Command(
        "export.transcript",
        f"""Print all that was said in a debate, in order; an unfinished one is marked as partial.

--format md|text|json: Markdown, plain text of 80 columns, or JSON with every text as it is on
    record (default: md).
{_PREPARATION}
{_OUTPUT}
{_FORCE}
""",
        knows_json=True,
    ),
    "flow": Command(
        "export.flow",
        """Show how each attack was answered, target by target, and which were dropped.

In design and consensus debates: how each critique was answered.

    debate-ops flow my-decision
    debate-ops flow my-decision --format csv

--format table|md|csv|json: Lines for a terminal (if not given), a page in Markdown with links as
    from the debate's folder, a row for each attack, or JSON.
""",
        knows_json=True,
    ),
    "semantics": Command(
        "semantics.semantics",
        """Show how strong each argument is and which survive, in a debate or a graph in a FILE.

A FILE holds APX facts (arg, att, sup, weight), or numbers after a line "p af N".

    debate-ops semantics my-decision
    debate-ops semantics my-decision --semantics preferred
    debate-ops semantics graph.apx --semantics h-categoriser --json

--semantics NAME: Which semantics; 'help' lists them. Without it, a debate is weighed as in its
    report.
--derived-attacks: Count the attacks that follow from attacks and supports, too.
--argument ID: Say whether it is in some and in every extension, instead of listing them.
--most N: List N extensions, at most; 1000 if not given (at least 1).
""",
        (Word("debate", "[DEBATE|FILE]"),),
    ),
    "export": Command(
        "export.export",
        f"""Write a debate as an argument map, a graph, a table or data that other tools open.

    debate-ops export my-decision --to argdown --output my-decision.argdown
    debate-ops export my-decision --to csv-scores > scores.csv
    debate-ops export my-decision --to dot | dot -Tsvg > my-decision.svg

--to NAME: The format: argdown, mermaid, dot, apx, apx-plain, csv-flow, csv-arguments, csv-scores,
    jsonl, transcript or aif (required).
{_OUTPUT}
{_FORCE}
{_PREPARATION}
""",
    ),
    "demo": Command(
        "run.demo",
        """Replay the real debate that ships with the program, check by check, and render its
report.""",
        (Word("slug", "[SLUG]", default="demo"),),
        knows_json=True,
    ),
    "doctor": Command(
        "doctor.doctor",
        "Check that everything the program needs is there.",
        (),
    ),
    "schema": Command(
        "check.schema",
        """Print the JSON Schema of a kind of reply; without NAME, list them.
""",
        (Word("name", "[NAME]"),),
        json="",
    ),
}
