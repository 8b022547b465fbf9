import { Alert, Badge, Button, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { StagingPlan } from '#contract/staging.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { FollowedJob } from './followed-job.tsx'
import { PlanCounts } from './plan-counts.tsx'
import { PlanReceipt } from './plan-receipt.tsx'
import { PlannedRows } from './planned-rows.tsx'
import type { StagedName } from './staging-calls.ts'
import { isOpenPlan, planStateWords } from './staging-words.ts'
import type { PromotionCalls } from './use-promotion.ts'

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
