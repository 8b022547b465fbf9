-- Made by "npm run db:types" from db/migrations. Reviewed with every change, never edited.

-- Extensions

create extension btree_gin;

create extension citext;

create extension unaccent;

-- Functions

CREATE OR REPLACE FUNCTION public.city_key(city text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(regexp_replace(regexp_replace(lower(btrim(city)), '^(saint|st\.?)\s+'::text, 'st '::text), '^(fort|ft\.?)\s+'::text, 'ft '::text), '^(mount|mt\.?)\s+'::text, 'mt '::text);

CREATE OR REPLACE FUNCTION public.ensure_month_partitions(today date DEFAULT CURRENT_DATE)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  parent text;
  month date;
begin
  foreach parent in array array['audit_entry', 'listing_view', 'listing_change', 'job_event'] loop
    for n in 0..2 loop
      month := (date_trunc('month', today) + make_interval(months => n))::date;
      if to_regclass(format('%s_%s', parent, to_char(month, 'YYYYMM'))) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            format('%s_%s', parent, to_char(month, 'YYYYMM')), parent, month, (month + interval '1 month')::date);
        exception when check_violation then
          raise warning '% has rows of % in its default partition', parent, to_char(month, 'YYYY-MM');
        end;
      end if;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_interchange()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform state_interchange(new, case when exists (
    select from change_set s
    where s.id = nullif(current_setting('partharbor.change_set', true), '')::uuid and s.import_id is not null
  ) then 'file' else 'listing' end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  listing uuid := coalesce(new.listing_id, old.listing_id);
  mark tsvector := picture_mark(listing);
begin
  update listing_search set document = ts_delete(document, '=picture') || mark
  where listing_id = listing and (document @@ '''=picture''') <> (mark <> '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_staging_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  file uuid := (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid;
begin
  perform from staging_file where id = file for no key update;
  update staging_file f set state = staging_state(file) where f.id = file and f.state <> staging_state(file);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.links_parts(number text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select part_number_key(number) ~ '[0-9]' and length(part_number_key(number)) between 5 and 30
    and btrim(number) !~* '^[0-9]{3}-[0-9]{4,5}[a-z]{0,2}$'
$function$;

CREATE OR REPLACE FUNCTION public.miles_between(a integer, b integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((2)::double precision * (3958.8)::double precision) * atan2(sqrt((power(sind(((place_latitude(b) - place_latitude(a)) / (2)::double precision)), (2)::double precision) + ((cosd(place_latitude(a)) * cosd(place_latitude(b))) * power(sind(((place_longitude(b) - place_longitude(a)) / (2)::double precision)), (2)::double precision)))), sqrt(abs((((1)::double precision - power(sind(((place_latitude(b) - place_latitude(a)) / (2)::double precision)), (2)::double precision)) - ((cosd(place_latitude(a)) * cosd(place_latitude(b))) * power(sind(((place_longitude(b) - place_longitude(a)) / (2)::double precision)), (2)::double precision)))))));

CREATE OR REPLACE FUNCTION public.model_words(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower((((((' '::text || regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text)) || ' '::text) || regexp_replace(name, '[-/.&'']'::text, ''::text, 'g'::text)) || ' '::text) || regexp_replace(name, '[^[:alnum:]]+'::text, ''::text, 'g'::text)));

CREATE OR REPLACE FUNCTION public.name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(regexp_replace(name, '\s+'::text, ''::text, 'g'::text));

CREATE OR REPLACE FUNCTION public.note_added_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_arrival (kind, listing_ids)
  select 'new', array_agg(listing_id)
  from (select listing_id, (row_number() over () - 1) / 1000 as part from added where live) arrived
  group by part;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_change_of_everything()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into part_type_change values ('ffffffff-ffff-ffff-ffff-ffffffffffff', new.writes);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_changed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_arrival (kind, listing_ids)
  select kind, array_agg(listing_id)
  from (
    select kind, listing_id, (row_number() over (partition by kind) - 1) / 1000 as part
    from (
      select n.listing_id, case when o.live then 'changed' else 'new' end as kind
      from added n join removed o on o.listing_id = n.listing_id
      where n.live and (not o.live or n.document <> o.document
        or (n.category_id, n.manufacturer_id, n.car_model_id, n.place)
          is distinct from (o.category_id, o.manufacturer_id, o.car_model_id, o.place))
    ) changed
  ) numbered
  group by kind, part;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_changed_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into part_type_change
  select 'eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 1 where exists (select from changed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_changed_pictures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with of_listing as materialized (
    select l.seller_id, l.category_id from listing l where l.id in (select listing_id from changed)
  ), noted as (
    insert into listing_tally_change select seller_id, 0, 0, 0, count(*) from of_listing group by seller_id
  )
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), count(*) from of_listing group by 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_cheaper_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_arrival (kind, listing_ids, former_cents)
  select 'cheaper', array_agg(id), array_agg(former)
  from (
    select n.id, o.price_cents as former, (row_number() over () - 1) / 1000 as part
    from added n join removed o on o.id = n.id
    where n.price_cents < o.price_cents and n.status = 'ACTIVE' and n.ended_at is null and n.deleted_at is null
  ) cheaper
  group by part;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_fit_outcome()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_tally_change values ('eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 0, 0, 0, 1);
  insert into part_type_change values ('eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee', 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_hold(held uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into listing_tally_change select seller_id, 0, 0, 0, 1 from listing where id = held;
  insert into part_type_change
  select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), 1 from listing where id = held;
$function$;

CREATE OR REPLACE FUNCTION public.note_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_place
  select distinct place from added
  where place is not null and not exists (select from listing_place known where known.place = added.place)
  order by place
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_public_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into listing_tally_change values ('ffffffff-ffff-ffff-ffff-ffffffffffff', 0, 0, 0, 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.part_number_key(part_number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN upper(regexp_replace(part_number, '[^[:alnum:]]'::text, ''::text, 'g'::text));

CREATE OR REPLACE FUNCTION public.picture_key(listing_id uuid, days_ago integer)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select left(encode(sha256(convert_to(
    concat_ws(' ', secret, listing_id, floor(extract(epoch from now()) / 86400)::integer - days_ago), 'UTF8')), 'hex'), 32)
  from picture_secret
$function$;

CREATE OR REPLACE FUNCTION public.picture_mark(listing uuid)
 RETURNS tsvector
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (EXISTS (SELECT FROM listing_image i WHERE ((i.listing_id = picture_mark.listing) AND (i.state = 'ready'::text)))) THEN '''=picture'''::tsvector ELSE ''::tsvector END;

CREATE OR REPLACE FUNCTION public.place_at(latitude double precision, longitude double precision)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((round(((latitude + (90)::double precision) * (100)::double precision)))::integer * 36001) + (round(((longitude + (180)::double precision) * (100)::double precision)))::integer);

CREATE OR REPLACE FUNCTION public.place_latitude(place integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((((place / 36001))::double precision / (100)::double precision) - (90)::double precision);

CREATE OR REPLACE FUNCTION public.place_longitude(place integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((((place % 36001))::double precision / (100)::double precision) - (180)::double precision);

CREATE OR REPLACE FUNCTION public.place_of(latitude double precision, longitude double precision, zip_code text, city_name text, state_code text)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE(CASE WHEN ((latitude <> (0)::double precision) OR (longitude <> (0)::double precision)) THEN place_at(latitude, longitude) ELSE NULL::integer END, (SELECT z.place FROM zip z WHERE (z.zip = lpad("substring"(place_of.zip_code, '^\s*(\d{4,5})(?:-\d{4})?\s*$'::text), 5, '0'::text))), (SELECT place_at(avg(place_latitude(z.place)), avg(place_longitude(z.place))) AS place_at FROM zip z WHERE ((z.state = place_of.state_code) AND (city_key(z.city) = city_key(place_of.city_name)))));

CREATE OR REPLACE FUNCTION public.place_of_listing(latitude double precision, longitude double precision, zip_code text, city_name text, state_code text, owner_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE(place_of(latitude, longitude, zip_code, city_name, state_code), (SELECT place_of(y.latitude, y.longitude, y.zip, y.city, y.state) AS place_of FROM seller_location y WHERE (y.seller_id = place_of_listing.owner_id) ORDER BY y.id LIMIT 1));

CREATE OR REPLACE FUNCTION public.refuse_change_of_ordered_part()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  held integer;
begin
  if coalesce(current_setting('partharbor.ordering', true), '') <> '' then return new; end if;
  if old.ended_at is not null and new.ended_at is null and old.ended_reason = 'sold-here' and exists (
    select from order_line l join part_order o on o.id = l.order_id
    where l.listing_id = new.id and o.state in ('confirmed', 'ready', 'shipped')
  ) then
    raise exception 'listing % is in an order', new.id using errcode = 'PH001';
  end if;
  select coalesce(sum(quantity), 0) into held from part_hold where listing_id = new.id and ended_at is null;
  if held = 0 then return new; end if;
  if (new.ended_at is not null and old.ended_at is null)
     or (new.deleted_at is not null and old.deleted_at is null)
     or (new.status <> 'ACTIVE' and old.status = 'ACTIVE')
     or (new.quantity < old.quantity and new.quantity < held) then
    raise exception 'listing % is in an order', new.id using errcode = 'PH001';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_missing_vehicle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deleted_at is null and not exists (select from category where id = new.category_id and universal) then
    raise exception 'a listing of this category needs a year, a make and a model'
      using errcode = 'check_violation', table = 'listing', constraint = 'listing_vehicle';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_rewriting_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('partharbor.erasing', true) = 'on' and new.ip is null
    and (new.id, new.at, new.action, new.actor_user_id, new.request_id)
      is not distinct from (old.id, old.at, old.action, old.actor_user_id, old.request_id)
  then
    return new;
  end if;
  raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_rewriting_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries of the ledger are never changed; write a new one' using errcode = 'insufficient_privilege';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_write_without_change_set()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(current_setting('partharbor.change_set', true), '') = '' then
    raise exception 'a write to % needs a change set in the same transaction', tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.seller_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(regexp_replace(regexp_replace(NORMALIZE(name, NFKD), '\mand\M|([ ,.]+(llc|inc|co|corp|ltd))+[ .]*$'::text, ''::text, 'gi'::text), '[^a-zA-Z0-9]+'::text, ''::text, 'g'::text));

CREATE OR REPLACE FUNCTION public.staging_state(file uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when p.state = 'undone' and (p.applied > 0 or p.applied_at is not null) then 'rolled back'
    when v.rows > 0 and (p.state in ('applied', 'undoing') or (p.state = 'failed' and p.applied > 0)) then 'live'
    when p.state = 'applying' or (p.state in ('planning', 'planned') and p.approved_at is not null) then 'promoted'
    when v.message = 'Taxonomy' then 'resolved'
    else 'staged'
  end
  from staging_file f
  left join staging_version v on v.file_id = f.id and v.version = f.version
  left join lateral (
    select state, applied, applied_at, approved_at from promotion
    where file_id = f.id and version = f.version order by id desc limit 1
  ) p on true
  where f.id = file
$function$;

CREATE OR REPLACE FUNCTION public.state_interchange(l listing, as_source text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

-- Tables

create table account_closure (
  user_id uuid not null,
  asked_at timestamp(3) with time zone not null,
  erase_after timestamp(3) with time zone not null,
  reopened_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  taken_down_at timestamp(3) with time zone not null,
  constraint account_closure_pkey PRIMARY KEY (user_id),
  constraint account_closure_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint account_closure_check CHECK (((reopened_at IS NULL) OR (erased_at IS NULL)))
);

create table address_link (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email citext not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint address_link_pkey PRIMARY KEY (token_hash),
  constraint address_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint address_link_email_check CHECK ((char_length((email)::text) <= 254)),
  constraint address_link_purpose_check CHECK ((purpose = ANY (ARRAY['confirm'::text, 'restore'::text])))
);

create table api_token (
  id uuid default uuidv7() not null,
  token_hash bytea not null,
  user_id uuid not null,
  seller_id uuid not null,
  name text not null,
  ending text not null,
  scopes text[] not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  constraint api_token_pkey PRIMARY KEY (id),
  constraint api_token_token_hash_key UNIQUE (token_hash),
  constraint api_token_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint api_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint api_token_ending_check CHECK ((char_length(ending) = 4)),
  constraint api_token_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 80))),
  constraint api_token_scopes_check CHECK ((cardinality(scopes) > 0))
);

create table app_user (
  id uuid default uuidv7() not null,
  name text not null,
  email citext not null,
  password_hash text not null,
  role smallint default 0 not null,
  disabled_at timestamp(3) with time zone,
  email_verified_at timestamp(3) with time zone,
  terms_accepted_at timestamp(3) with time zone,
  notification_prefs jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  pending_email citext,
  unsubscribe_key uuid default gen_random_uuid() not null,
  last_seen_at timestamp(3) with time zone,
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_key UNIQUE (email),
  constraint app_user_unsubscribe_key UNIQUE (unsubscribe_key),
  constraint app_user_email_check CHECK ((char_length((email)::text) <= 254)),
  constraint app_user_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint app_user_pending_email_check CHECK ((char_length((pending_email)::text) <= 254)),
  constraint app_user_role_check CHECK ((role = ANY (ARRAY[0, 1])))
);

create table audit_entry (
  id uuid default uuidv7() not null,
  at timestamp(3) with time zone default now() not null,
  action text not null,
  actor_user_id uuid,
  target text,
  ip inet,
  request_id text,
  detail jsonb default '{}'::jsonb not null,
  job_id uuid,
  constraint audit_entry_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);

create table banned_listing (
  listing_id uuid not null,
  constraint banned_listing_pkey PRIMARY KEY (listing_id),
  constraint banned_listing_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
);

create table book_check (
  only_row boolean default true not null,
  at timestamp(3) with time zone not null,
  compared integer not null,
  constraint book_check_pkey PRIMARY KEY (only_row),
  constraint book_check_only_row_check CHECK (only_row)
);

create table book_difference (
  id uuid default uuidv7() not null,
  key text collate "C" not null,
  order_id uuid,
  text text not null,
  found_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  gone_at timestamp(3) with time zone,
  constraint book_difference_pkey PRIMARY KEY (id),
  constraint book_difference_key_key UNIQUE (key),
  constraint book_difference_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE
);

create table built_in_word (
  word_key text collate "C" not null,
  row_id uuid,
  loaded_at timestamp(3) with time zone default now() not null,
  constraint built_in_word_pkey PRIMARY KEY (word_key)
);

create table car_model (
  id uuid default uuidv7() not null,
  manufacturer_id uuid not null,
  category_id uuid,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  model_years int4multirange default '{}'::int4multirange not null,
  body_styles text[] default '{}'::text[] not null,
  confirmed boolean default true not null,
  created_at timestamp(3) with time zone default now() not null,
  words text generated always as (model_words(name)) stored,
  merged_into uuid,
  made_by uuid,
  constraint car_model_pkey PRIMARY KEY (id),
  constraint car_model_name_unique UNIQUE NULLS NOT DISTINCT (manufacturer_id, name_key, merged_into),
  constraint car_model_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id),
  constraint car_model_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturer(id),
  constraint car_model_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES car_model(id),
  constraint car_model_check CHECK ((merged_into <> id)),
  constraint car_model_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 80)))
);

create table car_model_alias (
  manufacturer_id uuid not null,
  alias_key text collate "C" not null,
  alias text not null,
  car_model_id uuid not null,
  body_style text,
  trim_name text,
  constraint car_model_alias_pkey PRIMARY KEY (manufacturer_id, alias_key),
  constraint car_model_alias_car_model_id_fkey FOREIGN KEY (car_model_id) REFERENCES car_model(id) ON DELETE CASCADE,
  constraint car_model_alias_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturer(id) ON DELETE CASCADE
);

create table category (
  id uuid default uuidv7() not null,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  group_id uuid,
  confirmed boolean default true not null,
  created_at timestamp(3) with time zone default now() not null,
  merged_into uuid,
  made_by uuid,
  universal boolean,
  constraint category_pkey PRIMARY KEY (id),
  constraint category_name_unique UNIQUE NULLS NOT DISTINCT (name_key, merged_into),
  constraint category_group_id_fkey FOREIGN KEY (group_id) REFERENCES category_group(id),
  constraint category_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES category(id),
  constraint category_check CHECK ((merged_into <> id)),
  constraint category_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 80)))
);

