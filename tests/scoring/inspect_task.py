"""Inspect on three pairs, with its own mock model: inspect_task.py FOLDER (eval|json) ANSWERS [shuffle].

It runs in an environment of its own; pytest only looks at its docstrings, so the package is imported in `main`.
"""

import sys

PAIRS = (("The cats sleep.", "The cats sleeps."), ("He is here.", "He are here."), ("It works.", "It work."))


def main(folder: str, form: str, answers: str, *shuffle: str) -> None:
    from inspect_ai import Task, eval  # type: ignore[import-not-found]
    from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
    from inspect_ai.model import ModelOutput, ModelUsage, get_model  # type: ignore[import-not-found]
    from inspect_ai.scorer import choice  # type: ignore[import-not-found]
    from inspect_ai.solver import multiple_choice  # type: ignore[import-not-found]

    rows = [Sample("Which is right?", list(pair), "A", id=number) for number, pair in enumerate(PAIRS)]
    dataset = MemoryDataset(rows, name="agreement")
    if shuffle:
        dataset.shuffle_choices(seed=3)
    outputs = [ModelOutput.from_content("mockllm/model", f"ANSWER: {letter}") for letter in answers]
    for output in outputs:  # else the mock counts tokens with a file from the network
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    task = Task(dataset=dataset, solver=multiple_choice(), scorer=choice(), name="agreement")
    model = get_model("mockllm/model", custom_outputs=outputs)
    epochs = len(answers) // len(PAIRS)
    [log] = eval(task, model=model, epochs=epochs, max_samples=1, log_dir=folder, log_format=form, display="none")
    print(log.status, log.results.scores[0].metrics["accuracy"].value)


if __name__ == "__main__":
    main(*sys.argv[1:])
