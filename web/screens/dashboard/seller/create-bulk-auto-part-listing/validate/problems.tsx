import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { csvLine } from '#contract/csv/csv-cell.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import type { RowIssue } from '#contract/imports.ts'
import { FileButton } from '#web/components/downloads.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { type Column, ScrolledRecords } from '#web/components/records-list.tsx'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { editedRow } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import {
  type DryRunResult,
  eachFailingRow,
  type FailingRows,
  type IssueKind,
  SHOWN_ISSUES,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { groupKey } from './column-fixes.ts'
import { FixRows } from './fix-desk.tsx'
import { EarlierFixes, KindFixes } from './kind-fixes.tsx'
import { columnWords, problemWords } from './problem-words.ts'
import { type ColumnFixes, useColumnFixes } from './use-column-fixes.ts'
import classes from './validate.module.css'

type ProblemsProps = { wizard: Wizard; order: RunOrder; result: DryRunResult }

export function Problems({ wizard, order, result }: ProblemsProps) {
  const [kind, setKind] = useState<IssueKind>()
  const [replacing, setReplacing] = useState<number>()
  // Reopen the rows if there are corrections, also after a reload.
  const [fixing, setFixing] = useState<'asked' | 'resumed' | undefined>(
    wizard.edits.size > 0 ? 'resumed' : undefined,
  )
  const fixes = useColumnFixes({ order, result, edits: wizard.edits, onEdit: wizard.setEdits })
  // Sold parts and lines that are not parts need no action.
  const isAllLeftOut = result.errors === result.remarks
  const placeOf = ({ column }: IssueKind) => (column === '' ? -1 : findColumn(order.file.headers, column))
  return (
    <>
      {result.errors > 0 && (
        <SectionCard
          title={isAllLeftOut ? 'Not listed' : 'What is wrong'}
          aside={
            <Group gap="sm" className={classes.actions}>
              <FileButton
                name={failingRowsFileName(order.file.file.name)}
                read={() => failingRowsFile(order, result)}
                title={`${rowsInWords(result.errors)} with their columns and problems. Import the file once you have corrected it.`}
                failure="The file could not be read. Choose it again and check it."
              >
                Download all rows with errors (.csv)
              </FileButton>
              {fixing === undefined && <Button onClick={() => setFixing('asked')}>Fix rows here</Button>}
            </Group>
          }
        >
          <IssueKinds
            order={order}
            kinds={result.kinds}
            fixes={fixes}
            chosen={kind}
            onChoose={setKind}
            canReplace={(one) => placeOf(one) >= 0}
            onReplace={(one) => {
              setFixing('asked')
              setReplacing(placeOf(one))
            }}
          />
          {/* The rows opened for fixing show their own problems. */}
          {(fixing === undefined || kind !== undefined) && (
            <ShownIssues headers={order.file.headers} result={result} kind={kind} />
          )}
        </SectionCard>
      )}
      <EarlierFixes fixes={fixes} />
      {fixing !== undefined && (
        <FixRows
          key={fixes.version}
          wizard={wizard}
          order={order}
          result={result}
          isAsked={fixing === 'asked'}
          replacing={replacing}
          onReplaced={() => setReplacing(undefined)}
        />
      )}
    </>
  )
}

type ShownIssuesProps = { headers: readonly string[]; result: DryRunResult; kind: IssueKind | undefined }

function ShownIssues({ headers, result, kind }: ShownIssuesProps) {
  const issues = useShownIssues(result, kind)
  const isAll = issues.length >= (kind?.count ?? result.issueCount)
  const count = rowsInWords(kind?.count ?? result.errors)
  const isLeftOut = result.errors === result.remarks
  const rows = isLeftOut ? `${count} not listed` : `${count} with ${kind ? 'this problem' : 'problems'}`
  return (
    <div>
      <Text fw={600} mb="xs" role="status">
        {isAll ? rows : `The first ${issues.length} problems; ${rows}`}
      </Text>
      <IssueTable headers={headers} issues={issues} />
    </div>
  )
}

type IssueKindsProps = {
  order: RunOrder
  kinds: readonly IssueKind[]
  fixes: ColumnFixes
  chosen: IssueKind | undefined
  onChoose: (kind: IssueKind | undefined) => void
  /** Whether a kind is about cells of a column, which can be replaced. */
  canReplace: (kind: IssueKind) => boolean
  onReplace: (kind: IssueKind) => void
}

/** Problems that occur at least this often can be replaced in one step. */
const OFTEN = 2
const MAX_SHOWN = 20

