-- A held row of an export whose id column was emptied: it equals a part that its seller listed by hand.
alter table promotion_held_row add column repeats boolean not null default false;

-- What a yard's word for a category means for a type of part, for all files: "Glass" is another category for each.
create table category_decision (
  id uuid primary key default uuidv7(),
  typed text not null check (char_length(typed) between 1 and 200),
  typed_key text collate "C" not null generated always as (name_key(typed)) stored,
  about text not null check (char_length(about) between 1 and 200),
  about_key text collate "C" not null generated always as (name_key(about)) stored,
  category_id uuid not null references category on delete cascade,
  decided_by uuid references app_user on delete set null,
  decided_at timestamptz(3) not null default now(),
  constraint category_decision_once unique (typed_key, about_key)
);
create index category_decision_by_category on category_decision (category_id);

-- So it is asked for each type of part.
alter table lookup_question
  add column about text not null default '' check (char_length(about) <= 200),
  add column about_key text collate "C" not null generated always as (name_key(about)) stored,
  drop constraint lookup_question_once,
  add constraint lookup_question_once unique nulls not distinct (kind, manufacturer_id, typed_key, about_key);
