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
