import { Button, Group, Text } from '@mantine/core'
import type { DryRunPlan } from '#contract/imports.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'

type StockQuestionProps = { wizard: Wizard; plan?: DryRunPlan | undefined }

/** Asked once, with a yard's second file; the answer also applies to later files. */
export function StockQuestion({ wizard, plan }: StockQuestionProps) {
  const missing = plan?.missing
  if (!wizard.asksStock) return null
  return (
    <SectionCard
      title="Is this all of your stock, or additions?"
      lead={
        <>
          {missing !== undefined && missing > 0 && `${missingWords(missing)} `}
          We remember your answer for your next files.
        </>
      }
    >
      <Group gap="sm">
        <Button variant="default" disabled={wizard.locked} onClick={() => wizard.answerStock('replace')}>
          All of my stock
        </Button>
        <Button variant="default" disabled={wizard.locked} onClick={() => wizard.answerStock('add')}>
          Additions and changes
        </Button>
      </Group>
      <Text size="sm" className="second">
        With “All of my stock”, parts that are no longer in your file are taken down. With additions, they
        stay.
      </Text>
    </SectionCard>
  )
}

const missingWords = (missing: number): string =>
  missing === 1
    ? '1 of your live parts is not in this file.'
    : `${formatCount(missing)} of your live parts are not in this file.`
