"""``kontrast evaluate``: accuracy from scores, in the toolkit's statistics or as the suite's own script prints it."""

from collections.abc import Callable
from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo_as_it_is
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.judging.options import Evaluating
from kontrast.judging.records import Evaluations
from kontrast.options import declared, part
from kontrast.reporting.terminal import print_json
from kontrast.testsets.originals import original_options


class _Evaluate(click.Command):
    """Takes ``--categories a b`` as the original does, beside the contract's ``--categories a,b``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        several = {
            option.flag: option.choices for option, _ in original_options().values() if option.takes == "words"
        }
        joined: list[str] = []
        for arg in args:
            if len(joined) > 1 and arg in several.get(joined[-2], ()):
                joined[-1] += f",{arg}"
            else:
                joined.append(arg)
        return super().parse_args(ctx, joined)


def _originals_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of the originals' scripts, as their test sets declare them."""
    for option, sets in reversed(original_options().values()):
        help = f"With --style original of {', '.join(sets)}: {option.help[0].lower()}{option.help[1:]}"
        more: dict[str, Any] = {"is_flag": True}
        if option.takes != "nothing":
            more = {"metavar": "A,B", "multiple": True} if option.takes == "words" else {"metavar": "JSON"}
        command = click.option(option.flag, option.name, help=help, **more)(command)
    return command


@click.command(cls=_Evaluate)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("evaluate", _originals_options, declared_options(Evaluating))
def command(suite: str, scores: tuple[str, ...], style: str | None, **options: Any) -> None:
    if style == "original":
        _refuse_judging_options()
        _original(suite, scores, options)
    else:
        _judged(suite, scores, options)


def _judged(suite: str, scores: tuple[str, ...], options: dict[str, Any]) -> None:
    from kontrast.flows.judging import evaluate
    from kontrast.reporting.evaluation import print_evaluation, print_evaluations

    for name, (option, _) in original_options().items():
        if options[name]:
            raise KontrastError(f"{option.flag} needs --style original")
    result: Any = evaluate(suite, *scores, **part(Evaluating, options))
    if options["as_json"]:
        print_json(result)
    else:
        print_evaluations(result) if isinstance(result, Evaluations) else print_evaluation(result)


def _original(suite: str, scores: tuple[str, ...], options: dict[str, Any]) -> None:
    from kontrast.flows.originals import evaluate_original

    chosen = {name: options[name] for name in original_options()}
    chosen |= {name: ",".join(value) for name, value in chosen.items() if isinstance(value, tuple)}
    echo_as_it_is(
        evaluate_original(suite, *scores, maximize=bool(options["maximize"]), format=options["format"], **chosen)
    )


def _refuse_judging_options() -> None:
    """What the originals do not have must not be ignored in silence."""
    ctx = click.get_current_context()
    for name in {*declared(Evaluating), "as_json"} - {"maximize", "format"}:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = "json" if name == "as_json" else name
            raise KontrastError(
                f"--{option} cannot be used with --style original, which prints the output of the original script"
            )
