-- Addresses that pages of categories, manufacturers and models had before: they lead to what their name became. The
-- target is a lookup and no address, so that however often names change nothing has to be followed from one to the next.
create table landing_slug (
  kind text not null check (kind in ('category', 'manufacturer', 'model')),
  slug text collate "C" not null,
  lookup_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (kind, slug)
);
create index landing_slug_by_lookup on landing_slug (kind, lookup_id);
