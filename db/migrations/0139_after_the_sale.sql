-- What happens to an order's money after the part arrived (docs/decisions/0117).

alter table part_order
  -- From when on the yard's share may be transferred; nothing is while a return, dispute or hold is open.
  add column release_at timestamptz(3),
  -- When the yard's share was transferred first.
  add column released_at timestamptz(3),
  -- Until when the buyer may send the part back without a fault of the yard.
  add column return_until timestamptz(3),
  -- Returns and claims that are not decided yet.
  add column open_returns smallint not null default 0 check (open_returns >= 0),
  -- Null: no core charge was paid. Its money stays until the core is back or the days for it are over.
  add column core_state text check (core_state in ('open', 'back', 'lapsed')),
  add column core_by timestamptz(3);
