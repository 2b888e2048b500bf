"""``kontrast score``: score a suite with a translation model."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, model_options
from kontrast.cli.output import echo, ending_with, next_suite, told_next
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.options import part
from kontrast.reporting.terminal import print_json
from kontrast.scoring.options import Score


@click.command()
@suite_argument()
@command_options("score", model_options(Score, first=("context", "documents", "system", "limit", "device")))
def command(suite: str, model: str | None, out: str | None, **given: Any) -> None:
    r"""Score every row of SUITE: negative log-probability, lower is better.

    Rows with the same source share computation. Interrupted runs resume when you repeat the command, and
    nothing is scored twice (see kontrast store).

    With --until decided, documents are scored in random order until the result is decided. OUT then has only
    part of the rows, and other commands refuse it. Exit status 1: the gate failed.
    """
    from kontrast.flows.inputs import as_suite
    from kontrast.flows.scoring import preview, score
    from kontrast.suites.scores import check_writable, write_scores

    asked = part(Score, given)
    if given["dry_run"]:
        _print_preview(preview(suite, model, show=given["show"], **asked), given["as_json"], given["tokens"])
        return
    if model is None or out is None:
        raise KontrastError("give --model ENGINE:NAME and --out FILE, or --dry-run")
    loaded = as_suite(suite, given["format"])
    check_writable(out, part=given["until"] is not None)
    made = score(loaded, model, verbose=True, **asked)
    write_scores(made, out)
    if out != "-" and made.stopped is None:
        told_next("evaluate", next_suite(suite, given["limit"], given["seed"]), out)
    if made.stopped is not None:
        from kontrast.reporting.gating import print_stopped

        with ending_with(1 if made.stopped.outcome == "failed" else 0):
            print_json(made.stopped) if given["as_json"] else print_stopped(made.system, made.stopped)


def _print_preview(shown: Any, as_json: bool, tokens: bool) -> None:
    if as_json:
        print_json(shown)
        return
    echo(f"{shown.rows} rows: {shown.targets} distinct targets of {shown.groups} sources; context {shown.context}")
    if tokens and not shown.tokens:
        raise KontrastError("--tokens: give a --model whose engine has a tokenizer (hf, ct2, marian)")
    for number, group in enumerate(shown.shown):
        pieces = [" ".join(cut) for cut in shown.tokens[number]] if tokens else []
        echo(f"\nsource  {group.source}")
        for cut in pieces[:1]:
            echo(f"        {cut}")
        for place, target in enumerate(group.targets, start=1):
            forced = f"[{target.prefix}]" if target.prefix else ""
            echo(f"target  {forced}{target.text}")
            for cut in pieces[place : place + 1]:
                echo(f"        {cut}")
