import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { csvLine } from '#contract/csv/csv-cell.ts'
import { type ImportField, importFieldLabels, importFields } from '#contract/csv/import-fields.ts'
import sheet from '#web/artwork/sheet.svg?raw'
import { saveFile } from '#web/components/save-file.ts'
import { Drawing } from '#web/site/page.tsx'
import classes from './upload.module.css'

/** The visible drop target; the whole page accepts files too. */
export function DropZone({ onChoose }: { onChoose: (file: File) => void }) {
  return (
    <div className={classes.zone}>
      <Drawing svg={sheet} className={classes.drawing} />
      <Stack gap="sm" align="flex-start">
        <Text fz="lg" fw={600}>
          Drop your inventory file here
        </Text>
        <Text className="second">
          CSV, TSV, an Excel workbook (.xlsx), or one of them as ZIP or GZ. Use any column names in any order.
        </Text>
        <Group gap="md">
          <ChooseFile onChoose={onChoose} label="Choose file" />
          <Anchor component="button" type="button" onClick={downloadSample}>
            Download a sample file
          </Anchor>
        </Group>
      </Stack>
    </div>
  )
}

type ChooseFileProps = {
  onChoose: (file: File) => void
  label: string
  variant?: 'filled' | 'default'
  disabled?: boolean
}

// Phones don't know .csv.gz. The file's type is checked after choosing.
const accepted = '.csv,.tsv,.txt,.gz,.zip,.xlsx,.xls,text/csv,text/tab-separated-values,application/gzip'

export function ChooseFile({ onChoose, label, variant = 'filled', disabled = false }: ChooseFileProps) {
  return (
    <FileButton onChange={(file) => file && onChoose(file)} accept={accepted} disabled={disabled}>
      {({ onClick }) => (
        <Button onClick={onClick} variant={variant} disabled={disabled}>
          {label}
        </Button>
      )}
    </FileButton>
  )
}

const alternator: Partial<Record<ImportField, string>> = {
  partname: 'Alternator 130A',
  partdescription: 'Bench tested, pulley turns freely, plug intact.',
  partcategory: 'Alternator',
  partmanu: 'Toyota',
  partmodel: 'Camry',
  partyear: '2014',
  partgrade: 'A',
  partnum: '27060-0V210',
  partprice: '129.95',
  partshipping: 'Free',
  partcity: 'Tulsa',
  partstate: 'OK',
  dealername: 'Green Country Salvage',
  dealerphone: '(918) 555-0142',
  stocknum: 'A-1042',
  partquantity: '1',
  partmiles: '90000',
  zipcode: '74103',
  parttrim: 'LE',
}
const rows = [
  alternator,
  {
    ...alternator,
    partname: 'Headlamp',
    partside: 'Left',
    partdescription: 'Clear lens, all tabs there.',
    partcategory: 'Headlamp Assembly',
    partmanu: 'Ford',
    partmodel: 'F-150',
    partyear: '2012',
    partgrade: 'B',
    partnum: 'BL3Z-13008-C',
    partprice: '85.50',
    partshipping: 'Flat $20',
    stocknum: 'A-1043',
    partquantity: '2',
    partmiles: '',
    parttrim: 'XLT',
  },
]

/** A sample file whose columns all match. */
export function downloadSample(): void {
  // Only an export contains listing ids.
  const columns = importFields.filter((field) => field !== 'listingid')
  const header = columns.map((field) => importFieldLabels[field])
  const lines = [header, ...rows.map((row) => columns.map((field) => row[field] ?? ''))].map(csvLine)
  saveFile(new Blob(['\ufeff', ...lines], { type: 'text/csv' }), 'parts-sample.csv')
}
