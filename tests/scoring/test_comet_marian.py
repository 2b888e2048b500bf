"""COMET in Marian's format: the numbers of the same weights in PyTorch, and in unbabel-comet where installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("pymarian")

from tests.scoring.models import TEXT, _fairseq_vocab, pieces  # noqa: E402

from kontrast import KontrastError  # noqa: E402
from kontrast.scoring.metrics import load_metric  # noqa: E402
from kontrast.scoring.metrics.metric import MetricOptions, Passage, Segment  # noqa: E402

WIDTH, LAYERS, HEADS, POSITIONS = 32, 2, 4, 64
SEGMENT = Segment(Passage(TEXT[0]), (Passage(TEXT[4]),), tuple(map(Passage, (TEXT[3], TEXT[5], "Die Katze"))))
Score = Callable[..., float]


class Made:
    """Random weights of an encoder and a regressor, strong enough that texts differ."""

    def __init__(self, kind: str) -> None:
        torch.manual_seed(4)
        self.kind, self.pieces = kind, pieces()[1]
        self.size = len(_fairseq_vocab()) + 1
        config = transformers.XLMRobertaConfig(
            vocab_size=self.size,
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=64,
            max_position_embeddings=POSITIONS + 2,
            type_vocab_size=1,
            pad_token_id=1,
        )
        self.encoder = transformers.XLMRobertaModel(config, add_pooling_layer=False).eval()
        for weights in self.encoder.parameters():
            if weights.dim() > 1:
                weights.data.mul_(4.0)
        nn, features = torch.nn, 6 if kind == "comet" else 4
        layers = (nn.Linear(WIDTH * features, 24), nn.Tanh(), nn.Dropout(0.1), nn.Linear(24, 16), nn.Tanh())
        self.regressor = nn.Sequential(*layers, nn.Dropout(0.1), nn.Linear(16, 1)).eval()
        self.mix, self.gamma = torch.randn(LAYERS + 1), torch.tensor([1.3])

    def marian(self, folder: Path) -> Path:
        """Names and shapes as Marian reads them; its vocabulary begins where SentencePiece's does."""
        import yaml

        found: dict[str, Any] = {}

        def put(name: str, module: Any) -> None:
            weight = module.weight.detach().numpy()
            found[f"{name}->weight"] = np.ascontiguousarray(weight.T)
            found[f"{name}->bias"] = module.bias.detach().numpy()

        model, top = self.encoder, "CometEncoder->encoder"
        words = model.embeddings.word_embeddings.weight.detach().numpy()
        found["Wemb"] = np.concatenate([words[:1], words[2:3], words[2:3], words[4:-1]])
        places = model.embeddings.position_embeddings.weight + model.embeddings.token_type_embeddings.weight[0]
        found[f"{top}->positionEmbedding->embeddings"] = places[2:].detach().numpy()
        put(f"{top}->preprocessor->norm", model.embeddings.LayerNorm)
        for number, layer in enumerate(model.encoder.layer):
            at = f"{top}->layers->at({number})->as<marian::nn::TransformerEncoderLayer>()"
            own, linear = layer.attention.self, "as<marian::nn::Linear>()"
            for letter, part in zip(
                "qkvo", (own.query, own.key, own.value, layer.attention.output.dense), strict=True
            ):
                put(f"{at}->selfAttentionBlock->selfAttention->{letter}Proj", part)
            put(f"{at}->selfAttentionBlock->postprocessor->norm", layer.attention.output.LayerNorm)
            put(f"{at}->filterBlock->layers->at(0)->{linear}", layer.intermediate.dense)
            put(f"{at}->filterBlock->layers->at(3)->{linear}", layer.output.dense)
            put(f"{at}->filterBlock->postprocessor->norm", layer.output.LayerNorm)
        found |= {f"{top}->weights": self.mix.numpy(), f"{top}->gamma": self.gamma.numpy()}
        for number in (0, 3, 6):
            put(f"CometQEPooler->layers->at({number})->as<marian::nn::Linear>()", self.regressor[number])
        settings = {"type": self.kind, "version": "made", "max-length": POSITIONS, "enc-depth": LAYERS}
        settings |= {"dim-emb": WIDTH, "dim-vocabs": [len(found["Wemb"])], "tied-embeddings-all": True}
        settings |= {"transformer-heads": HEADS, "transformer-dim-ffn": 64, "transformer-ffn-depth": 2}
        settings |= {"transformer-ffn-activation": "gelu", "transformer-train-position-embeddings": True}
        settings |= {"transformer-preprocess": "", "transformer-postprocess": "dan", "bert-type-vocab-size": 0}
        settings |= {"transformer-postprocess-emb": "nd", "bert-train-type-embeddings": False, "comet-mix": True}
        settings |= {"comet-mix-norm": False, "comet-mix-transformation": "softmax", "comet-prepend-zero": True}
        settings |= {"comet-final-sigmoid": False, "comet-pooler-ffn": [24, 16]}
        found["special:model.yml"] = np.frombuffer(yaml.dump(settings).encode() + b"\0", dtype=np.int8)
        folder.mkdir(exist_ok=True)
        np.savez(folder / "model.npz", **found)
        (folder / "vocab.spm").write_bytes(self.pieces)
        return folder / "model.npz"

    def plain(self, *texts: str) -> float:
        """The same with PyTorch: layers mixed, tokens averaged, texts compared."""
        import sentencepiece

        cutter = sentencepiece.SentencePieceProcessor(model_proto=self.pieces)

        def read(text: str) -> Any:
            ids = torch.tensor([[0, *(piece + 1 for piece in cutter.encode(text)), 2]])
            layers = self.encoder(ids, output_hidden_states=True).hidden_states
            mixed = sum(share * layer for share, layer in zip(torch.softmax(self.mix, 0), layers, strict=True))
            return mixed[0].mean(0) * self.gamma

        with torch.inference_mode():
            source, target, *references = map(read, texts)
            parts = [target, *references, source][:2]
            for other in (*references, source):
                parts += [target * other, (target - other).abs()]
            return float(self.regressor(torch.cat(parts)))

    def unbabel(self, folder: Path) -> Score:
        """The same in unbabel-comet's own class."""
        from comet.models import ReferencelessRegression, RegressionMetric

        tokenizer = transformers.XLMRobertaTokenizer(vocab=[*_fairseq_vocab(), ("<mask>", 0.0)])
        tokenizer.save_pretrained(folder)
        self.encoder.save_pretrained(folder)
        kind = RegressionMetric if self.kind == "comet" else ReferencelessRegression
        model = kind(
            pretrained_model=str(folder), hidden_sizes=[24, 16], layer_norm=False, local_files_only=True
        ).eval()
        model.encoder.model.load_state_dict(self.encoder.state_dict())
        model.estimator.ff.load_state_dict(self.regressor.state_dict())
        for number, weight in enumerate(self.mix):
            model.layerwise_attention.scalar_parameters[number].data[:] = weight
        model.layerwise_attention.gamma.data[:] = self.gamma

        def score(*texts: str) -> float:
            row = dict(zip(("src", "mt", "ref"), texts, strict=False))
            return float(model.predict([row], batch_size=1, gpus=0, progress_bar=False, num_workers=0).scores[0])

        return score


