import { NumberInput, Select, SimpleGrid, Title } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { useState } from 'react'
import { importFieldLabels } from '#contract/csv/import-fields.ts'
import { encodingNames } from '#contract/yard-file/detect-reading.ts'
import {
  decimalMarks,
  encodings,
  MAX_ROWS_ABOVE,
  type Quote,
  quotes,
  type ReadingOverride,
} from '#contract/yard-file/reading.ts'
import {
  type MoneyField,
  moneyFields,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import type {
  ImportFile,
  OpenedFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'

const encodingChoices = encodings.map((value) => ({ value, label: encodingNames[value] }))

const delimiterNames: Record<string, string> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Bar |',
  ':': 'Colon :',
  '^': 'Caret ^',
  '~': 'Tilde ~',
}

/** A value that cannot be a delimiter, for files whose lines are cut by a ruler. */
const ruled = 'ruled' as const

/** The common ones, plus the file's own if it is different. */
const delimiterChoices = (current: string): { value: string; label: string }[] => {
  if (current === ruled)
    return [{ value: ruled, label: 'None (columns of a report)' }, ...delimiterChoices(',')]
  const known = Object.entries(delimiterNames).map(([value, label]) => ({ value, label }))
  return Object.hasOwn(delimiterNames, current)
    ? known
    : [...known, { value: current, label: `Other ${shown(current)}` }]
}

const shown = (mark: string) => (mark.trim() === '' ? `character ${mark.charCodeAt(0)}` : mark)

const quoteNames: Record<Quote, string> = { '"': 'Double quotes "', "'": "Single quotes '", '': 'None' }
/** A select cannot have an empty value. */
const noQuote = 'none' as const
const quoteChoices = quotes.map((quote) => ({ value: quote || noQuote, label: quoteNames[quote] }))

const decimalChoices = [
  { value: 'point', label: '1,299.00 (a point before the cents)' },
  { value: 'comma', label: '1.299,00 (a comma before the cents)' },
] as const

type ReadingFieldsProps = { wizard: Wizard; file: ImportFile }

export function ReadingFields({ wizard, file }: ReadingFieldsProps) {
  const { overrides, readAs, locked } = wizard
  const { reading, sheets } = file
  const override = (more: ReadingOverride) => readAs({ ...overrides, ...more })
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        Or choose the format
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        {sheets.length === 0 && (
          <>
            <Select
              label="Encoding"
              data={encodingChoices}
              value={reading.encoding}
              onChange={(encoding) => encoding !== null && override({ encoding })}
              allowDeselect={false}
              disabled={locked}
            />
            <DelimiterChoice reading={reading} disabled={locked} onChoose={override} />
            <Select
              label="Quote character"
              data={quoteChoices}
              value={reading.quote || noQuote}
              onChange={(quote) => quote !== null && override({ quote: quote === noQuote ? '' : quote })}
              allowDeselect={false}
              disabled={locked}
            />
          </>
        )}
        <HeaderRow
          key={reading.headerRow}
          row={reading.headerRow}
          disabled={locked}
          onChange={(headerRow) => override({ headerRow })}
        />
        {moneyFields.map((field) => (
          <Decimals key={field} wizard={wizard} file={file} field={field} />
        ))}
      </SimpleGrid>
    </div>
  )
}

type ChoiceProps = { disabled: boolean; onChoose: (settings: ReadingOverride) => void }

function DelimiterChoice({ reading, disabled, onChoose }: ChoiceProps & Pick<ImportFile, 'reading'>) {
  const current = reading.ruler ? ruled : reading.delimiter
  return (
    <Select
      label="Delimiter"
      data={delimiterChoices(current)}
      value={current}
      onChange={(delimiter) => delimiter !== null && delimiter !== ruled && onChoose({ delimiter })}
      allowDeselect={false}
      disabled={disabled}
    />
  )
}

/** A value that no sheet can have as its name: Excel does not allow a colon. */
const together = 'all:sheets' as const

type SheetChoiceProps = ChoiceProps & Pick<ImportFile, 'reading' | 'sheets' | 'together'>

/** The sheet of a workbook, or all that have the same columns. */
export function SheetChoice({ reading, sheets, together: alike = [], disabled, onChoose }: SheetChoiceProps) {
  if (sheets.length < 2) return null
  const all = { value: together, label: `All ${alike.length} sheets with the same columns` }
  const single = sheets.map((sheet) => ({ value: sheet, label: sheet }))
  return (
    <Select
      label="Sheet"
      data={alike.length > 1 ? [all, ...single] : single}
      value={reading.sheets ? together : (reading.sheet ?? sheets[0] ?? null)}
      onChange={(sheet) => {
        if (sheet === together) onChoose({ sheets: [...alike] })
        else if (sheet !== null) onChoose({ sheet })
      }}
      allowDeselect={false}
      disabled={disabled}
      maw="26rem"
    />
  )
}

/** What may help if no table was found: another sheet, delimiter or header row. */
export function ReadingChoices({ wizard, opened }: { wizard: Wizard; opened: OpenedFile }) {
  const { overrides, readAs, locked } = wizard
  const { reading, sheets, isReport } = opened
  const override = (more: ReadingOverride) => readAs({ ...overrides, ...more })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" my="sm">
      <SheetChoice reading={reading} sheets={sheets} disabled={locked} onChoose={readAs} />
      {sheets.length === 0 && !isReport && (
        <DelimiterChoice reading={reading} disabled={locked} onChoose={override} />
      )}
      <HeaderRow
        key={reading.headerRow}
        row={reading.headerRow}
        disabled={locked}
        onChange={(headerRow) => override({ headerRow })}
      />
    </SimpleGrid>
  )
}

type HeaderRowProps = { row: number; disabled: boolean; onChange: (row: number) => void }

/** Reads the file again on blur or Enter, not on every digit. */
function HeaderRow({ row, disabled, onChange }: HeaderRowProps) {
  const [typed, setTyped] = useState(row)
  const done = () => {
    if (typed !== row) onChange(typed)
  }
  return (
    <NumberInput
      label="Header row"
      description="0 if there is none"
      value={typed}
      onChange={(value) => typeof value === 'number' && setTyped(value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
      min={0}
      max={MAX_ROWS_ABOVE + 1}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      disabled={disabled}
    />
  )
}

/** The column's decimal mark: detected, or chosen by the user. */
function Decimals({ wizard, file, field }: ReadingFieldsProps & { field: MoneyField }) {
  const header = wizard.columns.mapping[field]
  if (header === undefined) return null
  const detected = file.decimals[header]
  const mark = file.reading.decimals[field] ?? decimalMarks.find((one) => one === detected)
  const { [field]: _, ...others } = wizard.overrides.decimals ?? {}
  return (
    <Select
      label={`${importFieldLabels[field]} format`}
      data={decimalChoices}
      value={mark ?? null}
      placeholder={detected === 'undecided' ? 'Please choose' : 'Not detected'}
      onChange={(chosen) =>
        wizard.readAs({ ...wizard.overrides, decimals: chosen ? { ...others, [field]: chosen } : others })
      }
      clearable={wizard.overrides.decimals?.[field] !== undefined}
      clearButtonProps={{ 'aria-label': 'Use the detected mark' }}
      disabled={wizard.locked}
    />
  )
}
