-- Words of `db/data/trade-words.csv` that were loaded, each with the row of `trade_word` that it became. A row that is gone was
-- removed by an administrator, and another row of the word is an administrator's own: neither is loaded again.
create table built_in_word (
  word_key text collate "C" primary key,
  -- No foreign key: the id stays when the row goes. Null for a word that an administrator taught before it was built in.
  row_id uuid,
  loaded_at timestamptz(3) not null default now()
);

-- Migration 0038 wrote the built-in words at one time, and whatever an administrator changes becomes a new row.
insert into built_in_word (word_key, row_id)
select word_key, id from trade_word
where created_at = (select min(created_at) from trade_word)
  and id::text not in (
    select target from audit_entry where action in ('search-word-added', 'search-word-changed') and target is not null);

-- Words that administrators removed or renamed.
insert into built_in_word (word_key)
select distinct name_key(word)
from audit_entry, lateral (values (detail ->> 'word'), (substring(detail ->> 'from' from '^(.*?): '))) as gone(word)
where action in ('search-word-removed', 'search-word-changed') and name_key(word) <> ''
on conflict do nothing;
