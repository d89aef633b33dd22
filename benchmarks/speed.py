"""What a verdict costs: ratios within one run, since machines differ and are busy.

    python -m benchmarks.speed            (all of it, some minutes)
    python -m benchmarks.speed --only a,b

Each ratio is the median over pairs that are measured one after the other, with the smallest and largest beside it. The
model is the bundled one in Q8_0; (c) and (d) put a random-weight SigLIP-B/16 at 512 pixels beside it. It measures on
the threads that the app would take. A goal that is missed makes the exit code 1.
"""

import argparse
import base64
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.random_pair import random_projector
from gamut_desktop.usecases.documents import put
from gamut_desktop.usecases.grading import grade
from gamut_desktop.wiring import BUNDLED, Wiring
from judge_local.bundled import bundled_model
from judge_local.engine import Engine
from judge_local.llama.machine import default_threads
from judge_local.llama.worker import wait_passively
from judge_local.local import LocalJudge, LocalSettings
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Asking, Picture
from judge_local.prompt import PromptBuilder, Trusted, Untrusted
from judge_local.prompts.templates import KNOWN
from models.media.gate import open_image
from models.rubric import profile
from models.rubric.checklist import CheckText, Kind
from models.rubric.codec import parse_question
from models.store.project import Project
from models.store.records import NewResponse
from models.verdicts import Variant

QUESTION = "What kind of coffee is this, and how is it made?"
SENTENCES = (
    "A flat white is an espresso drink with steamed milk from Australia and New Zealand.",
    "The barista pulls a double shot of ristretto into a small ceramic cup of about six ounces.",
    "Whole milk is steamed to around sixty degrees until it is glossy and holds very fine bubbles.",
    "It is poured from low over the crema so that a thin layer of microfoam lies on top.",
    "Compared with a latte it holds less milk, and compared with a cappuccino less foam.",
    "Who served the first one is disputed between cafes in Sydney and in Wellington.",
)
WORDS = 350
FACTS = (
    "espresso",
    "steamed milk",
    "a small cup",
    "microfoam",
    "less milk than a latte",
    "less foam",
    "a double shot",
    "Australia",
    "New Zealand",
    "sixty degrees",
    "whole milk",
    "crema",
    "a dispute",
    "ristretto",
    "a barista",
)
BUILDER = PromptBuilder(KNOWN["ChatML"][1], 0)


@dataclass(frozen=True)
class Line:
    """One line of the table. goal: what the value must not exceed, or not fall below where `least`."""

    name: str
    values: list[float]
    unit: str
    goal: float | None = None
    least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the median meets the goal; None where there is none."""
        if self.goal is None:
            return None
        value = statistics.median(self.values)
        return value >= self.goal if self.least else value <= self.goal

    def row(self) -> str:
        """As a row of the Markdown table."""
        value = statistics.median(self.values)
        spread = f"{min(self.values):.2f} to {max(self.values):.2f}" if len(self.values) > 1 else "one pair"
        goal = "" if self.goal is None else f"{'at least' if self.least else 'at most'} {self.goal:g}"
        met = {True: "yes", False: "NO", None: ""}[self.met]
        return f"| {self.name} | {value:.2f} {self.unit} | {spread} | {goal} | {met} |"


def response(variant: int = 0) -> str:
    """About 350 words; another text for each variant."""
    turned = SENTENCES[variant:] + SENTENCES[:variant]
    words = " ".join(turned * 9).split()
    return " ".join(words[:WORDS])


def checks(count: int) -> tuple[CheckText, ...]:
    """Presence checks of ordinary length, all different."""
    return tuple(
        CheckText(Kind.PRESENCE, profile.states(f"the drink is known for {FACTS[n % 15]}, version {n // 15}"))
        for n in range(count)
    )


def timed(work: Callable[[], object]) -> float:
    """Seconds of wall clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def bench_sharing(model: Path, pairs: int) -> list[Line]:
    """(a) and (b): the whole work of a response on empty memory, each time."""
    from judge_local.llama.binding import Binding, LoadOptions

    binding = Binding(LoadOptions(model, threads=default_threads(), context=4096))
    parking = Parking()
    few, many = (
        Asking(QUESTION, response(), checks(15), Variant.TEXT),
        Asking(QUESTION, response(), checks(30), Variant.TEXT),
    )

    def judged(asking: Asking) -> None:
        binding.clear()
        list(Engine(binding, BUILDER, Manner(), parking).judge(asking, range(len(asking.checks))))

    nodes = [*BUILDER.stem(few), *(BUILDER.check(check) for check in few.checks)]
    parts = [part for node in nodes for part in node.parts if isinstance(part, Trusted | Untrusted)]
    tokens = tuple(t for part in parts for t in binding.tokenize(part.text, isinstance(part, Trusted)))

    def single_pass() -> None:
        binding.clear()
        for start in range(0, len(tokens), binding.batch):
            chunk = tokens[start : start + binding.batch]
            binding.evaluate(chunk, start, want_logits=start + len(chunk) == len(tokens))

    judged(few)  # warm
    over_pass = [timed(lambda: judged(few)) / timed(single_pass) for _ in range(pairs)]
    doubled = [timed(lambda: judged(many)) / timed(lambda: judged(few)) for _ in range(pairs)]
    parking.close()
    binding.close()
    return [
        Line(f"(a) 15 checks on 350 words, to one pass over the same {len(tokens):,} tokens", over_pass, "x", 1.15),
        Line("(b) 30 checks to 15", doubled, "x", 1.7),
    ]


