"""Commands whose options count once: given twice, one of two values would be lost unseen."""

from __future__ import annotations

import click


class Once(click.Command):
    """A command that refuses an option given twice, unless it is meant to be repeated."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line.

        Raises:
            click.UsageError: names every option that is given more often than it counts.
        """
        if not ctx.resilient_parsing:
            self._refuse_repeats(ctx, list(args))
        return super().parse_args(ctx, args)

    def _refuse_repeats(self, ctx: click.Context, args: list[str]) -> None:
        _, _, given = self.make_parser(ctx).parse_args(args=args)
        single = [param for param in given if counts_once(param)]
        if twice := dict.fromkeys(_named(param) for param in single if single.count(param) > 1):
            message = "is given twice; give it" if len(twice) == 1 else "are given twice; give each"
            raise click.UsageError(f"{' and '.join(twice)} {message} once", ctx)


def counts_once(param: click.Parameter) -> bool:
    """Tell whether it would lose something to give this twice; a plain flag only says it again."""
    if not isinstance(param, click.Option) or param.multiple or param.count:
        return False
    return not param.is_flag or bool(param.secondary_opts)


def _named(param: click.Parameter) -> str:
    return "/".join(max(names, key=len) for names in (param.opts, param.secondary_opts) if names)
