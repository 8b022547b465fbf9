-- What a dry run would write, next to what is there: a person accepts or rejects each text, and only accepted ones are
-- written. They go with their job.
create table text_review (
  job_id uuid primary key references job on delete cascade,
  field text not null check (field in ('h1', 'partdescription')),
  -- The staged file and the version that was read; null for live listings.
  file_id uuid references staging_file on delete cascade,
  file_version integer,
  -- Texts beyond the most that a review keeps.
  left_out integer not null,
  created_at timestamptz(3) not null default now(),
  constraint text_review_file_check check ((file_id is null) = (file_version is null))
);
create index text_review_by_file on text_review (file_id) where file_id is not null;

create table text_proposal (
  job_id uuid not null references text_review on delete cascade,
  -- In the order of the run.
  place integer not null,
  -- The row of the staged file, counted from 0, its hidden id, and the value that was read.
  row_no integer,
  record_id text,
  old_value jsonb,
  -- Or the live listing and the version that was read.
  listing_id uuid references listing on delete cascade,
  listing_version integer,
  label text not null,
  title text not null,
  before_text text not null,
  -- Null if the record was refused; `why` says for what.
  after_text text,
  why text,
  change text not null check (change in ('new', 'added', 'reworded', 'drops', 'refused')),
  -- Words of the old text that the new one does not have.
  lost text[] not null,
  decision text check (decision in ('accepted', 'rejected')),
  -- `stale`: changed by someone since the dry run, so it was left alone.
  outcome text check (outcome in ('written', 'stale')),
  primary key (job_id, place),
  constraint text_proposal_refused_check check ((change = 'refused') = (after_text is null)),
  constraint text_proposal_target_check check ((record_id is null) <> (listing_id is null))
);
create index text_proposal_by_listing on text_proposal (listing_id) where listing_id is not null;
