import { Alert, Button, Group, Text } from '@mantine/core'

type LoadErrorProps = {
  /** What could not be loaded, as a sentence. */
  message: string
  onRetry: () => void
  retrying?: boolean
}

/** Replaces content that could not be loaded, with a retry button. */
export function LoadError({ message, onRetry, retrying = false }: LoadErrorProps) {
  return (
    <Alert color="bad" variant="light" radius="lg" role="alert">
      <Group justify="space-between">
        <Text>{message}</Text>
        <Button variant="default" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}
