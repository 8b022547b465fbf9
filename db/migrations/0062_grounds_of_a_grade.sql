-- What a grade rests on: ARA's damage code, and why a person graded otherwise than the rule.
alter table listing add column damage_code text, add column grade_reason text;
