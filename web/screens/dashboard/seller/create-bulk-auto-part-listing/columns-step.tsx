import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { headerWarnings } from '#contract/csv-header.ts'
import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/import-fields.ts'
import { SearchSelect } from '#web/components/listing-lookups/search-select.tsx'
import { type ColumnChoice, samplesOf, withColumn } from './column-choice.ts'
import classes from './columns-step.module.css'
import type { ImportFile } from './read-import-file.ts'
import { StepCard } from './step-card.tsx'
import { TemplateBar } from './template-bar.tsx'

type ColumnsStepProps = {
  file: ImportFile
  choice: ColumnChoice
  onChange: (choice: ColumnChoice) => void
  /** Needed fields without a value, once somebody tried to go on. */
  missing: readonly ImportField[]
}

const others = importFields.filter((field) => !requiredImportFields.includes(field))

const named = (fields: readonly ImportField[]) => fields.map((field) => importFieldLabels[field]).join(', ')

export function ColumnsStep({ file, choice, onChange, missing }: ColumnsStepProps) {
  const { mapping, unsure, lacking } = choice
  const columns = useMemo(() => [...new Set(file.headers.filter(Boolean))], [file])
  const warnings = useMemo(() => headerWarnings(file.headers), [file])
  const used = new Set(Object.values(mapping))
  const unused = columns.filter((header) => !used.has(header))
  // Those that had a column when the file was chosen stay, so that no row goes away under somebody's hands.
  const [shown, setShown] = useState(() => others.filter((field) => mapping[field] !== undefined))
  const optional = others.filter((field) => shown.includes(field) || mapping[field] !== undefined)
  const rest = others.filter((field) => !optional.includes(field))
  const row = (field: ImportField) => (
    <ColumnRow
      key={field}
      field={field}
      columns={columns}
      header={mapping[field]}
      unsure={unsure.includes(field)}
      missing={missing.includes(field)}
      samples={samplesOf(file.samples, file.headers.indexOf(mapping[field] ?? ''))}
      onChange={(header) => onChange(withColumn(choice, field, header))}
    />
  )
  return (
    <StepCard
      number={2}
      title="Match the columns"
      aside={
        <Text className="second">
          {Object.keys(mapping).length} of {importFields.length} matched
        </Text>
      }
    >
      <Stack gap="md">
        <TemplateBar headers={file.headers} mapping={mapping} onChoose={onChange} />
        {warnings.map((warning) => (
          <Alert key={warning} color="warning" variant="light">
            {warning}
          </Alert>
        ))}
        {lacking.length > 0 && (
          <Alert color="warning" variant="light">
            This file does not have the template’s columns {lacking.map((name) => `“${name}”`).join(', ')}.
          </Alert>
        )}
        <Columns title="Needed in every row">{requiredImportFields.map(row)}</Columns>
        {optional.length > 0 && <Columns title="Worth having">{optional.map(row)}</Columns>}
        {rest.length > 0 && (
          <Group gap="xs">
            <Text size="sm" className="second">
              No column yet: {named(rest)}.
            </Text>
            <Button variant="default" size="xs" onClick={() => setShown(others)}>
              Show these fields
            </Button>
          </Group>
        )}
        {unused.length > 0 && (
          <Text size="sm" className="second">
            Not used: {unused.join(', ')}. These columns stay with the rows, but show nowhere.
          </Text>
        )}
      </Stack>
    </StepCard>
  )
}

function Columns({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <div className={classes.head}>
        <h3>{title}</h3>
        <span aria-hidden>Column of your file</span>
        <span aria-hidden>First values</span>
      </div>
      <ul className={classes.rows} aria-label={title}>
        {children}
      </ul>
    </div>
  )
}

type ColumnRowProps = {
  field: ImportField
  columns: string[]
  header: string | undefined
  unsure: boolean
  missing: boolean
  samples: string[]
  onChange: (header: string | null) => void
}

function ColumnRow({ field, columns, header, unsure, missing, samples, onChange }: ColumnRowProps) {
  const label = importFieldLabels[field]
  const inputId = `column-${field}`
  return (
    <li className={classes.row}>
      <Group gap="xs">
        <label htmlFor={inputId}>
          {label}
          {requiredImportFields.includes(field) && (
            <span className={classes.star} aria-hidden>
              {' '}
              *
            </span>
          )}
        </label>
        {unsure && <Badge color="warning">Please check</Badge>}
      </Group>
      <SearchSelect
        id={inputId}
        data={columns}
        value={header ?? null}
        onChange={onChange}
        clearable
        clearButtonProps={{ 'aria-label': `No column for ${label}` }}
        placeholder="No column"
        nothingFoundMessage="No such column"
        error={missing && `Choose the column of ${label}, or give a value for all rows below`}
      />
      <span className={classes.samples}>
        {samples.map((sample, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two cells of a column may say the same, and they never move
          <span key={place}>{sample}</span>
        ))}
      </span>
    </li>
  )
}
