-- Parts of universal categories, such as tires, need no vehicle: no year, make or model. A make or model that a part does not have
-- is '', as it was; a year that it does not have is null.

-- Null: as built in, for whoever loads the built-in categories; else an administrator's choice.
alter table category add column universal boolean;

alter table listing alter column year_from drop not null;
alter table listing alter column year_to drop not null;
alter table stock_change alter column year_from drop not null;
alter table stock_change alter column year_to drop not null;

-- Checked for new rows: all that are there have both years.
alter table listing add constraint listing_years check ((year_from is null) = (year_to is null)) not valid;

create function refuse_missing_vehicle() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null and not exists (select from category where id = new.category_id and universal) then
    raise exception 'a listing of this category needs a year, a make and a model'
      using errcode = 'check_violation', table = 'listing', constraint = 'listing_vehicle';
  end if;
  return new;
end $$;

create trigger listing_vehicle before insert on listing for each row
  when (new.year_from is null or new.manufacturer_name = '' or new.model_name = '')
  execute function refuse_missing_vehicle();

-- Listings of before that lack a make or model can still be changed.
create trigger listing_vehicle_kept before update of category_id, year_from, manufacturer_name, model_name on listing for each row
  when (new.year_from is null or (new.manufacturer_name = '' and old.manufacturer_name <> '')
        or (new.model_name = '' and old.model_name <> ''))
  execute function refuse_missing_vehicle();
