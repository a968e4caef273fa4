"""Two sides argue a motion; a judge scores every argument."""
