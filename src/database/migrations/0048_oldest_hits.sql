-- The time of a window's first hit stands in its row: two statements less for nearly every counted
-- request, which looked for hits that have left the window, and for the oldest of the others.

-- Null: there is none, or it is not known yet.
alter table rate_windows add column oldest timestamptz;

-- As before, but that it looks at the hits only when one of them has left the window.
create or replace function take_hits(
  p_keys text[], p_counts int[], p_quotas int[], p_seconds int, p_now timestamptz default null)
returns table (nth int, allowed int, remaining int, wait_ms double precision)
language plpgsql
-- Plans are kept, also those made while a table was empty.
set enable_seqscan = off
as $$
declare
  span constant interval := make_interval(secs => p_seconds);
  given record;
  win rate_windows;
  clock timestamptz;
  moment timestamptz;
  expired int;
  first timestamptz;
begin
  -- What a crash of the server may take is the hits of its last moments; waiting for its disk would
  -- be most of the time that a request takes.
  perform set_config('synchronous_commit', 'off', true);
  for given in
    select * from unnest(p_keys, p_counts, p_quotas) with ordinality as one (key, count, quota, nth)
    order by key
  loop
    loop
      select * into win from rate_windows
      where key = decode(given.key, 'hex') and seconds = p_seconds for update;
      exit when found;
      insert into rate_windows (key, seconds, hits, number, newest)
      values (decode(given.key, 'hex'), p_seconds, 0, 0, '-infinity')
      on conflict do nothing;
    end loop;
    clock := coalesce(p_now, clock_timestamp());
    -- A clock that was set back must not let times out of the window that are still in it.
    moment := greatest(clock, win.newest);
    expired := 0;
    if win.hits > 0 and (win.oldest is null or win.oldest <= moment - span) then
      with gone as (
        delete from rate_hits where window_id = win.id and at <= moment - span returning hits
      )
      select coalesce(sum(hits), 0) into expired from gone;
      win.hits := win.hits - expired;
      select at into win.oldest from rate_hits where window_id = win.id order by at, number limit 1;
    end if;
    allowed := least(given.count, greatest(given.quota - win.hits, 0));
    if allowed > 0 then
      win.hits := win.hits + allowed;
      win.number := win.number + 1;
      win.newest := moment;
      win.oldest := coalesce(win.oldest, moment);
      insert into rate_hits (window_id, at, number, hits)
      values (win.id, moment, win.number, allowed);
    end if;
    if allowed > 0 or expired > 0 then
      update rate_windows
      set hits = win.hits, number = win.number, newest = win.newest, oldest = win.oldest
      where id = win.id;
    end if;
    first := win.oldest;
    if win.hits > given.quota then
      -- The quota was larger before: so many have to go first.
      select at into first from (
        select at, number, sum(hits) over (order by at, number) as sum
        from rate_hits where window_id = win.id
      ) summed where sum > win.hits - given.quota order by at, number limit 1;
    end if;
    nth := given.nth;
    remaining := greatest(given.quota - win.hits, 0);
    wait_ms := 1000 * extract(epoch from first + span - clock);
    return next;
  end loop;
end $$;
