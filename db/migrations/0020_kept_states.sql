-- What became of a staged file stands with it, so that a list of one state is read along an index; and checkpoints of long
-- lists stand nearer to one another.

------------------------------------------------------------------------------------------------ staged files

alter table staging_file add column state text not null default 'staged'
  check (state in ('staged', 'resolved', 'promoted', 'live', 'rolled back'));

-- What became of a file's newest version: the newest of its promotions says so.
create function staging_state(file uuid) returns text language sql stable as $$
  select case
    when p.state = 'undone' and (p.applied > 0 or p.applied_at is not null) then 'rolled back'
    when p.state in ('applied', 'undoing') or (p.state = 'failed' and p.applied > 0) then 'live'
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

update staging_file f set state = staging_state(f.id);
create index staging_file_by_state on staging_file (root, state, changed_at desc, id desc);

-- The file is locked first and looked at in the next statement: of two transactions that changed it, the second one to end
-- sees what both did.
create function keep_staging_state() returns trigger language plpgsql as $$
declare
  file uuid := (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid;
begin
  perform from staging_file where id = file for no key update;
  update staging_file f set state = staging_state(file) where f.id = file and f.state <> staging_state(file);
  return null;
end $$;

-- At the end of their transaction, so that nobody who holds the lock of the file by this waits for anything else.
create constraint trigger promotion_begun after insert or delete on promotion
  deferrable initially deferred for each row execute function keep_staging_state('file_id');
create constraint trigger promotion_moved after update on promotion
  deferrable initially deferred for each row
  when ((old.state, old.version, old.applied > 0, old.applied_at is null, old.approved_at is null)
        is distinct from (new.state, new.version, new.applied > 0, new.applied_at is null, new.approved_at is null))
  execute function keep_staging_state('file_id');
create constraint trigger staging_version_made after insert or update of message on staging_version
  deferrable initially deferred for each row execute function keep_staging_state('file_id');
create constraint trigger staging_file_moved after update on staging_file
  deferrable initially deferred for each row
  when (old.version is distinct from new.version)
  execute function keep_staging_state('id');

------------------------------------------------------------------------------------------------ deep pages

-- They are made anew, every 100 rows instead of 200, when somebody pages deep.
truncate list_checkpoint, list_checkpoint_state;
