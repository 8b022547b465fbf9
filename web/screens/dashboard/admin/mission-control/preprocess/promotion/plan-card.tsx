import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import type { StagingPlan } from '#contract/admin/staging.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { NewNames, Notes, Outcome, planParts } from '#web/components/imports/import-plan.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { RowList } from '#web/components/imports/row-list.tsx'
import { useJobStream } from '#web/components/job-stream/job-feed.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { PlannedRows } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/changed-rows.tsx'
import {
  isOpenPlan,
  planStates,
  type StagedName,
} from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staging-calls.ts'
import { RunProgress } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import type { PromotionCalls } from './staging-actions.ts'

type PlanCardProps = {
  name: StagedName
  /** The newest version of the file. */
  version: number
  plan: StagingPlan | null | undefined
  calls: PromotionCalls
  onPromote: (planId: string) => void
}

/** What promoting a file would do or did, with its undo. */
export function PlanCard({ name, version, plan, calls, onPromote }: PlanCardProps) {
  const { step, stepEnded, planning, promoting } = calls
  const state = plan && planStates[plan.state]
  return (
    <SectionCard
      order={3}
      title="Plan"
      aside={
        <Group gap="xs">
          {state && <Badge color={state[1]}>{state[0]}</Badge>}
          <Button
            size="xs"
            variant="default"
            loading={planning.isPending}
            onClick={() => planning.mutate(name)}
          >
            {plan ? 'Plan again' : 'Make a plan'}
          </Button>
          {plan && isOpenPlan(plan) && (
            <Button size="xs" loading={promoting.isPending} onClick={() => onPromote(plan.id)}>
              Promote this plan
            </Button>
          )}
          {plan && <UndoButton name={name} plan={plan} calls={calls} />}
        </Group>
      }
    >
      {step && <FollowedJob key={step.jobId} jobId={step.jobId} label={step.label} onEnd={stepEnded} />}
      {plan === null && (
        <Text className="second">
          A plan shows, row by row, what promoting this file would create, change, and end. It changes
          nothing.
        </Text>
      )}
      {plan && <PlanBody name={name} version={version} plan={plan} />}
    </SectionCard>
  )
}

function PlanBody({ name, version, plan }: Pick<PlanCardProps, 'name' | 'version'> & { plan: StagingPlan }) {
  return (
    <>
      {plan.version !== version && (
        <Text role="note">
          This plan is for version {plan.version}; the file is now at version {version}.
        </Text>
      )}
      {plan.error !== null && (
        <Alert color="bad" role="alert">
          {plan.error}
        </Alert>
      )}
      <PlanCounts plan={plan} />
      <Notes title="Review this first" notes={plan.review.map(({ message }) => message)} />
      <PlanReceipt plan={plan} />
      {plan.state !== 'planning' && <PlannedRows key={plan.id} name={name} plan={plan} />}
    </>
  )
}

function UndoButton({ name, plan, calls }: Pick<PlanCardProps, 'name' | 'calls'> & { plan: StagingPlan }) {
  const { canUndo, canWithdraw } = plan
  if (!canUndo && !canWithdraw) return null
  const ask = async () => {
    const sure = await askToConfirm(
      canWithdraw
        ? {
            title: 'Cancel this import plan?',
            text: 'Nothing is live yet. The file does not change.',
            confirm: 'Cancel plan',
            destroys: true,
          }
        : {
            title: `Undo the promotion of ${name.path}?`,
            text: 'Listings it created will be removed, and listings it changed will be restored. Later changes are kept and listed.',
            confirm: 'Undo promotion',
            destroys: true,
          },
    )
    if (sure) calls.undoing.mutate(name)
  }
  return (
    <Button size="xs" variant="default" loading={calls.undoing.isPending} onClick={() => void ask()}>
      {canWithdraw ? 'Cancel plan' : 'Undo'}
    </Button>
  )
}

/** What happens to the rows, the new names they need, and why some are refused: once corrected, the next plan accepts them. */
function PlanCounts({ plan }: { plan: StagingPlan }) {
  const { refusals, refused } = plan
  const labels = { created: 'Created', ended: 'Ended', rejected: 'Refused' }
  return (
    <>
      <Outcome
        label="What the plan does"
        parts={planParts({ ...plan, rejected: refused }, 'replace', labels)}
      />
      <NewNames names={plan.newNames} all />
      <RowList
        title="Refused rows"
        text="Refused until corrected, saved, and planned again:"
        total={Math.max(refused, refusals.length)}
      >
        {refusals.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </RowList>
      <Notes title="These texts contradict their records" notes={plan.contradictions} />
    </>
  )
}

/** What was done, by whom, and when. */
function PlanReceipt({ plan: { receipt } }: { plan: StagingPlan }) {
  const { created, updated, ended, undone, leftAsIs, approvedBy, appliedAt, undoneAt } = receipt
  if (appliedAt === null && undoneAt === null && created + updated + ended === 0) return null
  const facts = [
    { name: 'Created', value: formatCount(created) },
    { name: 'Updated', value: formatCount(updated) },
    { name: 'Ended', value: formatCount(ended) },
    ...(undone > 0 || undoneAt !== null ? [{ name: 'Undone', value: formatCount(undone) }] : []),
    ...(leftAsIs > 0 ? [{ name: 'Left alone', value: formatCount(leftAsIs) }] : []),
    ...(approvedBy === null ? [] : [{ name: 'Approved by', value: approvedBy }]),
    ...(appliedAt === null ? [] : [{ name: 'Live since', value: momentWords(appliedAt) }]),
    ...(undoneAt === null ? [] : [{ name: 'Undone on', value: momentWords(undoneAt) }]),
  ]
  return (
    <section aria-label="Receipt">
      <Facts facts={facts} />
    </section>
  )
}

type FollowedJobProps = { jobId: string; label: string; onEnd: () => void }

/** A job's progress; calls `onEnd` when it has ended. */
export function FollowedJob({ jobId, label, onEnd }: FollowedJobProps) {
  const { progress, status, hasEnded, lines } = useJobStream(jobId)
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    if (hasEnded) ended()
  }, [hasEnded])
  const last = lines.at(-1)
  // The result is shown elsewhere.
  if (status === 'completed') return null
  return (
    <section aria-label={label}>
      <Group gap="sm" mb="xs">
        <Text size="sm" fw={650}>
          {label}
        </Text>
        <StatusBadge status={status ?? 'queued'} />
        {last && (
          <Text size="sm" className="second">
            {last.text}
          </Text>
        )}
      </Group>
      {progress && <RunProgress progress={progress} isMoving={status === 'running'} />}
    </section>
  )
}
