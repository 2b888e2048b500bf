"""``kontrast translate``: what a system writes for a suite, or for plain documents."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.cluster_options import cluster_options
from kontrast.cli.output import next_suite, told_next
from kontrast.cli.scoring_options import engine_options, scoring_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.defaults import SEED


@click.command(
    epilog="""\b
Examples:
  kontrast translate contrapro.json --model hf:Helsinki-NLP/opus-mt-en-de --out opus.txt
  kontrast translate suite.jsonl --model hf:./my-model --context prev:1 --scheme sep --own --out own.txt
  kontrast translate suite.jsonl --model "openai:qwen@http://localhost:8000/v1" --examples shots.tsv --out qwen.txt
  kontrast translate suite.jsonl --model "command:./my-decoder" --out mine.txt
  kontrast translate --documents docs --source en --target de --model hf:./my-model --window 4 --out docs.de
  kontrast check suite.jsonl opus.txt
""",
)
@suite_argument(required=False)
@click.option("--model", required=True, metavar="ENGINE:NAME", help="hf, ct2, marian, openai or command.")
@click.option("--out", required=True, metavar="FILE", help="One line per item; FILE.json says what made it.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@scoring_options("source", "target", "context")
@click.option("--own", is_flag=True, help="From the document's beginning, with the system's own translations.")
@click.option("--window", type=click.IntRange(2), metavar="N", help="Translate N sentences at once, cut apart again.")
@click.option(
    "--side",
    type=click.Choice(["source", "target", "both"]),
    help="Where the context goes [source; with --own: both].",
)
@click.option("--scheme", help="How context is joined: space, sep, break, eos … [the model's own, else space]")
@scoring_options("config", "control")
@click.option("--seed", default=SEED, show_default=True, help="Seed of sampling and of the wrong context.")
@click.option("--documents", metavar="DIR", help="The suite's documents; without SUITE, documents to translate.")
@click.option("--beams", type=click.IntRange(1), help="Beam size [4; 1 for prompted models].")
@click.option("--max-length", default=256, show_default=True, type=click.IntRange(1), help="Tokens of a translation.")
@click.option("--length-penalty", type=float, help="Higher favours longer output [the model's own].")
@click.option("--repetition-penalty", type=float, help="Above 1 discourages repetition [the model's own].")
@click.option("--temperature", default=0.0, show_default=True, help="Above 0: sampling.")
@click.option("--top-p", type=float, help="Sample from the likeliest tokens of this share.")
@click.option("--top-k", type=click.IntRange(1), help="Sample from so many tokens.")
@scoring_options("template")
@click.option("--examples", metavar="FILE", help="Examples for the prompt: SOURCE TAB TRANSLATION, or JSON lines.")
@click.option("--shots", type=click.IntRange(1), help="Take so many examples [all].")
@click.option("--clean/--no-clean", default=None, help="Remove what is said around a translation [if prompted].")
@scoring_options("device", "dtype", "batch-tokens", "threads", "option", "name")
@click.option("--store", metavar="FILE", help="Where translations are kept [KONTRAST_STORE or the cache folder].")
@scoring_options("no-store", "limit")
@cluster_options
@click.option("--details", metavar="FILE", help="Also write, per item as JSON: translation, what the model said.")
def command(suite: str | None, model: str, out: str, **given: Any) -> None:
    """Translate every item of SUITE: one line each, for kontrast check.

    Without SUITE the documents of --documents are translated line by line into the folder --out. A run that was
    interrupted goes on where it stopped, and nothing is translated twice (see kontrast store).
    """
    from kontrast.flows.translation import translate

    asked = engine_options(given)
    store = False if given.pop("no_store") else given.pop("store") or True
    translate(suite, model, out=out, verbose=True, **{**given, "store": store, **asked})
    if suite is not None and out != "-":
        told_next("check", next_suite(suite, given["limit"], given["seed"]), out)
