-- Kept lists and pages show these: the statements of a seller count in everyone's searches once it is no longer new, and a
-- reviewed name is shown or not.
create trigger seller_established_is_public after update of established_at on seller
  for each statement execute function note_public_change();
create trigger name_review_is_public after insert or update or delete on name_review
  for each statement execute function note_public_change();
