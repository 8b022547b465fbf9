-- Rows whose own heading or description contradicts their facts, named in the plan.
alter table promotion add column contradictions jsonb not null default '[]';
