import { Button, Group, Skeleton, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportReceipt, ImportRecord } from '#contract/imports.ts'
import { STATEMENTS_A_DAY } from '#contract/listing/interchange.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { useReceipt } from './import-actions.tsx'
import { Outcome, planParts } from './import-plan.tsx'
import { formatCount, listingsInWords, rowsInWords } from './import-words.ts'
import { PartLink, ReceiptQuestions } from './receipt-questions.tsx'
import { RowList, rowName } from './row-list.tsx'

/** What an import did, or what undoing it left behind. */
export function Receipt({ record }: { record: ImportRecord }) {
  const receipt = useReceipt(record)
  const undone = record.state === 'undone'
  return (
    <SectionCard title={undone ? 'This import was undone' : appliedTitle(record)}>
      <Loaded query={receipt} failure="The receipt could not be loaded." waiting={<Skeleton height={120} />}>
        {(data) => (undone ? <UndoReceipt receipt={data} /> : <ImportOutcome receipt={data} />)}
      </Loaded>
    </SectionCard>
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
    statementsHeld = 0,
    total,
    appliedAt,
    approvedBy,
    mode,
    state,
  } = receipt
  const answered = receipt.answers ?? []
  const parts = planParts({ ...receipt, create, update, held }, mode, { created: 'Listed', ended: 'Ended' })
  return (
    <>
      <Outcome label="What this import did" parts={parts} />
      <Text className="second">
        {rowsInWords(total)} read
        {appliedAt !== null && `, live since ${momentWords(appliedAt)}`}
        {approvedBy !== null && `, approved by ${approvedBy}`}.
        {statementsHeld > 0 &&
          ` ${formatCount(statementsHeld)} ${statementsHeld === 1 ? 'part states' : 'parts state'} other numbers beyond the ${formatCount(STATEMENTS_A_DAY)} that count in a day. They count on the next days.`}
        {alreadyEqual > 0 && ` ${rowsInWords(alreadyEqual)} changed nothing: their listings already matched.`}
      </Text>
      {answered.length > 0 && (
        <Text className="second">
          As you answered: {answered.map(({ sentence }) => sentence.replace(/\.$/, '')).join('. ')}.
        </Text>
      )}
      <ReceiptQuestions receipt={receipt} state={state} />
      <LeftOut receipt={receipt} />
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
  const refused = all - held.total
  return (
    <RowList
      title={`${rowsInWords(refused)} ${refused === 1 ? 'was' : 'were'} left out when the file was compared with your listings`}
      total={refused}
    >
      {leftOut.map(({ row, record, reason }) => (
        <li key={record}>
          <span>
            <strong>{rowName(row, record)}:</strong> {reason}
          </span>
        </li>
      ))}
    </RowList>
  )
}

function UndoReceipt({ receipt }: { receipt: ImportReceipt }) {
  const { undone, leftAsIs, left } = receipt
  return (
    <>
      <Text>{listingsInWords(undone)} restored.</Text>
      <RowList
        title={`${listingsInWords(leftAsIs)} ${leftAsIs === 1 ? 'was' : 'were'} changed after the import and kept`}
        total={leftAsIs}
      >
        {left.map(({ reason, ...listing }) => (
          <li key={listing.id}>
            <PartLink listing={listing} />
            <span className="second">{reason}</span>
          </li>
        ))}
      </RowList>
      <Group gap="sm">
        <Button component={Link} to={paths.myListings} variant="default">
          See my listings
        </Button>
      </Group>
    </>
  )
}
