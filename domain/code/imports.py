"""Which files of a project a file imports: the names in its text, and the paths that they stand for."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

MOST = 500
"""Imports of a file that are read."""
MOST_OF_PACKAGE = 20
"""Files of a folder that an import of the whole folder stands for, at most."""

_PYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]+)"
    r"|import[ \t]+(?P<whole>[^\n#]+))",
    re.MULTILINE,
)
_SCRIPT = re.compile(
    r"""(?:^|[\s;}])(?:import|export)\b[^'";]{0,2000}?\bfrom\s*['"]([^'"\n]+)['"]|"""
    r"""(?:^|[\s;}])import\s*['"]([^'"\n]+)['"]|\b(?:require|import)\s*\(\s*['"]([^'"\n]+)['"]\s*\)"""
)
_GO_BLOCK = re.compile(r"^import\s*\(([^)]*)\)", re.MULTILINE)
_GO_ONE = re.compile(r'^import\s+(?:[\w.]+\s+)?"([^"\n]+)"', re.MULTILINE)
_QUOTED = re.compile(r'"([^"\n]+)"')
_JAVA = re.compile(r"^\s*import\s+(?:static\s+)?([\w.]+)(?:\.\*)?", re.MULTILINE)
_RUST = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use\s+((?:crate|self|super)(?:::\w+)+)|mod\s+(\w+)\s*;)", re.MULTILINE
)
_C = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.MULTILINE)
_RUBY = re.compile(r"""^\s*require(_relative)?\s*\(?\s*['"]([^'"\n]+)['"]""", re.MULTILINE)

_FAMILY = {
    "javascript": "script",
    "typescript": "script",
    "tsx": "script",
    "vue": "script",
    "svelte": "script",
    "kotlin": "java",
    "scala": "java",
    "cpp": "c",
}
_SCRIPT_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".d.ts")


def imports_of(text: str, language: str) -> list[str]:
    """The imports of a file: dotted or slashed names, relative ones with their dots."""
    family = _FAMILY.get(language, language)
    found = _FINDERS[family](text) if family in _FINDERS else ()
    return list(dict.fromkeys(found))[:MOST]


class ImportGraph:
    """The paths of a project, by which imports are resolved."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = frozenset(paths)
        self._by_end: dict[str, list[str]] = defaultdict(list)
        """The files by their names, and by these with their folders'."""
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for path in sorted(paths):
            pure = PurePosixPath(path)
            self._by_end[pure.name].append(path)
            self._by_end[_end(path)].append(path)
            self._by_folder[pure.parent.as_posix()].append(path)

    def resolve(self, path: str, language: str, name: str) -> list[str]:
        """The files that an import in a file stands for; none for those of other projects."""
        family = _FAMILY.get(language, language)
        found = _RESOLVERS[family](self, PurePosixPath(path), name) if family in _RESOLVERS else ()
        return [one for one in dict.fromkeys(found) if one != path]

    def at(self, candidates: Sequence[str]) -> list[str]:
        """The first of some paths that exists."""
        normal = (_normal(one) for one in candidates)
        return next(([one] for one in normal if one in self._paths), [])

    def ending(self, near: PurePosixPath, ends: Sequence[str]) -> list[str]:
        """The file whose path ends with the first of some ends that any has: the one nearest to a file."""
        for end in ends:
            found = [one for one in self._by_end.get(_end(end), ()) if one == end or one.endswith(f"/{end}")]
            if found:
                return [min(found, key=lambda one: (-_shared(one, near), len(one), one))]
        return []

    def in_folder(self, end: str, suffix: str) -> list[str]:
        """The files with a suffix in the folder whose path ends so."""
        for folder, files in self._by_folder.items():
            if folder == end or folder.endswith(f"/{end}"):
                return [one for one in files if one.endswith(suffix)][:MOST_OF_PACKAGE]
        return []


def _end(path: str) -> str:
    """The last two parts of a path."""
    return "/".join(path.rsplit("/", 2)[-2:])


def _python_names(text: str) -> Iterator[str]:
    for match in _PYTHON.finditer(text):
        if match["whole"]:
            yield from (name.split()[0] for name in match["whole"].split(",") if name.strip())
        elif match["base"]:
            base = match["base"]
            names = [
                name.split()[0]
                for name in match["names"].strip("() \t").replace("\n", " ").split(",")
                if name.split()
            ]
            joint = "" if base.endswith(".") else "."
            # What is imported may be a module of its own, or a name in the one that is named.
            yield from (f"{base}{joint}{name}" for name in names if name.isidentifier())
            yield base


