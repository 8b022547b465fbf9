-- Where listings are, and what buyers filter them by.

------------------------------------------------------------------------------------------------ places

-- A place is a point in one integer, to a hundredth of a degree (about half a mile): it fits an index, and the parts of one
-- yard share it.
create function place_at(latitude double precision, longitude double precision) returns integer
  language sql immutable strict parallel safe
  return round((latitude + 90) * 100)::integer * 36001 + round((longitude + 180) * 100)::integer;
create function place_latitude(place integer) returns double precision
  language sql immutable strict parallel safe return place / 36001 / 100::double precision - 90;
create function place_longitude(place integer) returns double precision
  language sql immutable strict parallel safe return place % 36001 / 100::double precision - 180;

-- By the haversine formula on a sphere of the earth's mean radius, 3,958.8 miles: at most half a percent off.
create function miles_between(a integer, b integer) returns double precision
  language sql immutable strict parallel safe
  return 2 * 3958.8 * asin(least(1, sqrt(
    power(sind((place_latitude(b) - place_latitude(a)) / 2), 2)
    + cosd(place_latitude(a)) * cosd(place_latitude(b)) * power(sind((place_longitude(b) - place_longitude(a)) / 2), 2))));

-- "St. Louis" and "saint louis" are one city.
create function city_key(city text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(lower(btrim(city)),
    '^(saint|st\.?)\s+', 'st '), '^(fort|ft\.?)\s+', 'ft '), '^(mount|mt\.?)\s+', 'mt ');

-- US ZIP codes, from db/data/zips.csv (GeoNames, CC BY 4.0; see db/data/README.md).
create table zip (
  zip text collate "C" primary key,
  city text not null,
  state text not null,
  place integer not null
);
insert into zip
select cell[1], cell[2], cell[3], place_at(cell[4]::double precision, cell[5]::double precision)
from (
  select string_to_array(line, ',') as cell
  from string_to_table(:'zips.csv', e'\n') with ordinality as t(line, number) where number > 1 and line <> ''
) row
-- A few are listed once for the post office and once for the base.
on conflict do nothing;
create index zip_by_city on zip (state, city_key(city));

-- Coordinates, otherwise the place of the ZIP code, the middle of the city, or null. Spreadsheets eat the zero that a ZIP code
-- begins with.
create function place_of(latitude double precision, longitude double precision, zip_code text, city_name text,
                         state_code text) returns integer
  language sql stable parallel safe
  return coalesce(
    case when latitude <> 0 or longitude <> 0 then place_at(latitude, longitude) end,
    (select z.place from zip z where z.zip = lpad(substring(zip_code from '^\s*(\d{4,5})(?:-\d{4})?\s*$'), 5, '0')),
    (select place_at(avg(place_latitude(z.place)), avg(place_longitude(z.place))) from zip z
     where z.state = state_code and city_key(z.city) = city_key(city_name)));

-- Where a listing is; one that does not say is at its seller's yard.
create function place_of_listing(latitude double precision, longitude double precision, zip_code text, city_name text,
                                 state_code text, owner_id uuid) returns integer
  language sql stable parallel safe
  return coalesce(
    place_of(latitude, longitude, zip_code, city_name, state_code),
    (select place_of(y.latitude, y.longitude, y.zip, y.city, y.state) from seller_location y
     where y.seller_id = owner_id order by y.id limit 1));

------------------------------------------------------------------------------------------------ search rows

-- The mark of a listing with a picture in its search document.
create function picture_mark(listing uuid) returns tsvector
  language sql stable parallel safe
  return case when exists (select from listing_image i where i.listing_id = listing and i.state = 'ready')
              then '=picture'::tsvector else ''::tsvector end;

-- Documents get a mark for each fact that buyers filter by; all of it is written again, so that the index is built once.
alter table listing_search rename to listing_search_before;
alter table listing_search_before rename constraint listing_search_pkey to listing_search_before_pkey;
alter table listing_search_before rename constraint listing_search_listing_id_fkey to listing_search_before_fkey;
create table listing_search (
  listing_id uuid primary key references listing on delete cascade,
  seller_id uuid not null,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  live boolean not null,
  hidden boolean not null default false,
  place integer,
  document tsvector not null
);
insert into listing_search
select l.id, l.seller_id, s.category_id, s.manufacturer_id, s.car_model_id, s.live, s.hidden,
       place_of_listing(l.latitude, l.longitude, l.zip, l.city, l.state, l.seller_id),
       s.document || picture_mark(l.id) || array_to_tsvector(array_remove(array[
         '=' || lower(l.grade),
         '=' || l.shipping_kind,
         case when left_words and not right_words then '=left' when right_words and not left_words then '=right' end,
         case when ticket % 8 = 0 then '=8th' end,
         case when ticket % 64 = 0 then '=64th' end,
         case when ticket % 512 = 0 then '=512th' end
       ], null))
from listing_search_before s join listing l on l.id = s.listing_id
cross join lateral (
  select lower(l.name) ~ '\m(lh|lhs|left|lf|lr|fl|rl|driver|drivers|driverside)\M' as left_words,
         lower(l.name) ~ '\m(rh|rhs|right|rf|rr|passenger|passengers|passengerside)\M' as right_words,
         ('x' || right(l.id::text, 4))::bit(16)::integer as ticket
) facts;
drop table listing_search_before;

-- As before, and by place.
create index listing_search_all on listing_search
  using gin (document, category_id, manufacturer_id, car_model_id, seller_id, place);
create index listing_search_hidden on listing_search (listing_id desc) where hidden;

-- The places that listings have, or had: a distance is computed for each of these instead of each listing.
create table listing_place (place integer primary key);
insert into listing_place select distinct place from listing_search where place is not null;

create function note_places() returns trigger language plpgsql as $$
begin
  insert into listing_place
  select distinct place from added
  where place is not null and not exists (select from listing_place known where known.place = added.place)
  order by place
  on conflict do nothing;
  return null;
end $$;
create trigger listing_search_added after insert on listing_search
  referencing new table as added for each statement execute function note_places();
create trigger listing_search_changed after update on listing_search
  referencing new table as added for each statement execute function note_places();

create function follow_picture() returns trigger language plpgsql as $$
declare
  listing uuid := coalesce(new.listing_id, old.listing_id);
  mark tsvector := picture_mark(listing);
begin
  update listing_search set document = ts_delete(document, '=picture') || mark
  where listing_id = listing and (document @@ '''=picture''') <> (mark <> '');
  return null;
end $$;
create trigger listing_image_added after insert on listing_image
  for each row when (new.state = 'ready') execute function follow_picture();
create trigger listing_image_removed after delete on listing_image
  for each row when (old.state = 'ready') execute function follow_picture();
create trigger listing_image_changed after update of state on listing_image
  for each row when (new.state <> old.state) execute function follow_picture();
