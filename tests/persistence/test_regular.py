"""Whether a file is there, and what is not known of it."""

import os

import pytest

from cotopics.persistence import is_there
from platforms import needs_links


def test_files_and_folders_are_there_and_other_names_are_not(tmp_path):
    (tmp_path / "file").touch()
    assert is_there(tmp_path)
    assert is_there(tmp_path / "file")
    for name in ("nothing", "nothing/at/all", "file/within", "a\0b"):
        assert not is_there(tmp_path / name)


@needs_links
def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    assert not is_there(tmp_path / "circle")
    assert not is_there(tmp_path / "dangling")


def test_what_may_not_be_looked_at_is_an_error(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(PermissionError):
        is_there(tmp_path / "file")
