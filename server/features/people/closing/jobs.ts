import { settleClosureQueue } from '#server/features/people/accounts/closure.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { eraseAccounts, eraseAccountsQueue } from './erase-account.ts'
import { type ClosingDeps, settleClosure } from './settle-closure.ts'

export function closingJobs({ now, ...deps }: ClosingDeps & { now: () => Date }): JobDefinition[] {
  return [
    defineJob(settleClosureQueue, (job) => settleClosure(deps, job)),
    defineJob(eraseAccountsQueue, ({ signal }) => eraseAccounts(deps.db, { now: now(), signal })),
  ]
}
