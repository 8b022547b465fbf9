-- An air bag's seller confirms that it was never deployed.
alter table listing add column never_deployed boolean check (never_deployed);

-- Confirmed by an administrator: may list air bags.
alter table seller add column certified boolean default false not null;

-- Part numbers that their makers recalled; the operator loads the list.
create table recalled_part (
  number_key text collate "C" primary key,
  number text not null,
  reason text default '' not null,
  loaded_at timestamptz(3) default now() not null
);
