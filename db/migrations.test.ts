import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * During a deployment the previous version runs beside the new schema, under load (docs/upgrading.md). These rules find
 * steps that would break it or make it wait. A step that takes something away says since which migration no code needs it:
 * `-- contract since 0061`.
 */

const DIR = join(import.meta.dirname, 'migrations')
// Earlier ones came before the rules.
const RULED_FROM = '0064'

/** Tables that may have millions of rows: scanning one of them under a lock takes minutes. */
const LARGE = String.raw`(?:listing|listing_\w+|part_view|job|job_event|lead|mail|promotion_action|seller_day|picture)`

type Rule = { readonly finds: RegExp; readonly instead: string; readonly unless?: RegExp }

const CONTRACT = /^-- contract since \d{4}\b/m

const RULES: readonly Rule[] = [
  {
    finds: /\bdrop (?:table|column|view|type|function)\b/,
    unless: CONTRACT,
    instead:
      'code of the previous version may use it: stop using it in one release, drop it in the next, with "-- contract since NNNN"',
  },
  {
    finds: /\brename (?:column\b|constraint\b)?|\balter column \w+ (?:set data )?type\b/,
    unless: CONTRACT,
    instead: 'add a new column, write both, and drop the old one in the next release',
  },
  {
    finds:
      /\balter column \w+ set not null\b|\badd column (?:if not exists )?\w+ (?:(?!default|generated|,|;)[^,;])*\bnot null\b(?![^,;]*\b(?:default|generated)\b)/,
    unless: CONTRACT,
    instead: 'the previous version inserts rows without it: give it a default',
  },
  {
    finds: new RegExp(String.raw`\bcreate (?:unique )?index (?!concurrently)(?:\w+ )?on ${LARGE}\b`),
    instead:
      'it blocks writes while it is built: "-- outside a transaction" on the first line, drop index concurrently if exists, create index concurrently',
  },
  {
    finds: new RegExp(
      String.raw`\balter table ${LARGE}\b[^;]*\badd constraint (?![^;]*\b(?:not valid|using index)\b)`,
    ),
    instead:
      'it reads the whole table under a lock: add it "not valid", and validate it in a migration of its own',
  },
  {
    finds: /\b(?:vacuum full|cluster|lock table|reindex (?!.*concurrently))\b/,
    instead: 'it locks the table for as long as it takes',
  },
]

function problemsOf(name: string, text: string): string[] {
  // What a function or trigger does when it runs is its own matter, and a table that the same file creates is empty.
  const bare = text.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''").toLowerCase()
  const steps = bare.replaceAll(/--[^\n]*/g, ' ').replaceAll(/\s+/g, ' ')
  const created = new Set(
    [...steps.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, table]) => table),
  )
  return RULES.filter(({ unless }) => !unless?.test(text)).flatMap(({ finds, instead }) =>
    steps
      .split(';')
      .filter((step) => finds.test(step))
      .filter((step) => !created.has(/\b(?:on|alter table(?: only)?) (\w+)/.exec(step)?.[1]))
      .map((step) => `${name}: "${step.trim().slice(0, 80)}": ${instead}`),
  )
}

test.each([
  ['alter table seller drop column phone', 'stop using it'],
  ['drop table seller_day', 'stop using it'],
  ['alter table seller rename column phone to telephone', 'add a new column'],
  ['alter table seller alter column phone type int', 'add a new column'],
  ['alter table seller add column phone text not null', 'give it a default'],
  ['create index listing_by_x on listing (x)', 'it blocks writes'],
  ['create unique index on listing_search using gin (x)', 'it blocks writes'],
  ['alter table listing add constraint x check (y > 0)', 'not valid'],
  ['vacuum full listing', 'locks the table'],
])('%s is refused', (step, words) => {
  expect(problemsOf('0099_x.sql', `${step};`).join()).toContain(words)
})

test.each([
  '-- contract since 0061\nalter table seller drop column phone',
  "alter table seller add column phone text not null default ''",
  'alter table seller add column phone text',
  '-- outside a transaction\ncreate index concurrently listing_by_x on listing (x)',
  'create table listing_note (id int not null, b text not null); create index on listing_note (id)',
  'alter table listing add constraint x check (y > 0) not valid',
  'create function f() returns trigger language plpgsql as $$ begin drop table x; end $$',
])('%s is fine', (step) => {
  expect(problemsOf('0099_x.sql', `${step};`)).toEqual([])
})

test('the previous version keeps working beside every new migration', () => {
  const ruled = readdirSync(DIR).filter((name) => name.endsWith('.sql') && name >= RULED_FROM)
  expect(ruled.flatMap((name) => problemsOf(name, readFileSync(join(DIR, name), 'utf8')))).toEqual([])
})

test('a migration outside of a transaction holds only steps that can be repeated', () => {
  for (const name of readdirSync(DIR).filter((file) => file.endsWith('.sql'))) {
    const text = readFileSync(join(DIR, name), 'utf8')
    if (!text.startsWith('-- outside a transaction')) continue
    const steps = text
      .replaceAll(/^--.*$/gm, '')
      .split(/;\s*(?:\n|$)/)
      .map((step) => step.trim().toLowerCase())
    for (const step of steps.filter((one) => one !== ''))
      expect(step, name).toMatch(
        /^(?:drop index concurrently if exists|create (?:unique )?index concurrently|reindex \w+ concurrently|analyze) /,
      )
  }
})
