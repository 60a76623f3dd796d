"""The types of the Model Context Protocol."""

from ._types.base import *  # noqa: F403 - this module gathers the others
from ._types.client import *  # noqa: F403
from ._types.content import *  # noqa: F403
from ._types.features import *  # noqa: F403
from ._types.messages import *  # noqa: F403
from ._types.tasks import *  # noqa: F403
