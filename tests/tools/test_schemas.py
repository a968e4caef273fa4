"""The patterns of the schemas, read as other tools read them: by ECMA 262, with its flag `u`."""

import json
import re
import shutil
import subprocess

import pytest

from debate_ops.core.replies import schema_of
from debate_ops.protocols import PROTOCOLS, load_protocol
from tests.core.test_texts import SEEN, UNSEEN, patterns

pytestmark = pytest.mark.tools

_ASK = """
const given = JSON.parse(require("fs").readFileSync(0, "utf8"))
const seen = given.patterns.map(p => given.texts.map(t => new RegExp(p, "u").test(t)))
process.stdout.write(JSON.stringify(seen))
"""


def test_a_text_is_blank_by_ecma_262_if_it_is_so_by_python() -> None:
    if shutil.which("node") is None:
        pytest.fail("node is not there: run 'make test-tools', which says how it gets there")
    forms = [form for name in PROTOCOLS for form in load_protocol(name).replies.values()]
    every = sorted({each for form in forms for each in patterns(schema_of(form))})
    assert every
    said = [text * 10 for text in (*UNSEEN, *SEEN)]
    done = subprocess.run(
        ["node", "-e", _ASK],
        input=json.dumps({"patterns": every, "texts": said}).encode(),
        capture_output=True,
        check=True,
    )
    expected = [[re.search(pattern, text) is not None for text in said] for pattern in every]
    assert json.loads(done.stdout) == expected
