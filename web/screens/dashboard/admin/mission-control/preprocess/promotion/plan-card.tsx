import { Alert, Badge, Button, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useEffect, useEffectEvent, useId } from 'react'
import type { StagingPlan } from '#contract/staging.ts'
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
  planStateWords,
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
  /** Lets this plan through. */
  onPromote: (planId: string) => void
}

/** What promoting a file would do, what it did, and the way back. */
export function PlanCard({ name, version, plan, calls, onPromote }: PlanCardProps) {
  const titleId = useId()
  const { step, stepEnded, planning, promoting } = calls
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={3} id={titleId}>
              Plan
            </Title>
            {plan && <PlanState plan={plan} />}
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
            A plan says, row by row, what promoting this file would create, change and end. It does nothing
            yet.
          </Text>
        )}
        {plan && <PlanBody name={name} version={version} plan={plan} />}
      </Stack>
    </Card>
  )
}

function PlanState({ plan }: { plan: StagingPlan }) {
  const { label, color } = planStateWords(plan.state)
  return <Badge color={color}>{label}</Badge>
}

function PlanBody({ name, version, plan }: Pick<PlanCardProps, 'name' | 'version'> & { plan: StagingPlan }) {
  return (
    <>
      {plan.version !== version && (
        <Text role="note">
          This is about version {plan.version}; the file is at version {version} now.
        </Text>
      )}
      {plan.error !== null && (
        <Alert color="bad" role="alert">
          {plan.error}
        </Alert>
      )}
      <PlanCounts plan={plan} />
      {plan.review.length > 0 && (
        <Alert color="warning" title="Somebody should look at this first">
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
            title: 'Withdraw this plan?',
            text: 'Nothing of it is live yet. The file stays as it is.',
            confirm: 'Withdraw plan',
            destroys: true,
          }
        : {
            title: `Take back what ${name.path} made live?`,
            text: 'Listings that it created go, and those that it changed are as they were. What was changed since stays, and is named afterwards.',
            confirm: 'Undo promotion',
            destroys: true,
          },
    )
    if (sure) calls.undoing.mutate(name)
  }
  return (
    <Button size="xs" variant="default" loading={calls.undoing.isPending} onClick={() => void ask()}>
      {canWithdraw ? 'Withdraw' : 'Undo'}
    </Button>
  )
}

/** What becomes of the rows, and the names that would be made for them. */
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
        ([label, made]) =>
          made.length > 0 && (
            <Text key={label} size="sm">
              <strong>New {label}:</strong> {made.join(', ')}
            </Text>
          ),
      )}
      {plan.refusals.length > 0 && <Refusals plan={plan} />}
    </>
  )
}

/** Why rows are refused: corrected in the editor, they are taken by the next plan. */
function Refusals({ plan: { refusals, refused } }: { plan: StagingPlan }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keys
    <section className={classes.refusals} aria-label="Refused rows" tabIndex={0}>
      <Text size="sm" fw={650}>
        Refused until they are corrected, saved and planned again:
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

/** What has been done, by whom and when; nothing while nothing was. */
function PlanReceipt({ plan: { receipt } }: { plan: StagingPlan }) {
  const { created, updated, ended, undone, leftAsIs, approvedBy, appliedAt, undoneAt } = receipt
  if (appliedAt === null && undoneAt === null && created + updated + ended === 0) return null
  const facts = [
    { name: 'Created', value: formatCount(created) },
    { name: 'Updated', value: formatCount(updated) },
    { name: 'Ended', value: formatCount(ended) },
    ...(undone > 0 || undoneAt !== null ? [{ name: 'Taken back', value: formatCount(undone) }] : []),
    ...(leftAsIs > 0 ? [{ name: 'Left as they were', value: formatCount(leftAsIs) }] : []),
    ...(approvedBy === null ? [] : [{ name: 'Approved by', value: approvedBy }]),
    ...(appliedAt === null ? [] : [{ name: 'Live since', value: momentWords(appliedAt) }]),
    ...(undoneAt === null ? [] : [{ name: 'Taken back on', value: momentWords(undoneAt) }]),
  ]
  return (
    <section aria-label="Receipt">
      <Facts facts={facts} />
    </section>
  )
}

type FollowedJobProps = { jobId: string; label: string; onEnd: () => void }

/** How far a job is that was started here; tells when it has ended. */
export function FollowedJob({ jobId, label, onEnd }: FollowedJobProps) {
  const { progress, status, hasEnded, lines } = useJobStream(jobId)
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    if (hasEnded) ended()
  }, [hasEnded])
  const last = lines.at(-1)
  // What it did is shown by what it was about.
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
