-- From then on the statements of a seller count in everyone's searches.
create trigger seller_established_is_public after update of established_at on seller
  for each statement execute function note_public_change();
