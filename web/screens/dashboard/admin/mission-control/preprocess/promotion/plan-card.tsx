import { Alert, Badge, Button, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useEffect, useEffectEvent, useId } from 'react'
import type { StagingPlan } from '#contract/admin/staging.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { Outcome } from '#web/components/imports/import-plan.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { useJobStream } from '#web/components/job-stream/job-feed.ts'
import { momentWords } from '#web/components/time-words.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { PlannedRows } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/changed-rows.tsx'
import classes from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staging.module.css'
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
  const titleId = useId()
  const { step, stepEnded, planning, promoting } = calls
  const state = plan && planStates[plan.state]
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={3} id={titleId}>
              Plan
            </Title>
            {state && <Badge color={state[1]}>{state[0]}</Badge>}
          </Group>
          <Group gap="xs">
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
        </Group>
        {step && <FollowedJob key={step.jobId} jobId={step.jobId} label={step.label} onEnd={stepEnded} />}
        {plan === null && (
          <Text className="second">
            A plan shows, row by row, what promoting this file would create, change, and end. It changes
            nothing.
          </Text>
        )}
        {plan && <PlanBody name={name} version={version} plan={plan} />}
      </Stack>
    </Card>
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
      {plan.review.length > 0 && (
        <Alert color="warning" title="Review this first">
          <List>
            {plan.review.map(({ code, message }) => (
              <List.Item key={code}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
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

/** What happens to the rows, and the new names they need. */
function PlanCounts({ plan }: { plan: StagingPlan }) {
  const { category, manufacturer, model } = plan.newNames
  const names = [
    ['categories', category],
    ['manufacturers', manufacturer],
    ['models', model],
  ] as const
  return (
    <>
      <Outcome
        label="What the plan does"
        parts={[
          { label: 'Created', count: plan.create, color: 'good' },
          { label: 'Updated', count: plan.update, color: 'sea' },
          { label: 'Unchanged', count: plan.unchanged, color: 'gray' },
          { label: 'Ended', count: plan.ended, color: 'warning' },
          { label: 'Merged', count: plan.merged, color: 'gray', hint: 'The same part on an earlier row' },
          { label: 'Refused', count: plan.refused, color: 'bad' },
        ]}
      />
      {names.map(
        ([label, created]) =>
          created.length > 0 && (
            <Text key={label} size="sm">
              <strong>New {label}:</strong> {created.join(', ')}
            </Text>
          ),
      )}
      {plan.refusals.length > 0 && <Refusals plan={plan} />}
      {plan.contradictions.length > 0 && (
        <Alert color="warning" title="These texts contradict their records">
          <List size="sm">
            {plan.contradictions.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

/** Why rows are refused. Once they are corrected in the editor, the next plan accepts them. */
function Refusals({ plan: { refusals, refused } }: { plan: StagingPlan }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className={classes.refusals} aria-label="Refused rows" tabIndex={0}>
      <Text size="sm" fw={650}>
        Refused until corrected, saved, and planned again:
      </Text>
      <List size="sm">
        {refusals.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {refused > refusals.length && <Text size="sm">and {formatCount(refused - refusals.length)} more</Text>}
    </section>
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
