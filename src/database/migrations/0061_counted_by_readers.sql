-- What lists count is of servers that the caller may read, so who may read them belongs into the index
-- that answers it alone.
create index servers_counted_readable
  on servers (visibility, lang, scan_passed, price_amount, author_key, license, category, runs);
drop index servers_counted;
