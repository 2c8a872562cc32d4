"""Disk cache of compiled page templates, beside the rules' machine code: compiling a room's page takes 0.3 s per language.

The folder is named by a hash of everything that pages are made from.
"""

from __future__ import annotations

import hashlib
import io
import sys
from importlib.metadata import version

from jinja2.bccache import Bucket, BytecodeCache

from tablee.core import cache

PAGES_CACHE = "pages"  # folder name; the cache deletes folders named after packages of `tablee` that are not rooms


class TemplateBytecodeCache(BytecodeCache):
    def __init__(self, build: str, language: str) -> None:
        """Open the cache; `build` is the hash of all files that pages are made from."""
        digest = hashlib.sha256(f"{build} {version('jinja2')} {sys.version}".encode()).hexdigest()
        self._folder, self._language = cache.folder_for(PAGES_CACHE, digest), language
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
