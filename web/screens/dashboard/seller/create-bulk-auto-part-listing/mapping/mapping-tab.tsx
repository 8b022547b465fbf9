import { Alert, Anchor, Group, List, Radio, Stack, Text } from '@mantine/core'
import { headerWarnings } from '#contract/csv/csv-header.ts'
import { importFieldLabels, importFields } from '#contract/csv/import-fields.ts'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import { JsonArea } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/json-area.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  SectionCard,
  WayOn,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import { DropZone } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'
import { ColumnsTable } from './columns-table.tsx'
import { TemplateBar } from './template-bar.tsx'
import '@mantine/core/styles/RadioCard.layer.css'
import { decimalMarks } from '#contract/yard-file/reading.ts'
import { dollarsIn, type OpenMoney } from './open-money.ts'

/** Which column is which field: proposed, looked at, kept as a template. */
export function MappingTab({ wizard }: { wizard: Wizard }) {
  const { file, columns, chosen } = wizard
  const matched = Object.keys(columns.mapping).length
  return (
    <Stack gap="md">
      {file && <HowItIsRead wizard={wizard} file={file} />}
      {wizard.openMoney.map((question) => (
        <MoneyQuestion key={question.field} wizard={wizard} question={question} />
      ))}
      <SectionCard
        title="Match the columns"
        lead="Every field with the column it takes. They are proposed by the names of your columns and by what stands in them."
        aside={
          file && (
            <Text className="second">
              {matched} of {importFields.length} matched
            </Text>
          )
        }
      >
        <Stack gap="md">
          <TemplateBar wizard={wizard} />
          <TemplateNotes wizard={wizard} />
          {file && <HeaderWarnings file={file} />}
          {file && (
            <ColumnsTable key={columns.templateId ?? file.headers.join()} wizard={wizard} file={file} />
          )}
          {!file && chosen.step !== 'reading' && <DropZone onChoose={wizard.choose} />}
          <JsonArea
            label="Mapping JSON"
            description="Field to header of the file. The pickers above follow it, and it follows them."
            placeholder={'{ "partname": "Part name", "partprice": "Retail price" }'}
            json={wizard.mappingJson}
            disabled={wizard.locked}
          />
        </Stack>
      </SectionCard>
      <WayOn wizard={wizard} />
    </Stack>
  )
}

function TemplateNotes({ wizard: { file, templates, columns } }: { wizard: Wizard }) {
  const template = templates.find(({ id }) => id === columns.templateId)
  const isRecognised = file?.reading.layout === 'ebay' && template?.shipped === true
  return (
    <>
      {isRecognised && (
        <Alert color="sea" variant="light" role="note">
          This is a listing file of eBay: the template “{template.name}” is chosen, and rows of fitment are
          read with their part.
        </Alert>
      )}
      {template && template.description !== '' && !isRecognised && (
        <Text size="sm" className="second">
          {template.description}
        </Text>
      )}
      {columns.lacking.length > 0 && (
        <Alert color="warning" variant="light" role="note">
          This file does not have the template’s columns{' '}
          {columns.lacking.map((name) => `“${name}”`).join(', ')}.
        </Alert>
      )}
    </>
  )
}

const HeaderWarnings = ({ file }: { file: ImportFile }) =>
  headerWarnings(file.headers).map((warning) => (
    <Alert key={warning} color="warning" variant="light" role="note">
      {warning}
    </Alert>
  ))

/** Where a file is no plain CSV: what was detected, and the way to say otherwise. */
function HowItIsRead({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  if (file.notes.length === 0 && file.sheets.length < 2) return null
  return (
    <Alert color="sea" variant="light" role="note" title={`Read as ${describeReading(file.reading)}`}>
      <List size="sm" spacing={2}>
        {file.notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        <Anchor component="button" type="button" inherit onClick={() => wizard.goTo('upload')}>
          Read it in another way
        </Anchor>
      </Text>
    </Alert>
  )
}

/** Nothing in a column says what its marks mean: whoever knows the file says it, once. */
function MoneyQuestion({ wizard, question }: { wizard: Wizard; question: OpenMoney }) {
  const { field, header, value } = question
  const { said, readAs, locked } = wizard
  return (
    <Alert color="warning" variant="light" role="note" data-problem tabIndex={-1}>
      <Stack gap="xs">
        <Radio.Group
          label={`${importFieldLabels[field]}: what does “${value}” in the column “${header}” mean?`}
          description="No value of the column tells whether a point or a comma stands before the cents."
          value={null}
          onChange={(chosen: string) => {
            const mark = decimalMarks.find((one) => one === chosen)
            if (mark) readAs({ ...said, decimals: { ...said.decimals, [field]: mark } })
          }}
        >
          <Group gap="lg" mt="xs">
            {decimalMarks.map((mark) => (
              <Radio
                key={mark}
                value={mark}
                disabled={locked}
                label={`${dollarsIn(value, mark)} (${mark === 'point' ? 'a point' : 'a comma'} before the cents)`}
              />
            ))}
          </Group>
        </Radio.Group>
      </Stack>
    </Alert>
  )
}
