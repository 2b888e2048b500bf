"""Text to token ids: language tokens, start token, forced prefix; prompts of decoder-only models."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec

from kontrast.errors import KontrastError, in_one_line
from kontrast.progress import say
from kontrast.scoring.engine import EngineOptions, Group, Side, Target
from kontrast.scoring.languages import match_code, other_pair, own_mark, require_code, split_mark
from kontrast.scoring.template import conversation, escape, parse_template, source_template
from kontrast.scoring.trie import TokenPath, opening_of, path_after

SOURCE = "{source}"
_PAIR = re.compile(r"translation_\w+?_to_\w+")
WRAPS = ("mbart", "fsmt")
"""Their decoder begins with the last token of the target."""


class Tokens:
    """The tokenizer of a model with its languages set.

    The target-language token is forced, never scored: a user of the model sets it, the model does not choose it.
    """

    def __init__(self, tokenizer: Any, config: Any, options: EngineOptions, generation: Any = None) -> None:
        self.tokenizer, self.config = tokenizer, config
        self.name: Callable[[int], str] = cache(lambda token: str(tokenizer.convert_ids_to_tokens(token)))
        said = (getattr(where, "decoder_start_token_id", None) for where in (config, generation))
        self.start: Any = next((token for token in said if token is not None), None)
        self.options = options
        given = options.template or self._own_template(options)
        self.template = source_template(given, options)
        self.language_ids: set[int] = set()
        self.details: dict[str, str] = {}
        if mark := split_mark(given or "")[0] or ("" if options.template or not given else given[: -len(SOURCE)]):
            self.details["mark"] = mark.strip()
        codes = _language_codes(tokenizer)
        if codes:
            tokenizer.src_lang = require_code(options.source_language, codes, "--source-language")
            tokenizer.tgt_lang = require_code(options.target_language, codes, "--target-language")
            self.details["langs"] = f"{tokenizer.src_lang}-{tokenizer.tgt_lang}"
            self.language_ids = set(codes.values())
        own = (getattr(tokenizer, "source_lang", None), getattr(tokenizer, "target_lang", None))  # Marian's
        if other_pair(own, (options.source_language, options.target_language)):
            say(
                f"warning: the model translates {own[0]} to {own[1]}, as its tokenizer says; "
                f"the suite is {options.source_language} to {options.target_language}"
            )
        named = ("bos", "eos", "pad", "unk", "cls", "mask", "sep")
        self._mute = {getattr(tokenizer, f"{name}_token_id", None) for name in named}

    def render(self, group: Group) -> str:
        """The text that the encoder reads."""
        return self.template.render(group, self.options)

    def cut(self, text: str, side: Side) -> list[str]:
        given = {"text_target": [text]} if side == "target" else {"text": [text]}
        return [self.name(token) for token in self.tokenizer(**given)["input_ids"][0]]

    def sources(self, groups: Sequence[Group]) -> list[list[int]]:
        return list(self.tokenizer([self.render(group) for group in groups])["input_ids"])

    def targets(self, groups: Sequence[Group]) -> list[list[TokenPath]]:
        """For each group its targets, as what the decoder reads and what it should say."""
        flat = [target for group in groups for target in group.targets]
        labels = self.tokenizer(text_target=[target.prefix + target.text for target in flat])["input_ids"]
        prefixes = sorted({target.prefix for target in flat if target.prefix})
        forced: dict[str, list[int]] = {"": []}
        if prefixes:
            ids = self.tokenizer(text_target=list(map(opening_of, prefixes)), add_special_tokens=False)["input_ids"]
            forced.update(zip(prefixes, ids, strict=True))
        paths = [self._path(row, forced[target.prefix]) for row, target in zip(labels, flat, strict=True)]
        rest = iter(paths)
        return [[next(rest) for _ in group.targets] for group in groups]

    def openings(self, groups: Sequence[Group]) -> list[tuple[int, ...]]:
        """What the decoder begins with where it writes: start token, language, forced prefix."""
        bare = [
            msgspec.structs.replace(group, targets=tuple(Target("", t.prefix.rstrip()) for t in group.targets[:1]))
            for group in groups
        ]
        return [paths[0].inputs for paths in self.targets(bare)]

    def spelled(self, tokens: Sequence[int]) -> str:
        """Written tokens as text, without special tokens, but with the separators of a context."""
        kept = [token for token in tokens if token not in self.language_ids and token not in self._mute]
        return str(self.tokenizer.decode(kept, skip_special_tokens=False)).strip()

    def stops(self) -> list[int]:
        return [self.tokenizer.eos_token_id]

    def _path(self, labels: list[int], prefix: list[int]) -> TokenPath:
        start = labels[-1] if self.config.model_type in WRAPS else self.start
        if labels[-1] in self.language_ids:  # the first mBART ends its targets with the language
            labels = labels[:-1]
        language = labels[:1] if labels[0] in self.language_ids else []
        return path_after([start, *language, *prefix], [start, *labels])

    def _own_template(self, options: EngineOptions) -> str | None:
        """Marian's ``>>de<<`` for several target languages, T5's own instruction."""
        target = options.target_language
        if self.config.model_type == "marian":
            mark, marks = own_mark(self.tokenizer.get_vocab(), target)
            if not marks:
                return None
            return escape(mark or require_code(target, marks, "--target-language")) + " " + SOURCE
        tasks = getattr(self.config, "task_specific_params", None) or {}
        pairs = {name.removeprefix("translation_"): task for name, task in tasks.items() if _PAIR.fullmatch(name)}
        if not pairs or not target:
            return None
        source = match_code(options.source_language or "en", {pair.split("_to_")[0] for pair in pairs})
        pair = match_code(target, [p.split("_to_")[1] for p in pairs if p.split("_to_")[0] == source])
        if pair is None:
            raise KontrastError(
                f"the model has its own instruction for {', '.join(pairs)}, none for {options.source_language} "
                f"to {target}: give the instruction from its training, as in --template 'translate: {{source}}'"
            )
        return escape(str(pairs[f"{source}_to_{pair}"].get("prefix", ""))) + SOURCE


def _language_codes(tokenizer: Any) -> dict[str, int]:
    """The tokenizer's language codes with their token ids; empty where it has none."""
    if not hasattr(tokenizer, "tgt_lang"):
        return {}
    if getattr(tokenizer, "lang_code_to_id", None):
        return dict(tokenizer.lang_code_to_id)
    names = getattr(tokenizer, "additional_special_tokens", None) or getattr(tokenizer, "extra_special_tokens", [])
    return {str(name): tokenizer.convert_tokens_to_ids(str(name)) for name in names if "_" in str(name)}


