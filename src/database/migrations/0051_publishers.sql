-- Who controls a repository puts their code into a file of it; the record whose owner has that code
-- has a verified publisher. The code says nothing of the user, and stays when the username changes.
alter table users add column publisher_code uuid not null default gen_random_uuid();
-- Codes in the file of the default branch, as it was scanned.
alter table servers add column publishers text[] not null default '{}';
