"""What is made of a debate for readers: its page, transcript, outcome, memo and exports.

`read_debate` reads an engine's position once; all else is made of that.
"""

from debate_ops.report.comparison import compare_judgments as compare_judgments
from debate_ops.report.comparison import is_one_record as is_one_record
from debate_ops.report.exports import EXPORTS as EXPORTS
from debate_ops.report.exports import WITHOUT_NOTES as WITHOUT_NOTES
from debate_ops.report.exports import export as export
from debate_ops.report.flow_sheet import make_flow_sheet as make_flow_sheet
from debate_ops.report.index import render_all as render_all
from debate_ops.report.memo import REPORTER as REPORTER
from debate_ops.report.memo import find_memo_slot as find_memo_slot
from debate_ops.report.memo import take_memo as take_memo
from debate_ops.report.memo import write_memo_prompt as write_memo_prompt
from debate_ops.report.outcome import make_outcome_data as make_outcome_data
from debate_ops.report.outcome import write_outcome as write_outcome
from debate_ops.report.page import PAGE as PAGE
from debate_ops.report.page import Rendered as Rendered
from debate_ops.report.page import render_report as render_report
from debate_ops.report.provenance import list_costs as list_costs
from debate_ops.report.reading import Reading as Reading
from debate_ops.report.reading import find_panel as find_panel
from debate_ops.report.reading import is_panel_due as is_panel_due
from debate_ops.report.reading import open_panel as open_panel
from debate_ops.report.reading import read_debate as read_debate
from debate_ops.report.transcript import write_transcript as write_transcript
from debate_ops.report.verdict import Level as Level
from debate_ops.report.verdict import find_verdict as find_verdict
