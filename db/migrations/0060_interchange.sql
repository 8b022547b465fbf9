-- The other numbers of a part, as the text that sellers write (contract/listing/interchange.ts).
alter table listing add column interchange text;

-- Whether a number is compared with those of other yards; contract/listing/interchange.ts says why.
create function links_parts(number text) returns boolean language sql immutable parallel safe strict as $$
  select part_number_key(number) ~ '[0-9]' and length(part_number_key(number)) between 5 and 30
    and btrim(number) !~* '^[0-9]{3}-[0-9]{4,5}[a-z]{0,2}$'
$$;

-- What a seller states of two numbers: that they are the same part, or that `number` replaces `other`. Each is a statement of
-- one seller with its source and date; what they mean together is read by server/features/interchange.
create table interchange_claim (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('same', 'replaces')),
  number text not null check (links_parts(number)),
  other text not null check (links_parts(other)),
  number_key text collate "C" not null generated always as (part_number_key(number)) stored,
  other_key text collate "C" not null generated always as (part_number_key(other)) stored,
  seller_id uuid not null references seller on delete cascade,
  -- The listing that states it; null if the yard states it of the numbers themselves.
  listing_id uuid references listing on delete cascade,
  source text not null check (source in ('yard', 'listing', 'file')),
  stated_at timestamptz(3) not null default now(),
  check (part_number_key(number) <> part_number_key(other)),
  check ((source = 'yard') = (listing_id is null)),
  unique nulls not distinct (seller_id, listing_id, kind, number_key, other_key)
);
create index interchange_claim_by_number on interchange_claim (number_key);
create index interchange_claim_by_other on interchange_claim (other_key);
create index interchange_claim_by_listing on interchange_claim (listing_id) where listing_id is not null;

-- Follows a listing's text, whoever writes it: forms, imports, bulk edits, undo. A part that was sold says what it said.
create function follow_interchange() returns trigger language plpgsql as $$
begin
  with stated as (
    select case when piece like 'replaced by %' then 'replaced by' when piece like 'replaces %' then 'replaces'
           else 'same' end as relation, piece, at
    from regexp_split_to_table(new.interchange, '; ') with ordinality pieces (piece, at)
    where new.deleted_at is null and new.status = 'ACTIVE'
  ), numbers as (
    select relation, at, case relation when 'same' then piece else substr(piece, length(relation) + 2) end as number
    from stated
  ), linking as (
    select * from numbers where links_parts(number)
  ), own as (
    -- A part without a number that links parts has the first that it is the same as.
    select case when links_parts(new.part_number) then new.part_number
           else (select number from linking where relation = 'same' order by at limit 1) end as number
  ), pairs as (
    select case l.relation when 'same' then 'same' else 'replaces' end as kind,
           case when l.relation = 'replaced by' or l.relation = 'same' and part_number_key(l.number) < part_number_key(own.number)
                then l.number else own.number end as number,
           case when l.relation = 'replaced by' or l.relation = 'same' and part_number_key(l.number) < part_number_key(own.number)
                then own.number else l.number end as other
    from linking l, own
    where part_number_key(l.number) <> part_number_key(own.number)
  ), ended as (
    delete from interchange_claim c
    where c.listing_id = new.id and not exists (
      select from pairs p
      where p.kind = c.kind and part_number_key(p.number) = c.number_key and part_number_key(p.other) = c.other_key
    )
  )
  insert into interchange_claim (kind, number, other, seller_id, listing_id, source)
  select p.kind, p.number, p.other, new.seller_id, new.id,
         case when exists (
           select from change_set s
           where s.id = nullif(current_setting('partharbor.change_set', true), '')::uuid and s.import_id is not null
         ) then 'file' else 'listing' end
  from pairs p
  on conflict do nothing;
  return null;
end $$;

create trigger listing_states_interchange after insert on listing
  for each row when (new.interchange is not null) execute function follow_interchange();
create trigger listing_restates_interchange after update on listing
  for each row when (
    (old.interchange is not null or new.interchange is not null)
    and (old.interchange, old.part_number, old.status, old.deleted_at)
      is distinct from (new.interchange, new.part_number, new.status, new.deleted_at)
  ) execute function follow_interchange();

-- Writes of listings are counted already.
create trigger interchange_is_public after insert on interchange_claim
  for each row when (new.listing_id is null) execute function note_public_change();
create trigger interchange_was_public after delete on interchange_claim
  for each row when (old.listing_id is null) execute function note_public_change();
