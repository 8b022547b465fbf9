import { Badge, Button, Group, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import {
  furtherPictureColumns,
  type ImportField,
  importFieldLabels,
  importFields,
  isMapped,
  mappedHeaders,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { SearchSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { confidenceOf, labelsOf, samplesOf, withColumn } from './column-choice.ts'
import { suggestionWords } from './column-words.ts'
import classes from './columns-table.module.css'

const others = importFields.filter((field) => !requiredImportFields.includes(field))

/** Each field with its column: fields to review, then required fields, then the rest. */
export function ColumnsTable({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { columns, sought } = wizard
  const { mapping, first } = columns
  // Fields that had a column at first stay visible, so that rows don't disappear while the user works on them.
  const [shown, setShown] = useState(() =>
    others.filter((field) => isMapped(mapping, field) || field === sought?.field),
  )
  const needed = requiredImportFields.filter((field) => !first.includes(field))
  const rest = others.filter((field) => !first.includes(field))
  const optional = rest.filter((field) => shown.includes(field) || isMapped(mapping, field))
  const hidden = rest.filter((field) => !optional.includes(field))
  const rows = (fields: readonly ImportField[]) =>
    fields.map((field) => <ColumnRow key={field} wizard={wizard} file={file} field={field} />)
  return (
    <>
      {first.length > 0 && <Columns title="Please review">{rows(first)}</Columns>}
      {needed.length > 0 && <Columns title="Required">{rows(needed)}</Columns>}
      {optional.length > 0 && <Columns title="Optional">{rows(optional)}</Columns>}
      {hidden.length > 0 && (
        <Group gap="xs">
          <Text size="sm" className="second">
            More fields you can add: {labelsOf(hidden)}.
          </Text>
          <Button variant="default" size="xs" onClick={() => setShown(others)}>
            Show more fields
          </Button>
        </Group>
      )}
      <UnusedColumns
        headers={file.headers}
        used={[...mappedHeaders(mapping), ...furtherPictureColumns(file.headers, mapping)]}
      />
    </>
  )
}

function Columns({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <div className={classes.head}>
        <h3>{title}</h3>
        <span aria-hidden>Column in your file</span>
        <span aria-hidden>First values</span>
      </div>
      <ul className={classes.rows} aria-label={title}>
        {children}
      </ul>
    </div>
  )
}

function ColumnRow({ wizard, file, field }: { wizard: Wizard; file: ImportFile; field: ImportField }) {
  const { columns, setColumns, locked, lacking, obstacle } = wizard
  const header = columns.mapping[field]
  const label = importFieldLabels[field]
  const inputId = `column-${field}`
  const headers = useMemo(() => [...new Set(file.headers)], [file])
  const samples = samplesOf(file.samples, file.headers.indexOf(header ?? ''))
  const { word, color, reason } = confidenceOf(columns, field)
  const suggested = columns.reasons[field]
  const why =
    suggested && header !== undefined
      ? suggestionWords({ field, header, sure: suggested.sure }, file)
      : reason
  const joined = field === 'imageUrl' ? furtherPictureColumns(file.headers, columns.mapping) : []
  const missing = obstacle !== undefined && lacking.includes(field)
  return (
    <li className={classes.row}>
      <div className={classes.field}>
        <label htmlFor={inputId}>
          {label}
          {requiredImportFields.includes(field) && (
            <span className={classes.star} aria-hidden>
              {' '}
              *
            </span>
          )}
        </label>
        {word !== undefined && (
          <Badge color={color} id={`${inputId}-word`}>
            {word}
          </Badge>
        )}
      </div>
      <SearchSelect
        id={inputId}
        data={headers}
        value={header ?? null}
        onChange={(chosen) => setColumns(withColumn(columns, field, chosen))}
        clearable
        clearButtonProps={{ 'aria-label': `No column for ${label}` }}
        placeholder={isMapped(columns.mapping, field) ? 'From the split column' : 'No column'}
        nothingFoundMessage="No such column"
        disabled={locked}
        // An open list would cover the message below the field.
        openOnFocus={false}
        error={missing && `Choose the column for ${label}, or enter a value for all rows under Defaults`}
        aria-describedby={word === undefined ? undefined : `${inputId}-word ${inputId}-reason`}
      />
      <div className={classes.evidence}>
        <span className={classes.samples}>
          {samples.map((sample, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two cells may be equal, and they never move
            <span key={place}>{sample}</span>
          ))}
          {header !== undefined && samples.length === 0 && <em>only empty cells</em>}
        </span>
        {joined.length > 0 && (
          <Text size="sm" className="second">
            With the pictures of {joined.join(', ')}.
          </Text>
        )}
        {why !== undefined && (
          <Text size="sm" className="second" id={`${inputId}-reason`} title={reason}>
            {why}
          </Text>
        )}
      </div>
    </li>
  )
}

const MAX_NAMED = 40

function UnusedColumns({ headers, used }: { headers: readonly string[]; used: readonly string[] }) {
  const unused = headers.filter((header) => !used.includes(header))
  if (unused.length === 0) return null
  const more = unused.length - MAX_NAMED
  return (
    <Text size="sm" className="second">
      Buyers won’t see these columns: {unused.slice(0, MAX_NAMED).join(', ')}
      {more > 0 && ` and ${formatCount(more)} more`}.
    </Text>
  )
}
