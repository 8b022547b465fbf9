-- Counts the stock for sale for the tables of 0080.

insert into stock_left_out select seller_id from gone_seller;

-- What 0080 noted since is folded later. One statement sees both at the same moment, so writes need not wait.
create temporary table counted on commit drop as
select category_id, manufacturer_id, car_model_id, year_from, year_to, sum(live) as live
from (select seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to, 1 as live
      from listing where status = 'ACTIVE' and ended_at is null and deleted_at is null
      union all
      select seller_id, category_id, manufacturer_id, car_model_id, year_from, year_to, -live from stock_change) stock
where seller_id not in (select seller_id from stock_left_out)
group by 1, 2, 3, 4, 5 having sum(live) <> 0;

insert into stock_count
select id, 0, sum(live), 0
from counted cross join lateral unnest(array[category_id, manufacturer_id, car_model_id]) id
where id is not null group by id;
insert into stock_count
select car_model_id, year, sum(live), 0
from counted cross join lateral generate_series(year_from::int, year_to::int) year
where car_model_id is not null group by car_model_id, year;
insert into stock_pair
select car_model_id, category_id, sum(live)
from counted where car_model_id is not null and category_id is not null group by 1, 2;

analyze stock_count;
analyze stock_pair;