/** Kinds of problems, most frequent first. Clicking one shows only its rows. */
function IssueKinds(props: IssueKindsProps) {
  const { order, kinds, fixes, chosen, onChoose, canReplace, onReplace } = props
  const { file, mapping } = order
  return (
    <div>
      <ul className={classes.kinds} aria-label="Kinds of problems">
        {kinds.slice(0, MAX_SHOWN).map((kind) => {
          const group = fixes.groupOf(groupKey(kind))
          const { column, sentence } = problemWords(kind, { headers: file.headers, mapping })
          return (
            <li key={groupKey(kind)}>
              <div className={classes.kind}>
                <button
                  type="button"
                  className={classes.pick}
                  aria-pressed={kind === chosen}
                  onClick={() => onChoose(kind === chosen ? undefined : kind)}
                >
                  <span className={classes.count}>{rowsInWords(kind.count)}</span>
                  <span>
                    {column !== undefined && (
                      <>
                        <strong>{column}</strong>:{' '}
                      </>
                    )}
                    {sentence}
                  </span>
                </button>
                {kind.count >= OFTEN && canReplace(kind) && (
                  <Button variant="default" size="xs" onClick={() => onReplace(kind)}>
                    Replace in this column…
                  </Button>
                )}
              </div>
              {group && <KindFixes fixes={fixes} group={group} />}
            </li>
          )
        })}
      </ul>
      {kinds.length > MAX_SHOWN && (
        <p className="second">
          {formatCount(kinds.length - MAX_SHOWN)} more kinds are in the downloaded file.
        </p>
      )}
    </div>
  )
}

type ShownIssue = RowIssue & { id: string }

const issueColumns = (headers: readonly string[]): Column<ShownIssue>[] => [
  { header: 'Row', labeled: true, className: classes.row, cell: ({ row }) => formatCount(row) },
  { header: 'Column', labeled: true, cell: ({ column }) => columnWords(column, headers) },
  {
    header: 'Value',
    labeled: true,
    cell: ({ value }) =>
      value === '' ? <span className="second">empty</span> : <code className={classes.value}>{value}</code>,
  },
  { header: 'What is wrong', cell: ({ message }) => message },
]

function IssueTable({ headers, issues }: { headers: readonly string[]; issues: readonly RowIssue[] }) {
  const items = issues.map((issue) => ({ ...issue, id: `${issue.row} ${issue.column} ${issue.code}` }))
  return <ScrolledRecords label="Problems by row" columns={issueColumns(headers)} items={items} />
}

/** The first issues of a result, or of one kind. Shows those already loaded until the rest are read. */
function useShownIssues(result: DryRunResult, kind: IssueKind | undefined): readonly RowIssue[] {
  const [found, setFound] = useState<{ kind: IssueKind; issues: RowIssue[] }>()
  useEffect(() => {
    if (!kind) return
    let isOver = false
    void firstIssues(result.failing, kind).then((issues) => {
      if (!isOver) setFound({ kind, issues })
    })
    return () => {
      isOver = true
    }
  }, [result, kind])
  if (!kind) return result.issues
  return found?.kind === kind ? found.issues : result.issues.filter((issue) => isOfKind(issue, kind))
}

const isOfKind = (issue: RowIssue, { column, code }: Pick<IssueKind, 'column' | 'code'>): boolean =>
  issue.column === column && issue.code === code

async function firstIssues(failing: FailingRows, kind: IssueKind): Promise<RowIssue[]> {
  const found: RowIssue[] = []
  for await (const { issues } of eachFailingRow(failing)) {
    found.push(...issues.filter((issue) => isOfKind(issue, kind)))
    if (found.length >= SHOWN_ISSUES) break
  }
  return found.slice(0, SHOWN_ISSUES)
}

/** Blobs keep the text out of script memory, but each has a cost. */
const PIECE_CHARACTERS = 1024 * 1024

/**
 * All failing rows as a CSV: row number, problems, then the cells as they were sent. Same columns as the server's file of
 * rejected rows. Safe to open in a spreadsheet, and can be imported once corrected.
 */
export async function failingRowsFile(
  { file, edits }: RunOrder,
  { failing }: Pick<DryRunResult, 'failing'>,
): Promise<Blob> {
  const pieces: Blob[] = []
  // The byte order mark makes spreadsheets read it as UTF-8.
  let text = `\ufeff${csvLine(['row', 'errors', ...file.headers])}`
  const wrong = eachFailingRow(failing)
  let next = (await wrong.next()).value
  for await (const batch of fileRecords(file)) {
    for (const { row, cells } of batch) {
      if (next?.row !== row) continue
      const errors = next.issues.map(({ message }) => message).join(' ')
      text += csvLine([String(row), errors, ...(editedRow(edits, row, cells) ?? cells)])
      if (text.length > PIECE_CHARACTERS) {
        pieces.push(new Blob([text]))
        text = ''
      }
      next = (await wrong.next()).value
    }
    if (next === undefined) break
  }
  return new Blob([...pieces, text], { type: 'text/csv' })
}

export const failingRowsFileName = (name: string): string =>
  `${name.replace(/\.(csv|tsv|txt|xlsx)?(\.gz)?$/i, '')}-errors.csv`
