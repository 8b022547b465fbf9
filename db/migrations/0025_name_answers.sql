-- What a yard said its names mean, and the rows of its imports that wait until it says so.

create table name_answer (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller on delete cascade,
  kind text not null check (kind in ('category', 'manufacturer', 'car_model')),
  -- As in the yard's files; '' for rows without a category.
  typed text not null check (char_length(typed) <= 200),
  typed_key text collate "C" not null generated always as (name_key(typed)) stored,
  -- A category is asked for each type of part, a model for each manufacturer.
  about text not null default '' check (char_length(about) <= 200),
  about_key text collate "C" not null generated always as (name_key(about)) stored,
  -- The lookup's name, found by its aliases after it was renamed or merged; null for a new name.
  means text check (char_length(means) between 1 and 200),
  answered_by uuid references app_user on delete set null,
  answered_at timestamptz(3) not null default now(),
  check (kind <> 'category' or means is not null),
  constraint name_answer_once unique (seller_id, kind, typed_key, about_key)
);

alter table promotion
  -- Rows that wait for their seller's answers, and what is asked.
  add column waiting integer not null default 0,
  add column questions jsonb not null default '[]',
  -- The promotion of the same import whose waiting rows this one publishes, and what that one and those before it did.
  add column continues uuid references promotion,
  add column created_before integer not null default 0,
  add column updated_before integer not null default 0,
  add column ended_before integer not null default 0;
create index promotion_waiting on promotion (seller_id) where waiting > 0;
create index promotion_by_continued on promotion (continues) where continues is not null;

-- Names that a dry run's chunk found new or unsure, until the whole file is checked.
alter table import_chunk add column names jsonb;