create table category_alias (
  alias_key text collate "C" not null,
  alias text not null,
  category_id uuid not null,
  constraint category_alias_pkey PRIMARY KEY (alias_key),
  constraint category_alias_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON DELETE CASCADE
);

create table category_decision (
  id uuid default uuidv7() not null,
  typed text not null,
  typed_key text collate "C" generated always as (name_key(typed)) stored not null,
  about text not null,
  about_key text collate "C" generated always as (name_key(about)) stored not null,
  category_id uuid not null,
  decided_by uuid,
  decided_at timestamp(3) with time zone default now() not null,
  constraint category_decision_pkey PRIMARY KEY (id),
  constraint category_decision_once UNIQUE (typed_key, about_key),
  constraint category_decision_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON DELETE CASCADE,
  constraint category_decision_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint category_decision_about_check CHECK (((char_length(about) >= 1) AND (char_length(about) <= 200))),
  constraint category_decision_typed_check CHECK (((char_length(typed) >= 1) AND (char_length(typed) <= 200)))
);

create table category_group (
  id uuid default uuidv7() not null,
  key text collate "C" not null,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  "position" integer default 0 not null,
  constraint category_group_pkey PRIMARY KEY (id),
  constraint category_group_key_key UNIQUE (key),
  constraint category_group_name_key_key UNIQUE (name_key)
);

create table change_set (
  id uuid default uuidv7() not null,
  actor_user_id uuid,
  actor_kind text not null,
  on_behalf_of uuid,
  job_id uuid,
  import_id uuid,
  request_id text,
  reason text not null,
  at timestamp(3) with time zone default now() not null,
  constraint change_set_pkey PRIMARY KEY (id),
  constraint change_set_actor_user_id_fkey FOREIGN KEY (actor_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint change_set_on_behalf_of_fkey FOREIGN KEY (on_behalf_of) REFERENCES seller(id) ON DELETE SET NULL,
  constraint change_set_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'job'::text, 'system'::text])))
);

create table change_set_undo (
  change_set_id uuid not null,
  undo_change_set_id uuid not null,
  constraint change_set_undo_pkey PRIMARY KEY (change_set_id),
  constraint change_set_undo_undo_change_set_id_key UNIQUE (undo_change_set_id),
  constraint change_set_undo_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_set(id),
  constraint change_set_undo_undo_change_set_id_fkey FOREIGN KEY (undo_change_set_id) REFERENCES change_set(id)
);

create table confirmed_device (
  token_hash bytea not null,
  email_hash bytea not null,
  confirmed_at timestamp(3) with time zone not null,
  constraint confirmed_device_pkey PRIMARY KEY (token_hash)
);

create table empty_search (
  words text collate "C" not null,
  times integer default 1 not null,
  first_at timestamp(3) with time zone default now() not null,
  last_at timestamp(3) with time zone default now() not null,
  constraint empty_search_pkey PRIMARY KEY (words),
  constraint empty_search_words_check CHECK (((char_length(words) >= 1) AND (char_length(words) <= 200)))
);

create table factor (
  id uuid default uuidv7() not null,
  user_id uuid not null,
  kind text not null,
  name text not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone,
  secret text,
  last_step bigint,
  credential_id text collate "C",
  public_key bytea,
  sign_count bigint,
  transports text[] default '{}'::text[] not null,
  constraint factor_pkey PRIMARY KEY (id),
  constraint factor_credential_id_key UNIQUE (credential_id),
  constraint factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint factor_check CHECK (((kind <> 'totp'::text) OR ((secret IS NOT NULL) AND (last_step IS NOT NULL)))),
  constraint factor_check1 CHECK (((kind <> 'passkey'::text) OR ((credential_id IS NOT NULL) AND (public_key IS NOT NULL) AND (sign_count IS NOT NULL)))),
  constraint factor_kind_check CHECK ((kind = ANY (ARRAY['passkey'::text, 'totp'::text]))),
  constraint factor_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);

create table factor_ticket (
  token_hash bytea not null,
  user_id uuid,
  purpose text not null,
  challenge text,
  secret text,
  verified_digest bytea,
  attempts integer default 0 not null,
  expires_at timestamp(3) with time zone not null,
  constraint factor_ticket_pkey PRIMARY KEY (token_hash),
  constraint factor_ticket_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint factor_ticket_purpose_check CHECK ((purpose = ANY (ARRAY['sign-in'::text, 'known-by-passkey'::text, 'reauth'::text, 'add-passkey'::text, 'add-totp'::text])))
);

create table file_shape (
  seller_id uuid not null,
  shape bytea not null,
  mapping jsonb not null,
  defaults jsonb not null,
  mode text,
  answers jsonb not null,
  used_at timestamp(3) with time zone default now() not null,
  reading jsonb,
  constraint file_shape_pkey PRIMARY KEY (seller_id, shape),
  constraint file_shape_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint file_shape_mode_check CHECK ((mode = ANY (ARRAY['add'::text, 'replace'::text]))),
  constraint file_shape_shape_check CHECK ((octet_length(shape) = 32))
);

create table fit_outcome (
  order_line_id uuid not null,
  number_key text collate "C" not null,
  year smallint,
  make text,
  model text,
  came_back boolean not null,
  constraint fit_outcome_pkey PRIMARY KEY (order_line_id),
  constraint fit_outcome_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_line(id) ON DELETE CASCADE
);

create table garage_vehicle (
  user_id uuid not null,
  car_model_id uuid not null,
  year smallint not null,
  used_at timestamp(3) with time zone not null,
  constraint garage_vehicle_pkey PRIMARY KEY (user_id, car_model_id, year),
  constraint garage_vehicle_car_model_id_fkey FOREIGN KEY (car_model_id) REFERENCES car_model(id) ON DELETE CASCADE,
  constraint garage_vehicle_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint garage_vehicle_year_check CHECK (((year >= 1900) AND (year <= 2100)))
);

create table gone_seller (
  seller_id uuid not null,
  state text not null,
  since timestamp(3) with time zone default now() not null,
  constraint gone_seller_pkey PRIMARY KEY (seller_id),
  constraint gone_seller_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint gone_seller_state_check CHECK ((state = ANY (ARRAY['disabled'::text, 'closed'::text])))
);

create table held_statement (
  listing_id uuid not null,
  seller_id uuid not null,
  source text not null,
  held_at timestamp(3) with time zone default now() not null,
  constraint held_statement_pkey PRIMARY KEY (listing_id),
  constraint held_statement_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint held_statement_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint held_statement_source_check CHECK ((source = ANY (ARRAY['listing'::text, 'file'::text])))
);

create table hold_watch (
  listing_id uuid not null,
  email text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint hold_watch_pkey PRIMARY KEY (listing_id, email),
  constraint hold_watch_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
);

create table idempotency_record (
  owner text collate "C" not null,
  key text collate "C" not null,
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint idempotency_record_pkey PRIMARY KEY (owner, key),
  constraint idempotency_record_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200)))
);

create table import (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  created_by uuid,
  dry_run boolean not null,
  key text collate "C" not null,
  request_hash bytea not null,
  file_name text default ''::text not null,
  mode text default 'add'::text not null,
  mapping jsonb not null,
  defaults jsonb default '{}'::jsonb not null,
  staging jsonb default '{}'::jsonb not null,
  header text[],
  chunk_count integer default 1 not null,
  state text default 'receiving'::text not null,
  received integer default 0 not null,
  total bigint default 0 not null,
  rejected bigint default 0 not null,
  bytes bigint default 0 not null,
  staging_file_id uuid,
  created_at timestamp(3) with time zone default now() not null,
  staged_at timestamp(3) with time zone,
  withdrawn_at timestamp(3) with time zone,
  reading jsonb,
  answers jsonb,
  constraint import_pkey PRIMARY KEY (id),
  constraint import_key_unique UNIQUE (seller_id, dry_run, key),
  constraint import_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint import_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint import_staging_file_id_fkey FOREIGN KEY (staging_file_id) REFERENCES staging_file(id),
  constraint import_chunk_count_check CHECK (((chunk_count >= 1) AND (chunk_count <= 100000))),
  constraint import_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200))),
  constraint import_mode_check CHECK ((mode = ANY (ARRAY['add'::text, 'replace'::text]))),
  constraint import_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'staged'::text, 'checked'::text, 'abandoned'::text, 'withdrawn'::text])))
);

create table import_chunk (
  import_id uuid not null,
  chunk_index integer not null,
  claim uuid,
  claimed_at timestamp(3) with time zone,
  content_sha256 text collate "C" not null,
  rows integer default 0 not null,
  rejected integer default 0 not null,
  reply jsonb,
  done_at timestamp(3) with time zone,
  lines integer default 0 not null,
  row_pairs bytea,
  names jsonb,
  facts jsonb,
  constraint import_chunk_pkey PRIMARY KEY (import_id, chunk_index),
  constraint import_chunk_import_id_fkey FOREIGN KEY (import_id) REFERENCES import(id) ON DELETE CASCADE,
  constraint import_chunk_check CHECK (((done_at IS NULL) = (reply IS NULL)))
);

create table import_segment (
  import_id uuid not null,
  chunk_index integer not null,
  kind text not null,
  "position" integer not null,
  sha256 text collate "C" not null,
  rows integer not null,
  bytes bigint not null,
  constraint import_segment_pkey PRIMARY KEY (import_id, kind, chunk_index, "position"),
  constraint import_segment_import_id_chunk_index_fkey FOREIGN KEY (import_id, chunk_index) REFERENCES import_chunk(import_id, chunk_index) ON DELETE CASCADE,
  constraint import_segment_kind_check CHECK ((kind = ANY (ARRAY['staged'::text, 'rejected'::text])))
);

create table index_now (
  id boolean default true not null,
  since timestamp(3) with time zone not null,
  until timestamp(3) with time zone,
  after_listing uuid,
  constraint index_now_pkey PRIMARY KEY (id),
  constraint index_now_check CHECK (((until IS NOT NULL) OR (after_listing IS NULL))),
  constraint index_now_id_check CHECK (id)
);

create table interchange_claim (
  id uuid default uuidv7() not null,
  kind text not null,
  number text not null,
  other text not null,
  number_key text collate "C" generated always as (part_number_key(number)) stored not null,
  other_key text collate "C" generated always as (part_number_key(other)) stored not null,
  seller_id uuid not null,
  listing_id uuid,
  source text not null,
  stated_at timestamp(3) with time zone default now() not null,
  constraint interchange_claim_pkey PRIMARY KEY (id),
  constraint interchange_claim_seller_id_listing_id_kind_number_key_othe_key UNIQUE NULLS NOT DISTINCT (seller_id, listing_id, kind, number_key, other_key),
  constraint interchange_claim_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint interchange_claim_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint interchange_claim_check CHECK ((part_number_key(number) <> part_number_key(other))),
  constraint interchange_claim_check1 CHECK (((source = 'yard'::text) = (listing_id IS NULL))),
  constraint interchange_claim_kind_check CHECK ((kind = ANY (ARRAY['same'::text, 'replaces'::text]))),
  constraint interchange_claim_number_check CHECK (links_parts(number)),
  constraint interchange_claim_other_check CHECK (links_parts(other)),
  constraint interchange_claim_source_check CHECK ((source = ANY (ARRAY['yard'::text, 'listing'::text, 'file'::text])))
);

create table job (
  id uuid default uuidv7() not null,
  queue text not null,
  script_id text,
  status text default 'queued'::text not null,
  payload jsonb default '{}'::jsonb not null,
  options jsonb default '{}'::jsonb not null,
  resumable boolean default false not null,
  checkpoint jsonb,
  run_no integer default 0 not null,
  attempts integer default 0 not null,
  max_attempts integer default 1 not null,
  lost_deliveries integer default 0 not null,
  heartbeat_at timestamp(3) with time zone,
  last_seq bigint default 0 not null,
  progress jsonb,
  result jsonb,
  error text,
  cancel_requested_at timestamp(3) with time zone,
  concurrency_key text collate "C",
  retry_of uuid,
  created_by uuid,
  seller_id uuid,
  run_after timestamp(3) with time zone default now() not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  question jsonb,
  constraint job_pkey PRIMARY KEY (id),
  constraint job_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint job_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES job(id) ON DELETE SET NULL,
  constraint job_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE SET NULL,
  constraint job_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 25))),
  constraint job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'waiting-manual'::text, 'retrying'::text, 'cancelled'::text])))
);

create table job_answer (
  job_id uuid not null,
  key text not null,
  answer text not null,
  answered_by uuid,
  answered_at timestamp(3) with time zone default now() not null,
  constraint job_answer_pkey PRIMARY KEY (job_id, key),
  constraint job_answer_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint job_answer_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE
);

create table job_artifact (
  id uuid default uuidv7() not null,
  job_id uuid not null,
  name text not null,
  file_key text not null,
  bytes bigint not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint job_artifact_pkey PRIMARY KEY (id),
  constraint job_artifact_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE
);

create table job_event (
  job_id uuid not null,
  seq bigint not null,
  at timestamp(3) with time zone default now() not null,
  kind text not null,
  stream text,
  message text default ''::text not null,
  data jsonb,
  constraint job_event_pkey PRIMARY KEY (job_id, seq, at),
  constraint job_event_kind_check CHECK ((kind = ANY (ARRAY['log'::text, 'progress'::text, 'status'::text, 'error'::text, 'done'::text])))
) partition by RANGE (at);

create table job_input (
  id uuid default uuidv7() not null,
  job_id uuid not null,
  line text not null,
  sent_by uuid,
  sent_at timestamp(3) with time zone default now() not null,
  taken_at timestamp(3) with time zone,
  constraint job_input_pkey PRIMARY KEY (id),
  constraint job_input_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE,
  constraint job_input_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES app_user(id) ON DELETE SET NULL
);

