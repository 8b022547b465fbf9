-- What a yard says of itself on its page. All of it is public; what it leaves empty is not shown.
alter table seller
  add column phone text check (char_length(phone) <= 40),
  -- By weekday, "monday" first: {"opens": "08:00", "closes": "17:00"}, or null if closed. In the seller's time zone.
  add column hours jsonb,
  -- Texts under "shipping", "returns" and "warranty".
  add column policy jsonb not null default '{}';

alter table seller_location add column street text;

create trigger yard_is_public after update of phone, hours, policy, time_zone on seller
  for each statement execute function note_public_change();
create trigger seller_location_is_public after insert or update or delete on seller_location
  for each statement execute function note_public_change();
