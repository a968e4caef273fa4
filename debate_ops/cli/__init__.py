"""The command line: arguments in, one call, one result out."""
