"""A ruler in words: where it ran, and what one asks about first."""

from gamut_desktop.usecases.rulers import in_one_line, where_runs
from models.provenance import Ruler

LOCAL = Ruler.of(
    "smollm2", devices=["cpu"], threads=2, quantization="Q8_0", style="direct", seed=0, prompt="judge-3", sight="none"
)
WORDS = Ruler.of("keyword", style="keyword", sight="none", version=1)


def test_a_local_judge_names_its_device_and_threads():
    assert where_runs(LOCAL.manifest) == "cpu, 2 threads"
    assert where_runs(WORDS.manifest) == ""


def test_one_line_holds_what_a_person_asks_first():
    assert in_one_line(LOCAL.manifest) == "Q8_0 · cpu, 2 threads · direct · seed 0 · prompt judge-3 · text only"
    assert in_one_line(WORDS.manifest) == "keyword · text only"


def test_rulers_that_differ_name_what_differs():
    other = Ruler.of("smollm2", **{**dict(LOCAL.facts), "seed": 1, "threads": 4})
    assert LOCAL.differences(other) == ["seed", "threads"]
    assert LOCAL.digest != other.digest
    assert LOCAL.digest == Ruler.of("smollm2", **dict(LOCAL.facts)).digest