@pytest.mark.parametrize(("name", "kind"), [("COMET", "comet"), ("COMETKiwi", "comet-qe")])
def test_the_numbers_are_those_of_the_weights(name: str, kind: str, tmp_path: Path) -> None:
    made = Made(kind)
    metric = load_metric(f"{name}:{made.marian(tmp_path)}", MetricOptions(batch=2))
    [found] = metric.score([SEGMENT], lambda n: None)
    rows = [(SEGMENT.source.text, each.text, TEXT[4])[: 3 if kind == "comet" else 2] for each in SEGMENT.hypotheses]
    assert found == pytest.approx([made.plain(*row) for row in rows], abs=1e-4) and len(set(found)) == 3
    assert (
        metric.declaration.reference == ("needed" if name == "COMET" else "unused") and "pymarian" in metric.details
    )
    try:
        score = made.unbabel(tmp_path / "xlmr")
    except ImportError:
        return
    assert found == pytest.approx([score(*row) for row in rows], abs=1e-3)


def test_what_cannot_be_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Made("comet-qe").marian(tmp_path)
    metric = load_metric(f"COMETKiwi:{file}")

    def run(text: str, before: str = "") -> Any:
        return metric.score([Segment(Passage(TEXT[0]), (), (Passage(text, before),))], lambda n: None)

    for text, before, said in (
        ("", "", "a text is empty"),
        (" ".join(TEXT), "", "a text has .* tokens, but the model takes only 64"),
        (TEXT[3], TEXT[4], "leave out --context"),
    ):
        with pytest.raises(KontrastError, match=said):
            run(text, before)
    run("Die Katze 漢")
    assert "does not know 1 pieces" in capsys.readouterr().err and metric.details["unknown_pieces"] == "1"
    with pytest.raises(KontrastError, match="a model of type comet-qe needs --metric COMETKiwi"):
        load_metric(f"COMET:{file}")
    (tmp_path / "vocab.spm").rename(tmp_path / "other.spm")
    with pytest.raises(KontrastError, match=r"vocab\.spm: expected the model's vocabulary"):
        load_metric(f"COMETKiwi:{file}")
    (tmp_path / "other.spm").rename(tmp_path / "vocab.spm")
    file.write_bytes(b"no model")
    with pytest.raises(KontrastError, match="expected a model of type comet or comet-qe"):
        load_metric(f"COMETKiwi:{file}")
    with pytest.raises(KontrastError, match="expected a COMET model in Marian's format"):
        load_metric("COMET:nowhere.npz")