def bench_pictures(model: Path, projector: Path, photo: Path, pairs: int, calls: int) -> list[Line]:
    """(c) and (d): one photo, one question, three responses; then the binding's own handler, one call a check."""
    from judge_local.llama.binding import Binding, LoadOptions

    gated = open_image(photo)
    picture = Picture(gated.sha256, gated.width, gated.height, gated.rgb)
    parking = Parking()
    later, ours = [], 0.0
    asked = checks(15)
    for pair in range(pairs):
        binding = Binding(LoadOptions(model, threads=default_threads(), context=4096, projector=projector))
        engine = Engine(binding, BUILDER, Manner(), parking)

        def judged(number: int, engine: Engine = engine) -> None:
            asking = Asking(QUESTION, response(number), asked, Variant.IMAGE, (picture,), later=2)
            list(engine.judge(asking, range(len(asked))))

        first, second, third = (timed(lambda n=n: judged(n)) for n in range(3))
        later += [second / first, third / first]
        if pair == 0:
            ours = first
        binding.close()
    parking.close()
    theirs = bench_handler(model, projector, photo, asked[:calls]) / calls * len(asked)
    return [
        Line("(c) a second and third response to an image question, to the first", later, "x", 0.45),
        Line(
            f"(d) the binding's handler, one call a check ({calls} made), to ours: {theirs:.0f} s to {ours:.1f} s",
            [theirs / ours],
            "x",
            11,
            least=True,
        ),
    ]


LISTS = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{% if message['content'] is string %}"
    "{{ message['content'] }}{% else %}{% for part in message['content'] %}{{ part['text'] }}{% endfor %}{% endif %}"
    "<|im_end|>{{ '\n' }}{% endfor %}<|im_start|>assistant{{ '\n' }}Answer:"
)


def bench_handler(model: Path, projector: Path, photo: Path, asked: tuple[CheckText, ...]) -> float:
    """Seconds for these checks through MTMDChatHandler, the whole prompt each time, one token out."""
    from llama_cpp import Llama
    from llama_cpp.llama_chat_format import MTMDChatHandler

    handler = MTMDChatHandler(str(projector), verbose=False, use_gpu=False)
    threads = default_threads()
    llama = Llama(
        str(model), chat_handler=handler, n_ctx=4096, n_threads=threads, n_threads_batch=threads, verbose=False
    )
    llama.metadata["tokenizer.chat_template"] = LISTS  # the model's own takes no lists
    url = "data:image/jpeg;base64," + base64.b64encode(photo.read_bytes()).decode()
    seen = Asking(QUESTION, response(), asked, Variant.IMAGE, (Picture("0" * 64, 1, 1, b"rgb"),))
    system, _, *above = BUILDER.stem(seen)
    texts = ["".join(node.text for node in above) + BUILDER.check(check).text for check in asked]
    instructions = system.text.split("system\n")[1].split("<|im_end|>")[0]

    def call(text: str) -> None:
        content = [
            {"type": "image_url", "image_url": {"url": url}},
            {"type": "text", "text": text.split("<|im_end|>")[0]},
        ]
        llama.create_chat_completion(
            messages=[{"role": "system", "content": instructions}, {"role": "user", "content": content}],
            max_tokens=1,
            temperature=0.0,
        )

    spent = sum(timed(lambda text=text: call(text)) for text in texts)
    llama.close()
    return spent


