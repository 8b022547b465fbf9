import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { ApiError } from '#web/api/failures.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { paths } from '#web/paths.ts'
import { importSentence, needsOnboarding, proOnly } from './import-failures.ts'
import type { RunState } from './import-run.ts'

type RunFailureProps = { failed: Extract<RunState, { step: 'failed' }>; onAgain: () => void }

/** The run ended before its end: why, what became of what was sent, and the way on. */
export function RunFailure({ failed, onAgain }: RunFailureProps) {
  const { error, order, progress } = failed
  const sentence = importSentence(error, order.dryRun ? 'Validation failed' : 'Staging failed')
  if (needsOnboarding(error)) {
    return (
      <Alert color="warning" variant="light" role="alert">
        {sentence}
      </Alert>
    )
  }
  return (
    <Alert color="bad" variant="light" role="alert" title={sentence}>
      <Stack gap="sm" align="flex-start">
        {!(error instanceof ApiError) && <Text>The server did not answer. Check your connection.</Text>}
        {!order.dryRun && progress.rows > 0 && (
          <Text>
            {rowsInWords(progress.rows)} of {rowsInWords(order.file.records)} have arrived; no listing was
            changed.
          </Text>
        )}
        <Group gap="sm">
          {sentence === proOnly ? (
            <Button component={Link} to={paths.onboarding}>
              Upgrade to Pro
            </Button>
          ) : (
            <Button variant="default" onClick={onAgain}>
              {progress.rows > 0 ? 'Go on where it stopped' : 'Try again'}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