create table job_language_use (
  job_id uuid not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  constraint job_language_use_pkey PRIMARY KEY (job_id),
  constraint job_language_use_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE
);

create table job_queue (
  name text not null,
  paused_at timestamp(3) with time zone,
  paused_by uuid,
  window_at timestamp(3) with time zone default now() not null,
  window_starts integer default 0 not null,
  constraint job_queue_pkey PRIMARY KEY (name),
  constraint job_queue_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES app_user(id) ON DELETE SET NULL
);

create table job_schedule (
  id uuid default uuidv7() not null,
  name text not null,
  queue text not null,
  payload jsonb default '{}'::jsonb not null,
  options jsonb default '{}'::jsonb not null,
  cron text not null,
  time_zone text default 'UTC'::text not null,
  enabled boolean default true not null,
  next_run_at timestamp(3) with time zone,
  last_run_at timestamp(3) with time zone,
  last_job_id uuid,
  problem text,
  created_by uuid,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint job_schedule_pkey PRIMARY KEY (id),
  constraint job_schedule_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint job_schedule_last_job_id_fkey FOREIGN KEY (last_job_id) REFERENCES job(id) ON DELETE SET NULL
);

create table known_device (
  token_hash bytea not null,
  user_id uuid not null,
  returned boolean default false not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  constraint known_device_pkey PRIMARY KEY (token_hash),
  constraint known_device_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table landing_heir (
  kind text not null,
  lookup_id uuid not null,
  heir_id uuid not null,
  constraint landing_heir_pkey PRIMARY KEY (kind, lookup_id),
  constraint landing_heir_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'model'::text])))
);

create table landing_page (
  id uuid default uuidv7() not null,
  kind text not null,
  lookup_id uuid not null,
  slug text collate "C" not null,
  title text not null,
  meta_description text not null,
  intro text not null,
  facts jsonb not null,
  facts_hash bytea not null,
  writer text not null,
  job_id uuid,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint landing_page_pkey PRIMARY KEY (id),
  constraint landing_page_kind_lookup_id_key UNIQUE (kind, lookup_id),
  constraint landing_page_kind_slug_key UNIQUE (kind, slug),
  constraint landing_page_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'model'::text])))
);

create table landing_slug (
  kind text not null,
  slug text collate "C" not null,
  lookup_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint landing_slug_pkey PRIMARY KEY (kind, slug),
  constraint landing_slug_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'model'::text])))
);

create table lead (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  listing_id uuid,
  listing_title text not null,
  name text not null,
  email text,
  phone text,
  state text default 'new'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  answered_at timestamp(3) with time zone,
  confirmed_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  wrote_at timestamp(3) with time zone default now() not null,
  stopped_at timestamp(3) with time zone,
  unsubscribe_key uuid default gen_random_uuid() not null,
  told_gone_at timestamp(3) with time zone,
  constraint lead_pkey PRIMARY KEY (id),
  constraint lead_unsubscribe_key UNIQUE (unsubscribe_key),
  constraint lead_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE SET NULL,
  constraint lead_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint lead_check CHECK (((email IS NOT NULL) OR (phone IS NOT NULL) OR (erased_at IS NOT NULL))),
  constraint lead_email_check CHECK ((char_length(email) <= 254)),
  constraint lead_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint lead_phone_check CHECK ((char_length(phone) <= 40)),
  constraint lead_state_check CHECK ((state = ANY (ARRAY['new'::text, 'answered'::text, 'closed'::text])))
);

create table lead_link (
  token_hash bytea not null,
  lead_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint lead_link_pkey PRIMARY KEY (token_hash),
  constraint lead_link_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE
);

create table lead_message (
  id uuid default uuidv7() not null,
  lead_id uuid not null,
  sender text not null,
  kind text default 'text'::text not null,
  author_user_id uuid,
  author_name text,
  body text default ''::text not null,
  price_cents bigint,
  currency character(3),
  expires_at timestamp(3) with time zone,
  mailed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  constraint lead_message_pkey PRIMARY KEY (id),
  constraint lead_message_author_user_id_fkey FOREIGN KEY (author_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint lead_message_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint lead_message_body_check CHECK ((char_length(body) <= 5000)),
  constraint lead_message_check1 CHECK (((kind <> 'text'::text) OR (body <> ''::text))),
  constraint lead_message_check2 CHECK (((kind = ANY (ARRAY['offer'::text, 'accept'::text])) = ((price_cents IS NOT NULL) AND (currency IS NOT NULL) AND (expires_at IS NOT NULL)))),
  constraint lead_message_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'offer'::text, 'accept'::text, 'decline'::text, 'sold'::text]))),
  constraint lead_message_price_cents_check CHECK ((price_cents > 0)),
  constraint lead_message_sender_check CHECK ((sender = ANY (ARRAY['buyer'::text, 'seller'::text])))
);

create table ledger_entry (
  id uuid default uuidv7() not null,
  order_id uuid,
  account text not null,
  amount_cents bigint not null,
  at timestamp(3) with time zone not null,
  why text not null,
  provider_id text collate "C" not null,
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_provider_id_why_account_key UNIQUE (provider_id, why, account),
  constraint ledger_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id),
  constraint ledger_entry_account_check CHECK ((account = ANY (ARRAY['provider'::text, 'held'::text, 'core'::text, 'tax'::text, 'royalty'::text, 'fees'::text, 'refunds-due'::text, 'dispute'::text, 'seller-debt'::text]))),
  constraint ledger_entry_amount_cents_check CHECK ((amount_cents <> 0))
);

create table list_checkpoint (
  list text collate "C" not null,
  "position" bigint not null,
  listing_id uuid not null,
  price_cents bigint,
  constraint list_checkpoint_pkey PRIMARY KEY (list, "position")
);

create table list_checkpoint_state (
  list text collate "C" not null,
  writes bigint not null,
  length bigint not null,
  built_at timestamp(3) with time zone default now() not null,
  constraint list_checkpoint_state_pkey PRIMARY KEY (list)
);

create table listing (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  kind text not null,
  slug text collate "C" not null,
  status text default 'ACTIVE'::text not null,
  name text not null,
  description text default ''::text not null,
  category_id uuid,
  manufacturer_id uuid,
  manufacturer_name text not null,
  car_model_id uuid,
  model_name text not null,
  trim_name text,
  year_from smallint,
  year_to smallint,
  part_number text collate "C",
  part_number_key text collate "C" generated always as (part_number_key(part_number)) stored,
  stock_number text collate "C",
  vin text collate "C",
  grade character(1),
  price_cents bigint not null,
  currency character(3) default 'USD'::bpchar not null,
  quantity integer default 1 not null,
  shipping_kind text default 'quote'::text not null,
  shipping_cents bigint,
  miles integer,
  damage text,
  city text default ''::text not null,
  state text default ''::text not null,
  zip text,
  latitude double precision,
  longitude double precision,
  dealer_name text default ''::text not null,
  dealer_phone text,
  dealer_phone_e164 text,
  phone_b text,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  ended_reason text,
  deleted_at timestamp(3) with time zone,
  heading text,
  body_style text,
  fitment text,
  interchange text,
  warranty_days smallint,
  as_is boolean,
  return_days smallint,
  restock_pct smallint,
  core_cents integer,
  core_days smallint,
  core_part text,
  damage_code text,
  grade_reason text,
  never_deployed boolean,
  constraint listing_pkey PRIMARY KEY (id),
  constraint listing_car_model_id_fkey FOREIGN KEY (car_model_id) REFERENCES car_model(id),
  constraint listing_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id),
  constraint listing_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturer(id),
  constraint listing_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint listing_as_is_check CHECK (as_is),
  constraint listing_check CHECK ((year_from <= year_to)),
  constraint listing_check1 CHECK (((shipping_kind = 'flat'::text) = (shipping_cents IS NOT NULL))),
  constraint listing_check2 CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
  constraint listing_core_cents_check CHECK (((core_cents >= 0) AND (core_cents <= 9999999))),
  constraint listing_core_days_check CHECK (((core_days >= 0) AND (core_days <= 365))),
  constraint listing_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['sold-here'::text, 'sold-elsewhere'::text, 'scrapped'::text, 'withdrawn'::text]))),
  constraint listing_grade_check CHECK ((grade = ANY (ARRAY['A'::bpchar, 'B'::bpchar, 'C'::bpchar, 'D'::bpchar]))),
  constraint listing_kind_check CHECK ((kind = ANY (ARRAY['ecommerce'::text, 'quick'::text]))),
  constraint listing_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint listing_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint listing_miles_check CHECK ((miles >= 0)),
  constraint listing_never_deployed_check CHECK (never_deployed),
  constraint listing_price_cents_check CHECK ((price_cents >= 0)),
  constraint listing_quantity_check CHECK ((quantity >= 0)),
  constraint listing_restock_pct_check CHECK (((restock_pct >= 0) AND (restock_pct <= 100))),
  constraint listing_return_days_check CHECK (((return_days >= 0) AND (return_days <= 365))),
  constraint listing_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint listing_shipping_kind_check CHECK ((shipping_kind = ANY (ARRAY['free'::text, 'flat'::text, 'pickup'::text, 'quote'::text]))),
  constraint listing_slug_check CHECK (((char_length(slug) >= 1) AND (char_length(slug) <= 120))),
  constraint listing_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'HIDDEN'::text]))),
  constraint listing_warranty_days_check CHECK (((warranty_days >= 0) AND (warranty_days <= 3650))),
  constraint listing_year_from_check CHECK (((year_from >= 1900) AND (year_from <= 2200))),
  constraint listing_year_to_check CHECK (((year_to >= 1900) AND (year_to <= 2200))),
  constraint listing_years CHECK (((year_from IS NULL) = (year_to IS NULL))) NOT VALID
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=1000, autovacuum_analyze_scale_factor=0.05);

create table listing_arrival (
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default now() not null,
  kind text not null,
  listing_ids uuid[] not null,
  former_cents bigint[],
  constraint listing_arrival_pkey PRIMARY KEY (id),
  constraint listing_arrival_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'changed'::text, 'cheaper'::text])))
) with (autovacuum_vacuum_threshold=2000, autovacuum_vacuum_scale_factor=0);

create table listing_change (
  change_set_id uuid not null,
  listing_id uuid not null,
  version integer not null,
  changes jsonb not null,
  at timestamp(3) with time zone default now() not null,
  constraint listing_change_pkey PRIMARY KEY (listing_id, version, at)
) partition by RANGE (at);

create table listing_image (
  id uuid default uuidv7() not null,
  listing_id uuid not null,
  "position" smallint default 0 not null,
  alt text default ''::text not null,
  source_url text,
  sha256 text collate "C",
  width integer,
  height integer,
  widths integer[] default '{}'::integer[] not null,
  state text default 'ready'::text not null,
  error text,
  created_at timestamp(3) with time zone default now() not null,
  marks jsonb default '[]'::jsonb not null,
  constraint listing_image_pkey PRIMARY KEY (id),
  constraint listing_image_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint listing_image_check CHECK (((state <> 'ready'::text) OR (sha256 IS NOT NULL))),
  constraint listing_image_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text])))
);

create table listing_place (
  place integer not null,
  constraint listing_place_pkey PRIMARY KEY (place)
);

create table listing_report (
  id uuid default uuidv7() not null,
  listing_id uuid not null,
  seller_id uuid not null,
  import_id uuid,
  reason text not null,
  note text default ''::text not null,
  email text,
  visitor bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  closed_at timestamp(3) with time zone,
  closed_by uuid,
  outcome text,
  answer text default ''::text not null,
  restored_at timestamp(3) with time zone,
  restored_by uuid,
  restore_answer text default ''::text not null,
  confirmed_at timestamp(3) with time zone,
  reporter bytea,
  token_hash bytea,
  constraint listing_report_pkey PRIMARY KEY (id),
  constraint listing_report_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint listing_report_import_id_fkey FOREIGN KEY (import_id) REFERENCES import(id) ON DELETE SET NULL,
  constraint listing_report_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint listing_report_restored_by_fkey FOREIGN KEY (restored_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint listing_report_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint listing_report_check CHECK (((closed_at IS NULL) = (outcome IS NULL))),
  constraint listing_report_outcome_check CHECK ((outcome = ANY (ARRAY['hidden'::text, 'restored'::text, 'answered'::text]))),
  constraint listing_report_reason_check CHECK ((reason = ANY (ARRAY['wrong-part'::text, 'wrong-details'::text, 'wrong-number'::text, 'not-for-sale'::text, 'suspicious'::text, 'offensive'::text, 'other'::text]))) NOT VALID
);

create table listing_search (
  listing_id uuid not null,
  seller_id uuid not null,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  live boolean not null,
  hidden boolean default false not null,
  place integer,
  document tsvector not null,
  constraint listing_search_pkey PRIMARY KEY (listing_id),
  constraint listing_search_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=1000, autovacuum_analyze_scale_factor=0.05);

create table listing_slug (
  slug text collate "C" not null,
  listing_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint listing_slug_pkey PRIMARY KEY (slug),
  constraint listing_slug_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
);

create table listing_source (
  seller_id uuid not null,
  source_key bytea not null,
  ordinal integer not null,
  listing_id uuid not null,
  content_hash bytea not null,
  copies integer default 1 not null,
  normaliser smallint not null,
  promotion_id uuid not null,
  row_no integer not null,
  created_by_promotion uuid,
  ended_by_promotion uuid,
  ended_at timestamp(3) with time zone,
  part_key bytea,
  part_hash bytea,
  row_digest bytea,
  listing_version integer,
  said jsonb,
  constraint listing_source_pkey PRIMARY KEY (seller_id, source_key, ordinal),
  constraint listing_source_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
);

create table listing_tally (
  seller_id uuid not null,
  live bigint not null,
  running bigint not null,
  ended bigint not null,
  writes bigint not null,
  constraint listing_tally_pkey PRIMARY KEY (seller_id)
);

create table listing_tally_change (
  seller_id uuid not null,
  live integer not null,
  running integer not null,
  ended integer not null,
  writes integer not null
) with (autovacuum_vacuum_threshold=2000, autovacuum_vacuum_scale_factor=0);

create table listing_view (
  listing_id uuid not null,
  day date not null,
  views integer not null,
  seller_id uuid,
  constraint listing_view_pkey PRIMARY KEY (listing_id, day)
) partition by RANGE (day);

create table loaded_data (
  name text not null,
  sha256 text collate "C" not null,
  loaded_at timestamp(3) with time zone default now() not null,
  constraint loaded_data_pkey PRIMARY KEY (name)
);

create table lookup_change (
  id uuid default uuidv7() not null,
  change_set_id uuid not null,
  kind text not null,
  lookup_id uuid not null,
  changes jsonb not null,
  constraint lookup_change_pkey PRIMARY KEY (id),
  constraint lookup_change_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_set(id),
  constraint lookup_change_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'car_model'::text])))
);

