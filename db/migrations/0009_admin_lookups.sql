-- What admins do with lookups: rename them, make one of two, delete unused ones. And the audit log as people read it.

------------------------------------------------------------------------------------------------ merged lookups

/*
 * A lookup that was merged into another is out of sight at once and goes when nothing points to it any more, which a job
 * sees to. It never points to one that is merged itself. Its name is free meanwhile.
 */
alter table category
  add column merged_into uuid references category check (merged_into <> id),
  drop constraint category_name_unique,
  add constraint category_name_unique unique nulls not distinct (name_key, merged_into);
alter table manufacturer
  add column merged_into uuid references manufacturer check (merged_into <> id),
  drop constraint manufacturer_name_unique,
  add constraint manufacturer_name_unique unique nulls not distinct (name_key, merged_into);
alter table car_model
  add column merged_into uuid references car_model check (merged_into <> id),
  drop constraint car_model_name_unique,
  add constraint car_model_name_unique unique nulls not distinct (manufacturer_id, name_key, merged_into);

create index category_merged on category (merged_into) where merged_into is not null;
create index manufacturer_merged on manufacturer (merged_into) where merged_into is not null;
create index car_model_merged on car_model (merged_into) where merged_into is not null;

-- Other names of models, as categories and manufacturers have them.
create table car_model_alias (
  manufacturer_id uuid not null references manufacturer on delete cascade,
  alias_key text collate "C" not null,
  alias text not null,
  car_model_id uuid not null references car_model on delete cascade,
  primary key (manufacturer_id, alias_key)
);
create index car_model_alias_by_model on car_model_alias (car_model_id);

-- Grows with every rename and merge. Whoever keeps names in memory looks here whether they still hold.
create table lookup_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 1
);
insert into lookup_version default values;

------------------------------------------------------------------------------------------------ what uses a lookup

-- Few distinct keys, so these stay small (7 MB each for a million listings). They count what is not deleted, find what
-- has to follow a merge, and spare a delete the reading of all listings.
create index listing_by_category on listing (category_id, deleted_at);
create index listing_by_manufacturer on listing (manufacturer_id, deleted_at);
create index listing_by_car_model on listing (car_model_id, deleted_at);
create index seller_day_by_category on seller_day (category_id);
create index lookup_change_by_lookup on lookup_change (lookup_id, id);

------------------------------------------------------------------------------------------------ reading the audit log

create index audit_entry_by_time on audit_entry (at, id);
create index audit_entry_by_action on audit_entry (action, at, id);
create index audit_entry_by_target on audit_entry (target, at, id) where target is not null;
