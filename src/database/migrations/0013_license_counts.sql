-- Lets what the front page counts by license be read from the index alone, as the rest is.
create index servers_counts on servers (lang, scan_passed, price_amount, author_key, license);
drop index servers_facets;
