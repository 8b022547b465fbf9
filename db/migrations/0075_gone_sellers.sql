-- Sellers whose people's accounts are all disabled or closed (server/features/for-sale). Their listings keep their state.
create table gone_seller (
  seller_id uuid primary key references seller on delete cascade,
  state text not null check (state in ('disabled', 'closed')),
  since timestamptz(3) not null default now()
);

insert into gone_seller (seller_id, state)
select m.seller_id, case when bool_and(c.user_id is not null) then 'closed' else 'disabled' end
from seller_member m
join app_user u on u.id = m.user_id
left join account_closure c on c.user_id = u.id and c.reopened_at is null
group by m.seller_id
having bool_and(u.disabled_at is not null or c.user_id is not null);

-- The planner must not guess how many there are.
analyze gone_seller;

-- The version of what is public.
insert into listing_tally_change
select 'ffffffff-ffff-ffff-ffff-ffffffffffff', 0, 0, 0, 1 where exists (select from gone_seller);
