-- How many parts for sale there are of each part type, make, model and model year, and of each part type for each model:
-- what the search box suggests. Kept like the tally; 0082 counts what is there already.

-- A part type, make or model; a year of a model, or 0 for all of its parts. `changed` is the number of the fold that wrote it.
create table stock_count (
  id uuid not null,
  year smallint not null,
  live integer not null,
  changed bigint not null,
  primary key (id, year)
) with (fillfactor = 70);

create table stock_pair (
  car_model_id uuid not null,
  category_id uuid not null,
  live integer not null,
  primary key (car_model_id, category_id)
) with (fillfactor = 70);

-- What came (1) and went (-1) since.
create table stock_change (
  seller_id uuid not null,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  year_from smallint not null,
  year_to smallint not null,
  live integer not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

-- Gone sellers, whose parts are not in the counts.
create table stock_left_out (
  seller_id uuid primary key
);

create sequence stock_fold;

-- The same trigger as before: writes that have begun end first, and later ones wait for a moment and are noted.
create or replace trigger listing_added after insert on listing
  referencing new table as added for each statement execute function tally_added_listings();

create or replace function tally_added_listings() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change
  select seller_id,
         count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null),
         count(*) filter (where ended_at is null and deleted_at is null),
         count(*) filter (where ended_at is not null and deleted_at is null),
         count(*)
  from added group by seller_id;
  insert into stock_change
  select seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to, count(*)
  from added where status = 'ACTIVE' and ended_at is null and deleted_at is null
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create or replace function tally_removed_listings() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change
  select seller_id,
         -count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null),
         -count(*) filter (where ended_at is null and deleted_at is null),
         -count(*) filter (where ended_at is not null and deleted_at is null),
         count(*)
  from removed group by seller_id;
  insert into stock_change
  select seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to, -count(*)
  from removed where status = 'ACTIVE' and ended_at is null and deleted_at is null
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create or replace function tally_changed_listings() returns trigger language plpgsql as $$
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
  insert into stock_change
  select seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to, sum(sign)
  from (select 1 as sign, seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to
        from added where status = 'ACTIVE' and ended_at is null and deleted_at is null
        union all
        select -1, seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to
        from removed where status = 'ACTIVE' and ended_at is null and deleted_at is null) as changed
  group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0;
  return null;
end $$;
