import { Alert, Stack, Text } from '@mantine/core'
import { headerWarnings } from '#contract/csv-header.ts'
import { importFields } from '#contract/import-fields.ts'
import { JsonArea } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/json-area.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import { DropZone } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import { WayOn } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/way-on.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { ColumnsTable } from './columns-table.tsx'
import { HowItIsRead } from './how-it-is-read.tsx'
import { MoneyQuestion } from './money-question.tsx'
import { TemplateBar } from './template-bar.tsx'

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
