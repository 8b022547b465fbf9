-- What buyers call things: parts, sides, makes. Admins add and remove them.
create table trade_word (
  id uuid primary key default uuidv7(),
  word text not null check (char_length(btrim(word)) between 1 and 80),
  word_key text collate "C" not null generated always as (name_key(word)) stored,
  kind text not null check (kind in ('part', 'side', 'make', 'model', 'same', 'skip')),
  -- Part: names of categories, with semicolons between them. Side: front, rear, left, right or two of them. Make: its name.
  -- Model: make and model with a slash. Same: another word. Skip: nothing.
  means text not null check (char_length(means) <= 500),
  created_at timestamptz(3) not null default now(),
  constraint trade_word_unique unique (word_key)
);

insert into trade_word (word, kind, means)
select btrim(word), cell[2], cell[3]
from (
  select string_to_array(line, ',') as cell
  from string_to_table(:'trade-words.csv', e'\n') with ordinality as t(line, number) where number > 1 and line <> ''
) row, string_to_table(cell[1], ';') as word;
