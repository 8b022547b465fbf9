import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ImportReceipt, ImportRecord } from '#contract/imports.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { useReceipt } from './import-actions.tsx'
import { importParts, Outcome } from './import-plan.tsx'
import { formatCount, listingsInWords, rowsInWords } from './import-words.ts'
import classes from './receipt.module.css'
import { ReceiptQuestions } from './receipt-questions.tsx'
import { StateCard } from './state-card.tsx'

/** What an import did, or what undoing it left behind. */
export function Receipt({ record }: { record: ImportRecord }) {
  const receipt = useReceipt(record)
  const undone = record.state === 'undone'
  return (
    <StateCard title={undone ? 'This import was undone' : appliedTitle(record)}>
      {receipt.isPending && <Skeleton height={120} />}
      {receipt.isError && !receipt.data && (
        <LoadError
          message="The receipt could not be loaded."
          onRetry={() => void receipt.refetch()}
          retrying={receipt.isFetching}
        />
      )}
      {receipt.data &&
        (undone ? <UndoReceipt receipt={receipt.data} /> : <ImportOutcome receipt={receipt.data} />)}
    </StateCard>
  )
}

export function appliedTitle({ progress, plan }: Pick<ImportRecord, 'progress' | 'plan'>): string {
  const { create = 0, update = 0, ended = 0, held = 0, unchanged, rejected = 0 } = plan ?? {}
  // Answers may have added nothing to what was already live.
  if (progress?.total !== 0 || (held > 0 && create + update + ended > 0)) return 'Your parts are live'
  if (held === 0) {
    return unchanged === 0 && rejected > 0
      ? 'None of your rows could be used'
      : 'Your listings were already up to date'
  }
  return plan?.unchanged === 0
    ? 'Nothing is live yet. We need a few answers first.'
    : 'Nothing new is live yet. We need a few answers first.'
}

function ImportOutcome({ receipt }: { receipt: ImportReceipt }) {
  const {
    created: create,
    updated: update,
    waiting: held,
    alreadyEqual = 0,
    total,
    appliedAt,
    approvedBy,
    mode,
    state,
  } = receipt
  const answered = receipt.answers ?? []
  const parts = importParts({ ...receipt, create, update, held }, mode, { created: 'Listed', ended: 'Ended' })
  return (
    <>
      <Outcome label="What this import did" parts={parts} />
      <Text className="second">
        {rowsInWords(total)} read
        {appliedAt !== null && `, live since ${momentWords(appliedAt)}`}
        {approvedBy !== null && `, approved by ${approvedBy}`}.
        {alreadyEqual > 0 && ` ${rowsInWords(alreadyEqual)} changed nothing: their listings already matched.`}
      </Text>
      {answered.length > 0 && (
        <Text className="second">
          As you answered: {answered.map(({ sentence }) => sentence.replace(/\.$/, '')).join('. ')}.
        </Text>
      )}
      <ReceiptQuestions receipt={receipt} state={state} />
      {receipt.leftOut.length > 0 && <LeftOut receipt={receipt} />}
      <Group gap="sm">
        <Button component={Link} to={paths.myListings}>
          See my listings
        </Button>
        <Button component={Link} to={paths.parts} variant="default">
          View them as a buyer
        </Button>
      </Group>
    </>
  )
}

/** Rows that passed the checks but could not be applied, with the reason. */
function LeftOut({ receipt: { refused: all, held, leftOut } }: { receipt: ImportReceipt }) {
  const titleId = useId()
  const refused = all - held.total
  return (
    <section aria-labelledby={titleId}>
      <Text mb="xs" id={titleId}>
        {rowsInWords(refused)} {refused === 1 ? 'was' : 'were'} left out when the file was compared with your
        listings:
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard */}
      <ul className={classes.left} tabIndex={0}>
        {leftOut.map(({ row, record, reason }) => (
          <li key={record}>
            <span>
              <strong>
                {row === null ? `Record ${record} of the staged file` : `Row ${formatCount(row)}`}:
              </strong>{' '}
              {reason}
            </span>
          </li>
        ))}
      </ul>
      <FirstShown shown={leftOut.length} of={refused} />
    </section>
  )
}

function FirstShown({ shown, of }: { shown: number; of: number }) {
  if (shown >= of) return null
  return (
    <Text size="sm" className="second">
      Showing the first {formatCount(shown)}.
    </Text>
  )
}

function UndoReceipt({ receipt }: { receipt: ImportReceipt }) {
  const { undone, leftAsIs, left } = receipt
  return (
    <>
      <Text>
        {listingsInWords(undone)} restored.{' '}
        {leftAsIs > 0 &&
          `${listingsInWords(leftAsIs)} ${leftAsIs === 1 ? 'was' : 'were'} changed after the import and kept:`}
      </Text>
      {left.length > 0 && (
        <ul className={classes.left}>
          {left.map(({ id, partslug, title, reason }) => (
            <li key={id}>
              <Anchor component={Link} to={paths.editListing(partslug)}>
                {title}
              </Anchor>
              <span className="second">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      <FirstShown shown={left.length} of={leftAsIs} />
      <Group gap="sm">
        <Button component={Link} to={paths.myListings} variant="default">
          See my listings
        </Button>
      </Group>
    </>
  )
}
