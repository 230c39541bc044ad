"""What may be wrong with an export."""


class Flaw(Exception):
    """Raised where an export is not what was written: on which line, at what, and what is wrong."""

    def __init__(self, line: int, where: str, what: str) -> None:
        super().__init__(line, where, what)
        self.line = line
        self.where = where
        self.what = what

    def __str__(self) -> str:
        return f"line {self.line}, {self.where}: {self.what}."


class Wrong(Exception):
    """The same of one thing of one stream, raised by who does not know the line."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what
