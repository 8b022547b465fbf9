import { Alert, Anchor, Group, List, Radio, Stack, Text } from '@mantine/core'
import { headerWarnings } from '#contract/csv/csv-header.ts'
import { importFieldLabels } from '#contract/csv/import-fields.ts'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { JsonArea } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/json-area.tsx'
import { NextStepBar } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/next-step-bar.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { DropZone } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { ColumnsTable } from './columns-table.tsx'
import { SplitOffers } from './split-offers.tsx'
import { TemplateBar } from './template-bar.tsx'
import '@mantine/core/styles/RadioCard.layer.css'
import { type DecimalMark, decimalMarks } from '#contract/yard-file/reading.ts'
import { dollarsIn, type UnclearMoney } from './column-choice.ts'

export function MappingTab({ wizard }: { wizard: Wizard }) {
  const { file, columns, chosen } = wizard
  return (
    <Stack gap="md">
      {file && <HowItIsRead wizard={wizard} file={file} />}
      {file && <SplitOffers wizard={wizard} />}
      {wizard.unclearMoney.map((question) => (
        <MoneyQuestion key={question.field} wizard={wizard} question={question} />
      ))}
      <SectionCard
        title="Match the columns"
        lead="Suggested from your headers and values. Check them and change any that are wrong."
      >
        <TemplateBar wizard={wizard} />
        <TemplateNotes wizard={wizard} />
        {file && <HeaderWarnings file={file} />}
        {file && <ColumnsTable key={columns.templateId ?? file.headers.join()} wizard={wizard} file={file} />}
        {!file && chosen.step !== 'reading' && <DropZone onChoose={wizard.choose} />}
        <JsonArea
          label="Mapping JSON"
          description="Field to file header. Stays in sync with the columns above."
          placeholder={'{ "partname": "Part name", "partprice": "Retail price" }'}
          json={wizard.mappingJson}
          disabled={wizard.locked}
        />
      </SectionCard>
      <NextStepBar wizard={wizard} />
    </Stack>
  )
}

function TemplateNotes({ wizard: { file, templates, columns } }: { wizard: Wizard }) {
  const template = templates.find(({ id }) => id === columns.templateId)
  const isRecognized = file?.reading.layout === 'ebay' && template?.shipped === true
  return (
    <>
      {isRecognized && (
        <Alert color="sea" variant="light" role="note">
          This is your eBay file. We know how to read it, with the template “{template.name}”.
        </Alert>
      )}
      {template && template.description !== '' && !isRecognized && (
        <Text size="sm" className="second">
          {template.description}
        </Text>
      )}
      {columns.lacking.length > 0 && (
        <Alert color="warning" variant="light" role="note">
          This file is missing these columns of the template:{' '}
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

/** For anything but a plain CSV: what was detected, with a link to change it. */
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
          Change how it is read
        </Anchor>
      </Text>
    </Alert>
  )
}

/** Asks what the separators in a price column mean if its values don't show it. */
function MoneyQuestion({ wizard, question }: { wizard: Wizard; question: UnclearMoney }) {
  const { field, header, value } = question
  const { overrides, readAs, locked } = wizard
  return (
    <Alert color="warning" variant="light" role="note" data-problem tabIndex={-1}>
      <Stack gap="xs">
        <Radio.Group
          label={`${importFieldLabels[field]}: what does “${value}” in the column “${header}” mean?`}
          description="We can’t tell from this column whether a point or a comma comes before the cents."
          value={null}
          onChange={(mark: DecimalMark) =>
            readAs({ ...overrides, decimals: { ...overrides.decimals, [field]: mark } })
          }
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