create table lookup_question (
  id uuid default uuidv7() not null,
  kind text not null,
  manufacturer_id uuid,
  typed text not null,
  typed_key text collate "C" generated always as (name_key(typed)) stored,
  file_id uuid,
  asked_at timestamp(3) with time zone default now() not null,
  about text default ''::text not null,
  about_key text collate "C" generated always as (name_key(about)) stored not null,
  constraint lookup_question_pkey PRIMARY KEY (id),
  constraint lookup_question_once UNIQUE NULLS NOT DISTINCT (kind, manufacturer_id, typed_key, about_key),
  constraint lookup_question_file_id_fkey FOREIGN KEY (file_id) REFERENCES staging_file(id) ON DELETE SET NULL,
  constraint lookup_question_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturer(id) ON DELETE CASCADE,
  constraint lookup_question_about_check CHECK ((char_length(about) <= 200)),
  constraint lookup_question_check CHECK (((kind = 'car_model'::text) = (manufacturer_id IS NOT NULL))),
  constraint lookup_question_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'car_model'::text]))),
  constraint lookup_question_typed_check CHECK (((char_length(typed) >= 1) AND (char_length(typed) <= 200)))
);

create table lookup_version (
  only_row boolean default true not null,
  version bigint default 1 not null,
  constraint lookup_version_pkey PRIMARY KEY (only_row),
  constraint lookup_version_only_row_check CHECK (only_row)
);

create table mail (
  id uuid default uuidv7() not null,
  recipient text not null,
  reply_to text,
  subject text not null,
  body text not null,
  state text default 'queued'::text not null,
  error text,
  created_at timestamp(3) with time zone default now() not null,
  sent_at timestamp(3) with time zone,
  button text,
  unsubscribe_url text,
  order_id uuid,
  constraint mail_pkey PRIMARY KEY (id),
  constraint mail_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE SET NULL,
  constraint mail_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'kept'::text])))
);

create table manufacturer (
  id uuid default uuidv7() not null,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  confirmed boolean default true not null,
  created_at timestamp(3) with time zone default now() not null,
  merged_into uuid,
  made_by uuid,
  constraint manufacturer_pkey PRIMARY KEY (id),
  constraint manufacturer_name_unique UNIQUE NULLS NOT DISTINCT (name_key, merged_into),
  constraint manufacturer_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES manufacturer(id),
  constraint manufacturer_check CHECK ((merged_into <> id)),
  constraint manufacturer_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 80)))
);

create table manufacturer_alias (
  alias_key text collate "C" not null,
  alias text not null,
  manufacturer_id uuid not null,
  constraint manufacturer_alias_pkey PRIMARY KEY (alias_key),
  constraint manufacturer_alias_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturer(id) ON DELETE CASCADE
);

create table mapping_template (
  id uuid default uuidv7() not null,
  scope text not null,
  seller_id uuid,
  created_by uuid,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  mapping jsonb not null,
  description text default ''::text not null,
  created_at timestamp(3) with time zone default now() not null,
  reading jsonb,
  constraint mapping_template_pkey PRIMARY KEY (id),
  constraint mapping_template_name_unique UNIQUE NULLS NOT DISTINCT (seller_id, name_key),
  constraint mapping_template_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint mapping_template_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint mapping_template_check CHECK (((scope = 'GLOBAL'::text) = (seller_id IS NULL))),
  constraint mapping_template_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 120))),
  constraint mapping_template_scope_check CHECK ((scope = ANY (ARRAY['USER'::text, 'GLOBAL'::text])))
);

create table name_answer (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  kind text not null,
  typed text not null,
  typed_key text collate "C" generated always as (name_key(typed)) stored not null,
  about text default ''::text not null,
  about_key text collate "C" generated always as (name_key(about)) stored not null,
  means text,
  answered_by uuid,
  answered_at timestamp(3) with time zone default now() not null,
  constraint name_answer_pkey PRIMARY KEY (id),
  constraint name_answer_once UNIQUE (seller_id, kind, typed_key, about_key),
  constraint name_answer_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint name_answer_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint name_answer_about_check CHECK ((char_length(about) <= 200)),
  constraint name_answer_check CHECK (((kind <> 'category'::text) OR (means IS NOT NULL))),
  constraint name_answer_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'car_model'::text]))),
  constraint name_answer_means_check CHECK ((char_length(means) <= 200)),
  constraint name_answer_typed_check CHECK ((char_length(typed) <= 200))
);

create table name_review (
  seller_id uuid not null,
  name text not null,
  shown_as text not null,
  like_name text not null,
  like_seller_id uuid,
  asked_at timestamp(3) with time zone default now() not null,
  due_at timestamp(3) with time zone not null,
  told_at timestamp(3) with time zone,
  decision text,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  constraint name_review_pkey PRIMARY KEY (seller_id, name),
  constraint name_review_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint name_review_like_seller_id_fkey FOREIGN KEY (like_seller_id) REFERENCES seller(id) ON DELETE SET NULL,
  constraint name_review_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint name_review_decision_check CHECK ((decision = ANY (ARRAY['published'::text, 'refused'::text])))
);

create table order_dispute (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  provider_id text collate "C" not null,
  reason text not null,
  amount_cents bigint not null,
  state text not null,
  due_at timestamp(3) with time zone,
  part_cents bigint not null,
  shipping_cents bigint not null,
  core_cents bigint not null,
  tax_cents bigint not null,
  taken_cents bigint default 0 not null,
  fee_cents bigint default 0 not null,
  fee_is_yards boolean not null,
  answer text,
  answered_at timestamp(3) with time zone,
  evidence jsonb,
  submitted_at timestamp(3) with time zone,
  reminded_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone,
  photo_ids uuid[],
  constraint order_dispute_pkey PRIMARY KEY (id),
  constraint order_dispute_provider_id_key UNIQUE (provider_id),
  constraint order_dispute_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_dispute_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint order_dispute_answer_check CHECK ((char_length(answer) <= 4000)),
  constraint order_dispute_core_cents_check CHECK ((core_cents >= 0)),
  constraint order_dispute_part_cents_check CHECK ((part_cents >= 0)),
  constraint order_dispute_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint order_dispute_state_check CHECK ((state = ANY (ARRAY['needs-response'::text, 'under-review'::text, 'won'::text, 'lost'::text]))),
  constraint order_dispute_tax_cents_check CHECK ((tax_cents >= 0))
);

create table order_event (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  at timestamp(3) with time zone not null,
  kind text not null,
  side text not null,
  actor_user_id uuid,
  state text not null,
  detail jsonb default '{}'::jsonb not null,
  constraint order_event_pkey PRIMARY KEY (id),
  constraint order_event_actor_user_id_fkey FOREIGN KEY (actor_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint order_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_event_side_check CHECK ((side = ANY (ARRAY['buyer'::text, 'seller'::text, 'admin'::text, 'provider'::text, 'clock'::text])))
);

create table order_line (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  listing_id uuid not null,
  state text default 'wanted'::text not null,
  quantity integer not null,
  price_cents bigint not null,
  core_cents bigint default 0 not null,
  facts jsonb not null,
  shipping_cents bigint,
  constraint order_line_pkey PRIMARY KEY (id),
  constraint order_line_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_line_core_cents_check CHECK ((core_cents >= 0)),
  constraint order_line_price_cents_check CHECK ((price_cents >= 0)),
  constraint order_line_quantity_check CHECK ((quantity > 0)),
  constraint order_line_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint order_line_state_check CHECK ((state = ANY (ARRAY['wanted'::text, 'found'::text, 'not-found'::text, 'returned'::text])))
);

create table order_link (
  token_hash bytea not null,
  order_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint order_link_pkey PRIMARY KEY (token_hash),
  constraint order_link_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE
);

create table order_photo (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  return_id uuid,
  sha256 text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  side text default 'buyer'::text not null,
  dispute_id uuid,
  constraint order_photo_pkey PRIMARY KEY (id),
  constraint order_photo_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES order_dispute(id) ON DELETE CASCADE,
  constraint order_photo_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_photo_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id) ON DELETE CASCADE,
  constraint order_photo_of_one CHECK (((return_id IS NULL) OR (dispute_id IS NULL))),
  constraint order_photo_side_check CHECK ((side = ANY (ARRAY['buyer'::text, 'seller'::text])))
);

create table order_refund (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  part_cents bigint default 0 not null,
  shipping_cents bigint default 0 not null,
  core_cents bigint default 0 not null,
  tax_cents bigint default 0 not null,
  royalty_cents bigint default 0 not null,
  state text default 'requested'::text not null,
  reason text not null,
  side text not null,
  actor_user_id uuid,
  client_key bytea not null,
  provider_id text collate "C",
  problem text,
  created_at timestamp(3) with time zone default now() not null,
  settled_at timestamp(3) with time zone,
  of_lines jsonb default '[]'::jsonb not null,
  constraint order_refund_pkey PRIMARY KEY (id),
  constraint order_refund_order_id_client_key_key UNIQUE (order_id, client_key),
  constraint order_refund_provider_id_key UNIQUE (provider_id),
  constraint order_refund_actor_user_id_fkey FOREIGN KEY (actor_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint order_refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_refund_core_cents_check CHECK ((core_cents >= 0)),
  constraint order_refund_part_cents_check CHECK ((part_cents >= 0)),
  constraint order_refund_royalty_cents_check CHECK ((royalty_cents >= 0)),
  constraint order_refund_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint order_refund_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'pending'::text, 'succeeded'::text, 'failed'::text]))),
  constraint order_refund_tax_cents_check CHECK ((tax_cents >= 0))
);

create table order_return (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  kind text not null,
  reason text not null,
  state text not null,
  note text default ''::text not null,
  line_ids uuid[] not null,
  part_cents bigint not null,
  fee_cents bigint not null,
  shipping_cents bigint not null,
  core_cents bigint not null,
  way_back text not null,
  carrier text,
  tracking text,
  sent_at timestamp(3) with time zone,
  condition text,
  answer text,
  decision text,
  reminded boolean default false not null,
  act_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint order_return_pkey PRIMARY KEY (id),
  constraint order_return_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_return_check CHECK (((fee_cents >= 0) AND (fee_cents <= part_cents))),
  constraint order_return_check1 CHECK (((act_at IS NULL) = (ended_at IS NOT NULL))),
  constraint order_return_condition_check CHECK ((condition = ANY (ARRAY['good'::text, 'damaged'::text, 'incomplete'::text, 'other-part'::text]))),
  constraint order_return_core_cents_check CHECK ((core_cents >= 0)),
  constraint order_return_kind_check CHECK ((kind = ANY (ARRAY['return'::text, 'claim'::text, 'core'::text]))),
  constraint order_return_part_cents_check CHECK ((part_cents >= 0)),
  constraint order_return_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint order_return_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'declined'::text, 'deciding'::text, 'approved'::text, 'sent'::text, 'refunded'::text, 'refused'::text, 'withdrawn'::text, 'lapsed'::text]))),
  constraint order_return_way_back_check CHECK ((way_back = ANY (ARRAY['buyer'::text, 'yard'::text])))
);

create table order_step (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  kind text not null,
  amount_cents bigint,
  refund_id uuid,
  state text default 'wanted'::text not null,
  provider_id text collate "C",
  request jsonb default '{}'::jsonb not null,
  problem text,
  created_at timestamp(3) with time zone default now() not null,
  done_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  tries smallint default 0 not null,
  try_at timestamp(3) with time zone,
  constraint order_step_pkey PRIMARY KEY (id),
  constraint order_step_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint order_step_kind_check CHECK ((kind = ANY (ARRAY['open-session'::text, 'expire-session'::text, 'capture'::text, 'cancel'::text, 'refund'::text, 'read'::text, 'transfer'::text, 'reverse'::text, 'submit-evidence'::text]))),
  constraint order_step_state_check CHECK ((state = ANY (ARRAY['wanted'::text, 'done'::text, 'failed'::text, 'void'::text])))
);

create table order_transfer (
  id text collate "C" not null,
  order_id uuid not null,
  seller_id uuid not null,
  account_id text collate "C" not null,
  cents bigint not null,
  reversed_cents bigint default 0 not null,
  payment_id text collate "C" not null,
  made_at timestamp(3) with time zone not null,
  payout_id text collate "C",
  constraint order_transfer_pkey PRIMARY KEY (id),
  constraint order_transfer_payment_id_key UNIQUE (payment_id),
  constraint order_transfer_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id),
  constraint order_transfer_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES seller_payout(id),
  constraint order_transfer_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint order_transfer_cents_check CHECK ((cents > 0)),
  constraint order_transfer_check CHECK (((reversed_cents >= 0) AND (reversed_cents <= cents)))
);

create table page_link (
  from_kind text not null,
  from_id uuid not null,
  "position" smallint not null,
  to_kind text not null,
  to_id uuid not null,
  anchor text not null,
  constraint page_link_pkey PRIMARY KEY (from_kind, from_id, "position"),
  constraint page_link_from_kind_check CHECK ((from_kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'model'::text, 'listing'::text]))),
  constraint page_link_to_kind_check CHECK ((to_kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'model'::text, 'listing'::text])))
);

create table part_hold (
  id uuid default uuidv7() not null,
  listing_id uuid not null,
  seller_id uuid not null,
  order_id uuid,
  lead_id uuid,
  quantity integer not null,
  kind text not null,
  mailbox bytea,
  device bytea,
  network bytea,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  ending text,
  constraint part_hold_pkey PRIMARY KEY (id),
  constraint part_hold_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint part_hold_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id),
  constraint part_hold_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint part_hold_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint part_hold_check CHECK ((num_nonnulls(order_id, lead_id) = 1)),
  constraint part_hold_check1 CHECK (((ended_at IS NULL) = (ending IS NULL))),
  constraint part_hold_ending_check CHECK ((ending = ANY (ARRAY['sold'::text, 'lapsed'::text, 'released'::text]))),
  constraint part_hold_kind_check CHECK ((kind = ANY (ARRAY['cart'::text, 'pending'::text]))),
  constraint part_hold_quantity_check CHECK ((quantity > 0))
);

