import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/automation.ts'
import { type TaxonomyResult, taxonomyEndpoints, taxonomyResult } from '#contract/taxonomy.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { asJsonPath } from './staged-file.ts'
import { type StagedName, useLastTaxonomy, useRefreshStaging } from './staging-calls.ts'

const FALLBACK = 'Failed to resolve taxonomy'

/** What was made of the names of the file that is open; resolves those of a file, at once or by a job. */
export function useTaxonomy(
  open: StagedName | undefined,
  onResolved: (name: StagedName, asked: StagedName | undefined) => void,
) {
  const [startedJob, setJobId] = useState<string>()
  const { data } = useLastTaxonomy(open)
  // Somebody else's, or one that was started before the page was loaded again.
  const jobId = startedJob ?? data?.jobId ?? undefined
  const refresh = useRefreshStaging()
  const finish = (done: TaxonomyResult) => {
    notifyDone(done.message, { about: 'taxonomy' })
    refresh()
    const [file] = done.files
    if (file) onResolved({ root: done.root, path: file.path }, resolving.variables)
  }
  const fail = (error: unknown) => {
    notifyProblem(failureWords(error, FALLBACK), { about: 'taxonomy' })
  }
  const resolving = useMutation({
    mutationFn: ({ root, path, version }: StagedName & { version: number | undefined }) =>
      call(taxonomyEndpoints.resolveTaxonomy, {
        body: { root, path: asJsonPath(path), ...(version !== undefined && { version }) },
      }),
    onSuccess: (answer) => ('jobId' in answer ? setJobId(answer.jobId) : finish(answer)),
    onError: fail,
  })
  const jobEnded = async () => {
    // What somebody else resolved is offered as a newer version: loading it would drop what is typed here.
    if (startedJob === undefined) return refresh()
    try {
      const job = await call(automationEndpoints.readJob, { params: { id: startedJob } })
      const done = taxonomyResult.safeParse(job.result)
      if (done.success) finish(done.data)
      else notifyProblem(job.error ?? FALLBACK, { about: 'taxonomy' })
    } catch (error) {
      fail(error)
    } finally {
      setJobId(undefined)
      refresh()
    }
  }
  return {
    last: data?.last ?? undefined,
    jobId,
    jobEnded,
    resolving,
    isBusy: resolving.isPending || jobId !== undefined,
  }
}
