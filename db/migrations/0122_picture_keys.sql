-- Pictures of parts that are not public are shown to their seller and to administrators alone. A picture's address carries no
-- sign-in, so the addresses that these read carry a key, which is made from this secret and good for two days.
create table picture_secret (
  is_only boolean primary key default true check (is_only),
  secret uuid not null default gen_random_uuid()
);
insert into picture_secret default values;

-- The key of a listing's pictures, this many days ago.
create function picture_key(listing_id uuid, days_ago integer) returns text language sql stable as $$
  select left(encode(sha256(convert_to(
    concat_ws(' ', secret, listing_id, floor(extract(epoch from now()) / 86400)::integer - days_ago), 'UTF8')), 'hex'), 32)
  from picture_secret
$$;
