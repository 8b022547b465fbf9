-- The desk of staged files: listed by their last change, planned without going on by themselves.

-- When its newest version was made.
alter table staging_file add column changed_at timestamptz(3) not null default now();
update staging_file f set changed_at = v.created_at
from staging_version v where v.file_id = f.id and v.version = f.version;
create index staging_file_by_change on staging_file (root, changed_at desc, id desc);

-- An administrator wants to see its plan first: it waits, whoever its seller is.
alter table promotion add column held boolean not null default false;

-- What became of a file's versions.
create index promotion_by_file on promotion (file_id, version, id);
