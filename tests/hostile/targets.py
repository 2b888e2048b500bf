"""Everything that reads what others wrote, each as a function of bytes: it returns, or raises a `KontrastError`.

`TARGETS` has the functions, `seeds` the valid inputs that a fuzzer begins with: ``corpus/TARGET/*`` beside this file.
"""

from __future__ import annotations

import importlib
import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kontrast import Item, KontrastError, Suite, Variant

__all__ = ["CORPUS", "TARGETS", "attack", "seeds"]

CORPUS = Path(__file__).with_name("corpus")
TARGETS: dict[str, Callable[[bytes], object]] = {}
SUITE = Suite("s", tuple(Item(str(n), "x", (Variant("c d"), Variant("e f"))) for n in range(2)), "en", "de")
_OFFICE = "http://schemas.openxmlformats.org"
_DOCUMENT = f"{_OFFICE}/officeDocument/2006/relationships"
_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"
SHEET_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_MAIN}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_MAIN}.worksheet+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_MAIN}.sharedStrings+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_MAIN}.styles+xml"/></Types>',
    "xl/workbook.xml": f'<workbook xmlns="{_OFFICE}/spreadsheetml/2006/main" xmlns:r="{_DOCUMENT}">'
    '<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">'
    f'<Relationship Id="r1" Type="{_DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/sharedStrings.xml": f'<sst xmlns="{_OFFICE}/spreadsheetml/2006/main"><si><t>shared</t></si></sst>',
    "xl/styles.xml": f'<styleSheet xmlns="{_OFFICE}/spreadsheetml/2006/main"><cellXfs count="2">'
    '<xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
}
"""What a spreadsheet needs beside its sheet, with a text and a date to refer to."""
_FORMAL = "formality-control.test.en-de"
FILES = {
    "native": ("s.jsonl",),
    "aces": ("s.tsv",),
    "table": ("s.csv",),
    "hw-tsc": ("s.tsv",),
    "gate": ("FR_2_variants.tsv",),
    "mittens": ("s.csv",),
    "wino-x": ("mt_en_de.jsonl",),
    "multiblimp": ("data.tsv",),
    "blimp": ("s.jsonl",),
    "rows": ("s.src", "s.trg"),
    "cocoa-mt": tuple(
        _FORMAL + end for end in ("", ".formal", ".informal", ".formal.annotated", ".informal.annotated")
    ),
    "wmt25": ("s.en-de.src.txt", "s.en-de.ref.txt", "s.en-de.hyp-1.txt", "s.en-de.meta.txt"),
    "cognition": ("NP.en", "NP.zh", "NP.compound", "lexicon"),
    "contracat": ("en.txt", "de.txt", "sentence_groups.txt"),
}
"""The names of a format's files (else ``s.json``). Where there are several, the input has a part for each."""
BETWEEN = b"\n=\n"
"""Between the parts; files without a part of their own hold the last one."""
SHEET = "xl/worksheets/sheet1.xml"
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
    path = _FOLDER / name / file
    path.parent.mkdir()

    def register(read: Callable[[Path], object]) -> None:
        def run(data: bytes) -> object:
            with open(path, "wb") as out:
                out.write(data)
            return read(path)

        TARGETS[name] = run

    return register


@cache
def beside(path: Path, name: str, data: bytes) -> Path:
    """A file that is always the same, written once."""
    path.with_name(name).write_bytes(data)
    return path.with_name(name)


