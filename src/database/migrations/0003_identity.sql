-- Who calls: the identity provider's subjects and the names they have here.
create table users (
  subject text primary key,
  -- "C" makes the index serve prefix searches.
  username text collate "C" not null unique,
  -- When the user changed it; it can be changed once.
  username_changed_at timestamptz,
  created_at timestamptz not null
);
