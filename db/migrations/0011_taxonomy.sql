-- Names in files that may mean a lookup and may not: somebody decides once, and until then nobody makes lookups of them.

create table lookup_question (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('category', 'manufacturer', 'car_model')),
  -- Of a model: the manufacturer that it was named with.
  manufacturer_id uuid references manufacturer on delete cascade,
  typed text not null check (char_length(typed) between 1 and 200),
  typed_key text collate "C" generated always as (name_key(typed)) stored,
  -- The file that asked first.
  file_id uuid references staging_file on delete set null,
  asked_at timestamptz(3) not null default now(),
  check ((kind = 'car_model') = (manufacturer_id is not null)),
  constraint lookup_question_once unique nulls not distinct (kind, manufacturer_id, typed_key)
);
create index lookup_question_by_manufacturer on lookup_question (manufacturer_id) where manufacturer_id is not null;
create index lookup_question_by_file on lookup_question (file_id) where file_id is not null;