@cache
def _kontrast(place: str) -> Any:
    """``room.module:name``, imported when it is used: a fuzzer of one reader loads no other."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"kontrast.{module}"), name)


def _formats() -> None:
    from kontrast.suites import formats

    options = {"rows": {"group": "2"}, "cognition": {"lexicon": str(_FOLDER / "suite-cognition" / "lexicon")}}
    for name in formats.names():
        first, *others = FILES.get(name, ("s.json",))

        def read(path: Path, name: str = name, others: list[str] = others) -> object:
            part, *more = path.read_bytes().split(BETWEEN) if others else [b""]
            for other in others:  # the last part is also what the files behind it hold
                path.with_name(other).write_bytes(more.pop(0) if len(more) > 1 else (more or [part])[0])
            if others:
                path.write_bytes(part)
            return formats.load(path, name, **options.get(name, {}))

        _target(f"suite-{name}", first)(read)
    _target("suite-any", "s.json")(lambda path: formats.load(path))
    _target("suite-gz", "s.jsonl.gz")(lambda path: formats.load(path))
    _target("suite-zst", "s.jsonl.zst")(lambda path: formats.load(path))
    _target("suite-xlsx", "s.xlsx")(_spreadsheet)

    _target("zip-lines", "a.zip")(lambda path: list(_kontrast("io.files:open_lines")(path)))


def _spreadsheet(path: Path) -> object:
    """A whole file; or its parts, each behind a line ``=NAME``, or its sheet alone, which are packed here.

    What is packed has checksums, so that nearly every change of a whole file ends there.
    """
    from kontrast.suites import formats

    data = path.read_bytes()
    if data.startswith(b"<"):
        path.write_bytes(_packed({SHEET: data}, around={}))
        with _parsed_once():
            return formats.load(path, "table")
    if data.startswith(b"="):
        texts = (text.partition(b"\n") for text in data[1:].split(b"\n="))
        parts = {name.decode("utf-8", "replace"): text for name, _, text in texts if name and name[0]}
        path.write_bytes(_packed(parts))
    return formats.load(path)


def _packed(parts: dict[str, bytes], around: dict[str, str] = SHEET_PARTS, method: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, text in {**around, **parts}.items():
            made.writestr(name, text)
    return out.getvalue()


@contextmanager
def _parsed_once() -> Iterator[None]:
    """Where only the sheet differs, the library need not read the other parts and make a workbook every time.

    Of its reading, which takes most of the time, the last step is left: it opens the sheet.
    """
    import openpyxl

    load, book, strings = openpyxl.load_workbook, *_book()

    def opened(path: Path, **_: bool) -> Any:
        from openpyxl.worksheet._read_only import ReadOnlyWorksheet

        book._archive = zipfile.ZipFile(path)
        book._sheets = [ReadOnlyWorksheet(book, "a", SHEET, strings)]
        return book

    openpyxl.load_workbook = opened
    try:
        yield
    finally:
        openpyxl.load_workbook = load


@cache
def _book() -> tuple[Any, Any]:
    """The workbook and the shared strings of a file in which nothing is changed."""
    import openpyxl

    whole = io.BytesIO(_packed({SHEET: b"<worksheet/>"}))
    book = openpyxl.load_workbook(whole, read_only=True, data_only=True)
    return book, book.worksheets[0]._shared_strings


def _judged() -> None:
    _target("scores", "a.scores")(lambda path: _kontrast("suites.scores:read_scores")(path, SUITE))
    _target("gate", "kontrast.toml")(lambda path: _kontrast("judging.gate:read_gate")(path))
    _target("verdicts", "a.verdicts")(lambda path: _kontrast("judging.written:read_verdicts")(path, SUITE))
    _target("judgements", "human.tsv")(lambda path: _kontrast("suites.judgements:read_judgements")(path))

    def signature(path: Path) -> object:
        return _kontrast("suites.scores:read_scores")(beside(path, "a.scores", b"1\n2\n3\n4\n"), SUITE, tokens=True)

    _target("signature", "a.scores.json")(signature)


def _language() -> None:
    def pharaoh(path: Path) -> object:
        return list(_kontrast("language.aligners.pharaoh:Pharaoh")(path).align([("a b", "c d"), ("a", "c")]))

    _target("recipe", "r.toml")(lambda path: _kontrast("building.pronouns.recipe:load_recipe")(str(path)))
    _target("conllu", "a.conllu")(lambda path: list(_kontrast("language.annotators.conllu:read_conllu")(path)))
    _target("given-json", "a.json")(lambda path: _kontrast("language.resolvers.given:GivenChains")(path))
    _target("given-conllu", "a.conllu")(lambda path: _kontrast("language.resolvers.given:GivenChains")(path))
    _target("unimorph", "a.txt")(lambda path: list(_kontrast("language.lexicons.unimorph:read_unimorph")(path)))
    _target("pharaoh", "a.links")(pharaoh)


def _splitting() -> None:
    def trees(path: Path) -> object:
        vocabulary = _kontrast("splitting.token_table:Vocabularies")()
        return list(
            _kontrast("splitting.conllu_tables:conllu_tables")(path, vocabulary, forms=True, tags=True, morph=True)
        )

    _target("splits-conllu", "a.conllu")(trees)
    _target("splits-texts", "a.conllu")(lambda path: _kontrast("splitting.corpus_reader:corpus_texts")(path))
    _target("splits-triples", "a.txt")(lambda path: _kontrast("splitting.corpus_reader:read_triples")(path))

    def split(path: Path) -> object:
        beside(path, "train.ids", b"0\n"), beside(path, "test.ids", b"1\n")
        return _kontrast("splitting.split_files:load_split")(path.parent)

    _target("split", "split.json")(split)
    _target("split-ids", "train.ids")(lambda path: _kontrast("splitting.split_files:read_ids")(path, 10))


_BODY = [b""]


@cache
def _client() -> tuple[Any, Any]:
    """A client whose server answers with `_BODY`, and the loop that it runs in.

    Nothing is sent, so that HTTP's own library is not what is fuzzed; ``test_hostile_server.py`` sends.
    """
    import asyncio

    server = _kontrast("scoring.engines.openai.server:Server")(
        "http://127.0.0.1:9/v1", "m", _kontrast("scoring.engines.openai.settings:Settings")(tries=1)
    )
    server.endpoints.pause = 0.0

    async def asked(method: str, url: str, payload: object, credentials: object) -> tuple[int, dict[str, str], bytes]:
        return 200, {}, _BODY[0]

    server._asked = asked
    return server, asyncio.new_event_loop()


def _scoring() -> None:
    def blob(data: bytes) -> object:
        row = (b"key", 1, b"plan", "source", "", "target", data)
        signed = _kontrast("scoring.store:_signed")(row)
        return _kontrast("scoring.store:_sound")(signed, _kontrast("suites.model:TokenScores"))

    def answer(data: bytes) -> object:
        """The bytes as the body of every answer, through the client itself."""
        _BODY[0] = data
        server, loop = _client()

        async def both() -> list[object]:
            found: list[object] = []
            for style in ("prompt_logprobs", "echo"):
                try:
                    found.append(await server.read("A dog.", style, candidates=2))
                except KontrastError as error:
                    assert "\n" not in str(error)
            return found

        return loop.run_until_complete(both())

    def template(data: bytes) -> object:
        return _kontrast("scoring.template:parse_template")(data.decode("utf-8", "replace"))

    def database(path: Path) -> object:
        for beside in path.parent.glob("s.sqlite-*"):
            beside.unlink()
        kind, key = _kontrast("suites.model:TokenScores"), _kontrast("scoring.store:StoreKey")
        store = _kontrast("scoring.store:Store")(path)
        try:
            store.use("hf", "m", _kontrast("scoring.engine:Identity")("f"))
            store.info()
            return store.find([key("source", "", "target")], kind), list(store.export())
        finally:
            store.close()

    TARGETS["store-blob"], TARGETS["server-answer"], TARGETS["template"] = blob, answer, template
    _target("schemes", "kontrast.toml")(lambda path: _kontrast("scoring.schemes:load_scheme")("mine", path))
    _target("store-file", "s.sqlite")(database)


def _reviewed() -> None:
    _target("candidates", "c.jsonl")(lambda path: list(_kontrast("review.entries:read_candidates")(path)))


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
    for ending in ("gz", "zst"):
        _seed(f"suite-{ending}", lambda path: formats.save(suite, path, "native"), ending)
    sheet = (CORPUS / "suite-xlsx" / "sheet").read_bytes()
    (CORPUS / "suite-xlsx" / "made").write_bytes(_packed({SHEET: sheet}, method=zipfile.ZIP_DEFLATED))
    *parts, last = [b"=%s\n%s" % (n.encode(), t.encode()) for n, t in {**SHEET_PARTS, SHEET: sheet.decode()}.items()]
    (CORPUS / "suite-xlsx" / "parts").write_bytes(b"\n".join([*parts[1:], last]))
    (CORPUS / "suite-xlsx" / "types").write_bytes(b"\n".join([parts[0], last]))


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
