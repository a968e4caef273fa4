"""Who replies when no agent client does: a command, or the record of another debate."""
