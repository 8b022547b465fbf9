-- Names of new sellers that look like another yard's in the same city (server/features/yard-names). Until the review is
-- decided or due, buyers see `shown_as` instead.
create table name_review (
  seller_id uuid not null references seller on delete cascade,
  name text not null,
  shown_as text not null,
  -- The yard that it looks like.
  like_name text not null,
  like_seller_id uuid references seller on delete set null,
  asked_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null,
  told_at timestamptz(3),
  decision text check (decision in ('published', 'refused')),
  decided_at timestamptz(3),
  decided_by uuid references app_user on delete set null,
  primary key (seller_id, name)
);
analyze name_review;
