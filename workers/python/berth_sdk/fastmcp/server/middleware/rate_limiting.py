"""Limits of requests that a server sets itself, beside those of Berth."""

import collections
import time

from berth_runtime.serving.errors import McpError

from .middleware import Middleware


class RateLimitError(McpError):
    """Too many requests."""

    def __init__(self, message="Rate limit exceeded"):
        super().__init__(-32000, message)


class TokenBucketRateLimiter:
    """Lets bursts pass up to a capacity, which fills again at a steady rate (tokens a second)."""

    def __init__(self, capacity, refill_rate):
        self.capacity = self.tokens = capacity
        self.refill_rate = refill_rate
        self.last_refill = time.time()

    async def consume(self, tokens=1):
        """Return whether there were tokens enough; takes them if so."""
        now = time.time()
        grown = self.tokens + (now - self.last_refill) * self.refill_rate
        self.tokens, self.last_refill = min(self.capacity, grown), now
        if self.tokens < tokens:
            return False
        self.tokens -= tokens
        return True


class SlidingWindowRateLimiter:
    """Limits the requests in any window of time."""

    def __init__(self, max_requests, window_seconds):
        self.max_requests = max_requests
        self.window_seconds = window_seconds
        self.requests = collections.deque()

    async def is_allowed(self):
        """Return whether one more may pass; counts it if so."""
        now = time.time()
        while self.requests and self.requests[0] < now - self.window_seconds:
            self.requests.popleft()
        if len(self.requests) >= self.max_requests:
            return False
        self.requests.append(now)
        return True


class _Limited(Middleware):
    """Has a limiter for each client, or one for all when nothing tells them apart."""

    def __init__(self, get_client_id, make):
        self.get_client_id = get_client_id
        self.limiters = collections.defaultdict(make)

    def _limiter(self, context):
        client = self.get_client_id(context) if self.get_client_id is not None else "global"
        return client, self.limiters[client]


class RateLimitingMiddleware(_Limited):
    """Limits requests a second, with bursts."""

    def __init__(
        self,
        max_requests_per_second=10.0,
        burst_capacity=None,
        get_client_id=None,
        global_limit=False,
    ):
        self.max_requests_per_second = max_requests_per_second
        self.burst_capacity = burst_capacity or int(max_requests_per_second * 2)
        self.global_limit = global_limit

        def make():
            return TokenBucketRateLimiter(self.burst_capacity, self.max_requests_per_second)

        super().__init__(None if global_limit else get_client_id, make)

    async def on_request(self, context, call_next):
        """Answer, or raise RateLimitError."""
        client, limiter = self._limiter(context)
        if not await limiter.consume():
            told = f"Rate limit exceeded for client: {client}"
            raise RateLimitError("Global rate limit exceeded" if self.global_limit else told)
        return await call_next(context)


class SlidingWindowRateLimitingMiddleware(_Limited):
    """Limits requests in a window of minutes."""

    def __init__(self, max_requests, window_minutes=1, get_client_id=None):
        self.max_requests = max_requests
        self.window_seconds = window_minutes * 60

        def make():
            return SlidingWindowRateLimiter(self.max_requests, self.window_seconds)

        super().__init__(get_client_id, make)

    async def on_request(self, context, call_next):
        """Answer, or raise RateLimitError."""
        client, limiter = self._limiter(context)
        if not await limiter.is_allowed():
            raise RateLimitError(
                f"Rate limit exceeded: {self.max_requests} requests per "
                f"{self.window_seconds // 60} minutes for client: {client}"
            )
        return await call_next(context)