create table part_order (
  id uuid default uuidv7() not null,
  number text collate "C" default ('PH-'::text || (nextval('part_order_number'::regclass))::text) not null,
  seller_id uuid not null,
  buyer_user_id uuid,
  lead_id uuid,
  state text not null,
  mode text not null,
  currency character(3) default 'USD'::bpchar not null,
  email text not null,
  name text not null,
  phone text,
  delivery text not null,
  line1 text,
  line2 text,
  city text,
  region text,
  zip text,
  vin text collate "C",
  vin_confirmed boolean default false not null,
  shipping_cents bigint,
  tax_cents bigint default 0 not null,
  royalty_percent numeric(5,2) not null,
  royalty_floor_cents integer not null,
  royalty_cents bigint default 0 not null,
  days_to_ship smallint not null,
  time_zone text not null,
  captured_cents bigint default 0 not null,
  refunded_cents bigint default 0 not null,
  fee_cents bigint,
  session_id text collate "C",
  session_url text,
  payment_id text collate "C",
  charge_id text collate "C",
  capture_before timestamp(3) with time zone,
  risk text,
  expires_at timestamp(3) with time zone,
  act_at timestamp(3) with time zone,
  confirm_by timestamp(3) with time zone,
  ship_by timestamp(3) with time zone,
  delayed_until timestamp(3) with time zone,
  delay_told_at timestamp(3) with time zone,
  carrier text,
  tracking text,
  shipped_at timestamp(3) with time zone,
  ready_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  asked_arrived smallint default 0 not null,
  pickup_code text,
  pickup_tries smallint default 0 not null,
  cancel_asked_at timestamp(3) with time zone,
  cancel_reason text,
  held_at timestamp(3) with time zone,
  held_reason text,
  disputed boolean default false not null,
  attention text,
  restock text,
  client_key bytea,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  release_at timestamp(3) with time zone,
  released_at timestamp(3) with time zone,
  return_until timestamp(3) with time zone,
  open_returns smallint default 0 not null,
  core_state text,
  core_by timestamp(3) with time zone,
  to_release boolean default false not null,
  decide_by timestamp(3) with time zone,
  review_asked_at timestamp(3) with time zone,
  combined_shipping text default 'each'::text not null,
  if_missing text,
  taxed boolean default false not null,
  constraint part_order_pkey PRIMARY KEY (id),
  constraint part_order_charge_id_key UNIQUE (charge_id),
  constraint part_order_client_key_key UNIQUE (client_key),
  constraint part_order_number_key UNIQUE (number),
  constraint part_order_payment_id_key UNIQUE (payment_id),
  constraint part_order_session_id_key UNIQUE (session_id),
  constraint part_order_buyer_user_id_fkey FOREIGN KEY (buyer_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint part_order_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint part_order_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint part_order_captured_cents_check CHECK ((captured_cents >= 0)),
  constraint part_order_check CHECK (((refunded_cents >= 0) AND (refunded_cents <= captured_cents))),
  constraint part_order_check1 CHECK (((delivery = 'pickup'::text) OR ((line1 IS NOT NULL) AND (city IS NOT NULL) AND (region IS NOT NULL) AND (zip IS NOT NULL)))),
  constraint part_order_combined_shipping_check CHECK ((combined_shipping = ANY (ARRAY['each'::text, 'half'::text, 'dearest'::text]))),
  constraint part_order_core_state_check CHECK ((core_state = ANY (ARRAY['open'::text, 'back'::text, 'lapsed'::text]))),
  constraint part_order_delivery_check CHECK ((delivery = ANY (ARRAY['ship'::text, 'pickup'::text]))),
  constraint part_order_email_check CHECK ((char_length(email) <= 254)),
  constraint part_order_if_missing_check CHECK ((if_missing = ANY (ARRAY['send'::text, 'cancel'::text]))),
  constraint part_order_mode_check CHECK ((mode = ANY (ARRAY['confirm'::text, 'instant'::text]))),
  constraint part_order_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint part_order_open_returns_check CHECK ((open_returns >= 0)),
  constraint part_order_phone_check CHECK ((char_length(phone) <= 40)),
  constraint part_order_restock_check CHECK ((restock = ANY (ARRAY['asked'::text, 'sell'::text, 'scrap'::text]))),
  constraint part_order_shipping_cents_check CHECK ((shipping_cents >= 0)),
  constraint part_order_state_check CHECK ((state = ANY (ARRAY['quoting'::text, 'pending'::text, 'authorized'::text, 'capturing'::text, 'confirmed'::text, 'ready'::text, 'shipped'::text, 'delivered'::text, 'closed'::text, 'expired'::text, 'canceled'::text, 'not-found'::text, 'refunded'::text]))),
  constraint part_order_tax_cents_check CHECK ((tax_cents >= 0))
);

create table part_type_change (
  category_id uuid not null,
  writes integer not null
) with (autovacuum_vacuum_threshold=2000, autovacuum_vacuum_scale_factor=0);

create table part_type_version (
  category_id uuid not null,
  writes bigint not null,
  constraint part_type_version_pkey PRIMARY KEY (category_id)
) with (fillfactor=70);

create table password_reset (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint password_reset_pkey PRIMARY KEY (token_hash),
  constraint password_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table picture_secret (
  is_only boolean default true not null,
  secret uuid default gen_random_uuid() not null,
  constraint picture_secret_pkey PRIMARY KEY (is_only),
  constraint picture_secret_is_only_check CHECK (is_only)
);

create table pro_price (
  only_row boolean default true not null,
  price_id text not null,
  amount_text text,
  problem text,
  read_at timestamp(3) with time zone default now() not null,
  constraint pro_price_pkey PRIMARY KEY (only_row),
  constraint pro_price_only_row_check CHECK (only_row)
);

create table promotion (
  id uuid default uuidv7() not null,
  file_id uuid not null,
  version integer not null,
  seller_id uuid not null,
  import_id uuid,
  dataset text not null,
  dataset_tag text,
  mode text default 'add'::text not null,
  state text default 'planning'::text not null,
  plan_id uuid default uuidv7() not null,
  fields text[],
  review jsonb,
  error text,
  to_create integer,
  to_update integer,
  unchanged integer,
  to_end integer,
  merged integer,
  refused integer,
  new_names jsonb,
  by_itself boolean default false not null,
  approved_by uuid,
  approved_at timestamp(3) with time zone,
  plan_job_id uuid,
  ingest_job_id uuid,
  undo_job_id uuid,
  change_set_id uuid,
  undo_change_set_id uuid,
  applied_through integer default 0 not null,
  applied integer default 0 not null,
  created integer default 0 not null,
  updated integer default 0 not null,
  ended integer default 0 not null,
  undone_through integer default 0 not null,
  undone integer default 0 not null,
  left_as_is integer default 0 not null,
  touched_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  planned_at timestamp(3) with time zone,
  applied_at timestamp(3) with time zone,
  undone_at timestamp(3) with time zone,
  held boolean default false not null,
  left_out jsonb default '[]'::jsonb not null,
  waiting integer default 0 not null,
  questions jsonb default '[]'::jsonb not null,
  continues uuid,
  created_before integer default 0 not null,
  updated_before integer default 0 not null,
  ended_before integer default 0 not null,
  live_through integer,
  rest_at timestamp(3) with time zone,
  rest_held_at timestamp(3) with time zone,
  contradictions jsonb default '[]'::jsonb not null,
  constraint promotion_pkey PRIMARY KEY (id),
  constraint promotion_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint promotion_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_set(id),
  constraint promotion_continues_fkey FOREIGN KEY (continues) REFERENCES promotion(id),
  constraint promotion_file_id_version_fkey FOREIGN KEY (file_id, version) REFERENCES staging_version(file_id, version),
  constraint promotion_import_id_fkey FOREIGN KEY (import_id) REFERENCES import(id),
  constraint promotion_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint promotion_undo_change_set_id_fkey FOREIGN KEY (undo_change_set_id) REFERENCES change_set(id),
  constraint promotion_mode_check CHECK ((mode = ANY (ARRAY['add'::text, 'replace'::text]))),
  constraint promotion_state_check CHECK ((state = ANY (ARRAY['planning'::text, 'planned'::text, 'review'::text, 'applying'::text, 'applied'::text, 'undoing'::text, 'undone'::text, 'failed'::text])))
);

create table promotion_action (
  promotion_id uuid not null,
  row_no integer not null,
  action text not null,
  listing_id uuid,
  source_key bytea not null,
  ordinal integer not null,
  content_hash bytea,
  copies integer default 1 not null,
  prior_hash bytea,
  prior_copies integer,
  kept text,
  prior_key bytea,
  prior_ordinal integer,
  part_key bytea,
  part_hash bytea,
  prior_part_hash bytea,
  row_digest bytea,
  prior_digest bytea,
  prior_version integer,
  prior_said jsonb,
  kept_edits jsonb,
  constraint promotion_action_pkey PRIMARY KEY (promotion_id, row_no),
  constraint promotion_action_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'end'::text]))),
  constraint promotion_action_check CHECK (((prior_key IS NULL) = (prior_ordinal IS NULL))),
  constraint promotion_action_kept_check CHECK ((kept = ANY (ARRAY['edited'::text, 'ended'::text, 'imported'::text, 'deleted'::text, 'ordered'::text])))
);

create table promotion_held_row (
  promotion_id uuid not null,
  row_no integer not null,
  listing_id uuid not null,
  source_key bytea not null,
  content_hash bytea not null,
  copies integer not null,
  part_key bytea,
  part_hash bytea,
  row_digest bytea,
  answer text,
  answered_by uuid,
  answered_at timestamp(3) with time zone,
  repeats boolean default false not null,
  constraint promotion_held_row_pkey PRIMARY KEY (promotion_id, row_no),
  constraint promotion_held_row_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint promotion_held_row_answer_check CHECK ((answer = ANY (ARRAY['same'::text, 'new'::text])))
);

create table promotion_kept_row (
  import_id uuid not null,
  chunk_index integer not null,
  row_no integer not null,
  source_key bytea,
  part_key bytea,
  content_hash bytea,
  stock text,
  part_hash bytea,
  row_digest bytea,
  constraint promotion_kept_row_pkey PRIMARY KEY (import_id, chunk_index, row_no),
  constraint promotion_kept_row_import_id_chunk_index_fkey FOREIGN KEY (import_id, chunk_index) REFERENCES import_chunk(import_id, chunk_index) ON DELETE CASCADE
);

create table promotion_ordered_part (
  promotion_id uuid not null,
  listing_id uuid not null,
  why text not null,
  constraint promotion_ordered_part_pkey PRIMARY KEY (promotion_id, listing_id),
  constraint promotion_ordered_part_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint promotion_ordered_part_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotion(id) ON DELETE CASCADE,
  constraint promotion_ordered_part_why_check CHECK ((why = ANY (ARRAY['missing'::text, 'fewer'::text, 'still-listed'::text])))
);

create table provider_request (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  kind text not null,
  idempotency_key uuid default gen_random_uuid() not null,
  provider_id text collate "C",
  url text,
  state text default 'open'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint provider_request_pkey PRIMARY KEY (id),
  constraint provider_request_provider_id_key UNIQUE (provider_id),
  constraint provider_request_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint provider_request_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'account'::text, 'checkout'::text]))),
  constraint provider_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'void'::text])))
);

create table rate_window (
  key text collate "C" not null,
  window_start timestamp(3) with time zone not null,
  used integer not null,
  constraint rate_window_pkey PRIMARY KEY (key, window_start)
);

create table recalled_part (
  number_key text collate "C" not null,
  number text not null,
  reason text default ''::text not null,
  loaded_at timestamp(3) with time zone default now() not null,
  constraint recalled_part_pkey PRIMARY KEY (number_key)
);

