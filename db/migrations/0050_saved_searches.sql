-- Saved searches: what buyers wait for, and the parts that came in since.

-- Who gets the mail: an account at its confirmed address, or an address alone.
create table saved_search_owner (
  id uuid primary key default uuidv7(),
  user_id uuid unique references app_user on delete cascade,
  email citext unique check (char_length(email) <= 254),
  check ((user_id is null) <> (email is null)),
  -- In every mail. The first shows the searches and changes them; the second stops all mail and can do nothing else.
  manage_key uuid not null unique default gen_random_uuid(),
  stop_key uuid not null unique default gen_random_uuid(),
  -- The link that confirms what was asked for in the name of this address, for some days.
  link_hash bytea unique,
  link_mailed_at timestamptz(3),
  mailed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create table saved_search (
  id uuid primary key default uuidv7(),
  owner_id uuid not null references saved_search_owner on delete cascade,
  -- The query of the list's address that shows the same parts, in its normal form.
  query text not null,
  -- In words: "2010 Honda Accord headlight, left, under $150".
  title text not null,
  frequency text not null check (frequency in ('hourly', 'daily', 'off')),
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  changed_at timestamptz(3) not null,
  mailed_at timestamptz(3),
  -- Parts found and not mailed yet, and since when; the count is in no index, as it changes with every batch.
  waiting integer not null default 0,
  waiting_since timestamptz(3),

  -- What sellers see of it, without anything that was typed.
  part text,
  vehicle text,
  year_from smallint,
  year_to smallint,

  -- The conditions, as of `saved_search_reading`: null for any. Those of filters, and those that the words were taken for.
  words tsquery,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  meant_category_ids uuid[],
  meant_manufacturer_ids uuid[],
  meant_model_ids uuid[],
  meant_model_words tsquery,
  seller_id uuid,
  min_cents bigint,
  max_cents bigint,
  most_miles double precision,
  -- Where the buyer is, and how far away the part may be; without a radius the place decides nothing.
  place integer,
  radius double precision
) with (fillfactor = 80);
create index saved_search_by_owner on saved_search (owner_id);
create index saved_search_waiting on saved_search (owner_id)
  where waiting_since is not null and confirmed_at is not null and frequency <> 'off';

-- What a listing must have for a search to come into question: one of its keys. A key is the hash of a part type and a
-- vehicle, or of the beginning of a word, whichever is rarer.
create table saved_search_key (
  key bigint not null,
  search_id uuid not null references saved_search on delete cascade,
  primary key (key, search_id)
);
create index saved_search_key_by_search on saved_search_key (search_id);

-- The vocabulary that the conditions of all searches were read with.
create table saved_search_reading (
  id boolean primary key default true check (id),
  version text not null,
  read_at timestamptz(3) not null
);

-- Parts that were found for a search; each is mailed once. Without foreign keys, which would cost a third of matching: rows of
-- deleted searches go every few hours, and all of them after a year.
create table saved_search_hit (
  search_id uuid not null,
  listing_id uuid not null,
  found_at timestamptz(3) not null default now(),
  mailed_at timestamptz(3),
  primary key (search_id, listing_id)
);

-- Listings that saved searches have not been compared with yet, up to a thousand of a statement in each row: a row for each
-- would double what an import writes.
create table listing_arrival (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  -- `new` to the public, `changed` in what it is found by, or `cheaper` than before.
  kind text not null check (kind in ('new', 'changed', 'cheaper')),
  listing_ids uuid[] not null,
  -- The prices before, of those that are cheaper.
  former_cents bigint[]
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

create function note_added_listings() returns trigger language plpgsql as $$
begin
  insert into listing_arrival (kind, listing_ids)
  select 'new', array_agg(listing_id)
  from (select listing_id, (row_number() over () - 1) / 1000 as part from added where live) arrived
  group by part;
  return null;
end $$;
create trigger listing_search_arrived after insert on listing_search
  referencing new table as added for each statement execute function note_added_listings();

create function note_changed_listings() returns trigger language plpgsql as $$
begin
  insert into listing_arrival (kind, listing_ids)
  select kind, array_agg(listing_id)
  from (
    select kind, listing_id, (row_number() over (partition by kind) - 1) / 1000 as part
    from (
      select n.listing_id, case when o.live then 'changed' else 'new' end as kind
      from added n join removed o on o.listing_id = n.listing_id
      where n.live and (not o.live or n.document <> o.document
        or (n.category_id, n.manufacturer_id, n.car_model_id, n.place)
          is distinct from (o.category_id, o.manufacturer_id, o.car_model_id, o.place))
    ) changed
  ) numbered
  group by kind, part;
  return null;
end $$;
create trigger listing_search_followed after update on listing_search
  referencing old table as removed new table as added for each statement execute function note_changed_listings();

create function note_cheaper_listings() returns trigger language plpgsql as $$
begin
  insert into listing_arrival (kind, listing_ids, former_cents)
  select 'cheaper', array_agg(id), array_agg(former)
  from (
    select n.id, o.price_cents as former, (row_number() over () - 1) / 1000 as part
    from added n join removed o on o.id = n.id
    where n.price_cents < o.price_cents and n.status = 'ACTIVE' and n.ended_at is null and n.deleted_at is null
  ) cheaper
  group by part;
  return null;
end $$;
create trigger listing_cheaper after update on listing
  referencing old table as removed new table as added for each statement execute function note_cheaper_listings();
