-- What the scripts write for buyers: pages of categories, manufacturers and models, headings, links between pages.

create table landing_page (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('category', 'manufacturer', 'model')),
  -- Of the table that the kind names. A lookup that was merged or deleted takes its page with it (the script sweeps).
  lookup_id uuid not null,
  slug text collate "C" not null,
  title text not null,
  meta_description text not null,
  intro text not null,
  -- {parts, priceFromCents, priceToCents, topCategories, topManufacturers, topModels}: what the words were made from.
  facts jsonb not null,
  -- Over the facts: a page whose facts stand is not written again.
  facts_hash bytea not null,
  writer text not null,
  job_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (kind, lookup_id),
  unique (kind, slug)
);

-- Links of a page, in order. Both ends are a kind and an id: of a lookup, or of a listing.
create table page_link (
  from_kind text not null check (from_kind in ('category', 'manufacturer', 'model', 'listing')),
  from_id uuid not null,
  position smallint not null,
  to_kind text not null check (to_kind in ('category', 'manufacturer', 'model', 'listing')),
  to_id uuid not null,
  anchor text not null,
  primary key (from_kind, from_id, position)
);
create index page_link_to on page_link (to_kind, to_id);

-- Shown as the h1 of a listing's page; null shows the title made of its fields.
alter table listing add column heading text;