create table recovery_code (
  code_hash bytea not null,
  user_id uuid not null,
  constraint recovery_code_pkey PRIMARY KEY (code_hash),
  constraint recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table removed_claim (
  seller_id uuid not null,
  kind text not null,
  number_key text collate "C" not null,
  other_key text collate "C" not null,
  removed_at timestamp(3) with time zone default now() not null,
  removed_by uuid,
  constraint removed_claim_pkey PRIMARY KEY (seller_id, kind, number_key, other_key),
  constraint removed_claim_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint removed_claim_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint removed_claim_kind_check CHECK ((kind = ANY (ARRAY['same'::text, 'replaces'::text])))
);

create table removed_picture (
  id uuid not null,
  listing_id uuid not null,
  alt text not null,
  source_url text,
  sha256 text collate "C",
  width integer,
  height integer,
  widths integer[] not null,
  state text not null,
  error text,
  created_at timestamp(3) with time zone not null,
  marks jsonb not null,
  removed_at timestamp(3) with time zone default now() not null,
  constraint removed_picture_pkey PRIMARY KEY (id),
  constraint removed_picture_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE
);

create table retention_rule (
  table_name text not null,
  keep interval not null,
  constraint retention_rule_pkey PRIMARY KEY (table_name)
);

create table review_report (
  id uuid default uuidv7() not null,
  review_id uuid not null,
  reason text not null,
  note text default ''::text not null,
  visitor bytea not null,
  created_at timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone,
  closed_by uuid,
  outcome text,
  constraint review_report_pkey PRIMARY KEY (id),
  constraint review_report_review_id_visitor_key UNIQUE (review_id, visitor),
  constraint review_report_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint review_report_review_id_fkey FOREIGN KEY (review_id) REFERENCES yard_review(id) ON DELETE CASCADE,
  constraint review_report_outcome_check CHECK ((outcome = ANY (ARRAY['hidden'::text, 'kept'::text])))
);

create table reviewed_name (
  kind text not null,
  lookup_id uuid not null,
  name text not null,
  reviewed_at timestamp(3) with time zone default now() not null,
  constraint reviewed_name_pkey PRIMARY KEY (kind, lookup_id),
  constraint reviewed_name_kind_check CHECK ((kind = ANY (ARRAY['category'::text, 'manufacturer'::text, 'car_model'::text])))
);

create table saved_part (
  user_id uuid not null,
  listing_id uuid not null,
  saved_at timestamp(3) with time zone not null,
  constraint saved_part_pkey PRIMARY KEY (user_id, listing_id),
  constraint saved_part_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint saved_part_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table saved_search (
  id uuid default uuidv7() not null,
  owner_id uuid not null,
  query text not null,
  title text not null,
  frequency text not null,
  created_at timestamp(3) with time zone default now() not null,
  confirmed_at timestamp(3) with time zone,
  changed_at timestamp(3) with time zone not null,
  mailed_at timestamp(3) with time zone,
  waiting integer default 0 not null,
  waiting_since timestamp(3) with time zone,
  part text,
  vehicle text,
  year_from smallint,
  year_to smallint,
  words tsquery,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  meant_category_ids uuid[],
  meant_manufacturer_ids uuid[],
  meant_model_ids uuid[],
  meant_model_words tsquery,
  seller_id uuid,
  min_cents bigint,
  max_cents bigint,
  most_miles double precision,
  place integer,
  radius double precision,
  or_ships boolean default false not null,
  name_words tsquery,
  excluded_names tsquery,
  excluded_seller_ids uuid[],
  constraint saved_search_pkey PRIMARY KEY (id),
  constraint saved_search_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES saved_search_owner(id) ON DELETE CASCADE,
  constraint saved_search_frequency_check CHECK ((frequency = ANY (ARRAY['hourly'::text, 'daily'::text, 'off'::text])))
) with (fillfactor=80);

create table saved_search_hit (
  search_id uuid not null,
  listing_id uuid not null,
  found_at timestamp(3) with time zone default now() not null,
  mailed_at timestamp(3) with time zone,
  constraint saved_search_hit_pkey PRIMARY KEY (search_id, listing_id)
);

create table saved_search_key (
  key bigint not null,
  search_id uuid not null,
  constraint saved_search_key_pkey PRIMARY KEY (key, search_id),
  constraint saved_search_key_search_id_fkey FOREIGN KEY (search_id) REFERENCES saved_search(id) ON DELETE CASCADE
);

create table saved_search_owner (
  id uuid default uuidv7() not null,
  user_id uuid,
  email citext,
  manage_key uuid default gen_random_uuid() not null,
  stop_key uuid default gen_random_uuid() not null,
  link_hash bytea,
  link_mailed_at timestamp(3) with time zone,
  mailed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  constraint saved_search_owner_pkey PRIMARY KEY (id),
  constraint saved_search_owner_email_key UNIQUE (email),
  constraint saved_search_owner_link_hash_key UNIQUE (link_hash),
  constraint saved_search_owner_manage_key_key UNIQUE (manage_key),
  constraint saved_search_owner_stop_key_key UNIQUE (stop_key),
  constraint saved_search_owner_user_id_key UNIQUE (user_id),
  constraint saved_search_owner_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint saved_search_owner_check CHECK (((user_id IS NULL) <> (email IS NULL))),
  constraint saved_search_owner_email_check CHECK ((char_length((email)::text) <= 254))
);

create table saved_search_reading (
  id boolean default true not null,
  version text not null,
  read_at timestamp(3) with time zone not null,
  constraint saved_search_reading_pkey PRIMARY KEY (id),
  constraint saved_search_reading_id_check CHECK (id)
);

create table saved_view (
  id uuid default uuidv7() not null,
  user_id uuid not null,
  grid text collate "C" not null,
  name text not null,
  name_key text collate "C" generated always as (name_key(name)) stored,
  settings jsonb not null,
  saved_at timestamp(3) with time zone default now() not null,
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_name_unique UNIQUE (user_id, grid, name_key),
  constraint saved_view_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint saved_view_name_check CHECK (((char_length(btrim(name)) >= 1) AND (char_length(btrim(name)) <= 60)))
);

create table schema_migration (
  name text collate "C" not null,
  sha256 text not null,
  applied_at timestamp(3) with time zone default now() not null,
  works_with text,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table script_prose (
  hash bytea not null,
  written_at timestamp(3) with time zone default now() not null,
  constraint script_prose_pkey PRIMARY KEY (hash)
);

create table seller (
  id uuid default uuidv7() not null,
  slug text collate "C" not null,
  name text not null,
  currency character(3) default 'USD'::bpchar not null,
  time_zone text default 'America/Chicago'::text not null,
  tier text default 'FREE'::text not null,
  subscription_status text default 'INACTIVE'::text not null,
  subscription_id text,
  subscription_price_id text,
  stripe_customer_id text,
  stripe_account_id text,
  connect_status text default 'NOT_STARTED'::text not null,
  charges_enabled boolean default false not null,
  royalty_percent numeric(5,2) default 0 not null,
  trusted boolean default false not null,
  listing_defaults jsonb default '{}'::jsonb not null,
  show_phone_publicly boolean default false not null,
  preferred_contact text default 'email'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  pro_granted_at timestamp(3) with time zone,
  subscription_ends_at timestamp(3) with time zone,
  provider_reads bigint default 0 not null,
  subscription_read bigint default 0 not null,
  connect_read bigint default 0 not null,
  review_imports boolean default false not null,
  feeds boolean default false not null,
  phone text,
  hours jsonb,
  policy jsonb default '{}'::jsonb not null,
  takes_offers boolean default true not null,
  quick_replies text[],
  plan_read_at timestamp(3) with time zone,
  subscription_period_end timestamp(3) with time zone,
  customer_home text,
  plan_problem text,
  payout_needs jsonb,
  certified boolean default false not null,
  established_at timestamp(3) with time zone,
  sells_online boolean default false not null,
  sale_mode text default 'confirm'::text not null,
  days_to_ship smallint default 2 not null,
  selling_accepted_at timestamp(3) with time zone,
  accepted_royalty_percent numeric(5,2),
  royalty_override numeric(5,2),
  can_transfer boolean default false not null,
  combined_shipping text default 'each'::text not null,
  stopped_told_at timestamp with time zone,
  constraint seller_pkey PRIMARY KEY (id),
  constraint seller_slug_key UNIQUE (slug),
  constraint seller_stripe_account_id_key UNIQUE (stripe_account_id),
  constraint seller_stripe_customer_id_key UNIQUE (stripe_customer_id),
  constraint seller_combined_shipping_check CHECK ((combined_shipping = ANY (ARRAY['each'::text, 'half'::text, 'dearest'::text]))),
  constraint seller_connect_status_check CHECK ((connect_status = ANY (ARRAY['NOT_STARTED'::text, 'IN_PROGRESS'::text, 'PENDING'::text, 'VERIFIED'::text, 'REJECTED'::text]))),
  constraint seller_days_to_ship_check CHECK (((days_to_ship >= 1) AND (days_to_ship <= 30))),
  constraint seller_phone_check CHECK ((char_length(phone) <= 40)),
  constraint seller_plan_problem_check CHECK ((plan_problem = ANY (ARRAY['OTHER_PRICE'::text, 'OTHER_HOME'::text]))),
  constraint seller_preferred_contact_check CHECK ((preferred_contact = ANY (ARRAY['email'::text, 'phone'::text]))),
  constraint seller_royalty_override_check CHECK (((royalty_override >= (0)::numeric) AND (royalty_override <= (100)::numeric))),
  constraint seller_sale_mode_check CHECK ((sale_mode = ANY (ARRAY['confirm'::text, 'instant'::text]))),
  constraint seller_subscription_status_check CHECK ((subscription_status = ANY (ARRAY['INACTIVE'::text, 'PENDING'::text, 'ACTIVE'::text, 'PAST_DUE'::text, 'CANCELED'::text]))),
  constraint seller_tier_check CHECK ((tier = ANY (ARRAY['FREE'::text, 'PAID'::text])))
);

create table seller_day (
  seller_id uuid not null,
  day date not null,
  category_id uuid,
  views bigint default 0 not null,
  leads bigint default 0 not null,
  constraint seller_day_seller_id_day_category_id_key UNIQUE NULLS NOT DISTINCT (seller_id, day, category_id),
  constraint seller_day_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE
);

create table seller_location (
  id uuid default uuidv7() not null,
  seller_id uuid not null,
  name text not null,
  city text not null,
  state text not null,
  zip text,
  latitude double precision,
  longitude double precision,
  street text,
  constraint seller_location_pkey PRIMARY KEY (id),
  constraint seller_location_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint seller_location_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint seller_location_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

create table seller_member (
  user_id uuid not null,
  seller_id uuid not null,
  role text default 'owner'::text not null,
  constraint seller_member_pkey PRIMARY KEY (user_id, seller_id),
  constraint seller_member_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint seller_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint seller_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'staff'::text])))
);

create table seller_payout (
  id text collate "C" not null,
  seller_id uuid not null,
  cents bigint not null,
  state text not null,
  problem text,
  arrives_at timestamp(3) with time zone not null,
  made_at timestamp(3) with time zone not null,
  constraint seller_payout_pkey PRIMARY KEY (id),
  constraint seller_payout_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint seller_payout_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'in_transit'::text, 'paid'::text, 'failed'::text, 'canceled'::text])))
);

create table session (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  last_seen_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  id uuid default uuidv7() not null,
  user_agent text,
  ip inet,
  checked_at timestamp(3) with time zone default now() not null,
  second_factor boolean default false not null,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint session_user_agent_check CHECK ((char_length(user_agent) <= 400))
);

create table sign_in_link (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint sign_in_link_pkey PRIMARY KEY (token_hash),
  constraint sign_in_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table sign_in_throttle (
  key text collate "C" not null,
  failures integer not null,
  blocked_until timestamp(3) with time zone not null,
  last_failure_at timestamp(3) with time zone not null,
  constraint sign_in_throttle_pkey PRIMARY KEY (key)
);

create table sitemap_file (
  kind text collate "C" not null,
  number integer not null,
  after_id uuid not null,
  constraint sitemap_file_pkey PRIMARY KEY (kind, number),
  constraint sitemap_file_number_check CHECK ((number > 0))
);

create table staging_file (
  id uuid default uuidv7() not null,
  root text not null,
  path text collate "C" not null,
  seller_id uuid not null,
  created_by uuid,
  header text[] default '{}'::text[] not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  changed_at timestamp(3) with time zone default now() not null,
  state text default 'staged'::text not null,
  constraint staging_file_pkey PRIMARY KEY (id),
  constraint staging_file_path_unique UNIQUE (root, path),
  constraint staging_file_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint staging_file_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint staging_file_path_check CHECK ((path ~ '^/.+\.json$'::text)),
  constraint staging_file_root_check CHECK ((root = ANY (ARRAY['ecomm'::text, 'datatable'::text, 'mapdata'::text]))),
  constraint staging_file_state_check CHECK ((state = ANY (ARRAY['staged'::text, 'resolved'::text, 'promoted'::text, 'live'::text, 'rolled back'::text])))
);

create table staging_segment (
  file_id uuid not null,
  version integer not null,
  "position" integer not null,
  sha256 text collate "C" not null,
  rows integer not null,
  bytes bigint not null,
  constraint staging_segment_pkey PRIMARY KEY (file_id, version, "position"),
  constraint staging_segment_file_id_version_fkey FOREIGN KEY (file_id, version) REFERENCES staging_version(file_id, version) ON DELETE CASCADE
);

create table staging_taxonomy (
  file_id uuid not null,
  result jsonb not null,
  made_by uuid,
  made_at timestamp(3) with time zone default now() not null,
  constraint staging_taxonomy_pkey PRIMARY KEY (file_id),
  constraint staging_taxonomy_file_id_fkey FOREIGN KEY (file_id) REFERENCES staging_file(id) ON DELETE CASCADE,
  constraint staging_taxonomy_made_by_fkey FOREIGN KEY (made_by) REFERENCES app_user(id) ON DELETE SET NULL
);

create table staging_version (
  file_id uuid not null,
  version integer not null,
  author_user_id uuid,
  message text default ''::text not null,
  rows integer not null,
  bytes bigint not null,
  columns text[] not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint staging_version_pkey PRIMARY KEY (file_id, version),
  constraint staging_version_author_user_id_fkey FOREIGN KEY (author_user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint staging_version_file_id_fkey FOREIGN KEY (file_id) REFERENCES staging_file(id) ON DELETE CASCADE
);

create table stock_change (
  seller_id uuid not null,
  category_id uuid,
  manufacturer_id uuid,
  car_model_id uuid,
  year_from smallint,
  year_to smallint,
  live integer not null
) with (autovacuum_vacuum_threshold=2000, autovacuum_vacuum_scale_factor=0);

create table stock_count (
  id uuid not null,
  year smallint not null,
  live integer not null,
  changed bigint not null,
  constraint stock_count_pkey PRIMARY KEY (id, year)
) with (fillfactor=70);

create table stock_left_out (
  seller_id uuid not null,
  constraint stock_left_out_pkey PRIMARY KEY (seller_id)
);

create table stock_pair (
  car_model_id uuid not null,
  category_id uuid not null,
  live integer not null,
  constraint stock_pair_pkey PRIMARY KEY (car_model_id, category_id)
) with (fillfactor=70);

create table stripe_event (
  id text collate "C" not null,
  type text not null,
  subject text collate "C",
  received_at timestamp(3) with time zone default now() not null,
  handled_at timestamp(3) with time zone,
  connected boolean default false not null,
  signed_by text collate "C",
  constraint stripe_event_pkey PRIMARY KEY (id)
);

create table text_proposal (
  job_id uuid not null,
  place integer not null,
  row_no integer,
  record_id text,
  old_value jsonb,
  listing_id uuid,
  listing_version integer,
  label text not null,
  title text not null,
  before_text text not null,
  after_text text,
  why text,
  change text not null,
  lost text[] not null,
  decision text,
  outcome text,
  proposed jsonb,
  constraint text_proposal_pkey PRIMARY KEY (job_id, place),
  constraint text_proposal_job_id_fkey FOREIGN KEY (job_id) REFERENCES text_review(job_id) ON DELETE CASCADE,
  constraint text_proposal_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing(id) ON DELETE CASCADE,
  constraint text_proposal_change_check CHECK ((change = ANY (ARRAY['new'::text, 'added'::text, 'reworded'::text, 'drops'::text, 'refused'::text]))),
  constraint text_proposal_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'rejected'::text]))),
  constraint text_proposal_outcome_check CHECK ((outcome = ANY (ARRAY['written'::text, 'stale'::text]))),
  constraint text_proposal_refused_check CHECK (((change = 'refused'::text) = (after_text IS NULL))),
  constraint text_proposal_target_check CHECK ((num_nonnulls(record_id, listing_id, proposed) = 1))
);

create table text_review (
  job_id uuid not null,
  field text not null,
  file_id uuid,
  file_version integer,
  left_out integer not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint text_review_pkey PRIMARY KEY (job_id),
  constraint text_review_file_id_fkey FOREIGN KEY (file_id) REFERENCES staging_file(id) ON DELETE CASCADE,
  constraint text_review_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE,
  constraint text_review_field_check CHECK ((field = ANY (ARRAY['h1'::text, 'partdescription'::text, 'landing'::text, 'links'::text]))),
  constraint text_review_file_check CHECK (((file_id IS NULL) = (file_version IS NULL)))
);

create table trade_word (
  id uuid default uuidv7() not null,
  word text not null,
  word_key text collate "C" generated always as (name_key(word)) stored not null,
  kind text not null,
  means text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint trade_word_pkey PRIMARY KEY (id),
  constraint trade_word_unique UNIQUE (word_key),
  constraint trade_word_kind_check CHECK ((kind = ANY (ARRAY['part'::text, 'side'::text, 'make'::text, 'model'::text, 'same'::text, 'skip'::text]))),
  constraint trade_word_means_check CHECK ((char_length(means) <= 500)),
  constraint trade_word_word_check CHECK (((char_length(btrim(word)) >= 1) AND (char_length(btrim(word)) <= 80)))
);

create table view_mark (
  day date not null,
  mark uuid not null,
  constraint view_mark_pkey PRIMARY KEY (day, mark)
);

create table view_salt (
  day date not null,
  salt bytea not null,
  constraint view_salt_pkey PRIMARY KEY (day),
  constraint view_salt_salt_check CHECK ((octet_length(salt) = 32))
);

create table weekly_summary (
  seller_id uuid not null,
  user_id uuid not null,
  week date not null,
  mail_id uuid,
  constraint weekly_summary_pkey PRIMARY KEY (user_id, seller_id, week),
  constraint weekly_summary_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE,
  constraint weekly_summary_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table yard_record (
  seller_id uuid not null,
  reviews integer not null,
  stars integer not null,
  confirm_of integer not null,
  confirmed integer not null,
  ship_of integer not null,
  shipped integer not null,
  deliver_of integer not null,
  came_back integer not null,
  constraint yard_record_pkey PRIMARY KEY (seller_id),
  constraint yard_record_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id) ON DELETE CASCADE
);

create table yard_review (
  id uuid default uuidv7() not null,
  order_id uuid not null,
  seller_id uuid not null,
  stars smallint not null,
  body text default ''::text not null,
  written_at timestamp(3) with time zone not null,
  publish_at timestamp(3) with time zone not null,
  published_at timestamp(3) with time zone,
  answer text,
  answered_at timestamp(3) with time zone,
  hidden_at timestamp(3) with time zone,
  hidden_note text,
  constraint yard_review_pkey PRIMARY KEY (id),
  constraint yard_review_order_id_key UNIQUE (order_id),
  constraint yard_review_order_id_fkey FOREIGN KEY (order_id) REFERENCES part_order(id) ON DELETE CASCADE,
  constraint yard_review_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES seller(id),
  constraint yard_review_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);

