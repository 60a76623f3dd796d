-- What a server is for. Where its author does not say it, rules propose it from its name, its tools and
-- its description.
alter table servers
  -- The author's word; null where there is none.
  add column given_category text,
  add column given_tags text[],
  -- What counts. A category that is null is proposed when a registry node starts.
  add column category text,
  add column tags text[] not null default '{}',
  -- Calls of the last 30 days, as they were counted last.
  add column calls int not null default 0;
create index servers_used on servers (calls desc, name);
create index servers_category on servers (category, calls desc, name);
create index servers_uncategorised on servers (name) where category is null;
create index servers_tags on servers using gin (tags);
-- Lets what the front page counts by category be read from the index alone, as the rest is.
create index servers_counted
  on servers (lang, scan_passed, price_amount, author_key, license, category, runs);
drop index servers_counts;

-- Calls of servers by day (UTC), added up by each node in its memory and written now and then.
create table server_calls (
  server text collate "C" not null references servers on delete cascade,
  day date not null,
  calls bigint not null,
  primary key (server, day)
);
create index server_calls_day on server_calls (day);
