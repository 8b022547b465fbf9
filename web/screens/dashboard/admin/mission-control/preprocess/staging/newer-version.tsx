import { Alert, Button, Group, Text } from '@mantine/core'
import type { StagingVersion } from '#contract/staging.ts'

type NewerVersionProps = { newest: StagingVersion; shown: number; onLoad: () => void; onCompare: () => void }

/** A script, the taxonomy or somebody else made a version meanwhile. */
export function NewerVersion({ newest, shown, onLoad, onCompare }: NewerVersionProps) {
  return (
    <Alert color="sea" variant="light" role="status">
      <Group justify="space-between" gap="sm">
        <Text>
          Version {newest.version} by {newest.author ?? 'the program'} ({newest.message}) is newer than
          version {shown}, which you see.
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onCompare}>
            Compare
          </Button>
          <Button size="xs" onClick={onLoad}>
            Load it
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
