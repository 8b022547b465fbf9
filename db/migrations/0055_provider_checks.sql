-- What the payment provider was asked, and when. A lost webhook must not give Pro forever, so every plan is read again
-- after a day, and one whose paid period is over at once.
alter table seller
  add plan_read_at timestamptz(3),
  -- The end of the paid period of the leading subscription.
  add subscription_period_end timestamptz(3),
  -- Mode and platform account in which the customer was found, such as "live acct_1": elsewhere it is not "gone".
  add customer_home text,
  -- Why an administrator should look at the plan.
  add plan_problem text,
  -- What the provider still wants from the seller before or so that it pays out; null if nothing.
  add payout_needs jsonb,
  add constraint seller_plan_problem_check check (plan_problem in ('OTHER_PRICE', 'OTHER_HOME'));

-- Whether the event came from a payout account, and which signing secret proved it (the first digits of its hash).
alter table stripe_event
  add connected boolean not null default false,
  add signed_by text collate "C";

-- The price of Pro as the provider has it, in at most one row.
create table pro_price (
  only_row boolean primary key default true check (only_row),
  price_id text not null,
  -- "$149"; null if the price does not exist.
  amount_text text,
  -- Why Pro must not be sold at this price.
  problem text,
  read_at timestamptz(3) not null default now()
);