def bench_memory(model: Path) -> list[Line]:
    """(e): the judge process after 15 checks, less its weights and the cells of its context, in MB."""
    context, cell = 4096, 30 * 3 * 64 * 2 * 2  # SmolLM2-135M: layers, key-value heads, head size, keys and values, f16
    judge = LocalJudge(BUNDLED, LocalSettings(model, context=context, sequences=1))
    try:
        list(judge.judge(Asking(QUESTION, response(), checks(15), Variant.TEXT), lambda: False))
        assert judge.worker_pid is not None
        held = psutil.Process(judge.worker_pid).memory_info().rss
    finally:
        judge.close()
    over = (held - model.stat().st_size - context * cell) / 1e6
    return [Line("(e) judge process over weights and cells", [over], "MB", 300)]


def bench_first_verdict(wiring: Wiring, runs: int) -> list[Line]:
    """(f): from Grade to the first stored verdict, the judge not loaded, and loaded."""
    rubric = "gamut: 1\nid: q{n}\nquestion: What is this?\nrubric:\n" + "".join(
        f"  - {{type: simple_knowledge, tier: valuable, fact: It is {fact}}}\n" for fact in FACTS
    )
    cold, warm = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder, Project.create(Path(folder) / "b.gamut") as project:
            with project.write() as writer:
                for n in (1, 2):
                    put(writer, parse_question(rubric.replace("{n}", str(n))), author="bench")
                    writer.add_response(NewResponse(f"q{n}", "m", response(n)))
            with wiring.judge(BUNDLED) as judge:
                for n, times in ((1, cold), (2, warm)):
                    times.append(_until_first(project, judge, f"q{n}"))
    return [
        Line("(f) from Grade to the first verdict, judge not loaded", cold, "s"),
        Line("(f) from Grade to the first verdict, judge loaded", warm, "s"),
    ]


def _until_first(project: Project, judge: LocalJudge, question: str) -> float:
    from judge_local.runs.plan import Selection

    began = time.perf_counter()
    first: list[float] = []
    grade(
        project,
        judge,
        selection=Selection(question=question),
        text_only=True,
        stop=lambda: bool(first),
        on_progress=lambda _: first.append(time.perf_counter() - began),
    )
    return first[0]


def main() -> int:
    """Measure, print the table."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--only", default="a,b,c,d,e,f")
    reader.add_argument("--pairs", type=int, default=5)
    reader.add_argument("--calls", type=int, default=15, help="calls through the binding's handler in (d), of 15")
    asked = reader.parse_args()
    wanted = set(asked.only.split(","))
    wait_passively()
    wiring = Wiring.of_user(lambda sentence: print(sentence, file=sys.stderr))
    folder = wiring.places.cache / "models"
    model = bundled_model(folder, wiring.say)
    photo = Path(__file__).parents[1] / "resources" / "sample" / "coffee.jpg"
    lines: list[Line] = []
    if wanted & {"a", "b"}:
        lines += bench_sharing(model, asked.pairs)
    if wanted & {"c", "d"}:
        lines += bench_pictures(model, random_projector(folder / "bench-siglip.gguf"), photo, 2, asked.calls)
    if "e" in wanted:
        lines += bench_memory(model)
    if "f" in wanted:
        lines += bench_first_verdict(wiring, asked.pairs)
    print("| what | median | spread | goal | met |\n|---|---|---|---|---|")
    for line in lines:
        print(line.row())
    print(f"\n{default_threads()} threads, on the processor; load average {psutil.getloadavg()[0]:.1f}.")
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
