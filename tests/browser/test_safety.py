"""The page runs nothing but its own script, whatever its address says or slipped in."""

from urllib.parse import quote

import pytest

from tests.browser.visits import Visiting
from tests.hostile.texts import WEB


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "%00%ff", "__proto__"])
def test_an_address_that_was_tampered_with_runs_nothing(visiting: Visiting, text: str) -> None:
    for view in (text, f"q={quote(text)}", f"id={text}&side={text}&state={text}&theme={text}"):
        seen = visiting("leap-seconds", view=view)
        assert seen.run("() => document.querySelectorAll('script').length") == 1
        seen.check_quiet()


@pytest.mark.parametrize(
    "attack",
    [
        f"fetch('{WEB}/x').catch(() => 0)",
        f"new Image().src = '{WEB}/x'",
        "document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))",
        "document.body.setAttribute('onclick', 'alert(1)'); document.body.click()",
    ],
)
def test_what_slipped_in_all_the_same_would_be_stopped_by_the_policy(
    visiting: Visiting, attack: str
) -> None:
    seen = visiting("leap-seconds")
    seen.run(f"async () => {{ {attack}; await new Promise((done) => setTimeout(done, 200)); }}")
    assert any("Content Security Policy" in said for said in seen.complaints)
    assert seen.dialogs == []
