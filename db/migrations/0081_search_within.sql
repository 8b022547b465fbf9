-- "Within 50 miles" also takes parts that ship; searches saved before mean the distance alone.
alter table saved_search add column or_ships boolean not null default false;
