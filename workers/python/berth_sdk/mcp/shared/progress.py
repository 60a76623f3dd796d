"""Progress of a request, step by step."""

import contextlib
import dataclasses
import typing


@dataclasses.dataclass
class ProgressContext:
    """How far a request has come; each step is told to the client."""

    session: typing.Any
    progress_token: str | int
    total: float | None
    current: float = dataclasses.field(default=0.0, init=False)

    def __class_getitem__(cls, _arguments):
        return cls

    async def progress(self, amount, message=None):
        """Go on by an amount."""
        self.current += amount
        await self.session.send_progress_notification(
            self.progress_token, self.current, total=self.total, message=message
        )


@contextlib.contextmanager
def progress(ctx, total=None):
    """Yield the progress of a request; raises ValueError when the client wants none."""
    if ctx.meta is None or ctx.meta.progressToken is None:
        raise ValueError("No progress token provided")
    yield ProgressContext(ctx.session, ctx.meta.progressToken, total)
