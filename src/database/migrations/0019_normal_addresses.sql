-- Addresses of repositories are kept in their normal form, versions and licenses without blanks or
-- line ends around them. What has no normal form stays, and is refused at the next change.
update servers set
  version = regexp_replace(version, '\s', '', 'g'),
  license = btrim(regexp_replace(license, '\s+', ' ', 'g'));
update servers set
  repository_url = lower('https://' || part[1] || '/' || part[2] || '/' ||
    regexp_replace(part[3], '\.git$', '', 'i')) || coalesce(part[4], '')
from (
  select name as server, regexp_match(
    regexp_replace(
      regexp_replace(btrim(repository_url, E' \t\r\n'), '^git@([^/:@]+):', 'https://\1/'),
      '/+$', ''),
    '^https://([a-z0-9.:-]+)/([a-z0-9-]+)/([a-z0-9._-]+)(/tree/[^\\%?#]+)?$', 'i') as part
  from servers
) parts
where parts.server = servers.name and part is not null
  and repository_url !~ '(^|/)\.{1,2}(/|$)';
