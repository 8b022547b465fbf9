-- Public pages are kept by the version of what they show: the tally's `writes`, which so far grew with listings alone. It now
-- grows with everything else that is public as well. Such a change is one row of no seller's: it counts no listings.
create function note_public_change() returns trigger language plpgsql as $$
begin
  insert into listing_tally_change values ('ffffffff-ffff-ffff-ffff-ffffffffffff', 0, 0, 0, 1);
  return null;
end $$;

create trigger category_is_public after insert or update or delete on category
  for each statement execute function note_public_change();
create trigger category_alias_is_public after insert or update or delete on category_alias
  for each statement execute function note_public_change();
create trigger manufacturer_is_public after insert or update or delete on manufacturer
  for each statement execute function note_public_change();
create trigger manufacturer_alias_is_public after insert or update or delete on manufacturer_alias
  for each statement execute function note_public_change();
create trigger car_model_is_public after insert or update or delete on car_model
  for each statement execute function note_public_change();
create trigger car_model_alias_is_public after insert or update or delete on car_model_alias
  for each statement execute function note_public_change();
create trigger landing_page_is_public after insert or update or delete on landing_page
  for each statement execute function note_public_change();
create trigger landing_slug_is_public after insert or update or delete on landing_slug
  for each statement execute function note_public_change();
create trigger page_link_is_public after insert or update or delete on page_link
  for each statement execute function note_public_change();
-- A picture is fetched and made ready after its listing was written.
create trigger listing_image_is_public after insert or update or delete on listing_image
  for each statement execute function note_public_change();
-- Not the provider's states, which are checked again all day.
create trigger seller_is_public after update of slug, name, tier, show_phone_publicly, preferred_contact on seller
  for each statement execute function note_public_change();

-- The page of a deleted listing says that it is gone, without reading all listings.
create index listing_slug_deleted on listing (slug) where deleted_at is not null;
