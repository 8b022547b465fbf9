import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/automation.ts'
import { promotionEndpoints, stagingDeskEndpoints } from '#contract/staging.ts'
import { type TaxonomyResult, taxonomyEndpoints, taxonomyResult } from '#contract/taxonomy.ts'
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

/** Resolve and Promote, for the path in the box; they work on what is saved. */
export function useStagingActions(place: StagingPlace, desk: StagedFileDesk) {
  const { open, draft } = desk
  const opened = open.version === undefined ? undefined : { root: open.root, path: open.path }
  const isOpen = (name: StagedName) => isSame(name, open)
  const inBox = () => ({ root: place.root, path: asJsonPath(place.path.trim()) })
  const taxonomy = useTaxonomy(opened, (name, asked) => {
    // Names may be resolved for minutes: who went on to another file stays there.
    if (isOpen(name) || (asked && isSame(asked, inBox()))) desk.showNewest(name)
  })
  const promotion = usePromotion()
  const { data: plan } = usePlan(opened)

  /** The file that is meant; undefined, and said why, where nothing can be done with it now. */
  const meant = (): StagedName | undefined => {
    const name = inBox()
    if (name.path === '') {
      notifyProblem(PATH_NEEDED, { about: 'staging' })
      return undefined
    }
    if (isOpen(name) && isChanged(draft)) {
      notifyProblem('Save your changes first: this works on what is saved', { about: 'staging' })
      return undefined
    }
    return name
  }
  const resolve = () => {
    const name = meant()
    if (name) taxonomy.resolving.mutate({ ...name, version: isOpen(name) ? open.version : undefined })
  }
  const promote = (datasetTag: string) => {
    const name = meant()
    if (!name) return
    const seen =
      isOpen(name) && plan && isOpenPlan(plan) && plan.version === open.version ? plan.id : undefined
    promotion.promoting.mutate({ ...name, datasetTag, planId: seen })
  }
  return { taxonomy, promotion, plan, resolve, promote, readAs: readAsOf(desk) }
}

const isSame = (one: StagedName, other: StagedName) => one.root === other.root && one.path === other.path

/** What the server made of a path that was typed otherwise (spec, section 5). */
function readAsOf({ loading }: StagedFileDesk): string | undefined {
  const [typed, file] = [loading.load?.path, loading.file]
  if (!file || typed === undefined || asJsonPath(typed) === file.path) return undefined
  return `“${typed}” was read as ${file.path}`
}

export type FollowedStep = { jobId: string; label: string }

type Promotion = StagedName & { datasetTag: string; planId: string | undefined }

const tell = (fallback: string) => (error: unknown) =>
  notifyProblem(failureWords(error, fallback), { about: 'promotion' })

/** Plans, promotes and takes back, and follows the job that does it. */
function usePromotion() {
  const [step, setStep] = useState<FollowedStep>()
  const refresh = useRefreshStaging()
  const planning = useMutation({
    mutationFn: ({ root, path }: StagedName) =>
      call(stagingDeskEndpoints.planStagingFile, { body: { root, path } }),
    onSuccess: ({ jobId }) => setStep({ jobId, label: 'Planning' }),
    onError: tell('Failed to plan'),
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
    onError: tell('Failed to promote'),
    onSettled: refresh,
  })
  const undoing = useMutation({
    mutationFn: ({ root, path }: StagedName) =>
      call(stagingDeskEndpoints.undoStagingFile, { body: { root, path } }),
    onSuccess: ({ jobId }) => {
      if (jobId === null) notifyDone('Plan withdrawn', { about: 'promotion' })
      else setStep({ jobId, label: 'Taking back' })
    },
    onError: tell('Failed to undo'),
    onSettled: refresh,
  })
  return { step, stepEnded: refresh, planning, promoting, undoing }
}

export type PromotionCalls = ReturnType<typeof usePromotion>

const FALLBACK = 'Failed to resolve taxonomy'

/** What was made of the names of the file that is open; resolves those of a file, at once or by a job. */
function useTaxonomy(
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
