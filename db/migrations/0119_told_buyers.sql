-- When the buyer of a conversation was mailed that its seller is gone.
alter table lead add column told_gone_at timestamptz(3);
