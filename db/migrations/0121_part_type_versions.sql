-- How often anything of a part type was changed, so that a page that shows a few part types is made again only when one of
-- those changed (docs/decisions/0116). Kept like the tally: changes are added, and folded into versions now and then.
create table part_type_version (
  category_id uuid primary key,
  writes bigint not null
) with (fillfactor = 70);

-- Listings of no part type are those of 0000…; what is of all part types, such as a name, is a change of ffff….
create table part_type_change (
  category_id uuid not null,
  writes integer not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

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
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), count(*) from added group by 1;
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
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), count(*) from removed group by 1;
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
  -- Where it was, too: it is gone from there.
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), count(*)
  from (select category_id from added union all select category_id from removed) as changed
  group by 1;
  return null;
end $$;

-- Changes that are no seller's are those of everything, also when a process of an older version notes them.
create function note_change_of_everything() returns trigger language plpgsql as $$
begin
  insert into part_type_change values ('ffffffff-ffff-ffff-ffff-ffffffffffff', new.writes);
  return null;
end $$;
create trigger change_of_everything after insert on listing_tally_change
  for each row when (new.seller_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  execute function note_change_of_everything();

-- A picture is its listing's, and most statements that remove pictures find none.
create function note_changed_pictures() returns trigger language plpgsql as $$
begin
  with of_listing as materialized (
    select l.seller_id, l.category_id from listing l where l.id in (select listing_id from changed)
  ), noted as (
    insert into listing_tally_change select seller_id, 0, 0, 0, count(*) from of_listing group by seller_id
  )
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), count(*) from of_listing group by 1;
  return null;
end $$;
drop trigger listing_image_is_public on listing_image;
create trigger picture_added_is_public after insert on listing_image
  referencing new table as changed for each statement execute function note_changed_pictures();
create trigger picture_changed_is_public after update on listing_image
  referencing new table as changed for each statement execute function note_changed_pictures();
create trigger picture_removed_is_public after delete on listing_image
  referencing old table as changed for each statement execute function note_changed_pictures();
