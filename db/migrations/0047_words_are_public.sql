-- What a search finds depends on its words: a kept page must not outlive an edit of them.
create trigger trade_word_is_public after insert or update or delete on trade_word
  for each statement execute function note_public_change();
