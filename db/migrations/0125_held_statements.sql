-- A yard's statements of other numbers count up to a limit a day, however they are made. What listings state beyond that is kept
-- with them and counts on a later day (server/features/listings/search-row/held-statements.ts).
create table held_statement (
  listing_id uuid primary key references listing on delete cascade,
  seller_id uuid not null references seller on delete cascade,
  source text not null check (source in ('listing', 'file')),
  held_at timestamptz(3) not null default now()
);
create index held_statement_by_seller on held_statement (seller_id, held_at);
create index interchange_claim_by_day on interchange_claim (seller_id, stated_at);

-- Follows a listing's text, whoever writes it: forms, imports, bulk edits, undo. A part that was sold says what it said.
create function state_interchange(l listing, as_source text) returns void language plpgsql as $$
begin
  with stated as (
    select case when piece like 'replaced by %' then 'replaced by' when piece like 'replaces %' then 'replaces'
           else 'same' end as relation, piece, at
    from regexp_split_to_table(l.interchange, '; ') with ordinality pieces (piece, at)
    where l.deleted_at is null and l.status = 'ACTIVE'
      and not exists (select from held_statement h where h.listing_id = l.id)
  ), numbers as (
    select relation, at, case relation when 'same' then piece else substr(piece, length(relation) + 2) end as number
    from stated
  ), linking as (
    select * from numbers where links_parts(number)
  ), own as (
    -- A part without a number that links parts has the first that it is the same as.
    select case when links_parts(l.part_number) then l.part_number
           else (select number from linking where relation = 'same' order by at limit 1) end as number
  ), pairs as (
    select case k.relation when 'same' then 'same' else 'replaces' end as kind,
           case when k.relation = 'replaced by' or k.relation = 'same' and part_number_key(k.number) < part_number_key(own.number)
                then k.number else own.number end as number,
           case when k.relation = 'replaced by' or k.relation = 'same' and part_number_key(k.number) < part_number_key(own.number)
                then own.number else k.number end as other
    from linking k, own
    where part_number_key(k.number) <> part_number_key(own.number)
  ), ended as (
    delete from interchange_claim c
    where c.listing_id = l.id and not exists (
      select from pairs p
      where p.kind = c.kind and part_number_key(p.number) = c.number_key and part_number_key(p.other) = c.other_key
    )
  )
  insert into interchange_claim (kind, number, other, seller_id, listing_id, source)
  select p.kind, p.number, p.other, l.seller_id, l.id, as_source
  from pairs p
  on conflict do nothing;
end $$;

create or replace function follow_interchange() returns trigger language plpgsql as $$
begin
  perform state_interchange(new, case when exists (
    select from change_set s
    where s.id = nullif(current_setting('partharbor.change_set', true), '')::uuid and s.import_id is not null
  ) then 'file' else 'listing' end);
  return null;
end $$;
