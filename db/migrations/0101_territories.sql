-- ZIP codes of Puerto Rico and the other territories, from db/data/territory-zips.csv.
insert into zip
select cell[1], cell[2], cell[3], place_at(cell[4]::double precision, cell[5]::double precision)
from (
  select string_to_array(line, ',') as cell
  from string_to_table(:'territory-zips.csv', e'\n') with ordinality as t(line, number) where number > 1 and line <> ''
) row
on conflict do nothing;

-- Parts there, which had no place until now.
update listing_search t set place = z.place
from listing l join zip z on z.zip = lpad(substring(l.zip from '^\s*(\d{3,5})'), 5, '0')
where l.id = t.listing_id and t.place is null and z.state in ('PR', 'VI', 'GU', 'MP', 'AS');
