-- Names that the naming optimizer looked at: it looks again at those that are called otherwise by now.
create table reviewed_name (
  kind text not null check (kind in ('category', 'manufacturer', 'car_model')),
  lookup_id uuid not null,
  name text not null,
  reviewed_at timestamptz(3) not null default now(),
  primary key (kind, lookup_id)
);
