import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/admin/automation.ts'
import { promotionEndpoints, stagingDeskEndpoints } from '#contract/admin/staging.ts'
import { type TaxonomyResult, taxonomyEndpoints, taxonomyResult } from '#contract/admin/taxonomy.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { isChanged } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/open-file.ts'
import { asJsonPath } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staged-file.ts'
import {
  isOpenPlan,
  type StagedName,
  useLastTaxonomy,
  usePlan,
  useRefreshStaging,
} from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staging-calls.ts'
import {
  PATH_NEEDED,
  type StagedFileDesk,
  type StagingPlace,
} from '#web/screens/dashboard/admin/mission-control/preprocess/staging/use-staged-file.ts'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'

/** Resolve and Promote, for the path in the field; both use the saved version. */
export function useStagingActions(place: StagingPlace, desk: StagedFileDesk) {
  const { open, draft } = desk
  const opened = open.version === undefined ? undefined : { root: open.root, path: open.path }
  const isOpen = (name: StagedName) => isSame(name, open)
  const namedInField = () => ({ root: place.root, path: asJsonPath(place.path.trim()) })
  const taxonomy = useTaxonomy(opened, (name, requested) => {
    // Resolving can take minutes: do not pull the user back from another file.
    if (isOpen(name) || (requested && isSame(requested, namedInField()))) desk.showNewest(name)
  })
  const promotion = usePromotion()
  const [datasetTag, setDatasetTag] = useState('')
  const { data: plan } = usePlan(opened)

  /** The file to work on; if that is not possible now, shows why and returns undefined. */
  const savedFile = (): StagedName | undefined => {
    const name = namedInField()
    if (name.path === '') {
      notifyProblem(PATH_NEEDED, { about: 'staging' })
      return undefined
    }
    if (isOpen(name) && isChanged(draft)) {
      notifyProblem('Save your changes first: this uses the saved version', { about: 'staging' })
      return undefined
    }
    return name
  }
  const resolve = () => {
    const name = savedFile()
    if (name) taxonomy.resolving.mutate({ ...name, version: isOpen(name) ? open.version : undefined })
  }
  const promote = () => {
    const name = savedFile()
    if (!name) return
    const seen =
      isOpen(name) && plan && isOpenPlan(plan) && plan.version === open.version ? plan.id : undefined
    promotion.promoting.mutate({ ...name, datasetTag, planId: seen })
  }
  return { taxonomy, promotion, plan, datasetTag, setDatasetTag, resolve, promote, readAs: readAsOf(desk) }
}

export type StagingActions = ReturnType<typeof useStagingActions>

const isSame = (one: StagedName, other: StagedName) => one.root === other.root && one.path === other.path

/** How the server read a path that was typed differently. */
function readAsOf({ loading }: StagedFileDesk): string | undefined {
  const [typed, file] = [loading.load?.path, loading.file]
  if (!file || typed === undefined || asJsonPath(typed) === file.path) return undefined
  return `“${typed}” was read as ${file.path}`
}

type Promotion = StagedName & { datasetTag: string; planId: string | undefined }

const notifyFailure = (fallback: string) => (error: unknown) =>
  notifyProblem(failureWords(error, fallback), { about: 'promotion' })

/** Plans, promotes, and undoes, and follows the job. */
function usePromotion() {
  const [step, setStep] = useState<{ jobId: string; label: string }>()
  const refresh = useRefreshStaging()
  const planning = useMutation({
    mutationFn: ({ root, path }: StagedName) =>
      call(stagingDeskEndpoints.planStagingFile, { body: { root, path } }),
    onSuccess: ({ jobId }) => setStep({ jobId, label: 'Planning' }),
    onError: notifyFailure('Failed to plan'),
    onSettled: refresh,
  })
  const promoting = useMutation({
    mutationFn: ({ root, path, datasetTag, planId }: Promotion) =>
      call(promotionEndpoints.promote, {
        body: {
          root,
          paths: [asJsonPath(path)],
          datasetTag: datasetTag.trim() || null,
          ...(planId !== undefined && { planId }),
        },
      }),
    onSuccess: ({ jobId }) => {
      notifyDone('Promote enqueued', { about: 'promotion' })
      setStep({ jobId, label: 'Promoting' })
    },
    onError: notifyFailure('Failed to promote'),
    onSettled: refresh,
  })
  const undoing = useMutation({
    mutationFn: ({ root, path }: StagedName) =>
      call(stagingDeskEndpoints.undoStagingFile, { body: { root, path } }),
    onSuccess: ({ jobId }) => {
      if (jobId === null) notifyDone('Plan canceled', { about: 'promotion' })
      else setStep({ jobId, label: 'Undoing' })
    },
    onError: notifyFailure('Failed to undo'),
    onSettled: refresh,
  })
  return { step, stepEnded: refresh, planning, promoting, undoing }
}

export type PromotionCalls = ReturnType<typeof usePromotion>

const FALLBACK = 'Failed to resolve taxonomy'

/** The last result for the open file; resolves a file's names, right away or in a job. */
function useTaxonomy(
  open: StagedName | undefined,
  onResolved: (name: StagedName, requested: StagedName | undefined) => void,
) {
  const [startedJob, setJobId] = useState<string>()
  const { data } = useLastTaxonomy(open)
  // Another user's job, or one started before a reload.
  const jobId = startedJob ?? data?.jobId ?? undefined
  const refresh = useRefreshStaging()
  const finish = (done: TaxonomyResult) => {
    notifyDone(done.message, { about: 'taxonomy' })
    refresh()
    const [file] = done.files
    if (file) onResolved({ root: done.root, path: file.path }, resolving.variables)
  }
  const fail = (error: unknown) => notifyProblem(failureWords(error, FALLBACK), { about: 'taxonomy' })
  const resolving = useMutation({
    mutationFn: ({ root, path, version }: StagedName & { version: number | undefined }) =>
      call(taxonomyEndpoints.resolveTaxonomy, {
        body: { root, path: asJsonPath(path), ...(version !== undefined && { version }) },
      }),
    onSuccess: (reply) => ('jobId' in reply ? setJobId(reply.jobId) : finish(reply)),
    onError: fail,
  })
  const jobEnded = async () => {
    // Another user's result is offered as a newer version: loading it would drop unsaved input.
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
