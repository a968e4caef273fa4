"""A program that replies as a script has it: what it says lies in a folder, by step and name.

    python replying.py PROMPT_FILE FOLDER

It reads the prompt on standard input, as any participant of `run` does, and notes that it was
asked; it fails if the prompt's file holds anything else.
"""

import sys
from pathlib import Path


def main(prompt: Path, folder: Path) -> None:
    """Note that one was asked, and print the reply."""
    if sys.stdin.buffer.read() != prompt.read_bytes():
        sys.exit("the prompt on standard input is not the one in the file")
    name = prompt.name.removesuffix(".prompt.md")
    with (folder / "asked").open("a", encoding="utf-8") as asked:
        asked.write(f"{name}\n")
    sys.stdout.write((folder / f"{name}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
