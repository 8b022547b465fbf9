-- Vehicles that a part fits besides the one it came from, as the text that sellers write (contract/listing/fitment.ts).
alter table listing add column fitment text;

-- What a part fits as marks in its search document: ^ and the end of a make's or model's id, alone and with each year
-- (server/features/listings/find/fitment-marks.ts). Until now a part fits the car it came from.
create function fitment_marks(lookups uuid[], first_year integer, last_year integer) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(
    select '^' || right(lookup::text, 9) || coalesce(lpad(to_hex(year - 1900), 2, '0'), '')
    from unnest(lookups) lookup
    cross join (select generate_series(first_year, last_year) as year union all select null) years
    where lookup is not null));

drop index listing_search_all;
-- No listing changed for anyone who waits for one.
alter table listing_search disable trigger user;
update listing_search t
set document = t.document || fitment_marks(array[l.manufacturer_id, l.car_model_id], l.year_from, l.year_to)
  || case when l.car_model_id is null then '=unlisted'::tsvector else ''::tsvector end
from listing l where l.id = t.listing_id;
alter table listing_search enable trigger user;
create index listing_search_all on listing_search
  using gin (document, category_id, manufacturer_id, car_model_id, seller_id, place);
drop function fitment_marks;
