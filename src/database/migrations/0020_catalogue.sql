-- Which state of the registry an answer shows. Nodes keep answers in memory; the statement that counts
-- a request tells them the mark of the present state, so that none is given after a change.

create table catalogue (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  -- Never comes back, as a position may when a standby server takes over.
  mark uuid not null
);
insert into catalogue (position, mark) values (0, gen_random_uuid());

-- What the latest changes were to: the other answers are still right.
create table catalogue_changes (
  position bigint not null,
  mark uuid not null,
  server text collate "C" not null,
  primary key (position, server)
);
create index catalogue_changes_mark on catalogue_changes (mark);

-- Runs at the end of a transaction: those that change something wait for each other here, and for
-- nothing afterwards. So marks follow one another in the order of the commits.
create function note_change() returns trigger language plpgsql as $$
declare
  state catalogue;
begin
  if tg_table_name = 'servers' and tg_op = 'UPDATE' then
    -- What is not shown.
    new.advisories_checked_at := old.advisories_checked_at;
    new.retry_at := old.retry_at;
    new.retries := old.retries;
    if new is not distinct from old then return null; end if;
  end if;
  -- One mark for all that a transaction changes.
  select * into state from catalogue where xmin = pg_current_xact_id()::xid;
  if not found then
    insert into catalogue (position, mark) values (1, gen_random_uuid())
    on conflict (only_row) do update
      set position = catalogue.position + 1, mark = excluded.mark
    returning * into state;
    delete from catalogue_changes where position <= state.position - 1000;
  end if;
  if tg_op <> 'INSERT' then
    insert into catalogue_changes values (state.position, state.mark, old.name)
    on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into catalogue_changes values (state.position, state.mark, new.name)
    on conflict do nothing;
  end if;
  return null;
end $$;

create constraint trigger servers_changed after insert or update or delete on servers
  deferrable initially deferred for each row execute function note_change();
create constraint trigger server_reports_changed after insert or update or delete on server_reports
  deferrable initially deferred for each row execute function note_change();

-- Hits of one moment are one row.
alter table rate_hits add column hits int not null default 1;

-- Counts hits in windows as far as these have room: `p_counts` of each of `p_keys`, which are in
-- hexadecimal. Each window's row is held until the end of the transaction, so that hits of one
-- window, of any node, are counted one after the other; in one order, so that no two wait for each
-- other. `p_now` is for tests; by default it is this server's clock that counts, which all nodes share.
--
-- allowed: how many of the hits; wait_ms: until the window has room for one more than it has now.
create function take_hits(
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
  oldest timestamptz;
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
    with gone as (
      delete from rate_hits where window_id = win.id and at <= moment - span returning hits
    )
    select coalesce(sum(hits), 0) into expired from gone;
    win.hits := win.hits - expired;
    allowed := least(given.count, greatest(given.quota - win.hits, 0));
    if allowed > 0 then
      win.hits := win.hits + allowed;
      win.number := win.number + 1;
      win.newest := moment;
      insert into rate_hits (window_id, at, number, hits)
      values (win.id, moment, win.number, allowed);
    end if;
    if allowed > 0 or expired > 0 then
      update rate_windows set hits = win.hits, number = win.number, newest = win.newest
      where id = win.id;
    end if;
    if win.hits <= given.quota then
      select at into oldest from rate_hits where window_id = win.id order by at, number limit 1;
    else
      -- The quota was larger before: so many have to go first.
      select at into oldest from (
        select at, number, sum(hits) over (order by at, number) as sum
        from rate_hits where window_id = win.id
      ) summed where sum > win.hits - given.quota order by at, number limit 1;
    end if;
    nth := given.nth;
    remaining := greatest(given.quota - win.hits, 0);
    wait_ms := 1000 * extract(epoch from oldest + span - clock);
    return next;
  end loop;
end $$;

create or replace function take_rate(
  p_key bytea, p_quota int, p_seconds int, p_now timestamptz default null)
returns table (allowed boolean, remaining int, wait_ms double precision)
language sql as $$
  select allowed = 1, remaining, wait_ms
  from take_hits(array[encode(p_key, 'hex')], array[1], array[p_quota], p_seconds, p_now)
$$;