_END_OF_TURN = ("<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|end|>", "<|endoftext|>", "</s>")
"""What chat models end their turn with, beside the end token that the tokenizer names."""
DEFAULT_TEMPLATE = "{source_language}: {source}\n{target_language}: "


class Prompts:
    """Prompt and target as one text, cut where the target begins; options ``chat``, ``system`` and ``end``.

    What a template has after ``{target}`` closes the target, and is scored instead of the end token.
    """

    def __init__(self, tokenizer: Any, config: Any, options: EngineOptions) -> None:
        self.tokenizer, self.options = tokenizer, options
        self.name: Callable[[int], str] = cache(lambda token: str(tokenizer.convert_ids_to_tokens(token)))
        self.template = parse_template(options.template or DEFAULT_TEMPLATE)
        self.template.check_languages(options)
        self.chat = options.flag("chat")
        if self.chat and not getattr(tokenizer, "chat_template", None):
            raise KontrastError("--option chat=yes: this tokenizer has no chat template")
        self.end = self._end_ids(options.extra.get("end", "none" if self.template.closing else "eos"))
        self.begin = self._begin_ids(config)
        # What predicts the first token where there is no prompt: the begin token, or the end of a text before.
        self.first = [token for token in (tokenizer.bos_token_id, tokenizer.eos_token_id) if token is not None][:1]
        self.details = {"prompt": "chat" if self.chat else "plain", "bos": "yes" if self.begin else "no"}

    def render(self, group: Group) -> str:
        """The whole prompt, before tokenisation."""
        if not self.chat:
            return self.template.prompt(group, self.options)

        def question(group: Group) -> str:
            return self.template.render(group, self.options).rstrip()

        shown = [(question(Group(source, (), source)), answer) for source, answer in self.options.examples]
        messages = conversation(shown, question(group), self.options.extra.get("system", ""))
        rendered = self._chat(messages, add_generation_prompt=True)
        begin = self.tokenizer.bos_token
        return rendered.removeprefix(begin) if begin and self.begin else rendered

    def paths(self, groups: Sequence[Group]) -> list[list[TokenPath]]:
        """For each group its targets; everything up to the target is forced."""
        found: list[list[TokenPath]] = []
        for group in groups:
            prompt, closing = self.render(group), self.template.close(group, self.options)
            targets = []
            for target in group.targets:
                given = prompt + target.prefix
                begin = self.begin if given.strip() else self.begin or self.first
                opening = [*begin, *self._ids(opening_of(given))]
                whole = [*begin, *self._ids(given + target.text + closing), *self.end]
                if opening[:1] != whole[:1]:
                    raise KontrastError(
                        f"the prompt {given[:60]!r} has no token before {target.text[:60]!r}, so nothing "
                        f"predicts the first token: use a longer --template"
                    )
                targets.append(path_after(opening, whole))
            found.append(targets)
        return found

    def openings(self, groups: Sequence[Group]) -> list[list[int]]:
        """The prompt's tokens for each group, with the prefix that its translation must begin with."""
        texts = [self.render(group) + "".join(target.prefix for target in group.targets[:1]) for group in groups]
        return [[*self.begin, *self._ids(text if self.chat else opening_of(text))] for text in texts]

    def stops(self) -> list[int]:
        """The end token; where the target ends with its line, every token with a line end in it."""
        ends = {self.tokenizer.eos_token_id} - {None}
        if self.chat:
            known = self.tokenizer.get_vocab()
            ends |= {known[mark] for mark in _END_OF_TURN if mark in known}
        elif not self.template.closing or self.template.closing[0][0].startswith("\n"):
            ends |= {i for i in range(len(self.tokenizer)) if "\n" in self.tokenizer.decode([i])}
        return sorted(ends)

    def spelled(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return [self.name(token) for token in self._ids(text)]

    def _chat(self, messages: list[dict[str, str]], **how: bool) -> str:
        try:
            return str(self.tokenizer.apply_chat_template(messages, tokenize=False, **how))
        except Exception as error:  # a template may raise its own words, or fail on what it does not expect
            roles = " → ".join(message["role"] for message in messages)
            cure = "leave out --option system" if messages[0]["role"] == "system" else "use --option chat=no"
            why = f"the model's chat template does not take the turns {roles} ({in_one_line(error)}): {cure}"
            raise KontrastError(why) from error

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _end_ids(self, end: str) -> list[int]:
        if end == "none":
            return []
        if end == "newline":
            return self._ids("\n")
        if end != "eos" or self.tokenizer.eos_token_id is None:
            raise KontrastError(f"--option end={end}: expected eos (if the tokenizer has one), newline or none")
        return [self.tokenizer.eos_token_id]

    def _begin_ids(self, config: Any) -> list[int]:
        """What the tokenizer itself puts first. Gemma models are useless without it, so there it is required."""
        ids = self.tokenizer("a")["input_ids"]
        begin = self.tokenizer.bos_token_id
        bare = self._ids("a")
        if begin is not None and ids[:1] == [begin] and bare[:1] != [begin]:
            return [begin]
        required = config.model_type.startswith("gemma") or getattr(self.tokenizer, "add_bos_token", False)
        if begin is not None and required:
            return [begin]
        if self.chat and begin is not None:
            text = self._chat([{"role": "user", "content": "a"}])
            return [begin] if text.startswith(self.tokenizer.bos_token) else []
        return []
