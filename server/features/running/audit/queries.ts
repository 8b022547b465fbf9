import { type RawBuilder, sql } from 'kysely'
import type { adminPeopleEndpoints } from '#contract/admin/people.ts'
import type { Input, Reply } from '#contract/endpoint.ts'
import type { TimePosition } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'

type ListAudit = typeof adminPeopleEndpoints.listAudit

/** `who` is part of the actor's name or email. Days are in UTC, including the last one. */
type AuditFilter = Omit<Input<ListAudit>['query'], 'cursor'>
type AuditRow = Omit<Reply<ListAudit>['items'][number], 'at'> & { at: Date }

/**
 * Lists entries newest first, after a position. Every filter has an index that ends in the time, so that a page among
 * millions of entries reads little more than itself.
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  { after, limit }: { after: TimePosition | undefined; limit: number },
): Promise<AuditRow[]> {
  const newest = sql`order by at desc, id desc limit ${limit}`
  const where = matching(filter, after)
  const who = filter.who?.trim()
  // Filters the person as a range and sorts by person first, which only the person's index can serve. Sorted by time
  // alone, PostgreSQL may scan the log from its end: all of it for a person with few entries, which took half a minute.
  const chosen = who
    ? sql`
        select e.* from (${peopleNamed(who)}) person
        cross join lateral (
          select * from audit_entry
          where actor_user_id >= person.id and actor_user_id <= person.id and ${where}
          order by actor_user_id desc, at desc fetch first (${limit}::int) rows with ties
        ) e ${newest}`
    : sql`select * from audit_entry where ${where} ${newest}`
  const { rows } = await sql<AuditRow>`
    select e.id, e.at, e.action, e.target, host(e.ip) as ip, e.request_id as "requestId", e.detail,
           case when u.id is not null
             then jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email::text) end as by,
           case when e.job_id is not null then 'script' when e.actor_user_id is not null then 'person'
             -- The address of an erased account's entries is removed, their request is not.
             when coalesce(host(e.ip), e.request_id) is not null then 'visitor' else 'system' end as source,
           coalesce(j.script_id, j.queue) as script,
           coalesce((
             select jsonb_object_agg(d.value, n.name) from jsonb_each_text(e.detail) d
             cross join lateral (${named(sql`d.value`)} limit 1) n
           ), '{}') as names,
           case when t.kind is not null then jsonb_build_object('kind', t.kind, 'name', t.name, 'slug', t.slug) end as named
    from (${chosen}) e left join app_user u on u.id = e.actor_user_id left join job j on j.id = e.job_id
    left join lateral (
      ${named(sql`e.target`)}
      union all select 'gone', ${goneName}, null where ${isId(sql`e.target`)}
      limit 1
    ) t on true
    order by e.at desc, e.id desc
  `.execute(db)
  return rows
}

const isId = (text: RawBuilder<unknown>) =>
  sql`${text} ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'`

/** Finds the object with an id, which is unique across tables, by primary key for the entries of one page. */
function named(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const id = sql`(case when ${isId(text)} then ${text}::uuid end)`
  return sql`
    select 'listing' as kind,
           concat_ws(' ', nullif(year_from, 0), nullif(manufacturer_name, ''), nullif(model_name, ''), name) as name, slug
    from listing where id = ${id}
    union all select 'user', name, null from app_user where id = ${id}
    union all select 'seller', name, null from seller where id = ${id}
    union all select 'category', name, null from category where id = ${id}
    union all select 'manufacturer', name, null from manufacturer where id = ${id}
    union all select 'car-model', f.name || ' ' || m.name, null
              from car_model m join manufacturer f on f.id = m.manufacturer_id where m.id = ${id}
    union all select 'job', coalesce(script_id, queue), null from job where id = ${id}
    union all select 'schedule', name, null from job_schedule where id = ${id}
    union all select 'import', coalesce(nullif(i.file_name, ''), 'Import'), f.root || ':' || f.path
              from import i left join staging_file f on f.id = i.staging_file_id where i.id = ${id}
    union all select 'bulk-save', initcap(left(reason, 1)) || substr(reason, 2) || ' of ' || to_char(at at time zone 'UTC', 'FMMon FMDD, YYYY'), null
              from change_set where id = ${id}
    union all select 'api-token', name, null from api_token where id = ${id}
    union all select 'second-step', name, null from factor where id = ${id}
    union all select 'mapping-template', name, null from mapping_template where id = ${id}
    union all select 'search-word', word, null from trade_word where id = ${id}
    union all select 'import', coalesce(nullif(i.file_name, ''), case when i.id is null then f.path end, 'Import'), f.root || ':' || f.path
              from promotion p left join import i on i.id = p.import_id left join staging_file f on f.id = p.file_id
              where p.id = ${id}`
}

/** What entry `e` says of a target that is no more: the name that it kept, or else what the action tells. */
const goneName = sql`coalesce(
  nullif(coalesce(e.detail ->> 'name', e.detail ->> 'word', case e.action when 'lookup-merged' then e.detail ->> 'from' end), ''),
  case
    when e.action like 'session-%' then 'A signed-in device'
    when e.action like 'api-token-%' then 'An API token'
    when e.action like 'factor-%' then 'A second step'
    when e.action like 'schedule-%' then 'A schedule'
    when e.action like 'mapping-template-%' then 'A mapping template'
    when e.action like 'search-word-%' then 'A search word'
    when e.action like 'lookup-%' then 'A name'
    when e.action like 'import-%' or e.action like 'staging-%' then 'An import'
    when e.action like 'listing-%' or e.action like 'report%' then 'A listing'
    when e.action like 'job%' then 'A job'
    else 'No longer there'
  end)`

function matching(filter: AuditFilter, after: TimePosition | undefined): RawBuilder<unknown> {
  const { action, target, from, to } = filter
  const conditions = [
    action && sql`action = ${action}`,
    target?.trim() && sql`target = ${target.trim()}`,
    from && sql`at >= ${from}::date::timestamp at time zone 'UTC'`,
    to && sql`at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
    // The first comparison is the one that skips whole monthly partitions.
    after && sql`at <= ${after.at} and (at, id) < (${after.at}, ${after.id}::uuid)`,
  ].filter((condition) => typeof condition === 'object')
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

// Two letters match too many people; the newest accounts are enough.
const MAX_PEOPLE = 200

function peopleNamed(who: string): RawBuilder<unknown> {
  const words = likePart(who)
  return sql`
    select id from app_user where name ilike ${words} or email::text ilike ${words}
    order by id desc limit ${MAX_PEOPLE}
  `
}

/** Lists every logged action by name, with one index step for each. */
export async function listActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known as (
      select min(action) as action from audit_entry
      union all
      select (select min(action) from audit_entry where action > known.action) from known where known.action is not null
    )
    select action from known where action is not null
  `.execute(db)
  return rows.map(({ action }) => action)
}
