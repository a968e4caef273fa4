"""The debates that ship with the project, and older ones where a folder of them is named."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from debate_ops.report.content import content_of
from debate_ops.report.items import Content

from debate_ops import engine
from debate_ops.engine.store import Folder
from tests.builders import ROOT

_REAL = os.environ.get("DEBATE_OPS_REAL_DEBATES", "")


def _folders() -> dict[str, Path]:
    roots = [ROOT / "debates", *([Path(_REAL)] if _REAL else [])]
    folders = [folder for root in roots for folder in sorted(root.iterdir())]
    return {folder.name: folder for folder in folders if (folder / "debate.md").is_file()}


SHIPPED = _folders()


@cache
def shipped(name: str) -> Content:
    return content_of(engine.look(Folder(str(SHIPPED[name]))).debate)
