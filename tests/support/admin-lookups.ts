import { pino } from 'pino'
import { afterAll } from 'vitest'
import type { CarModel, Category, LookupKind, ManagedLookup, Manufacturer } from '#contract/lookups.ts'
import { relabelingJobs } from '#server/features/market/relabeling/jobs.ts'
import { type JobEngineOptions, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK } from './job-bench.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/** Runs the jobs that follow lookups until the file's tests end. */
export async function startRelabeling(
  { config, db }: TestApp,
  options: Partial<JobEngineOptions> = {},
): Promise<{ close(): Promise<void> }> {
  const url = config.databaseUrl ?? ''
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db,
    log: pino({ level: 'silent' }),
    definitions: relabelingJobs(db),
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

/** Makes and merges lookups over the API, as whoever `admin` answers. */
export function lookupDesk(admin: () => SignedIn) {
  async function made<T>(path: string, body: object): Promise<T> {
    const answer = await admin().api.post<T>(path, body)
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.bytes}`)
    return answer.body
  }
  return {
    category: (name: string) => made<Category>('/category', { name }),
    manufacturer: (manuname: string) => made<Manufacturer>('/manufacturer', { manuname }),
    model: (manuId: string, carname: string) => made<CarModel>('/carmodel', { manuId, carname }),
    /** Answers the id of the job that moves the listings. */
    async merge(kind: LookupKind, from: { id: string }, into: { id: string }): Promise<string> {
      const path = `/admin/lookups/${kind}/${from.id}/merge`
      const { status, body, bytes } = await admin().api.post<{ jobId: string }>(path, { into: into.id })
      if (status !== 202) throw new Error(`${path} answered ${status}: ${bytes}`)
      return body.jobId
    },
  }
}
