import { Button } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { listingsInWords } from './import-words.ts'
import { useUndo } from './use-import.ts'

type UndoButtonProps = { record: ImportRecord; compact?: boolean }

export function UndoButton({ record, compact = false }: UndoButtonProps) {
  const { mutate: undo, isPending } = useUndo(record.id)
  async function ask(): Promise<void> {
    const sure = await askToConfirm({
      title: 'Undo this import?',
      text: whatHappens(record),
      confirm: 'Undo import',
      destroys: true,
    })
    if (sure) undo([])
  }
  return (
    <Button variant="default" size={compact ? 'xs' : 'sm'} onClick={() => void ask()} loading={isPending}>
      {compact ? 'Undo' : 'Undo this import'}
    </Button>
  )
}

/** In the words of what is there: listings, not rows. */
function whatHappens({ plan }: ImportRecord): string {
  const parts = [
    [plan?.create ?? 0, 'that it made will be removed'],
    [plan?.update ?? 0, 'will be as before'],
    [plan?.ended ?? 0, 'that it ended will be on sale again'],
  ] as const
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${listingsInWords(count)} ${what}`)
  const first = told.length === 0 ? 'No listing was changed by it.' : `${told.join(', ')}.`
  return `${first} What was changed since stays as it is, and is named afterwards.`
}
