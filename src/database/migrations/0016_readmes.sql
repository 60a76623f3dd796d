-- The README of what was scanned, as HTML that is safe in a page: making it may take seconds, and
-- what it is made of does not change.
create table readmes (
  archive_sha256 text collate "C" not null references archives on delete cascade,
  folder text not null,
  -- Null where there is none.
  html text,
  primary key (archive_sha256, folder)
);
