"""Everything that reads what others wrote, each as a function of bytes: it returns, or raises a `KontrastError`.

`TARGETS` has the functions, `seeds` the valid inputs that a fuzzer begins with: ``corpus/TARGET/*`` beside this file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from kontrast import Item, KontrastError, Suite, Variant

__all__ = ["CORPUS", "TARGETS", "attack", "seeds"]

CORPUS = Path(__file__).with_name("corpus")
TARGETS: dict[str, Callable[[bytes], object]] = {}
SUITE = Suite("s", tuple(Item(str(n), "x", (Variant("c d"), Variant("e f"))) for n in range(2)), "en", "de")
_PLACE = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
_FOLDER = Path(tempfile.mkdtemp(prefix="kontrast-fuzz-", dir=_PLACE))


def attack(name: str, data: bytes) -> bool:
    """Run one input; whether it was accepted. An exception other than ours is a finding."""
    try:
        TARGETS[name](data)
        return True
    except KontrastError as error:
        assert "\n" not in str(error), "an error is one line"
        return False


def seeds(name: str) -> list[bytes]:
    """The valid and the instructive inputs of a target."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def _target(name: str, file: str) -> Callable[[Callable[[Path], object]], None]:
    """A reader of a file with this name."""
    folder = _FOLDER / name
    folder.mkdir()

    def register(read: Callable[[Path], object]) -> None:
        def run(data: bytes) -> object:
            (folder / file).write_bytes(data)
            return read(folder / file)

        TARGETS[name] = run

    return register


def _formats() -> None:
    from kontrast.suites import formats

    for name in formats.names():
        ending = {"native": "s.jsonl", "aces": "s.tsv", "table": "s.csv", "rows": "s.src"}.get(name, "s.json")

        def read(path: Path, name: str = name) -> object:
            if name == "rows":  # a line file of two sides: the same bytes on both
                path.with_name("s.trg").write_bytes(path.read_bytes())
                return formats.load(path, "rows", group="2")
            return formats.load(path, name)

        _target(f"suite-{name}", ending)(read)
    _target("suite-any", "s.json")(lambda path: formats.load(path))
    _target("suite-gz", "s.jsonl.gz")(lambda path: formats.load(path))
    _target("suite-zst", "s.jsonl.zst")(lambda path: formats.load(path))
    _target("suite-xlsx", "s.xlsx")(lambda path: formats.load(path))


def _judged() -> None:
    from kontrast.judging.gate import read_gate
    from kontrast.judging.written import read_verdicts
    from kontrast.suites.judgements import read_judgements
    from kontrast.suites.scores import read_scores

    _target("scores", "a.scores")(lambda path: read_scores(path, SUITE))
    _target("gate", "kontrast.toml")(read_gate)
    _target("verdicts", "a.verdicts")(lambda path: read_verdicts(path, SUITE))
    _target("judgements", "human.tsv")(read_judgements)

    def signature(path: Path) -> object:
        path.with_name("a.scores").write_bytes(b"1\n2\n3\n4\n")
        return read_scores(path.with_name("a.scores"), SUITE, tokens=True)

    _target("signature", "a.scores.json")(signature)


def _language() -> None:
    from kontrast.building.pronouns.recipe import load_recipe
    from kontrast.language.aligners.pharaoh import Pharaoh
    from kontrast.language.annotators.conllu import read_conllu
    from kontrast.language.lexicons.unimorph import read_unimorph
    from kontrast.language.resolvers.given import Given

    _target("recipe", "r.toml")(lambda path: load_recipe(str(path)))
    _target("conllu", "a.conllu")(lambda path: list(read_conllu(path)))
    _target("given-json", "a.json")(Given)
    _target("given-conllu", "a.conllu")(Given)
    _target("unimorph", "a.txt")(lambda path: list(read_unimorph(path)))
    _target("pharaoh", "a.links")(lambda path: list(Pharaoh(path).align([("a b", "c d"), ("a", "c")])))


