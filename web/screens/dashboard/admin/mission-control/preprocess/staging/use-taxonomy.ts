import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/automation.ts'
import { type TaxonomyResult, taxonomyEndpoints, taxonomyResult } from '#contract/taxonomy.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { asJsonPath } from './staged-file.ts'
import { type StagedName, useRefreshStaging } from './staging-calls.ts'

const FALLBACK = 'Failed to resolve taxonomy'

/** Resolves the names of a file, at once or by a job, and keeps what came of it. */
export function useTaxonomy(onResolved: (name: StagedName) => void) {
  const [result, setResult] = useState<TaxonomyResult>()
  const [jobId, setJobId] = useState<string>()
  const refresh = useRefreshStaging()
  const finish = (done: TaxonomyResult) => {
    setResult(done)
    setJobId(undefined)
    notifyDone(done.message, { about: 'taxonomy' })
    refresh()
    const [file] = done.files
    if (file) onResolved({ root: done.root, path: file.path })
  }
  const fail = (error: unknown) => {
    setJobId(undefined)
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
    if (jobId === undefined) return
    try {
      const job = await call(automationEndpoints.readJob, { params: { id: jobId } })
      const done = taxonomyResult.safeParse(job.result)
      if (done.success) return finish(done.data)
      setJobId(undefined)
      notifyProblem(job.error ?? FALLBACK, { about: 'taxonomy' })
    } catch (error) {
      fail(error)
    }
  }
  return { result, jobId, jobEnded, resolving, isBusy: resolving.isPending || jobId !== undefined }
}
