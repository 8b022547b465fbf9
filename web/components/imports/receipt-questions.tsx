import { Anchor, Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { HeldAnswer, ImportReceipt } from '#contract/imports.ts'
import { valueInWords } from '#web/components/value-words.ts'
import { paths } from '#web/paths.ts'
import { type ReceiptAnswer, useAnswer } from './import-actions.tsx'
import { formatCount, listingsInWords, rowsInWords } from './import-words.ts'
import classes from './row-list.module.css'
import { RowList, rowName } from './row-list.tsx'

/* What a receipt asks its seller: rows that may be corrections, parts in orders, and edits that the file would have replaced. */

type QuestionsProps = { receipt: ImportReceipt; state: ImportReceipt['state'] }

export function ReceiptQuestions({ receipt, state }: QuestionsProps) {
  const { mutate: answer, isPending } = useAnswer({ id: receipt.importId, state })
  return (
    <>
      <HeldRows held={receipt.held} busy={isPending} onAnswer={answer} />
      <Ordered ordered={receipt.ordered} />
      <KeptEdits kept={receipt.kept} busy={isPending} onAnswer={answer} />
      {receipt.corrected && <Corrected corrected={receipt.corrected} />}
    </>
  )
}

type Answering<T> = T & { busy: boolean; onAnswer: (answer: ReceiptAnswer) => void }

type Choice = { answer: HeldAnswer; one: string; all: string }

const answers: readonly Choice[] = [
  { answer: 'same', one: 'Same part, corrected', all: 'All are corrections' },
  { answer: 'new', one: 'Different part', all: 'All are different parts' },
]

const answersToRepeats: readonly Choice[] = [
  { answer: 'same', one: 'Same part', all: 'All are the same parts' },
  { answer: 'new', one: 'Different part', all: 'All are different parts' },
]

const answersTo = (repeats: boolean) => (repeats ? answersToRepeats : answers)

const unlike = 'The stock number matches one of your listings, but the part name and number are different.'
const repeated = 'The listing id is empty, but the part matches one you listed by hand.'

function whyHeld({ rows }: ImportReceipt['held']): string {
  const repeats = rows.filter((row) => row.repeats).length
  if (repeats === 0) return unlike
  return repeats === rows.length
    ? repeated
    : `${unlike} Or: ${repeated.charAt(0).toLowerCase()}${repeated.slice(1)}`
}

/** Rows with the stock number of a listing that is a different part, or that equal one listed by hand. */
function HeldRows({ held, busy, onAnswer }: Answering<{ held: ImportReceipt['held'] }>) {
  const { total, rows } = held
  return (
    <RowList
      title={`${rowsInWords(total)} ${total === 1 ? 'needs' : 'need'} your answer`}
      text={`${whyHeld(held)} Nothing changes until you answer.`}
      total={total}
      all={
        total > 1 && (
          <Group gap="xs" mb="xs">
            {answersTo(rows.every((row) => row.repeats)).map(({ answer, all }) => (
              <Button
                key={answer}
                size="xs"
                variant="default"
                disabled={busy}
                onClick={() => onAnswer({ answer })}
              >
                {all}
              </Button>
            ))}
          </Group>
        )
      }
    >
      {rows.map(({ record, row, part, listing, repeats }) => (
        <li key={record} aria-label={part}>
          <span>
            <strong>{rowName(row, record)}:</strong> {part}
            <br />
            <span className="second">
              Your listing: <PartLink listing={listing} />
            </span>
          </span>
          <Group gap="xs">
            {answersTo(repeats).map(({ answer, one }) => (
              <Button
                key={answer}
                size="xs"
                variant="default"
                disabled={busy}
                onClick={() => onAnswer({ answer, records: [record] })}
              >
                {one}
              </Button>
            ))}
          </Group>
        </li>
      ))}
    </RowList>
  )
}

/** Parts that buyers ordered, and what the file says about them. */
function Ordered({ ordered: { total, rows } }: Pick<ImportReceipt, 'ordered'>) {
  return (
    <RowList
      title={`${listingsInWords(total)} in orders`}
      text="Buyers ordered these parts, so the file did not end them."
      total={total}
    >
      {rows.map(({ listing, reason }) => (
        <li key={listing.id} aria-label={listing.title}>
          <span>
            <PartLink listing={listing} />
            <span className={`second ${classes.field}`}>{reason}</span>
          </span>
        </li>
      ))}
    </RowList>
  )
}

/** Edits by hand that the file did not replace. */
function KeptEdits({ kept, busy, onAnswer }: Answering<{ kept: ImportReceipt['kept'] }>) {
  const { total, rows } = kept
  return (
    <RowList
      title={`${formatCount(total)} kept as edited`}
      text={`${listingsInWords(total)} ${total === 1 ? 'was' : 'were'} edited by hand, and the file has a new value for the same field. Your edits stay.`}
      total={total}
      all={
        total > 1 &&
        rows.some(({ canUse }) => canUse) && (
          <Group gap="xs" mb="xs">
            <Button size="xs" variant="default" disabled={busy} onClick={() => onAnswer({})}>
              Use the file’s values for all
            </Button>
          </Group>
        )
      }
    >
      {rows.map(({ record, listing, fields, canUse }) => (
        <li key={record} aria-label={listing.title}>
          <span>
            <PartLink listing={listing} />
            {fields.map(({ field, label, edited, file }) => (
              <span key={field} className={`second ${classes.field}`}>
                {label}: yours {valueInWords(field, edited) ?? 'empty'}, the file’s{' '}
                {valueInWords(field, file) ?? 'empty'}
              </span>
            ))}
          </span>
          {canUse ? (
            <Button
              size="xs"
              variant="default"
              disabled={busy}
              onClick={() => onAnswer({ records: [record] })}
            >
              Use the file’s
            </Button>
          ) : (
            <span className="second">A later import has newer values.</span>
          )}
        </li>
      ))}
    </RowList>
  )
}

/** What a file changed because its columns are now read more carefully. */
function Corrected({ corrected: { total, rows } }: { corrected: NonNullable<ImportReceipt['corrected']> }) {
  return (
    <RowList
      title={`${formatCount(total)} corrected`}
      text="We read this file’s columns with more care than last time. These prices, grades and miles are now as in the file."
      total={total}
    >
      {rows.map(({ listing, fields }) => (
        <li key={listing.id} aria-label={listing.title}>
          <span>
            <PartLink listing={listing} />
            {fields.map(({ field, label, before, after }) => (
              <span key={field} className={`second ${classes.field}`}>
                {label}: {valueInWords(field, before) ?? 'empty'}, now {valueInWords(field, after) ?? 'empty'}
              </span>
            ))}
          </span>
        </li>
      ))}
    </RowList>
  )
}

export const PartLink = ({ listing }: { listing: { partslug: string; title: string } }) => (
  <Anchor component={Link} to={paths.editListing(listing.partslug)}>
    {listing.title}
  </Anchor>
)