create table zip (
  zip text collate "C" not null,
  city text not null,
  state text not null,
  place integer not null,
  constraint zip_pkey PRIMARY KEY (zip)
);

-- Default partitions

create table audit_entry_rest partition of audit_entry default;

create table job_event_rest partition of job_event default;

create table listing_change_rest partition of listing_change default;

create table listing_view_rest partition of listing_view default;

-- Indexes

CREATE INDEX account_closure_due ON public.account_closure USING btree (erase_after) WHERE ((erased_at IS NULL) AND (reopened_at IS NULL));

CREATE INDEX address_link_by_age ON public.address_link USING btree (expires_at);

CREATE INDEX address_link_by_user ON public.address_link USING btree (user_id, created_at);

CREATE INDEX api_token_by_user ON public.api_token USING btree (user_id, id);

CREATE INDEX audit_entry_by_action ON ONLY public.audit_entry USING btree (action, at, id);

CREATE INDEX audit_entry_by_actor ON ONLY public.audit_entry USING btree (actor_user_id, at);

CREATE INDEX audit_entry_by_target ON ONLY public.audit_entry USING btree (target, at, id) WHERE (target IS NOT NULL);

CREATE INDEX audit_entry_by_time ON ONLY public.audit_entry USING btree (at, id);

CREATE INDEX book_difference_open ON public.book_difference USING btree (found_at) WHERE (gone_at IS NULL);

CREATE INDEX car_model_alias_by_model ON public.car_model_alias USING btree (car_model_id);

CREATE INDEX car_model_merged ON public.car_model USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX category_alias_by_category ON public.category_alias USING btree (category_id);

CREATE INDEX category_by_group ON public.category USING btree (group_id);

CREATE INDEX category_decision_by_category ON public.category_decision USING btree (category_id);

CREATE INDEX category_merged ON public.category USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX change_set_bulk ON public.change_set USING btree (id DESC) WHERE (reason = ANY (ARRAY['bulk edit'::text, 'undo bulk edit'::text]));

CREATE INDEX change_set_by_actor ON public.change_set USING btree (actor_user_id, id);

CREATE INDEX confirmed_device_confirmed_at ON public.confirmed_device USING btree (confirmed_at);

CREATE INDEX confirmed_device_email ON public.confirmed_device USING btree (email_hash, confirmed_at);

CREATE INDEX empty_search_by_time ON public.empty_search USING btree (last_at);

CREATE INDEX empty_search_by_times ON public.empty_search USING btree (times DESC, last_at DESC);

CREATE INDEX factor_by_user ON public.factor USING btree (user_id);

CREATE INDEX factor_ticket_by_expiry ON public.factor_ticket USING btree (expires_at);

CREATE INDEX factor_ticket_by_user ON public.factor_ticket USING btree (user_id);

CREATE INDEX fit_outcome_by_number ON public.fit_outcome USING btree (number_key) WHERE (model IS NOT NULL);

CREATE INDEX garage_vehicle_car_model ON public.garage_vehicle USING btree (car_model_id);

CREATE INDEX held_statement_by_seller ON public.held_statement USING btree (seller_id, held_at);

CREATE INDEX idempotency_record_by_age ON public.idempotency_record USING btree (created_at);

CREATE INDEX import_by_seller ON public.import USING btree (seller_id, id DESC) WHERE (NOT dry_run);

CREATE INDEX import_by_staging_file ON public.import USING btree (staging_file_id);

CREATE INDEX import_segment_by_content ON public.import_segment USING btree (sha256);

CREATE INDEX import_unfinished ON public.import USING btree (created_at) WHERE (state = 'receiving'::text);

CREATE INDEX interchange_claim_by_day ON public.interchange_claim USING btree (seller_id, stated_at);

CREATE INDEX interchange_claim_by_listing ON public.interchange_claim USING btree (listing_id) WHERE (listing_id IS NOT NULL);

CREATE INDEX interchange_claim_by_number ON public.interchange_claim USING btree (number_key);

CREATE INDEX interchange_claim_by_other ON public.interchange_claim USING btree (other_key);

CREATE INDEX job_artifact_by_file ON public.job_artifact USING btree (file_key);

CREATE INDEX job_artifact_by_job ON public.job_artifact USING btree (job_id);

CREATE INDEX job_by_queue ON public.job USING btree (queue, status, id DESC);

CREATE INDEX job_by_retry ON public.job USING btree (retry_of) WHERE (retry_of IS NOT NULL);

CREATE INDEX job_by_status ON public.job USING btree (status, id DESC);

CREATE INDEX job_failed ON public.job USING btree (ended_at) WHERE (status = 'failed'::text);

CREATE INDEX job_input_by_job ON public.job_input USING btree (job_id, taken_at, id);

CREATE UNIQUE INDEX job_running_by_key ON public.job USING btree (concurrency_key) WHERE (status = ANY (ARRAY['running'::text, 'waiting-manual'::text]));

CREATE INDEX job_schedule_due ON public.job_schedule USING btree (next_run_at) WHERE enabled;

CREATE UNIQUE INDEX job_schedule_name ON public.job_schedule USING btree (name_key(name));

