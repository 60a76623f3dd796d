-- Limits over sliding windows: the times of what was let through, by whom it counts for.

drop table rate_limit_log;

create table rate_windows (
  id bigint generated always as identity primary key,
  -- Digest of whom it is for.
  key bytea not null,
  seconds int not null,
  -- How many rows it has in rate_hits.
  hits int not null,
  -- Number and time of the newest of them.
  number bigint not null,
  newest timestamptz not null,
  unique (key, seconds)
) with (fillfactor = 70); -- Room for the new versions of a row beside the old ones.

create table rate_hits (
  window_id bigint not null,
  at timestamptz not null,
  number bigint not null,
  primary key (window_id, at, number)
);

-- Counts a hit in a window if that has room, in one round trip. Holds the window's row until the end
-- of the transaction, so that hits of one window, of any node, are counted one after the other.
-- `p_now` is for tests; by default it is this server's clock that counts, which all nodes share.
--
-- wait_ms: until the window has room for one more than it has now.
create function take_rate(p_key bytea, p_quota int, p_seconds int, p_now timestamptz default null)
returns table (allowed boolean, remaining int, wait_ms double precision)
language plpgsql
-- Plans are kept, also those made while a table was empty.
set enable_seqscan = off
as $$
declare
  span constant interval := make_interval(secs => p_seconds);
  win rate_windows;
  clock timestamptz;
  moment timestamptz;
  expired int;
  oldest timestamptz;
begin
  -- What a crash of the server may take is the hits of its last moments; waiting for its disk would
  -- be most of the time that a request takes.
  perform set_config('synchronous_commit', 'off', true);
  loop
    select * into win from rate_windows where key = p_key and seconds = p_seconds for update;
    exit when found;
    insert into rate_windows (key, seconds, hits, number, newest)
    values (p_key, p_seconds, 0, 0, '-infinity')
    on conflict do nothing;
  end loop;
  clock := coalesce(p_now, clock_timestamp());
  -- A clock that was set back must not let times out of the window that are still in it.
  moment := greatest(clock, win.newest);
  delete from rate_hits where window_id = win.id and at <= moment - span;
  get diagnostics expired = row_count;
  win.hits := win.hits - expired;
  allowed := win.hits < p_quota;
  if allowed then
    win.hits := win.hits + 1;
    win.number := win.number + 1;
    win.newest := moment;
    insert into rate_hits (window_id, at, number) values (win.id, moment, win.number);
  end if;
  if allowed or expired > 0 then
    update rate_windows set hits = win.hits, number = win.number, newest = win.newest
    where id = win.id;
  end if;
  remaining := greatest(p_quota - win.hits, 0);
  -- More than the quota are in the window when that was larger before.
  select at into oldest from rate_hits where window_id = win.id
  order by at, number offset greatest(win.hits - p_quota, 0) limit 1;
  wait_ms := 1000 * extract(epoch from oldest + span - clock);
  return next;
end $$;

-- Empties the windows of a key, of every length. Each is locked first: what is being counted there
-- meanwhile goes too.
create function clear_rate(p_key bytea) returns void
language plpgsql as $$
declare
  win record;
begin
  for win in select id from rate_windows where key = p_key for update loop
    delete from rate_hits where window_id = win.id;
    delete from rate_windows where id = win.id;
  end loop;
end $$;

-- Scans of a user of late.
create index scans_actor on scans (actor, started_at desc);
