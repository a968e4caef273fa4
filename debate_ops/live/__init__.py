"""The live page of a debate, served on this machine."""
