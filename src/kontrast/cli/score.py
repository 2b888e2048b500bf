"""``kontrast score``: score a suite with a translation model."""

from __future__ import annotations

from typing import Any

import click

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
  kontrast score suite.jsonl --model "command:./my-scorer --fast" --out mine.scores
  kontrast score suite.jsonl --context prev:2 --side source --dry-run --show 3
""",
)
@click.argument("suite")
@click.option("--model", metavar="ENGINE:NAME", help="hf, ct2, marian, openai, command or file, and what to load.")
@click.option("--out", metavar="FILE", help="Scores, one per row; FILE.json and FILE.tokens.jsonl.gz beside it.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, where it is not detected.")
@click.option("--source", "--source-language", "source_language", metavar="LANG", help="Default: the suite's.")
@click.option("--target", "--target-language", "target_language", metavar="LANG", help="Default: the suite's.")
@click.option("--context", "context_text", default="none", show_default=True, metavar="none|prev:N|next:N|tokens:N")
@click.option("--side", type=click.Choice(["source", "target", "both"]), help="Where the context goes [both].")
@click.option("--scheme", help="How it is joined: space, sep, break, eos … [the model's own, else space]")
@click.option("--config", metavar="FILE", help="kontrast.toml with [context.NAME] schemes.")
@click.option(
    "--control", type=click.Choice(["random", "shuffled", "other-document"]), help="A wrong context instead."
)
@click.option("--seed", default=SEED, show_default=True, help="For the control.")
@click.option("--documents", metavar="DIR", help="Take the context from these documents.")
@click.option("--own-output", metavar="FILE", help="Target context: the system's, a line per item, tabs between.")
@click.option("--score-context", is_flag=True, help="Sum the tokens of the target context too.")
@click.option("--template", metavar="TEXT", help="Prompt or source template; fields in braces: source, context …")
@click.option("--device", default="auto", show_default=True)
@click.option("--dtype", default="float32", show_default=True)
@click.option("--batch-tokens", default=1024, show_default=True, type=click.IntRange(1))
@click.option("--threads", type=click.IntRange(1))
@click.option("--no-sharing", is_flag=True, help="Score pair by pair.")
@click.option("--no-pad-in-softmax", is_flag=True, help="Leave padding out of the softmax, as CTranslate2 does.")
@click.option(
    "--option", "extra", multiple=True, metavar="KEY=VALUE", help="For one engine alone (see docs/scoring.md)."
)
@click.option("--mode", type=click.Choice(["score", "choose"]), help="openai: forced choice instead of scores.")
@click.option("--name", "system", help="The system's name in tables.")
@click.option("--store", metavar="FILE", help="Where scores are kept [KONTRAST_STORE or the cache folder].")
@click.option("--no-store", is_flag=True, help="Keep nothing, look nothing up.")
@click.option("--dry-run", is_flag=True, help="Print what would be scored.")
@click.option("--show", default=3, show_default=True, help="With --dry-run: how many groups.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: as JSON.")
def command(suite: str, model: str | None, out: str | None, **given: Any) -> None:
    r"""Score every row of SUITE: negative log-probability, lower is better.

    Rows with the same source are scored together: what they share is computed once. A run that was interrupted goes
    on where it stopped, and nothing is scored twice (see kontrast store).
    """
    from kontrast.scoring.run import score
    from kontrast.scoring.store import Store
    from kontrast.suites.formats import load
    from kontrast.suites.scores import write_scores

    loaded = load(suite, given["format"])
    context, options = _context(given), _options(given)
    if given["documents"]:
        loaded = _with_documents(loaded, given, options, context)
    if given["dry_run"]:
        _dry_run(loaded, model, options, context, given)
        return
    if model is None or out is None:
        raise KontrastError("--model ENGINE:NAME and --out FILE are needed (without them: --dry-run)")
    store = None if given["no_store"] else Store(given["store"])
    try:
        scores = score(
            loaded, model, options=options, context=context, store=store, system=given["system"], verbose=True
        )
    finally:
        if store is not None:
            store.close()
    write_scores(scores, out)


def _context(given: dict[str, Any]) -> Any:
    from kontrast.scoring.context import parse_context
    from kontrast.scoring.schemes import load_scheme

    return parse_context(
        given["context_text"],
        side=given["side"],
        scheme=load_scheme(given["scheme"] or "space", given["config"]),
        scheme_name=given["scheme"] or "",
        control=given["control"],
        seed=given["seed"],
        outputs=given["own_output"],
        scored=given["score_context"],
    )


def _options(given: dict[str, Any]) -> Any:
    from kontrast.scoring.engine import EngineOptions

    extra: dict[str, str] = {}
    for pair in given["extra"]:
        key, equals, value = pair.partition("=")
        if not equals:
            raise KontrastError(f"--option {pair}: expected KEY=VALUE")
        extra[key] = value
    if given["mode"] is not None:
        extra["mode"] = given["mode"]
    template = given["template"]
    return EngineOptions(
        source_language=given["source_language"],
        target_language=given["target_language"],
        device=given["device"],
        dtype=given["dtype"],
        batch_tokens=given["batch_tokens"],
        threads=given["threads"],
        template=template.replace("\\n", "\n") if template else None,
        share=not given["no_sharing"],
        softmax_pad=False if given["no_pad_in_softmax"] else None,
        extra=extra,
    )


def _with_documents(suite: Any, given: dict[str, Any], options: Any, context: Any) -> Any:
    from kontrast.suites.documents import Documents
    from kontrast.suites.extraction import with_context
    from kontrast.suites.layouts import counts_from_zero

    if context.span is None:
        raise KontrastError("--documents: say how much context with --context prev:N")
    zero = counts_from_zero(suite, options.target_language)
    source = options.source_language or suite.source_language or "en"
    target = options.target_language or suite.target_language or ("fr" if zero else "de")
    folder = Documents(given["documents"], source, target)
    return with_context(suite, folder, context.span, first_segment=0 if zero else 1)


def _dry_run(suite: Any, model: str | None, options: Any, context: Any, given: dict[str, Any]) -> None:
    from kontrast.reporting.terminal import print_json
    from kontrast.scoring.run import preview

    shown = preview(suite, model, options=options, context=context, show=given["show"])
    if given["as_json"]:
        print_json(shown)
        return
    click.echo(
        f"{shown.rows} rows: {shown.targets} distinct targets of {shown.groups} sources; context {shown.context}"
    )
    for group in shown.shown:
        click.echo(f"\nsource  {group.source}")
        for target in group.targets:
            forced = f"[{target.prefix}]" if target.prefix else ""
            click.echo(f"target  {forced}{target.text}")
