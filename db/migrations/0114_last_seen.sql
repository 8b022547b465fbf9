-- When an account was last used. Sessions end, and what they knew of it ended with them.
alter table app_user add column last_seen_at timestamptz(3);
update app_user u set last_seen_at = s.last_seen_at
from (select user_id, max(last_seen_at) as last_seen_at from session group by user_id) s where s.user_id = u.id;