def _python_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    dots = len(name) - len(name.lstrip("."))
    place = name[dots:].replace(".", "/")
    if not dots and place:
        found = graph.ending(path, [f"{place}.py", f"{place}/__init__.py", f"{place}.pyi"])
        # A package may stand at the top of its repository without a folder of its own name.
        inner = place.partition("/")[2]
        return found or (graph.at([f"{inner}.py", f"{inner}/__init__.py"]) if inner else [])
    folder = path
    for _ in range(dots):
        folder = folder.parent
    base = (folder / place).as_posix()
    return graph.at([f"{base}.py", f"{base}/__init__.py", f"{base}.pyi"])


def _script_names(text: str) -> Iterator[str]:
    for match in _SCRIPT.finditer(text):
        yield next(group for group in match.groups() if group)


def _script_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    if name.startswith("."):
        base = (path.parent / name).as_posix()
        bases = [base, base.removesuffix(".js"), base.removesuffix(".mjs")]
        return graph.at(
            [
                f"{one}{middle}{ending}"
                for one in bases
                for middle in ("", "/index")
                for ending in _SCRIPT_ENDINGS
            ]
        )
    inner = name.removeprefix("@/").removeprefix("~/")
    if inner == name:
        return []
    return graph.ending(
        path, [f"{inner}{middle}{ending}" for middle in ("", "/index") for ending in _SCRIPT_ENDINGS[1:]]
    )


def _go_names(text: str) -> Iterator[str]:
    for block in _GO_BLOCK.findall(text):
        yield from _QUOTED.findall(block)
    yield from _GO_ONE.findall(text)


def _go_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    parts = name.split("/")
    # The module's own name comes first, and may have several parts.
    for start in range(1, len(parts)):
        found = graph.in_folder("/".join(parts[start:]), ".go")
        if found:
            return [one for one in found if not one.endswith("_test.go")]
    return []


def _java_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    place = name.replace(".", "/")
    outer = place.rpartition("/")[0]
    return graph.ending(
        path,
        [f"{one}{ending}" for one in (place, outer) if "/" in one for ending in (".java", ".kt", ".scala")],
    )


def _rust_names(text: str) -> Iterator[str]:
    for used, module in _RUST.findall(text):
        yield used or f"self::{module}"


def _rust_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    first, *rest = name.split("::")
    own = path.parent if path.stem in ("mod", "lib", "main") else path.parent / path.stem
    if first == "crate":
        root = next((one for one in path.parents if one.name == "src"), PurePosixPath("src"))
    else:
        root = own if first == "self" else own.parent
    # The last parts may name what is in a module.
    for size in range(len(rest), 0, -1):
        base = root.joinpath(*rest[:size]).as_posix()
        found = graph.at([f"{base}.rs", f"{base}/mod.rs"])
        if found:
            return found
    return []


def _c_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    return graph.at([(path.parent / name).as_posix()]) or graph.ending(path, [_normal(name)])


def _ruby_names(text: str) -> Iterator[str]:
    for relative, name in _RUBY.findall(text):
        yield f"./{name}" if relative else name


def _ruby_files(graph: ImportGraph, path: PurePosixPath, name: str) -> Sequence[str]:
    ending = "" if name.endswith(".rb") else ".rb"
    if name.startswith("./"):
        return graph.at([(path.parent / f"{name}{ending}").as_posix()])
    return graph.ending(path, [f"lib/{name}{ending}", f"{name}{ending}"])


def _normal(path: str) -> str:
    """A path without `.` and `..`; one that leads out of the project is none of its own."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _shared(path: str, near: PurePosixPath) -> int:
    """The number of folders at the beginning that two files share."""
    count = 0
    for one, other in zip(PurePosixPath(path).parent.parts, near.parent.parts, strict=False):
        if one != other:
            break
        count += 1
    return count


_FINDERS: dict[str, Callable[[str], Iterable[str]]] = {
    "python": _python_names,
    "script": _script_names,
    "go": _go_names,
    "java": _JAVA.findall,
    "rust": _rust_names,
    "c": _C.findall,
    "ruby": _ruby_names,
}
_RESOLVERS: dict[str, Callable[[ImportGraph, PurePosixPath, str], Sequence[str]]] = {
    "python": _python_files,
    "script": _script_files,
    "go": _go_files,
    "java": _java_files,
    "rust": _rust_files,
    "c": _c_files,
    "ruby": _ruby_files,
}
