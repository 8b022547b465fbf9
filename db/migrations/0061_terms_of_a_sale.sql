-- The terms of a sale. Null means that the seller states nothing, which is not 0.
alter table listing
  add column warranty_days smallint check (warranty_days between 0 and 3650),
  add column as_is boolean check (as_is),
  add column return_days smallint check (return_days between 0 and 365),
  add column restock_pct smallint check (restock_pct between 0 and 100),
  add column core_cents integer check (core_cents between 0 and 9999999),
  add column core_days smallint check (core_days between 0 and 365),
  add column core_part text;
