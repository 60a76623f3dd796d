-- Links that make the first account, and invitations of administrators.
alter table issuer_links drop constraint issuer_links_purpose_check;
alter table issuer_links add constraint issuer_links_purpose_check
  check (purpose in ('sign_up', 'reset', 'admin', 'first', 'invite'));
