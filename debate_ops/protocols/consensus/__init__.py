"""Participants propose, criticise, defend and vote until enough of them agree."""
