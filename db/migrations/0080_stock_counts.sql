-- How many parts for sale there are of each part type, make, model and model year, and of each part type for each model:
-- what the search box suggests. Kept like the tally, and never counted again.

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

-- Nothing may change between what is counted here and the first change that is noted.
lock table listing in share row exclusive mode;

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

insert into stock_left_out select seller_id from gone_seller;

create temporary table counted on commit drop as
select category_id, manufacturer_id, car_model_id, year_from, year_to, count(*) as live
from listing
where status = 'ACTIVE' and ended_at is null and deleted_at is null
  and seller_id not in (select seller_id from stock_left_out)
group by 1, 2, 3, 4, 5;

insert into stock_count
select id, 0, sum(live), 0
from counted cross join lateral unnest(array[category_id, manufacturer_id, car_model_id]) id
where id is not null group by id;
insert into stock_count
select car_model_id, year, sum(live), 0
from counted cross join lateral generate_series(year_from::int, year_to::int) year
where car_model_id is not null group by car_model_id, year;
insert into stock_pair
select car_model_id, category_id, sum(live)
from counted where car_model_id is not null and category_id is not null group by 1, 2;

analyze stock_count;
analyze stock_pair;
