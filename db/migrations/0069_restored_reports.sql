-- Restoring a hidden listing keeps the text of hiding it, and has one of its own.
alter table listing_report
  add column restored_at timestamptz(3),
  add column restored_by uuid references app_user on delete set null,
  add column restore_answer text not null default '';
update listing_report set restored_at = closed_at, restored_by = closed_by where outcome = 'restored';
