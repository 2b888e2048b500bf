"""A folder with everything that the pages' commands name: small, and made on the spot from the bundled data.

What one page alone needs is in a subfolder of its name.
"""

from __future__ import annotations

import gzip
import random
import shutil
from pathlib import Path

import msgspec

import kontrast

ITEMS = 30
GERMAN, FRENCH = f"demo:de?limit={ITEMS}", f"demo:fr?limit={ITEMS}"
SCORED = "a b c d system base big new opus plain no-context context last-release candidate".split()
WRITTEN = "a.de b.de system.de system.txt a.hyp apertium.de system.pt second.de".split()
TREES = [("dog", "sees", "cat"), ("child", "reads", "book"), ("woman", "sells", "house"), ("man", "buys", "car")]

SPANISH = """# sent_id = 1
# text = Los perros negros duermen.
1\tLos\tel\tDET\t_\tDefinite=Def|Gender=Masc|Number=Plur\t2\tdet\t_\t_
2\tperros\tperro\tNOUN\t_\tGender=Masc|Number=Plur\t4\tnsubj\t_\t_
3\tnegros\tnegro\tADJ\t_\tGender=Masc|Number=Plur\t2\tamod\t_\t_
4\tduermen\tdormir\tVERB\t_\tMood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""
ENGLISH = """# sent_id = 1
# text = The black dogs are sleeping.
1\tThe\tthe\tDET\t_\t_\t0\troot\t_\t_

