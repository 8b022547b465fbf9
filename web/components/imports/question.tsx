import { Button, Group, List, Text } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { ImportPlan } from './import-plan.tsx'
import { listingsInWords } from './import-words.ts'
import { StateCard } from './state-card.tsx'
import { useConfirm } from './use-import.ts'

/** The plan asks for a second look: the seller's, or where names are new an administrator's. */
export function Question({ record }: { record: ImportRecord }) {
  const { plan, review, canConfirm } = record
  const { mutate: confirm, isPending } = useConfirm(record.id)

  async function ask(): Promise<void> {
    if (!plan) return
    const sure = await askToConfirm({
      title: `End ${listingsInWords(plan.ended)}?`,
      text: 'They are not in this file and end as sold elsewhere. You can take the import back for 30 days.',
      confirm: `End ${listingsInWords(plan.ended)} and import`,
      destroys: true,
    })
    if (sure) confirm([plan.id])
  }
  return (
    <StateCard
      title={canConfirm ? 'Is this what you mean?' : 'An administrator has to look at this import'}
      busy={false}
    >
      <List>
        {review.map(({ code, message }) => (
          <List.Item key={code}>{message}</List.Item>
        ))}
      </List>
      <ImportPlan record={record} />
      {canConfirm ? (
        <Group gap="md">
          <Button onClick={() => void ask()} loading={isPending}>
            Go on as planned
          </Button>
          <Text className="second">Nothing is changed until you do.</Text>
        </Group>
      ) : (
        <Text className="second">Nothing is changed until then. There is nothing for you to do.</Text>
      )}
    </StateCard>
  )
}
