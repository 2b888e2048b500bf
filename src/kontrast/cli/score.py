"""``kontrast score``: score a suite with a translation model."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.cluster_options import cluster_options
from kontrast.cli.output import echo, ending_with, next_suite, told_next
from kontrast.cli.scoring_options import engine_options, scoring_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.defaults import SEED
from kontrast.errors import KontrastError


@click.command(
    epilog="""\b
Examples:
  kontrast score contrapro.json --model hf:Helsinki-NLP/opus-mt-en-de --out opus.scores
  kontrast score contrapro.json --model hf:./my-model --context prev:1 --scheme sep --documents DIR --out c1.scores
  kontrast score suite.jsonl --model hf:facebook/nllb-200-distilled-600M --target-language de --out nllb.scores
  kontrast score suite.jsonl --model hf:./llama --template "{source}\\n{target_language}: " --out llama.scores
  kontrast score suite.jsonl --model ct2:./converted --dtype int8 --out ct2.scores
  kontrast score suite.jsonl --model openai:qwen@http://localhost:8000/v1 --mode choose --max-tokens 2048 --out q
  kontrast score suite.jsonl --model "command:./my-scorer --fast" --out mine.scores
  kontrast score suite.jsonl --model hf:./new --until decided --against old.scores --out new.scores
  kontrast score suite.jsonl --context prev:2 --side source --dry-run --show 3
""",
)
@suite_argument()
@click.option("--model", metavar="ENGINE:NAME", help="hf, ct2, marian, openai, sglang, command or file.")
@click.option("--out", metavar="FILE", help="Scores, one per row; FILE.json and FILE.tokens.jsonl.gz beside it.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@scoring_options("source", "target", "context", "side")
@click.option("--scheme", help="How it is joined: space, sep, break, eos … [the model's own, else space]")
@scoring_options("config", "control")
@click.option("--seed", default=SEED, show_default=True, help="Seed of the wrong context.")
@scoring_options("documents")
@click.option("--own", is_flag=True, help="Target context: what the model itself writes, from the beginning.")
@click.option("--own-output", metavar="FILE", help="Target context: the system's, a line per item, tabs between.")
@click.option("--score-context", is_flag=True, help="Sum the tokens of the target context too.")
@scoring_options("template", "device", "dtype", "batch-tokens", "threads")
@click.option("--no-sharing", is_flag=True, help="Score pair by pair.")
@click.option("--no-pad-in-softmax", is_flag=True, help="Leave padding out of the softmax, as CTranslate2 does.")
@scoring_options("option")
@click.option("--mode", type=click.Choice(["score", "choose", "judge"]), help="openai: ask instead of scoring.")
@click.option("--max-tokens", type=click.IntRange(1), help="choose, judge: length of an answer with its reasoning.")
@click.option("--samples", type=click.IntRange(1), help="choose, judge: how often each question is asked [1].")
@click.option("--examples", metavar="FILE", help="Examples for the prompt: SOURCE TAB TRANSLATION, or JSON lines.")
@click.option("--shots", type=click.IntRange(1), help="Take so many examples [all].")
@scoring_options("name", "store", "no-store", "limit")
@click.option("--until", type=click.Choice(["decided"]), help="Stop when the [gate] of --config is decided.")
@click.option("--against", metavar="SCORES", help="With --until: when it is better or worse than these scores.")
@click.option("--tokenisations", type=click.IntRange(1), metavar="N", help="hf: say what N other cuts would change.")
@cluster_options
@click.option("--dry-run", is_flag=True, help="Print what would be scored.")
@click.option("--show", default=3, show_default=True, help="With --dry-run: how many groups to print.")
@click.option("--tokens", is_flag=True, help="With --dry-run and --model: as the model's tokens too.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run or --until: as JSON.")
def command(suite: str, model: str | None, out: str | None, **given: Any) -> None:
    r"""Score every row of SUITE: negative log-probability, lower is better.

    Rows with the same source are scored together: what they share is computed once. A run that was interrupted goes
    on where it stopped, and nothing is scored twice (see kontrast store).

    With --until decided documents are scored in random order until the question is decided. OUT then holds only a
    part, which other commands refuse. Exit status 1: the gate failed.
    """
    from kontrast.flows.inputs import as_suite
    from kontrast.flows.scoring import preview, score
    from kontrast.suites.scores import check_writable, write_scores

    asked = _asked(given)
    if given["dry_run"]:
        _print_preview(preview(suite, model, show=given["show"], **asked), given["as_json"], given["tokens"])
        return
    if model is None or out is None:
        raise KontrastError("give --model ENGINE:NAME and --out FILE, or --dry-run")
    loaded = as_suite(suite, asked.pop("format"))
    check_writable(out, part=given["until"] is not None)
    store = False if given["no_store"] else given["store"] or True
    told = {name: given[name] for name in _OWN}
    made = score(loaded, model, store=store, verbose=True, **told, **asked)
    write_scores(made, out)
    if out != "-" and made.stopped is None:
        told_next("evaluate", next_suite(suite, given["limit"], given["seed"]), out)
    if made.stopped is not None:
        from kontrast.reporting.gating import print_stopped
        from kontrast.reporting.terminal import print_json

        with ending_with(1 if made.stopped.outcome == "failed" else 0):
            print_json(made.stopped) if given["as_json"] else print_stopped(made.system, made.stopped)


_OWN = ("system", "own", "on", "workers", "limit", "until", "against", "tokenisations")
_SAME = (
    *("context", "side", "scheme", "config", "control", "seed", "documents", "own_output", "score_context", "format"),
    *("source_language", "target_language", "device", "dtype", "batch_tokens", "threads", "mode"),
    *("max_tokens", "samples", "examples", "shots"),
)


def _asked(given: dict[str, Any]) -> dict[str, Any]:
    """What `kontrast.score` takes: the options under their own names, but for those that the shell cannot write."""
    return (
        {name: given[name] for name in _SAME}
        | engine_options(given)
        | {
            "share": not given["no_sharing"],
            "softmax_pad": False if given["no_pad_in_softmax"] else None,
        }
    )


def _print_preview(shown: Any, as_json: bool, tokens: bool) -> None:
    from kontrast.reporting.terminal import print_json

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
