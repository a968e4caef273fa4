"""Arguments, judgments and absences as the entries that they are views of."""

from __future__ import annotations

from typing import Any

from debate_ops.formats.headers import totals_as_data
from debate_ops.model.debate import Total
from debate_ops.model.score import to_number
from debate_ops.model.views import Absence, Argument, Ground, Judgment

from debate_ops.core.values import ABSENCE, ARGUMENT, JUDGMENT, JUDGMENTS, Contribution

View = Argument | Judgment | Absence | Contribution


def entry_of(view: View, totals: dict[str, Total] | None = None) -> Contribution:
    """Return the entry that a view is of; `totals` are those after a judgment."""
    if isinstance(view, Contribution):
        return view
    if isinstance(view, Argument):
        return _argument(view)
    if isinstance(view, Judgment):
        data = {"scores": [_decision(item) for item in view.scores]}
        data["rescores"] = [_decision(item) for item in view.rescores]
        data |= {"effects": [e._asdict() for e in view.effects]} if view.effects else {}
        after = {"cumulative_scores": totals_as_data(totals or {})}
        return Contribution(view.id, JUDGMENT, view.exchange, JUDGMENTS, {**data, **after})
    reasons = {"how": view.how, "reason": view.reason, "by": view.by}
    return Contribution(view.id, ABSENCE, view.exchange, JUDGMENTS, reasons)


_OPTIONAL = Ground._field_defaults


def _argument(view: Argument) -> Contribution:
    texts = {key: getattr(view, key) for key in ("claim", "warrant", "backing", "qualifier")}
    lists = {key: [link._asdict() for link in getattr(view, key)] for key in ("attacks", "defends")}
    lists["grounds"] = [
        {key: text for key, text in ground._asdict().items() if text or key not in _OPTIONAL}
        for ground in view.grounds
    ]
    sections = {key.capitalize(): text for key, text in texts.items() if text}
    data = {"title": view.title, "claim": view.claim, **lists}
    return Contribution(view.id, ARGUMENT, view.exchange, data=data, texts=sections)


def _decision(item: Any) -> dict[str, Any]:
    numbers = {
        key: to_number(getattr(item, key)) for key in ("previous", "score") if hasattr(item, key)
    }
    return {"argument_id": item.argument_id, **numbers, "reasoning": item.reasoning}
