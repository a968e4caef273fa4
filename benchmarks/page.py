"""Size of `report.html`, the time to make it and until it can be used, and the memory of both.

    python -m benchmarks.page [ARGUMENTS ...]

Chromium has to be installed.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks import numbers
from debate_ops.reports.html import page
from debate_ops.reports.screen import page_data
from debate_ops.reports.table import read
from tests.browser.visits import executable
from tests.reports.debates import long_debate

SIZES = (20, 50, 200, 1000, 2000)
OPENING, EXCHANGE = 6, 2
MIB = 1024**2

SHOWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SEARCHED = "() => / of /.test(document.querySelector('#count').innerText)"


def main() -> None:
    """Measure each size in a process of its own, and print."""
    if sys.argv[1:2] == ["--one"]:
        _make(int(sys.argv[2]), Path(sys.argv[3]))
        return
    print("arguments       size  made in  memory  opened in  searched in  memory of the browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for number in map(int, numbers(__doc__, *SIZES)):
            file = Path(folder, f"{number}.html")
            words = [sys.executable, "-m", "benchmarks.page", "--one", str(number), str(file)]
            made = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
            browser = playwright.chromium.launch(executable_path=executable())
            print(
                f"{number:9}  {file.stat().st_size / MIB:5.2f} MiB  {made}  {_read(browser, file)}"
            )
            browser.close()


def _make(number: int, file: Path) -> None:
    debate = long_debate((number - OPENING) // EXCHANGE)
    began = time.perf_counter()
    file.write_text(page.render(page_data(read(debate))), encoding="utf-8")
    took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{took:5.1f} s  {peak:3.0f} MiB")


def _read(browser: Browser, file: Path) -> str:
    page = browser.new_page()
    began = time.perf_counter()
    page.goto(file.as_uri())
    page.evaluate(SHOWN)
    opened = time.perf_counter() - began
    began = time.perf_counter()
    page.keyboard.press("/")
    page.keyboard.insert_text("prop_001")
    page.wait_for_function(SEARCHED)
    page.evaluate(SHOWN)
    searched = time.perf_counter() - began
    result = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    pids = [actual["id"] for actual in result["processInfo"] if actual["type"] == "renderer"]
    return f"{opened:7.1f} s  {searched:9.1f} s  {max(map(_most_memory, pids)):7.0f} MiB"


def _most_memory(pid: int) -> float:
    """Return the most memory that a process has had, in MiB; 0 where the system does not say."""
    with contextlib.suppress(OSError), open(os.path.join("/proc", str(pid), "status")) as file:
        lines = dict(line.split(":", 1) for line in file)
        return int(lines["VmHWM"].split()[0]) / 1024
    return 0.0


if __name__ == "__main__":
    main()
