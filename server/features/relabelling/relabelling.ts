import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'

/** A run that has listings follow their lookups. */
export type Relabelling = {
  readonly db: Db
  readonly run: JobRun<{ kind: LookupKind; id: string }>
  /** One for the whole job, however many runs and pages it takes. */
  readonly changeSetId: string
}

/** Where the next run goes on. */
export type Progress = {
  readonly changeSetId: string
  /** Set once a merged lookup is gone: the listings of this one are left, those after `after`. */
  readonly target: string | null
  readonly after: string | null
}