CREATE INDEX job_unfinished ON public.job USING btree (id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting-manual'::text, 'retrying'::text]));

CREATE INDEX known_device_by_expiry ON public.known_device USING btree (expires_at);

CREATE INDEX known_device_by_user ON public.known_device USING btree (user_id, returned DESC, created_at DESC);

CREATE INDEX landing_heir_by_heir ON public.landing_heir USING btree (kind, heir_id);

CREATE INDEX landing_slug_by_lookup ON public.landing_slug USING btree (kind, lookup_id);

CREATE INDEX lead_by_address ON public.lead USING btree (seller_id, lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX lead_by_email ON public.lead USING btree (lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX lead_by_listing ON public.lead USING btree (listing_id);

CREATE INDEX lead_by_seller ON public.lead USING btree (seller_id, wrote_at DESC, id DESC);

CREATE INDEX lead_by_seller_and_state ON public.lead USING btree (seller_id, state, wrote_at DESC, id DESC);

CREATE INDEX lead_by_seller_and_time ON public.lead USING btree (seller_id, created_at) INCLUDE (listing_id);

CREATE INDEX lead_link_by_age ON public.lead_link USING btree (created_at);

CREATE INDEX lead_link_by_lead ON public.lead_link USING btree (lead_id);

CREATE INDEX lead_message_accepted ON public.lead_message USING btree (lead_id, expires_at) WHERE (kind = 'accept'::text);

CREATE INDEX lead_message_by_lead ON public.lead_message USING btree (lead_id, id);

CREATE INDEX ledger_entry_by_order ON public.ledger_entry USING btree (order_id, id);

CREATE INDEX ledger_entry_by_time ON public.ledger_entry USING btree (at, id);

CREATE INDEX ledger_entry_debts ON public.ledger_entry USING btree (order_id) INCLUDE (amount_cents) WHERE (account = 'seller-debt'::text);

CREATE INDEX listing_by_car_model ON public.listing USING btree (car_model_id, deleted_at);

CREATE INDEX listing_by_category ON public.listing USING btree (category_id, deleted_at);

CREATE INDEX listing_by_dealer ON public.listing USING btree (lower(dealer_name) text_pattern_ops);

CREATE INDEX listing_by_manufacturer ON public.listing USING btree (manufacturer_id, deleted_at);

CREATE INDEX listing_by_stock_number ON public.listing USING btree (seller_id, lower(stock_number)) WHERE ((deleted_at IS NULL) AND (stock_number IS NOT NULL));

CREATE INDEX listing_change_by_set ON ONLY public.listing_change USING btree (change_set_id);

CREATE INDEX listing_change_by_time ON ONLY public.listing_change USING brin (at) WITH (pages_per_range='16', autosummarize='on');

CREATE INDEX listing_ended_by_seller ON public.listing USING btree (seller_id, id DESC) WHERE ((deleted_at IS NULL) AND (ended_at IS NOT NULL));

CREATE INDEX listing_for_sale ON public.listing USING btree (id DESC) INCLUDE (seller_id) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_car_model ON public.listing USING btree (car_model_id, id DESC) INCLUDE (seller_id) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_category ON public.listing USING btree (category_id, id DESC) INCLUDE (seller_id) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_manufacturer ON public.listing USING btree (manufacturer_id, id DESC) INCLUDE (seller_id) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_price ON public.listing USING btree (price_cents, id) INCLUDE (seller_id) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_total ON public.listing USING btree (((shipping_kind = 'quote'::text)), ((price_cents + COALESCE(shipping_cents, (0)::bigint))), id) INCLUDE (seller_id, price_cents, shipping_kind, shipping_cents) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_for_sale_by_total_down ON public.listing USING btree (((shipping_kind = 'quote'::text)), ((price_cents + COALESCE(shipping_cents, (0)::bigint))) DESC, id DESC) INCLUDE (seller_id, price_cents, shipping_kind, shipping_cents) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX listing_image_by_content ON public.listing_image USING btree (sha256);

CREATE INDEX listing_image_pending ON public.listing_image USING btree (id) WHERE (state = 'pending'::text);

CREATE UNIQUE INDEX listing_image_position ON public.listing_image USING btree (listing_id, "position");

CREATE INDEX listing_live_by_part_number ON public.listing USING btree (part_number_key) WHERE ((status = 'ACTIVE'::text) AND (ended_at IS NULL) AND (deleted_at IS NULL) AND (part_number_key IS NOT NULL));

CREATE INDEX listing_report_by_email ON public.listing_report USING btree (lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX listing_report_by_import ON public.listing_report USING btree (import_id) WHERE (import_id IS NOT NULL);

CREATE INDEX listing_report_by_listing ON public.listing_report USING btree (listing_id, id DESC);

CREATE INDEX listing_report_by_token ON public.listing_report USING btree (token_hash) WHERE (token_hash IS NOT NULL);

CREATE UNIQUE INDEX listing_report_once ON public.listing_report USING btree (listing_id, visitor) WHERE (closed_at IS NULL);

CREATE INDEX listing_report_open ON public.listing_report USING btree (id) WHERE (closed_at IS NULL);

CREATE INDEX listing_running_by_seller ON public.listing USING btree (seller_id, id DESC) WHERE ((deleted_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX listing_search_all ON public.listing_search USING gin (document, category_id, manufacturer_id, car_model_id, seller_id, place);

CREATE INDEX listing_search_hidden ON public.listing_search USING btree (listing_id DESC) WHERE hidden;

CREATE INDEX listing_slug_by_listing ON public.listing_slug USING btree (listing_id);

CREATE INDEX listing_slug_deleted ON public.listing USING btree (slug) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX listing_slug_unique ON public.listing USING btree (slug) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX listing_source_by_listing ON public.listing_source USING btree (listing_id);

CREATE INDEX listing_source_by_part ON public.listing_source USING btree (seller_id, part_key) WHERE (part_key IS NOT NULL);

CREATE INDEX listing_view_by_seller ON ONLY public.listing_view USING btree (seller_id, day) INCLUDE (listing_id, views);

CREATE INDEX lookup_change_by_lookup ON public.lookup_change USING btree (lookup_id, id);

CREATE INDEX lookup_change_by_set ON public.lookup_change USING btree (change_set_id);

CREATE INDEX lookup_question_by_file ON public.lookup_question USING btree (file_id) WHERE (file_id IS NOT NULL);

CREATE INDEX lookup_question_by_manufacturer ON public.lookup_question USING btree (manufacturer_id) WHERE (manufacturer_id IS NOT NULL);

CREATE INDEX mail_by_order ON public.mail USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX manufacturer_alias_by_manufacturer ON public.manufacturer_alias USING btree (manufacturer_id);

CREATE INDEX manufacturer_merged ON public.manufacturer USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX order_dispute_by_order ON public.order_dispute USING btree (order_id);

CREATE INDEX order_dispute_waiting ON public.order_dispute USING btree (due_at) WHERE (state = 'needs-response'::text);

CREATE INDEX order_event_by_order ON public.order_event USING btree (order_id, id);

CREATE INDEX order_line_by_listing ON public.order_line USING btree (listing_id);

CREATE INDEX order_line_by_order ON public.order_line USING btree (order_id);

CREATE INDEX order_link_by_order ON public.order_link USING btree (order_id);

CREATE INDEX order_photo_by_content ON public.order_photo USING btree (sha256);

CREATE INDEX order_photo_by_dispute ON public.order_photo USING btree (dispute_id) WHERE (dispute_id IS NOT NULL);

CREATE INDEX order_photo_by_order ON public.order_photo USING btree (order_id, id);

CREATE INDEX order_photo_unsent ON public.order_photo USING btree (created_at) WHERE ((return_id IS NULL) AND (dispute_id IS NULL));

CREATE INDEX order_photo_waiting ON public.order_photo USING btree (created_at) WHERE (return_id IS NULL);

CREATE INDEX order_return_by_order ON public.order_return USING btree (order_id, id);

CREATE INDEX order_return_deciding ON public.order_return USING btree (order_id) WHERE (state = 'deciding'::text);

CREATE INDEX order_return_due ON public.order_return USING btree (act_at) WHERE (act_at IS NOT NULL);

CREATE INDEX order_step_moves ON public.order_step USING btree (try_at) WHERE ((state = 'wanted'::text) AND (kind = ANY (ARRAY['transfer'::text, 'reverse'::text])));

CREATE UNIQUE INDEX order_step_once ON public.order_step USING btree (order_id, kind) WHERE ((kind = ANY (ARRAY['capture'::text, 'cancel'::text])) AND (state <> 'void'::text));

CREATE UNIQUE INDEX order_step_one_transfer ON public.order_step USING btree (order_id) WHERE ((state = 'wanted'::text) AND (kind = 'transfer'::text));

CREATE INDEX order_step_wanted ON public.order_step USING btree (order_id, id) WHERE (state = 'wanted'::text);

CREATE INDEX order_transfer_by_order ON public.order_transfer USING btree (order_id);

CREATE INDEX order_transfer_by_payout ON public.order_transfer USING btree (payout_id) WHERE (payout_id IS NOT NULL);

CREATE INDEX order_transfer_by_seller ON public.order_transfer USING btree (seller_id, made_at DESC);

CREATE INDEX order_transfer_unpaid ON public.order_transfer USING btree (seller_id) WHERE (payout_id IS NULL);

CREATE INDEX page_link_to ON public.page_link USING btree (to_kind, to_id);

CREATE INDEX part_hold_by_device ON public.part_hold USING btree (device) WHERE (ended_at IS NULL);

CREATE INDEX part_hold_by_mailbox ON public.part_hold USING btree (mailbox) WHERE (ended_at IS NULL);

CREATE INDEX part_hold_by_network ON public.part_hold USING btree (network) WHERE (ended_at IS NULL);

CREATE INDEX part_hold_by_seller ON public.part_hold USING btree (seller_id) WHERE (ended_at IS NULL);

CREATE INDEX part_hold_lapsed ON public.part_hold USING btree (listing_id, ended_at) WHERE (ending = 'lapsed'::text);

CREATE UNIQUE INDEX part_hold_of_lead ON public.part_hold USING btree (lead_id) WHERE ((ended_at IS NULL) AND (lead_id IS NOT NULL));

CREATE UNIQUE INDEX part_hold_of_order ON public.part_hold USING btree (order_id, listing_id) WHERE (ended_at IS NULL);

CREATE INDEX part_hold_open ON public.part_hold USING btree (listing_id) WHERE (ended_at IS NULL);

CREATE INDEX part_order_attention ON public.part_order USING btree (id DESC) WHERE (attention IS NOT NULL);

CREATE INDEX part_order_by_buyer ON public.part_order USING btree (buyer_user_id, id DESC) WHERE (buyer_user_id IS NOT NULL);

CREATE INDEX part_order_by_email ON public.part_order USING btree (lower(email), id DESC);

CREATE INDEX part_order_by_seller ON public.part_order USING btree (seller_id, id DESC);

CREATE INDEX part_order_due ON public.part_order USING btree (act_at) WHERE (act_at IS NOT NULL);

CREATE INDEX part_order_review_due ON public.part_order USING btree (delivered_at) WHERE (review_asked_at IS NULL);

CREATE INDEX part_order_to_close ON public.part_order USING btree (delivered_at) WHERE (state = 'delivered'::text);

CREATE INDEX part_order_to_release ON public.part_order USING btree (release_at) WHERE to_release;

CREATE INDEX part_order_undecided ON public.part_order USING btree (decide_by) WHERE (decide_by IS NOT NULL);

CREATE INDEX password_reset_by_expiry ON public.password_reset USING btree (expires_at);

CREATE INDEX password_reset_by_user ON public.password_reset USING btree (user_id, created_at);

CREATE INDEX promotion_action_kept ON public.promotion_action USING btree (promotion_id, row_no) WHERE (kept IS NOT NULL);

CREATE INDEX promotion_action_kept_edits ON public.promotion_action USING btree (promotion_id, row_no) WHERE (kept_edits IS NOT NULL);

CREATE INDEX promotion_action_moved ON public.promotion_action USING btree (prior_key, prior_ordinal) WHERE (prior_key IS NOT NULL);

CREATE INDEX promotion_by_continued ON public.promotion USING btree (continues) WHERE (continues IS NOT NULL);

CREATE INDEX promotion_by_dataset ON public.promotion USING btree (dataset, id) WHERE (state = ANY (ARRAY['planned'::text, 'applying'::text]));

CREATE INDEX promotion_by_file ON public.promotion USING btree (file_id, version, id);

CREATE INDEX promotion_by_import ON public.promotion USING btree (import_id);

CREATE INDEX promotion_by_seller ON public.promotion USING btree (seller_id, id DESC);

CREATE UNIQUE INDEX promotion_once ON public.promotion USING btree (file_id, version) WHERE (state <> ALL (ARRAY['undone'::text, 'failed'::text]));

CREATE INDEX promotion_waiting ON public.promotion USING btree (seller_id) WHERE (waiting > 0);

CREATE UNIQUE INDEX provider_request_open ON public.provider_request USING btree (seller_id, kind) WHERE (state = 'open'::text);

CREATE INDEX recovery_code_by_user ON public.recovery_code USING btree (user_id);

CREATE INDEX removed_picture_by_age ON public.removed_picture USING btree (removed_at);

CREATE INDEX removed_picture_by_content ON public.removed_picture USING btree (sha256);

CREATE INDEX removed_picture_by_listing ON public.removed_picture USING btree (listing_id);

CREATE INDEX review_report_open ON public.review_report USING btree (review_id) WHERE (closed_at IS NULL);

CREATE INDEX saved_part_listing ON public.saved_part USING btree (listing_id);

CREATE INDEX saved_search_by_owner ON public.saved_search USING btree (owner_id);

CREATE INDEX saved_search_key_by_search ON public.saved_search_key USING btree (search_id);

CREATE INDEX saved_search_waiting ON public.saved_search USING btree (owner_id) WHERE ((waiting_since IS NOT NULL) AND (confirmed_at IS NOT NULL) AND (frequency <> 'off'::text));

CREATE INDEX seller_by_name ON public.seller USING btree (seller_key(name));

CREATE INDEX seller_day_by_category ON public.seller_day USING btree (category_id);

CREATE INDEX seller_location_by_seller ON public.seller_location USING btree (seller_id);

CREATE INDEX seller_member_by_seller ON public.seller_member USING btree (seller_id);

CREATE INDEX seller_new ON public.seller USING btree (created_at) WHERE (established_at IS NULL);

CREATE INDEX seller_payout_by_seller ON public.seller_payout USING btree (seller_id, made_at DESC);

CREATE INDEX seller_selling_news ON public.seller USING btree (id) WHERE (sells_online AND ((stopped_told_at IS NULL) = (NOT ((connect_status = 'VERIFIED'::text) AND can_transfer))));

CREATE INDEX session_by_expiry ON public.session USING btree (expires_at);

CREATE UNIQUE INDEX session_by_id ON public.session USING btree (id);

CREATE INDEX session_by_user ON public.session USING btree (user_id);

CREATE INDEX sign_in_link_by_expiry ON public.sign_in_link USING btree (expires_at);

CREATE INDEX sign_in_link_by_user ON public.sign_in_link USING btree (user_id, created_at);

CREATE INDEX sign_in_throttle_by_age ON public.sign_in_throttle USING btree (last_failure_at);

CREATE INDEX staging_file_by_change ON public.staging_file USING btree (root, changed_at DESC, id DESC);

CREATE INDEX staging_file_by_seller ON public.staging_file USING btree (seller_id, id DESC);

CREATE INDEX staging_file_by_state ON public.staging_file USING btree (root, state, changed_at DESC, id DESC);

CREATE INDEX staging_segment_by_content ON public.staging_segment USING btree (sha256);

CREATE INDEX stripe_event_by_age ON public.stripe_event USING btree (received_at);

CREATE INDEX text_proposal_by_listing ON public.text_proposal USING btree (listing_id) WHERE (listing_id IS NOT NULL);

CREATE INDEX text_review_by_file ON public.text_review USING btree (file_id) WHERE (file_id IS NOT NULL);

CREATE INDEX yard_review_by_seller ON public.yard_review USING btree (seller_id, id DESC);

CREATE INDEX yard_review_due ON public.yard_review USING btree (publish_at) WHERE (published_at IS NULL);

CREATE INDEX zip_by_city ON public.zip USING btree (state, city_key(city));

-- Triggers

CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();

CREATE TRIGGER car_model_is_public AFTER INSERT OR DELETE OR UPDATE ON car_model FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER car_model_needs_change_set BEFORE INSERT OR DELETE OR UPDATE ON car_model FOR EACH STATEMENT EXECUTE FUNCTION refuse_write_without_change_set();

CREATE TRIGGER car_model_alias_is_public AFTER INSERT OR DELETE OR UPDATE ON car_model_alias FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER category_is_public AFTER INSERT OR DELETE OR UPDATE ON category FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER category_needs_change_set BEFORE INSERT OR DELETE OR UPDATE ON category FOR EACH STATEMENT EXECUTE FUNCTION refuse_write_without_change_set();

CREATE TRIGGER category_alias_is_public AFTER INSERT OR DELETE OR UPDATE ON category_alias FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER fit_outcome_is_public AFTER INSERT OR UPDATE ON fit_outcome FOR EACH ROW EXECUTE FUNCTION note_fit_outcome();

CREATE TRIGGER interchange_is_public AFTER INSERT ON interchange_claim FOR EACH ROW WHEN (new.listing_id IS NULL) EXECUTE FUNCTION note_public_change();

CREATE TRIGGER interchange_was_public AFTER DELETE ON interchange_claim FOR EACH ROW WHEN (old.listing_id IS NULL) EXECUTE FUNCTION note_public_change();

CREATE TRIGGER number_is_not_stated AFTER DELETE ON interchange_claim REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_numbers();

CREATE TRIGGER number_is_restated AFTER UPDATE ON interchange_claim REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_numbers();

CREATE TRIGGER number_is_stated AFTER INSERT ON interchange_claim REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_numbers();

CREATE TRIGGER landing_page_is_public AFTER INSERT OR DELETE OR UPDATE ON landing_page FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER landing_slug_is_public AFTER INSERT OR DELETE OR UPDATE ON landing_slug FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_ledger();

CREATE TRIGGER ledger_entry_kept BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_ledger();

CREATE TRIGGER listing_added AFTER INSERT ON listing REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_listings();

CREATE TRIGGER listing_changed AFTER UPDATE ON listing REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_listings();

CREATE TRIGGER listing_cheaper AFTER UPDATE ON listing REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_cheaper_listings();

CREATE TRIGGER listing_in_order BEFORE UPDATE OF ended_at, deleted_at, status, quantity ON listing FOR EACH ROW WHEN (old.ended_at IS DISTINCT FROM new.ended_at OR old.deleted_at IS DISTINCT FROM new.deleted_at OR old.status <> new.status OR new.quantity < old.quantity) EXECUTE FUNCTION refuse_change_of_ordered_part();

CREATE TRIGGER listing_needs_change_set BEFORE INSERT OR DELETE OR UPDATE ON listing FOR EACH STATEMENT EXECUTE FUNCTION refuse_write_without_change_set();

CREATE TRIGGER listing_removed AFTER DELETE ON listing REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_listings();

CREATE TRIGGER listing_restates_interchange AFTER UPDATE ON listing FOR EACH ROW WHEN ((old.interchange IS NOT NULL OR new.interchange IS NOT NULL) AND (old.interchange IS DISTINCT FROM new.interchange OR old.part_number IS DISTINCT FROM new.part_number OR old.status IS DISTINCT FROM new.status OR old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION follow_interchange();

CREATE TRIGGER listing_states_interchange AFTER INSERT ON listing FOR EACH ROW WHEN (new.interchange IS NOT NULL) EXECUTE FUNCTION follow_interchange();

CREATE TRIGGER listing_vehicle BEFORE INSERT ON listing FOR EACH ROW WHEN (new.year_from IS NULL OR new.manufacturer_name = ''::text OR new.model_name = ''::text) EXECUTE FUNCTION refuse_missing_vehicle();

CREATE TRIGGER listing_vehicle_kept BEFORE UPDATE OF category_id, year_from, manufacturer_name, model_name ON listing FOR EACH ROW WHEN (new.year_from IS NULL OR new.manufacturer_name = ''::text AND old.manufacturer_name <> ''::text OR new.model_name = ''::text AND old.model_name <> ''::text) EXECUTE FUNCTION refuse_missing_vehicle();

CREATE TRIGGER listing_image_added AFTER INSERT ON listing_image FOR EACH ROW WHEN (new.state = 'ready'::text) EXECUTE FUNCTION follow_picture();

CREATE TRIGGER listing_image_changed AFTER UPDATE OF state ON listing_image FOR EACH ROW WHEN (new.state <> old.state) EXECUTE FUNCTION follow_picture();

CREATE TRIGGER listing_image_removed AFTER DELETE ON listing_image FOR EACH ROW WHEN (old.state = 'ready'::text) EXECUTE FUNCTION follow_picture();

CREATE TRIGGER picture_added_is_public AFTER INSERT ON listing_image REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_pictures();

CREATE TRIGGER picture_changed_is_public AFTER UPDATE ON listing_image REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_pictures();

CREATE TRIGGER picture_removed_is_public AFTER DELETE ON listing_image REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_pictures();

CREATE TRIGGER listing_search_added AFTER INSERT ON listing_search REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_places();

CREATE TRIGGER listing_search_arrived AFTER INSERT ON listing_search REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_added_listings();

CREATE TRIGGER listing_search_changed AFTER UPDATE ON listing_search REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_places();

CREATE TRIGGER listing_search_followed AFTER UPDATE ON listing_search REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_changed_listings();

CREATE TRIGGER change_of_everything AFTER INSERT ON listing_tally_change FOR EACH ROW WHEN (new.seller_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) EXECUTE FUNCTION note_change_of_everything();

CREATE TRIGGER manufacturer_is_public AFTER INSERT OR DELETE OR UPDATE ON manufacturer FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER manufacturer_needs_change_set BEFORE INSERT OR DELETE OR UPDATE ON manufacturer FOR EACH STATEMENT EXECUTE FUNCTION refuse_write_without_change_set();

CREATE TRIGGER manufacturer_alias_is_public AFTER INSERT OR DELETE OR UPDATE ON manufacturer_alias FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER name_review_is_public AFTER INSERT OR DELETE OR UPDATE ON name_review FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER page_link_is_public AFTER INSERT OR DELETE OR UPDATE ON page_link FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE CONSTRAINT TRIGGER promotion_begun AFTER INSERT OR DELETE ON promotion DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_staging_state('file_id');

CREATE CONSTRAINT TRIGGER promotion_moved AFTER UPDATE ON promotion DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state OR old.version IS DISTINCT FROM new.version OR (old.applied > 0) IS DISTINCT FROM (new.applied > 0) OR (old.applied_at IS NULL) IS DISTINCT FROM (new.applied_at IS NULL) OR (old.approved_at IS NULL) IS DISTINCT FROM (new.approved_at IS NULL)) EXECUTE FUNCTION keep_staging_state('file_id');

CREATE TRIGGER removed_claim_is_public AFTER INSERT ON removed_claim FOR EACH ROW EXECUTE FUNCTION note_public_change();

CREATE TRIGGER seller_established_is_public AFTER UPDATE OF established_at ON seller FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER seller_is_public AFTER UPDATE OF slug, name, tier, show_phone_publicly, preferred_contact, takes_offers ON seller FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER seller_selling_is_public AFTER UPDATE OF sells_online, can_transfer, connect_status ON seller FOR EACH ROW WHEN (old.sells_online IS DISTINCT FROM new.sells_online OR old.can_transfer IS DISTINCT FROM new.can_transfer OR old.connect_status IS DISTINCT FROM new.connect_status) EXECUTE FUNCTION note_public_change();

CREATE TRIGGER yard_is_public AFTER UPDATE OF phone, hours, policy, time_zone ON seller FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER seller_location_is_public AFTER INSERT OR DELETE OR UPDATE ON seller_location FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE CONSTRAINT TRIGGER staging_file_moved AFTER UPDATE ON staging_file DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.version IS DISTINCT FROM new.version) EXECUTE FUNCTION keep_staging_state('id');

CREATE CONSTRAINT TRIGGER staging_version_made AFTER INSERT OR UPDATE OF message ON staging_version DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_staging_state('file_id');

CREATE TRIGGER trade_word_is_public AFTER INSERT OR DELETE OR UPDATE ON trade_word FOR EACH STATEMENT EXECUTE FUNCTION note_public_change();

CREATE TRIGGER yard_record_is_public AFTER INSERT OR UPDATE ON yard_record FOR EACH ROW EXECUTE FUNCTION note_public_change();

CREATE TRIGGER yard_review_is_public AFTER UPDATE ON yard_review FOR EACH ROW WHEN (old.published_at IS NOT NULL OR new.published_at IS NOT NULL) EXECUTE FUNCTION note_public_change();
