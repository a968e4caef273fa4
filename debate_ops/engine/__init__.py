"""Create, next, submit, act: load, decide, commit, in one place.

Agent client, headless runner and tests all go through these functions.
"""

from debate_ops.engine.debate_file import Framing as Framing
from debate_ops.engine.engine import REFUSED as REFUSED
from debate_ops.engine.engine import REPLIED as REPLIED
from debate_ops.engine.engine import SKIPPED as SKIPPED
from debate_ops.engine.engine import WAITING as WAITING
from debate_ops.engine.engine import Outcome as Outcome
from debate_ops.engine.engine import Position as Position
from debate_ops.engine.engine import RawReply as RawReply
from debate_ops.engine.engine import RepliesAwaitedError as RepliesAwaitedError
from debate_ops.engine.engine import RepliesRefusedError as RepliesRefusedError
from debate_ops.engine.engine import TaskStatus as TaskStatus
from debate_ops.engine.engine import act as act
from debate_ops.engine.engine import check_reply as check_reply
from debate_ops.engine.engine import check_settings as check_settings
from debate_ops.engine.engine import close_turn as close_turn
from debate_ops.engine.engine import create as create
from debate_ops.engine.engine import find_deadline as find_deadline
from debate_ops.engine.engine import find_refusable as find_refusable
from debate_ops.engine.engine import find_task as find_task
from debate_ops.engine.engine import find_turn_start as find_turn_start
from debate_ops.engine.engine import lift_stop as lift_stop
from debate_ops.engine.engine import load as load
from debate_ops.engine.engine import next_turn as next_turn
from debate_ops.engine.engine import obey_hold as obey_hold
from debate_ops.engine.engine import pause as pause
from debate_ops.engine.engine import plan as plan
from debate_ops.engine.engine import preview as preview
from debate_ops.engine.engine import read_step as read_step
from debate_ops.engine.engine import resume as resume
from debate_ops.engine.engine import say as say
from debate_ops.engine.engine import skip as skip
from debate_ops.engine.engine import stop as stop
from debate_ops.engine.engine import submit as submit
from debate_ops.engine.engine import submit_replies as submit_replies
from debate_ops.engine.engine import take_reply as take_reply
from debate_ops.engine.engine import undo as undo
