-- Execution sessions. A row outlives its session by a day, so that an id whose session has ended
-- is told from one that never was, over restarts too.

create table execution_sessions (
  -- The value of Mcp-Session-Id.
  id text collate "C" primary key,
  -- Which of the sessions that this id had in turn.
  instance uuid not null,
  -- The registered server's name; no reference, as the row outlives the record.
  server text collate "C" not null,
  -- Token subject of who began it; null when begun without a token.
  user_id text,
  started_at timestamptz not null,
  -- When the process that holds the session last said so.
  seen_at timestamptz not null,
  -- Null while it lives, and for ever when its process was killed.
  ended_at timestamptz,
  -- Why it ended.
  end_reason text
);

create index execution_sessions_age on execution_sessions ((coalesce(ended_at, seen_at)));
