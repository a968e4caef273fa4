"""Create, next, submit, act: load, decide, commit, in one place.

Agent client, headless runner and tests all go through these functions.
"""

from debate_ops.engine.debate_file import Framing as Framing
from debate_ops.engine.position import *  # noqa: F403  (its public names)
from debate_ops.engine.steps import *  # noqa: F403
