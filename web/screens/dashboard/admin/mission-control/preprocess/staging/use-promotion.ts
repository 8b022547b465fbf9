import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionEndpoints, stagingDeskEndpoints } from '#contract/staging.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { asJsonPath } from './staged-file.ts'
import { type StagedName, useRefreshStaging } from './staging-calls.ts'

export type FollowedStep = { jobId: string; label: string }

type Promotion = StagedName & { datasetTag: string; planId: string | undefined }

const tell = (fallback: string) => (error: unknown) =>
  notifyProblem(failureWords(error, fallback), { about: 'promotion' })

/** Plans, promotes and takes back, and follows the job that does it. */
export function usePromotion() {
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
