import { pino } from 'pino'
import { afterAll } from 'vitest'
import type { LookupKind, ManagedLookup } from '#contract/admin-lookups.ts'
import { relabellingJobs } from '#server/features/relabelling/jobs.ts'
import { type JobEngineOptions, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK } from './job-bench.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/** Runs the jobs that follow lookups until the file's tests end. */
export async function startRelabelling(
  { config, db }: TestApp,
  options: Partial<JobEngineOptions> = {},
): Promise<{ close(): Promise<void> }> {
  const url = config.databaseUrl ?? ''
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db,
    log: pino({ level: 'silent' }),
    definitions: relabellingJobs(db),
    periodic: [],
    times: QUICK,
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= engine.close()
    return closing
  }
  afterAll(close)
  return { close }
}

type Managed = { items: ManagedLookup[]; total: number; provisional: number }

/** What the admin's list answers for a query. */
export async function managed({ api }: SignedIn, kind: LookupKind, query: string): Promise<Managed> {
  const { body, status, bytes } = await api.get<Managed>(`/admin/lookups/${kind}?${query}`)
  if (status !== 200) throw new Error(`The list of lookups answered ${status}: ${bytes}`)
  return body
}

/** The one lookup of that name. */
export async function lookupNamed(admin: SignedIn, kind: LookupKind, name: string): Promise<ManagedLookup> {
  const { items } = await managed(admin, kind, `q=${encodeURIComponent(name)}&perPage=100`)
  const found = items.find((item) => item.name === name)
  if (!found) throw new Error(`There is no ${kind} ${name}`)
  return found
}
