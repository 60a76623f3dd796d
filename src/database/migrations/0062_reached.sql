-- What the code of a server reaches by itself, for signs in lists: hosts that it names, and files.
alter table servers add column reaches text[] not null default '{}';
update servers set reaches = found.reaches
from (
  select name, array_remove(array[
    case when json_array_length(report -> 'capabilities' -> 'hosts') > 0 then 'network' end,
    case when (report -> 'capabilities' ->> 'files')::boolean then 'files' end
  ], null) as reaches
  from server_reports where report -> 'capabilities' is not null
) found
where servers.name = found.name and found.reaches <> '{}';
