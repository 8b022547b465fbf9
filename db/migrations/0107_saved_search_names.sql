-- What a saved search asks of a listing's name alone, what must not be in it, and whose parts it leaves out: as the search page
-- means them. Before, excluded words were part of `words` and were looked for in all of a listing's text.
alter table saved_search add column name_words tsquery;
alter table saved_search add column excluded_names tsquery;
alter table saved_search add column excluded_seller_ids uuid[];
