"""The values of a debate: immutable, without files, clocks or chance.

They are `NamedTuple`s rather than dataclasses: the same guarantees for these flat values, and
a third of the start-up time of the commands that an agent calls at every step.
"""
