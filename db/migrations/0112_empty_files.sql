-- A staged file without rows was called live when its import was over: nothing of it is.

create or replace function staging_state(file uuid) returns text language sql stable as $$
  select case
    when p.state = 'undone' and (p.applied > 0 or p.applied_at is not null) then 'rolled back'
    when v.rows > 0 and (p.state in ('applied', 'undoing') or (p.state = 'failed' and p.applied > 0)) then 'live'
    when p.state = 'applying' or (p.state in ('planning', 'planned') and p.approved_at is not null) then 'promoted'
    when v.message = 'Taxonomy' then 'resolved'
    else 'staged'
  end
  from staging_file f
  left join staging_version v on v.file_id = f.id and v.version = f.version
  left join lateral (
    select state, applied, applied_at, approved_at from promotion
    where file_id = f.id and version = f.version order by id desc limit 1
  ) p on true
  where f.id = file
$$;

update staging_file f set state = staging_state(f.id)
where f.state = 'live' and exists (
  select from staging_version v where v.file_id = f.id and v.version = f.version and v.rows = 0);
