-- What people want to see again: the rows that a plan left out, what became of the names of a staged file, and where links
-- to merged pages lead.

-- The first of them in the order of the file; `refused` counts them all. Before, only the log of the job told them.
alter table promotion add column left_out jsonb not null default '[]';

update promotion p set left_out = told.rows
from (
  select q.id, jsonb_agg(jsonb_build_object('rowNo', line.said[1]::integer, 'why', 'refused', 'problem', line.said[2],
                                            'inFile', null) order by line.seq) as rows
  from promotion q
  cross join lateral (
    select e.seq, regexp_match(e.message, '^Record (\d{1,9}) is left out: (.+)$') as said
    from job_event e
    where e.job_id = q.plan_job_id and e.kind = 'log' and e.message like 'Record % is left out: %'
    order by e.seq limit 100
  ) line
  where q.refused > 0 and line.said is not null
  group by q.id
) told
where told.id = p.id;

-- The newest result of the taxonomy for a file, whether a request or a job found it; an older one is of no use any more.
create table staging_taxonomy (
  file_id uuid primary key references staging_file on delete cascade,
  result jsonb not null,
  made_by uuid references app_user on delete set null,
  made_at timestamptz(3) not null default now()
);

-- What merged categories, manufacturers and models became: links that still name them lead there. Their own rows are gone
-- once nothing points to them. What is merged on is written anew, so that nothing has to be followed from one to the next.
create table landing_heir (
  kind text not null check (kind in ('category', 'manufacturer', 'model')),
  lookup_id uuid not null,
  heir_id uuid not null,
  primary key (kind, lookup_id)
);
create index landing_heir_by_heir on landing_heir (kind, heir_id);
