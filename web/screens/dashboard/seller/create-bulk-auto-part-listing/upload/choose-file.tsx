import { Button, FileButton } from '@mantine/core'

type ChooseFileProps = {
  onChoose: (file: File) => void
  label: string
  variant?: 'filled' | 'default'
  disabled?: boolean
}

// Phones know no .csv.gz; what a file is, is looked at after choosing.
const accepted = '.csv,.tsv,.txt,.gz,.xlsx,text/csv,text/tab-separated-values,application/gzip'

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