"""
FORMS = """negro\tnegro\tADJ;MASC;SG
negro\tnegros\tADJ;MASC;PL
cantar\tcanta\tV;IND;PRS;3;SG
cantar\tcantan\tV;IND;PRS;3;PL
dormir\tduerme\tV;IND;PRS;3;SG
dormir\tduermen\tV;IND;PRS;3;PL
"""


def make(folder: Path, model: Path) -> Path:
    """Fill the folder; ``model`` is a folder of the format that ``hf:`` reads."""
    for name in ("my-model", "mine", "models/candidate", "llama", "base"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(model)
    german, french = kontrast.load(GERMAN), kontrast.load(FRENCH)
    _suites(folder, german, french)
    _scores(folder, german)
    _corpora(folder)
    _trees(folder)
    _others(folder, german)
    _declared(folder / "formats", german)
    _cognition(folder / "generalise")
    return folder


def _suites(folder: Path, german: kontrast.Suite, french: kontrast.Suite) -> None:
    for name in ("suite.jsonl", "tests/suite.jsonl", "new-items.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        kontrast.save(msgspec.structs.replace(german, name="suite"), folder / name)
    kontrast.convert(GERMAN, folder / "contrapro.json", to_format="contrapro")
    kontrast.convert(GERMAN, folder / "lingeval97.json", to_format="lingeval97")
    kontrast.convert(FRENCH, folder / "testset-en-fr.json", to_format="contrapro")
    kontrast.init(folder / "my.csv", "en-de")
    joined = [msgspec.structs.replace(item, source_context=("A.",), target_context=("B.",)) for item in german.items]
    passages = msgspec.structs.replace(german, items=tuple(joined))
    kontrast.save(passages, folder / "deixis_test.json", format="consistency")
    expecting = [
        msgspec.structs.replace(item, variants=item.variants[:1], tags={"expected": item.best.text.split()[0]})
        for item in german.items
    ]
    forms = msgspec.structs.replace(german, items=tuple(expecting))
    kontrast.save(forms, folder / "auxiliary.opensubtitles.en-de.test.json", format="ctxpro")
    (folder / "deepl.contexts").write_text("".join(f"{item.best.text}\n" for item in german))


def _scores(folder: Path, german: kontrast.Suite) -> None:
    """Systems that are right more or less often; translations, right and wrong."""
    chance = random.Random(1)
    seeds = [f"{name}{i}" for name in ("s", "n", "seed", "release-seed") for i in (1, 2, 3)]
    for number, name in enumerate([*SCORED, *seeds]):
        skill = number % 4
        turned = 3 if skill < 2 else -3  # the first item: only weak systems are right, so its key is suspected
        worse = [(turned if row.item_index == 0 else skill) * (row.variant_index > 0) for row in german.rows()]
        rows = [9 + chance.gauss(more, 1) for more in worse]
        (folder / f"{name}.scores").write_text("".join(f"{value:.4f}\n" for value in rows))
    french = "".join(f"{i % 7}\n" for i in range(kontrast.load(FRENCH).row_count))
    for page in ("context", "report", "python"):
        (folder / page).mkdir()
        for name in ("a", "b") if page != "context" else ():
            (folder / page / f"{name}.scores").write_text(french if name == "a" else french[::-1].strip() + "\n")
    (folder / "migration").mkdir()
    (folder / "migration" / "french.scores").write_text(french)
    for name in ("easy.de", "easy.out", "hard.de", "hard.out"):
        (folder / "migration" / name).write_text("".join(f"{item.best.text}\n" for item in german), "utf-8")
    for name in WRITTEN:
        texts = (chance.choice(item.variants).text for item in german)
        (folder / name).write_text("".join(f"{text}\n" for text in texts))
    for name, context in (
        ("none", {}),
        ("prev1", {"context": "prev:1"}),
        ("random", {"context": "prev:1", "control": "random"}),
    ):
        made = kontrast.score(folder / "suite.jsonl", "tiny", **context)
        kontrast.write_scores(made, folder / "context" / f"{name}.scores")
    spans = "".join(f'{{"row": {row}, "spans": []}}\n' for row in range(german.row_count))
    (folder / "xcomet-spans.jsonl").write_text(spans)
    for name, sign in (("en-de.mqm", 1), ("chrF", 1), ("COMET", 1), ("BLEU", 1), ("TER", -1)):
        lines = (f"{s}\t{sign * (3 * i + j + len(name)) % 7}\n" for j, s in enumerate("ABC") for i in range(12))
        (folder / f"{name}.seg.score").write_text("".join(lines))


def _corpora(folder: Path) -> None:
    """The bundled documents as such, and as corpora: files aligned line by line, with the ids of OPUS."""
    for name in ("documents", "DIR"):
        shutil.copytree(kontrast.bundled_corpus(), folder / name)
    (folder / "docs").mkdir()
    ids, lines = [], {"en": [], "de": [], "fr": []}  # type: ignore[var-annotated]
    for number, path in enumerate(sorted((folder / "documents").rglob("*.en"))):
        for language in lines:
            lines[language] += path.with_suffix(f".{language}").read_text("utf-8").splitlines()
        ids += [f"en/{2000 + number % 3}/{number}/{number}.xml.gz" for _ in path.read_text("utf-8").splitlines()]
        if number < 2:
            shutil.copy(path, folder / "docs" / path.name)
    text = {language: "".join(f"{line}\n" for line in many) for language, many in lines.items()}
    for name in ("train", "corpus", "newstest", "news", "text", "src", "ref"):
        for language in text:
            (folder / f"{name}.{language}").write_text(text[language], "utf-8")
    for language in text:
        (folder / f"train.{language}.gz").write_bytes(gzip.compress(text[language].encode()))
    for pair, languages in (("de-en", ("en", "de")), ("en-fr", ("en", "fr"))):
        marks = [f"{line}\t{line.replace('en/', f'{languages[1]}/', 1)}\t1\t1\n" for line in ids]
        (folder / f"OpenSubtitles.{pair}.ids").write_text("".join(marks))
        for language in languages:
            (folder / f"OpenSubtitles.{pair}.{language}").write_text(text[language], "utf-8")
    (folder / "mine.de").write_text(text["de"], "utf-8")
    (folder / "de-en.txt").write_text("soup\tSuppe\nbroth\tSuppe; Brühe\nmusic\tMusik\n", "utf-8")
    (folder / "docids.selected").write_text("2000_0_0\n")
    (folder / "news.refA.de").write_text(text["de"], "utf-8")
    (folder / "news.refB.de").write_text(text["de"], "utf-8")
    found = kontrast.build_metrics_it(folder / "news.en", folder / "news.refA.de", second=folder / "news.refB.de")
    kontrast.save_metrics_it(found, folder / "review" / "candidates")
    (folder / "rows.en").write_text("".join(f"{line}\n" for line in lines["en"][:20] for _ in range(3)), "utf-8")
    (folder / "rows.de").write_text("".join(f"{line}\n" for line in lines["de"][:60]), "utf-8")


def _trees(folder: Path) -> None:
    """A treebank of every subject with every verb and object, the same for four languages; a small one of Spanish."""
    sentences = [(s, v, o) for s, _, _ in TREES for _, v, _ in TREES for _, _, o in TREES] * 5
    blocks = (
        f"# sent_id = {i}\n# text = {s} {v} {o}\n1\t{s}\t{s}\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
        f"2\t{v}\t{v}\tVERB\t_\t_\t0\troot\t_\t_\n3\t{o}\t{o}\tNOUN\t_\t_\t2\tobj\t_\t_\n\n"
        for i, (s, v, o) in enumerate(sentences)
    )
    trees = "".join(blocks)
    (folder / "UD").mkdir()
    for language in ("en", "de", "fr", "fi"):
        (folder / "UD" / f"{language}_pud-ud-test.conllu").write_text(trees)
    (folder / "corpus.conllu").write_text(trees)
    kontrast.count(folder / "corpus.conllu", folder / "python" / "corpus.counts")
    (folder / "train.ids").write_text("".join(f"{i}\n" for i in range(0, 300, 2)))
    (folder / "test.ids").write_text("".join(f"{i}\n" for i in range(1, 300, 2)))
    (folder / "es_pud.conllu").write_text(SPANISH)
    (folder / "en_pud.conllu").write_text(ENGLISH)
    (folder / "text.conllu").write_text(SPANISH)
    (folder / "spa.gz").write_bytes(gzip.compress(FORMS.encode()))


def _others(folder: Path, german: kontrast.Suite) -> None:
    (folder / "kontrast.toml").write_text("[gate]\naccuracy = 0.1\n")
    (folder / "guidelines.md").write_text("# What to look at\n\n## Reasons\n\n- unclear\n")
    (folder / "bin").mkdir()
    lines = "".join(f"{item.best.text}\n" for item in german)
    (folder / "bin" / "answers").write_text(lines, "utf-8")
    for name in ("translate", "my-system"):  # a system that knows the answers
        (folder / "bin" / name).write_text('#!/bin/sh\ncat "$(dirname "$0")/answers"\n')
        (folder / "bin" / name).chmod(0o755)
    (folder / "source").write_text("".join(f"{item.source}\n" for item in german), "utf-8")


def _cognition(folder: Path) -> None:
    """Two compounds in five contexts each, in CoGnition's layout."""
    (folder / "cg-test").mkdir(parents=True)
    (folder / "eval").mkdir()
    (folder / "eval/lexicon").write_text("the\t/\nsmall\t小\ndog\t狗/犬\ncar\t车\n", "utf-8")
    for place, lines in {
        "cg-test/NP.en": ["the small dog ran ."] * 5 + ["the car stopped ."] * 5,
        "cg-test/NP.zh": ["小狗跑了。"] * 5 + ["车停了。"] * 5,
        "cg-test/NP.compound": ["the small dog"] * 5 + ["the car"] * 5,
        "a.zh": ["小狗跑了。"] * 5 + ["车停了。"] * 5,
        "b.zh": ["狗跑了。"] * 5 + ["车停了。"] * 5,
    }.items():
        (folder / place).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _declared(folder: Path, german: kontrast.Suite) -> None:
    """The data of the declarations in formats.md: a table, and line files."""
    folder.mkdir()
    rows = [(item.source, item.best.text, f"{item.best.text} !", "", "tense", item.document) for item in german]
    lines = ["en\tcorrect\terror1\terror2\ttype\ttalk", *("\t".join(map(str, row)) for row in rows)]
    (folder / "paper.bib").write_text("@misc{mine, title = {Mine}}\n")
    (folder / "mine.tsv").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for column, name in enumerate(("src", "ref", "hyp-1")):
        texts = "".join(f"{row[column]}\n" for row in rows)
        (folder / f"set.en-ja.{name}.txt").write_text(texts, "utf-8")
