"""Requests that are answered as tasks, of revision 2025-11-25.

Berth answers every request at once and declares no tasks; servers name these types, and make their
own requests and results of them.
"""

from datetime import datetime
from typing import Literal

from .base import (
    NotificationParams,
    PaginatedResult,
    RequestParams,
    Result,
    TaskMetadata,  # noqa: F401 - found beside the others
    Wire,
)

TaskStatus = Literal["working", "input_required", "completed", "failed", "cancelled"]
TASK_STATUS_WORKING, TASK_STATUS_INPUT_REQUIRED = "working", "input_required"
TASK_STATUS_COMPLETED, TASK_STATUS_FAILED = "completed", "failed"
TASK_STATUS_CANCELLED = "cancelled"


class TasksListCapability(Wire):
    """Tasks can be listed."""


class TasksCancelCapability(Wire):
    """Tasks can be cancelled."""


class TasksCreateMessageCapability(Wire):
    """sampling/createMessage can be a task."""


class TasksSamplingCapability(Wire):
    """Which requests of sampling can be tasks."""

    createMessage: TasksCreateMessageCapability | None = None


class TasksCreateElicitationCapability(Wire):
    """elicitation/create can be a task."""


class TasksElicitationCapability(Wire):
    """Which requests of elicitation can be tasks."""

    create: TasksCreateElicitationCapability | None = None


class ClientTasksRequestsCapability(Wire):
    """Which requests a client answers as tasks."""

    sampling: TasksSamplingCapability | None = None
    elicitation: TasksElicitationCapability | None = None


class ClientTasksCapability(Wire):
    """What a client can do with tasks."""

    list: TasksListCapability | None = None
    cancel: TasksCancelCapability | None = None
    requests: ClientTasksRequestsCapability | None = None


class TasksCallCapability(Wire):
    """tools/call can be a task."""


class TasksToolsCapability(Wire):
    """Which requests of tools can be tasks."""

    call: TasksCallCapability | None = None


class ServerTasksRequestsCapability(Wire):
    """Which requests a server answers as tasks."""

    tools: TasksToolsCapability | None = None


class ServerTasksCapability(Wire):
    """What a server can do with tasks."""

    list: TasksListCapability | None = None
    cancel: TasksCancelCapability | None = None
    requests: ServerTasksRequestsCapability | None = None


class RelatedTaskMetadata(Wire):
    """Names the task that a message belongs to."""

    taskId: str


class Task(Wire):
    """The state of a task. `ttl` and `pollInterval` are milliseconds; a `ttl` of None is no end."""

    taskId: str
    status: TaskStatus
    statusMessage: str | None = None
    createdAt: datetime
    lastUpdatedAt: datetime
    ttl: int | None
    pollInterval: int | None = None


class CreateTaskResult(Result):
    """The answer to a request that became a task."""

    task: Task


class GetTaskRequestParams(RequestParams):
    """Parameters of tasks/get."""

    taskId: str


class GetTaskResult(Result, Task):
    """Result of tasks/get."""


class GetTaskPayloadRequestParams(RequestParams):
    """Parameters of tasks/result."""

    taskId: str


class GetTaskPayloadResult(Result):
    """Result of tasks/result: the fields of the result that the request asked for."""


class CancelTaskRequestParams(RequestParams):
    """Parameters of tasks/cancel."""

    taskId: str


class CancelTaskResult(Result, Task):
    """Result of tasks/cancel."""


class ListTasksResult(PaginatedResult):
    """Result of tasks/list."""

    tasks: list[Task]


class TaskStatusNotificationParams(NotificationParams, Task):
    """Parameters of notifications/tasks/status."""
