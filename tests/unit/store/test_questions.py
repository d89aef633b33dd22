"""Questions, versions, drafts, order."""

import hashlib

import pytest

from models.store import queries
from models.store.errors import UnknownRow
from models.store.project import Project
from models.store.records import CommittedDraft, PutQuestion
from models.store.writer import Writer


def picture(writer: Writer, data: bytes) -> str:
    return writer.add_image(data, mime="image/jpeg", width=30, height=20, thumbnail=b"thumb " + data, pixel_hash="p1")


def test_a_document_makes_a_version_only_where_its_content_differs(project: Project) -> None:
    with project.write() as writer:
        assert writer.put_question("q", "one", author="ada", note="first") == PutQuestion("q", 1, "added")
        assert writer.put_question("q", "one", author="bob") == PutQuestion("q", 1, "unchanged")
        assert writer.put_question("q", "two", author="bob") == PutQuestion("q", 2, "replaced")
        assert writer.put_question("q", "one", author="ada") == PutQuestion("q", 3, "replaced")
        history = queries.version_history(writer, "q")
        assert queries.current_version(writer, "q") == history[-1]
    assert [(v.number, v.doc, v.author, v.note) for v in history] == [
        (1, "one", "ada", "first"),
        (2, "two", "bob", None),
        (3, "one", "ada", None),
    ]
    assert history[0].sha256 == hashlib.sha256(b"one").hexdigest()
    assert [v.created_at for v in history] == sorted(v.created_at for v in history)
    assert history[0].created_at.startswith("2025-01-01T00:00:0")
    assert history[0].created_at.endswith(".000Z")


def test_each_version_and_draft_keeps_its_own_images_in_order(project: Project) -> None:
    with project.write() as writer:
        a, b, c = (picture(writer, data) for data in (b"a", b"b", b"c"))
        writer.put_question("q", "1", author="x", images=(b, a))
        writer.put_question("q", "2", author="x", images=(c,))
        writer.put_question("p", "1", author="x")
        writer.save_draft("q", "3", author="x", images=(a, c, a))
        assert [v.images for v in queries.version_history(writer, "q")] == [(b, a), (c,)]
        assert [(v.question, v.images) for v in queries.current_versions(writer)] == [("q", (c,)), ("p", ())]
        assert queries.draft(writer, "q").images == (a, c, a)  # type: ignore[union-attr]
        writer.commit_draft("q", author="x")
        assert queries.current_version(writer, "q").images == (a, c, a)  # type: ignore[union-attr]


def test_an_image_is_stored_once_under_the_hash_of_its_original_bytes(project: Project) -> None:
    with project.write() as writer:
        first, again = picture(writer, b"bytes"), picture(writer, b"bytes")
        assert first == again == hashlib.sha256(b"bytes").hexdigest()
        (image,) = queries.images(writer)
        assert (image.mime, image.width, image.height, image.size_bytes, image.pixel_hash) == (
            "image/jpeg",
            30,
            20,
            5,
            "p1",
        )
        assert queries.image_bytes(writer, first) == b"bytes"
        assert queries.image_thumbnail(writer, first) == b"thumb bytes"
        assert queries.image_bytes(writer, "0" * 64) is None


def test_a_document_cannot_show_an_image_that_is_not_stored(project: Project) -> None:
    with pytest.raises(UnknownRow, match="no image abc"), project.write() as writer:
        writer.put_question("q", "1", author="x", images=("abc",))
    with project.read() as snapshot:
        assert queries.questions(snapshot) == ()


def test_a_draft_remembers_the_version_it_was_begun_on_and_what_overtook_it(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "one", author="ada")
        writer.save_draft("q", "draft", author="ada")
        writer.put_question("q", "two", author="bob")
        writer.put_question("q", "three", author="bob")
        writer.save_draft("q", "draft 2", author="ada")
        draft = queries.draft(writer, "q")
        assert draft is not None
        assert (draft.doc, draft.base_version) == ("draft 2", 1)
        assert queries.drafts(writer) == (draft,)
        assert writer.commit_draft("q", author="ada", note="done") == CommittedDraft(4, True, (2, 3))
        assert queries.draft(writer, "q") is None
        version = queries.current_version(writer, "q")
    assert version is not None
    assert (version.number, version.doc, version.note) == (4, "draft 2", "done")


def test_a_draft_equal_to_the_current_version_makes_no_new_one(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "one", author="ada")
        writer.save_draft("q", "two", author="ada")
        assert queries.question(writer, "q").draft_differs  # type: ignore[union-attr]
        writer.save_draft("q", "one", author="ada")
        row = queries.question(writer, "q")
        assert row is not None
        assert (row.has_draft, row.draft_differs) == (True, False)
        assert writer.commit_draft("q", author="ada") == CommittedDraft(1, False, ())


def test_a_discarded_draft_is_gone(project: Project) -> None:
    with project.write() as writer:
        image = picture(writer, b"a")
        writer.put_question("q", "one", author="ada")
        writer.save_draft("q", "two", author="ada", images=(image,))
        assert writer.discard_draft("q")
        assert not writer.discard_draft("q")
        assert queries.drafts(writer) == ()
        with pytest.raises(UnknownRow, match="'q' has no draft"):
            writer.commit_draft("q", author="ada")


def test_questions_stand_in_the_order_they_came_until_reordered(project: Project) -> None:
    with project.write() as writer:
        for key in "abcd":
            writer.put_question(key, key, author="x")
        writer.trash_question("d")
        writer.reorder(["c", "a", "b"])
        writer.put_question("e", "e", author="x")
        assert [row.key for row in queries.questions(writer)] == ["c", "a", "b", "e"]
        assert [v.doc for v in queries.current_versions(writer)] == ["c", "a", "b", "e"]
        for wrong in (["a", "b"], ["a", "b", "c", "d"], ["a", "a", "b", "c"], ["a", "b", "c", "x"]):
            with pytest.raises(ValueError, match="exactly once"):
                writer.reorder(wrong)


def test_a_question_goes_to_the_trash_and_comes_back(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "one", author="x")
        writer.put_question("p", "one", author="x")
        assert writer.trash_question("q")
        assert not writer.trash_question("q")
        assert [row.key for row in queries.questions(writer)] == ["p"]
        assert [row.key for row in queries.questions(writer, trash="trashed")] == ["q"]
        assert [row.key for row in queries.questions(writer, trash="all")] == ["q", "p"]
        assert queries.question(writer, "q").trashed_at is not None  # type: ignore[union-attr]
        assert writer.restore_question("q")
        assert not writer.restore_question("q")
        assert [row.key for row in queries.questions(writer)] == ["q", "p"]


def test_importing_a_trashed_question_again_brings_it_back(project: Project) -> None:
    with project.write() as writer:
        writer.put_question("q", "one", author="x")
        writer.trash_question("q")
        assert writer.put_question("q", "one", author="x") == PutQuestion("q", 1, "unchanged", restored=True)
        assert [row.key for row in queries.questions(writer)] == ["q"]


def test_a_key_that_is_not_there_is_the_caller_s_bug(project: Project) -> None:
    with project.write() as writer:
        for act in (writer.trash_question, writer.restore_question, writer.discard_draft):
            with pytest.raises(UnknownRow, match="no question 'nope'"):
                act("nope")
        assert queries.question(writer, "nope") is None
        assert queries.current_version(writer, "nope") is None
