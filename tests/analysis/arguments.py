"""Arguments of a debate as entries, for tests of what follows from them."""

from typing import Any

from debate_ops.core.values import Entry, parse_id

KINDS = {"attacks": "claim_attack", "defends": "reinforce"}


def link(target: str, kind: str, content: str = "Because.") -> dict[str, Any]:
    return {"target_id": target, "type": kind, "content": content}


def argument(entry_id: str, **links: Any) -> Entry:
    """Return an argument of the side and exchange that its id names; links may be target ids."""
    parts = parse_id(entry_id) or {}
    data = {
        key: [i if isinstance(i, dict) else link(i, kind) for i in links.get(key, ())]
        for key, kind in KINDS.items()
    }
    if "concedes" in links:
        data["concedes"] = [{"target_id": i, "content": "True."} for i in links["concedes"]]
    number = int(parts["round"])
    return Entry(parts["by"], number, "argument", data, letter=parts["letter"], is_usual=True)
