"""The code of a room's page takes a third of a second to put together, in each language. It is kept on disk beside the rules' machine code,
under a mark of all that it is made from, so that a server which starts again draws at once.
"""

from __future__ import annotations

import hashlib
import io
import sys
from importlib.metadata import version

from jinja2.bccache import Bucket, BytecodeCache

from tablee.core import cache

PAGES_CACHE = "pages"  # of the folder; what is called after a package of the house that is no room is cleared away


class TemplateBytecodeCache(BytecodeCache):
    def __init__(self, build: str, language: str) -> None:
        """`build` is a mark of all files that pages are made from."""
        mark = hashlib.sha256(f"{build} {version('jinja2')} {sys.version}".encode()).hexdigest()
        self._folder, self._language = cache.folder_for(PAGES_CACHE, mark), language
        if self._folder:
            cache.use(self._folder)

    def load_bytecode(self, bucket: Bucket) -> None:
        found = cache.read(self._folder / self._file(bucket)) if self._folder else None
        if found:
            bucket.load_bytecode(io.BytesIO(found))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if self._folder:
            cache.write(self._folder / self._file(bucket), bucket.bytecode_to_string())

    def _file(self, bucket: Bucket) -> str:
        return f"{bucket.key}-{self._language}.page"
