-- Where the bytes of an archive are: in `archive_parts`, or in a store of objects.
alter table archives add column stored_in text not null default 'database'
  check (stored_in in ('database', 'objects'));

-- Every object that was ever written and not yet removed, from before it is written. One that no archive
-- has used for an hour is removed.
create table archive_objects (
  sha256 text collate "C" primary key,
  unused_since timestamptz
);
