-- A yard may answer that parts with a name are left out: means is '' then (docs/decisions/0135).

alter table name_answer
  drop constraint name_answer_means_check,
  add constraint name_answer_means_check check (char_length(means) <= 200);
