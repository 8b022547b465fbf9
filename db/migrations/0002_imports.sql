-- The way of a yard's file: import (what came, chunk by chunk) → staged file (versions of segments) → promotion (plan,
-- apply, undo) → listing_source (which row of which file a listing is).

------------------------------------------------------------------------------------------------ templates

create table mapping_template (
  id uuid primary key default uuidv7(),
  scope text not null check (scope in ('USER', 'GLOBAL')),
  -- Whose it is; a global one belongs to nobody.
  seller_id uuid references seller on delete cascade,
  created_by uuid references app_user on delete set null,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  name_key text collate "C" generated always as (name_key(name)) stored,
  -- {target field: header of the file}
  mapping jsonb not null,
  description text not null default '',
  created_at timestamptz(3) not null default now(),
  check ((scope = 'GLOBAL') = (seller_id is null)),
  constraint mapping_template_name_unique unique nulls not distinct (seller_id, name_key)
);

------------------------------------------------------------------------------------------------ staged files

-- A file is a list of versions, a version a list of segments. A segment is a gzipped file of lines (NDJSON) in the file
-- store, named by the hash of its content, so that versions share what they have in common and nothing is written over.
create table staging_file (
  id uuid primary key default uuidv7(),
  root text not null check (root in ('ecomm', 'datatable', 'mapdata')),
  -- As people type it: begins with "/" and ends with ".json". The CSV beside it is a view of the same rows.
  path text collate "C" not null check (path ~ '^/.+\.json$'),
  seller_id uuid not null references seller,
  created_by uuid references app_user on delete set null,
  -- Headers of the file the rows came from; the original cells of a row stand in this order.
  header text[] not null default '{}',
  -- The version that counts.
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  constraint staging_file_path_unique unique (root, path)
);
create index staging_file_by_seller on staging_file (seller_id, id desc);

