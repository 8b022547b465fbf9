-- Views of a data grid that a person saved under a name: columns, order, and filters.
create table saved_view (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user on delete cascade,
  -- The grid, such as "bulk-edit".
  grid text collate "C" not null,
  name text not null check (char_length(btrim(name)) between 1 and 60),
  name_key text collate "C" generated always as (name_key(name)) stored,
  settings jsonb not null,
  saved_at timestamptz(3) not null default now(),
  constraint saved_view_name_unique unique (user_id, grid, name_key)
);

-- Reviews also of landing pages and of their links: what would be written, with what was there, is in `proposed`.
alter table text_review drop constraint text_review_field_check,
  add constraint text_review_field_check check (field in ('h1', 'partdescription', 'landing', 'links'));
alter table text_proposal add column proposed jsonb,
  drop constraint text_proposal_target_check,
  add constraint text_proposal_target_check check (num_nonnulls(record_id, listing_id, proposed) = 1);
