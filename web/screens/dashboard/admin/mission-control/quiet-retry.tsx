import { Button, Group, Text } from '@mantine/core'
import { failureWords } from './failure-words.ts'

type QuietRetryProps = { error: unknown; fallback: string; onRetry: () => void; retrying: boolean }

/** A list that could not be loaded says so where it stands, without a toast. */
export function QuietRetry({ error, fallback, onRetry, retrying }: QuietRetryProps) {
  return (
    <Group gap="sm" role="status" py="xs">
      <Text className="second">{failureWords(error, fallback)}</Text>
      <Button variant="default" size="xs" onClick={onRetry} loading={retrying}>
        Retry
      </Button>
    </Group>
  )
}
