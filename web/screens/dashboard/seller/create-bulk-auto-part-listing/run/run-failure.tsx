import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { paths } from '#web/paths.ts'
import {
  importSentence,
  needsOnboarding,
  proOnly,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-failures.ts'
import { FileProblem } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RunState } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { ChunkMap } from './chunk-map.tsx'
import type { ImportRun } from './use-import-run.ts'

type RunFailureProps = { failed: Extract<RunState, { step: 'failed' }>; run: ImportRun }

/** The run ended before its end: why, what became of what was sent, and the way on. */
export function RunFailure({ failed, run }: RunFailureProps) {
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
      <Stack gap="sm">
        {reasonOf(error)}
        {!order.dryRun && progress.rows > 0 && (
          <Text>
            {formatCount(progress.rows)} of {rowsInWords(order.file.records)} have arrived; no listing was
            changed.
          </Text>
        )}
        <ChunkMap chunks={progress.chunks} dryRun={order.dryRun} />
        <Group gap="sm">
          {sentence === proOnly ? (
            <Button component={Link} to={paths.onboarding}>
              Upgrade to Pro
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={() => void run.start(order)}>
                {progress.rows > 0 ? 'Go on where it stopped' : 'Try again'}
              </Button>
              {!order.dryRun && progress.rows > 0 && (
                <Button variant="subtle" color="gray" onClick={run.withdraw} loading={run.isWithdrawing}>
                  Withdraw what was sent
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

function reasonOf(error: unknown) {
  if (error instanceof NetworkError) return <Text>The server did not answer. Check your connection.</Text>
  if (error instanceof FileProblem) return <Text>{error.message}</Text>
  if (error instanceof DOMException) return <Text>The file was changed or moved. Choose it again.</Text>
  return error instanceof ApiError ? null : <Text>What the server answered is not what was expected.</Text>
}
