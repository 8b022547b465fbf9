-- Lists and pages show whether a part can be bought here.
create trigger seller_selling_is_public after update of sells_online, can_transfer, connect_status on seller
  for each row when ((old.sells_online, old.can_transfer, old.connect_status)
    is distinct from (new.sells_online, new.can_transfer, new.connect_status))
  execute function note_public_change();
