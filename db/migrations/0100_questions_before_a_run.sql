-- What a yard answered about the columns of its files, for files of the same columns.

create table file_shape (
  seller_id uuid not null references seller on delete cascade,
  -- SHA-256 of the set of column names, or of the mapping template that was used (receive/file-shapes.ts).
  shape bytea not null check (octet_length(shape) = 32),
  -- As its last import was read.
  mapping jsonb not null,
  defaults jsonb not null,
  -- Null of a yard's first file, which is neither all of a known stock nor an addition to it.
  mode text check (mode in ('add', 'replace')),
  answers jsonb not null,
  used_at timestamptz(3) not null default now(),
  primary key (seller_id, shape)
);

-- Fixed by its first chunk, like the header: what was sent, and what was answered for earlier files of its columns.
alter table import add column answers jsonb;
-- What the values of a chunk say of the columns, and examples, until the whole file is in.
alter table import_chunk add column facts jsonb;
