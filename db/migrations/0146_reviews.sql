-- What buyers say about yards, and what yards did with their orders (docs/decisions/0120).

create table yard_review (
  id uuid primary key default uuidv7(),
  order_id uuid not null unique references part_order on delete cascade,
  seller_id uuid not null references seller,
  stars smallint not null check (stars between 1 and 5),
  body text not null default '',
  written_at timestamptz(3) not null,
  -- Until a job publishes it, only its buyer, the yard and administrators see it, and the buyer can change it.
  publish_at timestamptz(3) not null,
  published_at timestamptz(3),
  answer text,
  answered_at timestamptz(3),
  hidden_at timestamptz(3),
  hidden_note text
);
create index yard_review_by_seller on yard_review (seller_id, id desc);
create index yard_review_due on yard_review (publish_at) where published_at is null;

create table review_report (
  id uuid primary key default uuidv7(),
  review_id uuid not null references yard_review on delete cascade,
  reason text not null,
  note text not null default '',
  -- A hash of review and visitor: the same visitor reports a review once.
  visitor bytea not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  closed_by uuid references app_user on delete set null,
  outcome text check (outcome in ('hidden', 'kept')),
  unique (review_id, visitor)
);
create index review_report_open on review_report (review_id) where closed_at is null;

-- Counted by a job, so that no page counts orders. Shares of the yard's orders of the last 180 days.
create table yard_record (
  seller_id uuid primary key references seller on delete cascade,
  reviews integer not null,
  stars integer not null,
  confirm_of integer not null,
  confirmed integer not null,
  ship_of integer not null,
  shipped integer not null,
  deliver_of integer not null,
  came_back integer not null
);
-- Part pages and yards' pages show both.
create trigger yard_record_is_public after insert or update on yard_record
  for each row execute function note_public_change();
create trigger yard_review_is_public after update on yard_review
  for each row when (old.published_at is not null or new.published_at is not null)
  execute function note_public_change();

-- When the buyer was asked for a review: once.
alter table part_order add column review_asked_at timestamptz(3);
create index part_order_review_due on part_order (delivered_at) where review_asked_at is null;
