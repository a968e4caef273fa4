"""Between two exchanges: where it stands, for a user who is asked, and whether it could end."""

from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.cli import answers
from tests.builders import SLUG, attack, debate_at, hold, judgment, rebuttal, run, scores_of
from tests.cli.stage import say
from tests.courses import RICH, list_steps
from tests.engine.stage import FOLDER, lay_down

pytestmark = pytest.mark.usefixtures("work")


def test_a_checkpoint_says_where_it_stands_and_what_ends_it() -> None:
    folder = debate_at(0, checkpoints="on")
    assert "checkpoint" not in run("next", SLUG, "--exchanges", 3).result, "nothing is said yet"
    hold(folder)
    assert "checkpoint" not in run("next", SLUG).result, "the opening is not judged yet"
    hold(folder)
    answer = run("next", SLUG).result
    where, new = answer["checkpoint"]
    assert where.startswith("The opening is over. To come: 3 exchanges: 9 agent calls, and 1 ")
    assert new.startswith("New: prop_000a Argument one of prop here: prop says one.; prop_000b")
    assert run("say", SLUG, "Mind the cost.", "--json").result["checkpoint"] == [where, new]
    hold(folder)
    hold(folder)
    ended = run(*run("next", SLUG).result["end"].split()).result
    assert (ended["state"], "checkpoint" in ended) == ("done", False)


@pytest.mark.parametrize("name", RICH)
def test_every_protocol_has_checkpoints_where_they_are_on_and_none_within_an_exchange(
    name: str,
) -> None:
    found = {"on": 0, "off": 0}
    for steps in range(len(list_steps(name))):
        lay_down(name, steps)
        file = Path(FOLDER.debate_file)
        text = file.read_text(encoding="utf-8")
        assert '"checkpoints": "off"' in text
        for switch in found:
            file.write_text(text.replace('ckpoints": "off"', f'ckpoints": "{switch}"'), "utf-8")
            at = engine.load(FOLDER)
            if lines := answers.describe_turn(at).get("checkpoint"):
                found[switch] += 1
                assert len(lines) == 2
                assert not [e for e in at.debate.entries.values() if e.round >= at.due.round]
    assert (found["on"] > 0, found["off"]) == (True, 0)


NO: dict[str, Any] = {"attacks": []}
GIVEN = {"concedes": [{"target_id": "{}_000a", "content": "c"}]}


@pytest.mark.parametrize(
    ("prop", "opp", "rescores", "said"),
    [
        (NO, NO, 0, "nobody attacked anything, and no earlier score was changed"),
        (NO, NO, 1, ""),
        (NO, {"attacks": [attack("prop_000a")]}, 0, ""),
        (GIVEN, NO, 1, ""),
        (GIVEN, GIVEN, 1, "both sides gave something up"),
        (GIVEN, GIVEN | {"attacks": [attack("prop_000a")]}, 0, ""),
    ],
)
def test_a_debate_may_end_after_an_exchange_that_brought_nothing_new(
    prop: dict[str, Any],
    opp: dict[str, Any],
    rescores: int,
    said: str,
) -> None:
    folder = debate_at(1, attack_effects="off")
    assert "may_end" not in run("next", SLUG, "--exchanges", 2).result, "an opening attacks nobody"
    own = {"prop": prop, "opp": opp}
    for side, changes in own.items():
        given = [c | {"target_id": f"{side}_000a"} for c in changes.get("concedes", ())]
        own[side] = rebuttal(side, 1, **changes | {"concedes": given})
    hold(folder, **own)
    changed = {"argument_id": "prop_000a", "old_score": 0.3, "new_score": 0.1, "reasoning": "r"}
    hold(folder, judge=judgment(1, scores_of(1), [changed] * rescores))
    answer = run("status", SLUG, "--json").result
    assert (said in answer["may_end"]) if said else ("may_end" not in answer)
    assert run("next", SLUG).result.get("may_end") == answer.get("may_end")
    if said:
        assert f"'debate-ops next {SLUG} --exchanges 0' ends it here" in answer["may_end"]
        assert answer["may_end"] in say("status", SLUG).out
        run("next", SLUG, "--exchanges", 0)
        assert "may_end" not in run("status", SLUG, "--json").result, "it has ended"
