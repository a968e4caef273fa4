"""Create, next, submit, intervene: load, decide, commit, in one place.

Agent client, headless runner and tests all go through these functions.
"""

from debate_ops.engine.by_hand import blank_form as blank_form
from debate_ops.engine.by_hand import check_reply as check_reply
from debate_ops.engine.by_hand import take_reply as take_reply
from debate_ops.engine.by_hand import task_of as task_of
from debate_ops.engine.checking import RawReply as RawReply
from debate_ops.engine.checking import RepliesAwaitedError as RepliesAwaitedError
from debate_ops.engine.checking import RepliesRefusedError as RepliesRefusedError
from debate_ops.engine.checking import with_faults as with_faults
from debate_ops.engine.control import is_paused as is_paused
from debate_ops.engine.control import lift_stop as lift_stop
from debate_ops.engine.control import pause as pause
from debate_ops.engine.control import resume as resume
from debate_ops.engine.control import say as say
from debate_ops.engine.control import stop as stop
from debate_ops.engine.create import create as create
from debate_ops.engine.digests import digests_of_record as digests_of_record
from debate_ops.engine.digests import edits as edits
from debate_ops.engine.digests import of_whole_record as of_whole_record
from debate_ops.engine.intervene import absences as absences
from debate_ops.engine.intervene import act as act
from debate_ops.engine.intervene import advance as advance
from debate_ops.engine.intervene import skip as skip
from debate_ops.engine.intervene import undo as undo
from debate_ops.engine.intervene import withdraw_skip as withdraw_skip
from debate_ops.engine.locations import misplaced as misplaced
from debate_ops.engine.locations import refuse_misplaced as refuse_misplaced
from debate_ops.engine.position import REFUSED as REFUSED
from debate_ops.engine.position import REPLIED as REPLIED
from debate_ops.engine.position import SKIPPED as SKIPPED
from debate_ops.engine.position import WAITING as WAITING
from debate_ops.engine.position import Outcome as Outcome
from debate_ops.engine.position import Position as Position
from debate_ops.engine.position import TaskStatus as TaskStatus
from debate_ops.engine.position import deadline as deadline
from debate_ops.engine.position import differences as differences
from debate_ops.engine.position import glance as glance
from debate_ops.engine.position import is_late as is_late
from debate_ops.engine.position import look as look
from debate_ops.engine.position import obeying as obeying
from debate_ops.engine.position import step_on_disk as step_on_disk
from debate_ops.engine.position import verified as verified
from debate_ops.engine.position import where as where
from debate_ops.engine.prepare import prepared as prepared
from debate_ops.engine.recording import source_of as source_of
from debate_ops.engine.settings import checked_settings as checked_settings
from debate_ops.engine.settings import refused as refused
from debate_ops.engine.settings import shown as shown
from debate_ops.engine.settings import usual_settings as usual_settings
from debate_ops.engine.settings import with_settings as with_settings
from debate_ops.engine.submit import submit as submit
from debate_ops.engine.submit import submit_replies as submit_replies
from debate_ops.engine.turns import next_turn as next_turn
from debate_ops.engine.turns import preview as preview