create table staging_version (
  file_id uuid not null references staging_file on delete cascade,
  version integer not null,
  author_user_id uuid references app_user on delete set null,
  message text not null default '',
  rows integer not null,
  -- Length of its JSON view, about: decides whether it is shown as a whole.
  bytes bigint not null,
  -- Names of all fields that its records may have, so that every window of the CSV view has the same columns.
  columns text[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (file_id, version)
);

create table staging_segment (
  file_id uuid not null,
  version integer not null,
  position integer not null,
  sha256 text collate "C" not null,
  rows integer not null,
  bytes bigint not null,
  primary key (file_id, version, position),
  foreign key (file_id, version) references staging_version on delete cascade
);
-- The sweeper asks whether anybody still needs a segment.
create index staging_segment_by_content on staging_segment (sha256);

------------------------------------------------------------------------------------------------ imports

create table import (
  id uuid primary key default uuidv7(),
  seller_id uuid not null references seller,
  created_by uuid references app_user on delete set null,
  -- A dry run checks and answers; its ledger is apart, so that the real run may use the same key.
  dry_run boolean not null,
  key text collate "C" not null check (char_length(key) between 1 and 200),
  -- Over mapping, defaults, staging, mode, dialect and chunk count: what every chunk of one import has in common.
  request_hash bytea not null,
  file_name text not null default '',
  mode text not null default 'add' check (mode in ('add', 'replace')),
  mapping jsonb not null,
  defaults jsonb not null default '{}',
  -- What was sent: sellerSlug (a label), datasetHint, timestamp.
  staging jsonb not null default '{}',
  -- Fixed by the first chunk that was accepted; later chunks may come without their header line.
  header text[],
  chunk_count integer not null default 1 check (chunk_count between 1 and 100000),
  state text not null default 'receiving' check (state in ('receiving', 'staged', 'checked', 'abandoned')),
  -- Of the chunks that are in, kept with each of them: how many, their rows, how many of these were rejected, and how
  -- long all of them are.
  received integer not null default 0,
  total bigint not null default 0,
  rejected bigint not null default 0,
  bytes bigint not null default 0,
  staging_file_id uuid references staging_file,
  created_at timestamptz(3) not null default now(),
  staged_at timestamptz(3),
  constraint import_key_unique unique (seller_id, dry_run, key)
);
create index import_by_seller on import (seller_id, id desc) where not dry_run;
create index import_unfinished on import (created_at) where state = 'receiving';
create index import_by_staging_file on import (staging_file_id);

-- The ledger. Who works on a chunk holds its claim and shows life in claimed_at; who finds a claim that went silent takes
-- it over with a claim of its own, and the old holder, should it wake, writes nothing.
create table import_chunk (
  import_id uuid not null references import on delete cascade,
  chunk_index integer not null,
  claim uuid,
  claimed_at timestamptz(3),
  content_sha256 text collate "C" not null,
  -- Read so far; all of them once it is done.
  rows integer not null default 0,
  rejected integer not null default 0,
  -- What was answered; sent again for the same content.
  reply jsonb,
  done_at timestamptz(3),
  primary key (import_id, chunk_index),
  check ((done_at is null) = (reply is null))
);

-- The rows of a chunk, good ones and rejected ones, as segments in the order of the file.
create table import_segment (
  import_id uuid not null,
  chunk_index integer not null,
  kind text not null check (kind in ('staged', 'rejected')),
  position integer not null,
  sha256 text collate "C" not null,
  rows integer not null,
  bytes bigint not null,
  primary key (import_id, kind, chunk_index, position),
  foreign key (import_id, chunk_index) references import_chunk on delete cascade
);
create index import_segment_by_content on import_segment (sha256);

------------------------------------------------------------------------------------------------ promotion

-- One version of a staged file on its way to live: the plan, how far it was applied, and what was taken back.
create table promotion (
  id uuid primary key default uuidv7(),
  file_id uuid not null,
  version integer not null,
  seller_id uuid not null references seller,
  import_id uuid references import,
  dataset text not null,
  dataset_tag text,
  mode text not null default 'add' check (mode in ('add', 'replace')),
  state text not null default 'planning'
    check (state in ('planning', 'planned', 'review', 'applying', 'applied', 'undoing', 'undone', 'failed')),
  -- Of the plan as it stands: whoever lets it through says which one was seen.
  plan_id uuid not null default uuidv7(),
  -- The fields that any row of the version has: an update leaves all others as they are.
  fields text[],
  -- Why somebody has to look before it goes on: too many new names, too many endings.
  review jsonb,
  error text,
  -- What the plan says will happen.
  to_create integer,
  to_update integer,
  unchanged integer,
  to_end integer,
  -- Rows that equal an earlier row of the file in every mapped field: they became its quantity.
  merged integer,
  -- Rows that the plan could not take, beside those that staging had rejected.
  refused integer,
  -- {category: [...], manufacturer: [...], model: [...]} that no lookup knows yet.
  new_names jsonb,
  -- Its seller was trusted, or nobody reviews imports here: it goes live without an administrator.
  by_itself boolean not null default false,
  -- Who let it through; null where it went by itself.
  approved_by uuid references app_user on delete set null,
  approved_at timestamptz(3),
  plan_job_id uuid,
  ingest_job_id uuid,
  undo_job_id uuid,
  change_set_id uuid references change_set,
  undo_change_set_id uuid references change_set,
  -- The last action (by row number) that is live, and what was done so far. An update that found nothing different is
  -- an action applied, but no listing updated.
  applied_through integer not null default 0,
  applied integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  ended integer not null default 0,
  -- The lowest row number that was taken back; 0 before the first.
  undone_through integer not null default 0,
  undone integer not null default 0,
  -- Listings that were changed after the import: named and left as they are.
  left_as_is integer not null default 0,
  -- When it last changed a listing: a plan of the same seller that is older has to be made again.
  touched_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  planned_at timestamptz(3),
  applied_at timestamptz(3),
  undone_at timestamptz(3),
  foreign key (file_id, version) references staging_version
);
-- A version goes live once; after an undo it may go again.
create unique index promotion_once on promotion (file_id, version) where state not in ('undone', 'failed');
create index promotion_by_import on promotion (import_id);
create index promotion_by_dataset on promotion (dataset, id) where state in ('planned', 'applying');
create index promotion_by_seller on promotion (seller_id, id desc);

-- What the plan does, one row a change, in the order of the file; endings come after the last row. Rows that stay as they
-- are have none. It is kept as long as the import can be taken back.
create table promotion_action (
  promotion_id uuid not null references promotion on delete cascade,
  row_no integer not null,
  action text not null check (action in ('create', 'update', 'end')),
  -- Of an update or an end. A created listing is found by its source, but for one that an undo leaves.
  listing_id uuid,
  source_key bytea not null,
  ordinal integer not null,
  content_hash bytea,
  copies integer not null default 1,
  -- What the listing's source said before, for the way back.
  prior_hash bytea,
  prior_copies integer,
  -- Why an undo left its listing as it is.
  kept text check (kept in ('edited', 'ended', 'imported', 'deleted')),
  primary key (promotion_id, row_no)
);
create index promotion_action_kept on promotion_action (promotion_id, row_no) where kept is not null;

-- Rows that a full stock had but that could not be taken, by the part they are; null where not even that could be read.
-- What stands here is in the yard, so it does not end as missing.
create table promotion_kept_row (
  import_id uuid not null,
  chunk_index integer not null,
  row_no integer not null,
  source_key bytea,
  primary key (import_id, chunk_index, row_no),
  foreign key (import_id, chunk_index) references import_chunk on delete cascade
);

-- Which row of which file a listing is. The key is the stock number where the file has one, else a hash of the mapped
-- values as first sent; it is computed once, so that renaming a make does not double a yard. Several rows under one key
-- are told apart by the ordinal.
create table listing_source (
  seller_id uuid not null,
  source_key bytea not null,
  ordinal integer not null,
  listing_id uuid not null references listing on delete cascade,
  -- Of the mapped values that were last applied: an equal row changes nothing.
  content_hash bytea not null,
  copies integer not null default 1,
  normaliser smallint not null,
  -- The last promotion that wrote it, and the row of that version.
  promotion_id uuid not null,
  row_no integer not null,
  created_by_promotion uuid,
  -- The full stock that did not have it, and the end that it set: when the part is back and that end still stands (nobody
  -- else ended it since), the listing is live again.
  ended_by_promotion uuid,
  ended_at timestamptz(3),
  primary key (seller_id, source_key, ordinal)
);
create unique index listing_source_by_listing on listing_source (listing_id);

-- A file's part takes over the listing that was made by hand under its stock number, however either was typed.
drop index listing_by_stock_number;
create index listing_by_stock_number on listing (seller_id, lower(stock_number))
  where deleted_at is null and stock_number is not null;