def _splitting() -> None:
    from kontrast.splitting.conllu import conllu_texts, read_conllu
    from kontrast.splitting.storing import load_split
    from kontrast.splitting.triples import read_triples

    _target("splits-conllu", "a.conllu")(lambda path: read_conllu(path, forms=True, tags=True, morph=True))
    _target("splits-texts", "a.conllu")(conllu_texts)
    _target("splits-triples", "a.txt")(read_triples)

    def split(path: Path) -> object:
        for side in ("train", "test"):
            path.with_name(f"{side}.ids").write_bytes(b"0\n" if side == "train" else b"1\n")
        return load_split(path.parent)

    _target("split", "split.json")(split)
    _target("split-ids", "train.ids")(lambda path: __import__("kontrast").splitting.measuring.read_ids(path, 10))


def _scoring() -> None:
    import asyncio

    import httpx

    from kontrast.scoring.engines.openai.server import Server
    from kontrast.scoring.schemes import load_scheme
    from kontrast.scoring.store import _signed, _sound
    from kontrast.scoring.template import parse_template
    from kontrast.suites.model import TokenScores

    content = [b""]
    loop = asyncio.new_event_loop()
    server = Server("http://127.0.0.1:9/v1", "m", tries=1)
    server.endpoints.pause = 0.0
    answered = httpx.MockTransport(lambda request: httpx.Response(200, content=content[0]))
    server._http = httpx.AsyncClient(transport=answered)

    def blob(data: bytes) -> object:
        return _sound(_signed((b"key", 1, b"plan", "source", "", "target", data)), TokenScores)

    def answer(data: bytes) -> object:
        """The bytes as the body of every answer, through the client itself."""
        content[0] = data
        found = []
        for style in ("prompt_logprobs", "echo"):
            try:
                found.append(loop.run_until_complete(server.read("A dog.", style, candidates=2)))
            except KontrastError as error:
                assert "\n" not in str(error)
        return found

    def template(data: bytes) -> object:
        return parse_template(data.decode("utf-8", "replace"))

    TARGETS["store-blob"], TARGETS["server-answer"], TARGETS["template"] = blob, answer, template
    _target("schemes", "kontrast.toml")(lambda path: load_scheme("mine", path))

    def database(path: Path) -> object:
        from kontrast.scoring.engine import Identity
        from kontrast.scoring.store import Store, StoreKey

        for beside in path.parent.glob("s.sqlite-*"):
            beside.unlink()
        store = Store(path)
        try:
            store.use("hf", "m", Identity("f"))
            store.info()
            return store.find([StoreKey("source", "", "target")], TokenScores), list(store.export())
        finally:
            store.close()

    _target("store-file", "s.sqlite")(database)


def _reviewed() -> None:
    from kontrast.review.candidates import read_candidates

    _target("candidates", "c.jsonl")(lambda path: list(read_candidates(path)))


for _part in (_formats, _judged, _language, _splitting, _scoring, _reviewed):
    _part()


def _write_corpus() -> None:
    """Seeds that are made rather than written by hand: of every format that can be written, and of packed files."""
    from kontrast.suites import formats

    items = tuple(
        Item(
            str(n),
            "It is old.",
            (Variant("Er ist alt."), Variant("Sie ist alt.", error="gender")),
            source_context=("The tree.",),
            target_context=("Der Baum.",),
            document="1990_1_1.de",
            segment=1,
            tags={"phenomenon": "pronoun", "ref pronoun": "er", "distance": 1},
        )
        for n in range(2)
    )
    suite = Suite("s", items, "en", "de")
    for name in ("native", "lingeval97", "contrawsd", "mucow", "contrapro", "discevalmt", "consistency", "pro-errors",
                 "ctxpro", "aces", "table"):  # fmt: skip
        _seed(
            f"suite-{name}", lambda path, name=name: formats.save(suite, path, name), "tsv" if name == "aces" else ""
        )
    for ending in ("gz", "zst", "xlsx"):
        name = "table" if ending == "xlsx" else "native"
        _seed(f"suite-{ending}", lambda path, name=name: formats.save(suite, path, name), ending)


def _seed(target: str, write: Callable[[Path], object], ending: str) -> None:
    made = _FOLDER / f"seed.{ending or 'json'}"
    try:
        write(made)
    except KontrastError as error:
        print(f"{target}: {error}")
        return
    (CORPUS / target).mkdir(parents=True, exist_ok=True)
    (CORPUS / target / "made").write_bytes(made.read_bytes())


if __name__ == "__main__":
    _write_corpus()
    print(msgspec.json.encode(sorted(TARGETS)).decode())
