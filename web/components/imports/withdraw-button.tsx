import { Button } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { useWithdraw } from './use-import.ts'

type WithdrawButtonProps = { record: ImportRecord; compact?: boolean }

/** For an import of which nothing is live yet. */
export function WithdrawButton({ record, compact = false }: WithdrawButtonProps) {
  const { mutate: withdraw, isPending } = useWithdraw(record.id)
  async function ask(): Promise<void> {
    const sure = await askToConfirm({
      title: 'Withdraw this import?',
      text:
        record.state === 'receiving'
          ? 'The rows that have arrived are dropped, and no more of them are taken. No listing is changed.'
          : 'It will not go live. No listing is changed; you can import the file again at any time.',
      confirm: 'Withdraw import',
      destroys: true,
    })
    if (sure) withdraw([])
  }
  return (
    <Button variant="default" size={compact ? 'xs' : 'sm'} onClick={() => void ask()} loading={isPending}>
      {compact ? 'Withdraw' : 'Withdraw this import'}
    </Button>
  )
}
