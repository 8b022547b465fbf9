import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'

type MatchArrowsProps = {
  /** Of a button, in pixels: as high as the field it stands beside. */
  size: number
  disabled?: boolean
  onFind: (backwards: boolean) => void
}

/** From one match of a search to the next and back. */
export function MatchArrows({ size, disabled = false, onFind }: MatchArrowsProps) {
  const button = { variant: 'default', size, disabled }
  return (
    <>
      <ActionIcon {...button} aria-label="Previous match" onClick={() => onFind(true)}>
        <IconChevronUp size={size / 2} />
      </ActionIcon>
      <ActionIcon {...button} aria-label="Next match" onClick={() => onFind(false)}>
        <IconChevronDown size={size / 2} />
      </ActionIcon>
    </>
  )
}
