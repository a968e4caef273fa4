"""The charts, drawn with matplotlib from the numbers; nothing else imports it."""

from __future__ import annotations

import io
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from debate_ops.model.score import Millis
from debate_ops.reports import words
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.numbers import Numbers, Round, Standing
from debate_ops.reports.text import counted, score, shorten
