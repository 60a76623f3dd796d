-- Images that nodes made and parked sessions began with: another node needs them to go on.
-- The parts are sealed under the operator's key, bound to the digest.
create table parked_images (
  -- The digest and the key.
  id text collate "C" primary key,
  -- Digest of the image, as in parked_sessions.
  digest text not null,
  -- Which of the operator's keys sealed it.
  key_id text not null,
  -- Whose session was the first that needed it, as limits count.
  client text not null,
  size bigint not null check (size > 0),
  -- When a session was last stored that needs it.
  used_at timestamptz not null
);
create index parked_images_digest on parked_images (digest);

create table parked_image_parts (
  id text collate "C" not null references parked_images on delete cascade,
  part int not null,
  bytes bytea not null,
  primary key (id, part)
);
-- They do not compress.
alter table parked_image_parts alter column bytes set storage external;
