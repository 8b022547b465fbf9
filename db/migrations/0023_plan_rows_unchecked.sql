-- A plan's rows are written in the transaction that holds their promotion locked, and promotions are never deleted: the key
-- to the promotion found out nothing, a million times a file, for half of what writing these rows takes.
alter table promotion_action drop constraint promotion_action_promotion_id_fkey;
