-- Buyers search by a yard's name as well: "Smith & Sons, LLC" is smithsons (server/features/search/words/seller-names.ts).
create function seller_key(name text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(
    regexp_replace(normalize(name, nfkd), '\mand\M|([ ,.]+(llc|inc|co|corp|ltd))+[ .]*$', '', 'gi'), '[^a-zA-Z0-9]+', '', 'g'));

create index seller_by_name on seller (seller_key(name));
