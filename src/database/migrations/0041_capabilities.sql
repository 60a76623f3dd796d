-- What a server's tools run that their callers write, as its report says it: for lists and their
-- filter. Reports had these three kinds until then.
alter table servers add column capabilities text[] not null default '{}';
update servers set capabilities = found.kinds
from (
  select name, array(
    select kind from unnest(array['sql', 'commands', 'code']) with ordinality as known (kind, nth)
    where (report -> 'capabilities' -> 'runs')::jsonb @> jsonb_build_array(
      jsonb_build_object('kind', kind))
    order by nth
  ) as kinds
  from server_reports
) found
where found.name = servers.name and found.kinds <> '{}';
create index servers_capabilities on servers using gin (capabilities);

-- What an administrator answered for a server (CAPABILITY_POLICY=ask). It holds for the owner whom it
-- was about and for the capabilities that it covers, whatever the version.
create table capability_answers (
  name text collate "C" primary key references servers on delete cascade,
  answer text not null check (answer in ('allow', 'refuse')),
  covers text[] not null,
  reason text not null,
  -- Token subjects of the owner then, and of the administrator.
  answered_for text not null,
  answered_by text not null,
  answered_at timestamptz(3) not null
);
create constraint trigger capability_answers_changed
  after insert or update or delete on capability_answers
  deferrable initially deferred for each row execute function note_change();

-- Where a server stands; null without capabilities. Who is allowed something is allowed less of it,
-- and who is refused something is refused more.
create function capability_state(
  p_capabilities text[], p_owner text, p_answer capability_answers)
returns text language sql immutable as $$
  select case
    when p_capabilities = '{}' then null
    when (p_answer).answered_for is distinct from p_owner then 'waiting'
    when (p_answer).answer = 'allow' and p_capabilities <@ (p_answer).covers then 'allowed'
    when (p_answer).answer = 'refuse' and p_capabilities @> (p_answer).covers then 'refused'
    else 'waiting'
  end
$$;

-- What the Python files of a package showed when they were read for malice, by the digest of its
-- wheel. Another digest of the rules: it is read again.
create table package_readings (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  rules text not null,
  reading jsonb not null,
  read_at timestamptz not null
);
