import { Button, Drawer, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type StagingVersion, stagingDeskEndpoints } from '#contract/admin/staging.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { Waiting } from '#web/components/page/waiting.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { ChangedRows } from './changed-rows.tsx'
import classes from './staging.module.css'
import { type StagedName, useRefreshStaging, useVersions } from './staging-calls.ts'
import { confirmDiscard, type StagedFileDesk, useIsChanged } from './use-staged-file.ts'

type VersionsDrawerProps = { name: StagedName; desk: StagedFileDesk; opened: boolean; onClose: () => void }

/** A version to restore as the newest. */
type Restored = StagedName & { version: number; current: number }

/** A file's versions: who made them, a comparison, and restoring one. */
export function VersionsDrawer({ name, desk, opened, onClose }: VersionsDrawerProps) {
  const refresh = useRefreshStaging()
  // A restored version replaces unsaved changes.
  const changed = useIsChanged(desk.draft)
  const restoring = useMutation({
    mutationFn: ({ mayDropChanges: _only, ...body }: Restored & { mayDropChanges: boolean }) =>
      call(stagingDeskEndpoints.restoreStagingVersion, { body }),
    onSuccess: ({ version }, { root, path, mayDropChanges, ...of }) => {
      notifyDone(`Version ${of.version} restored as version ${version}`, { about: 'staging' })
      onClose()
      if (root === desk.open.root && path === desk.open.path) desk.showNewest({ root, path }, mayDropChanges)
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to save'), { about: 'staging' }),
    onSettled: refresh,
  })
  const restore = (of: Restored) =>
    void confirmDiscard(changed, () => restoring.mutate({ ...of, mayDropChanges: changed }))
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(44rem, 100vw)"
      title="Versions"
      closeButtonProps={{ 'aria-label': 'Close', size: 'lg' }}
    >
      {opened && (
        <Versions
          name={name}
          restoring={restoring.isPending ? restoring.variables.version : undefined}
          onRestore={restore}
        />
      )}
    </Drawer>
  )
}

type VersionsProps = {
  name: StagedName
  restoring: number | undefined
  onRestore: (of: Restored) => void
}

function Versions({ name, restoring, onRestore }: VersionsProps) {
  const { data, isPending } = useVersions(name)
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({})
  const items = data?.items ?? []
  const [newest] = items
  if (isPending) return <Waiting />
  if (!newest) return <Text className="second">This file has no versions yet.</Text>
  const to = chosen.to ?? newest.version
  const from = chosen.from ?? items[1]?.version ?? newest.version
  const choices = items.map(({ version }) => ({ value: String(version), label: `Version ${version}` }))
  return (
    <Stack gap="lg" pb="lg">
      <Text className={classes.fileName}>{name.path}</Text>
      <ol className={classes.versions}>
        {items.map((version) => (
          <VersionLine
            key={version.version}
            version={version}
            isNewest={version === newest}
            restoring={restoring === version.version}
            onRestore={() => onRestore({ ...name, version: version.version, current: newest.version })}
          />
        ))}
      </ol>
      <section>
        <Title order={3} size="h4" mb="xs">
          Compare
        </Title>
        <Group gap="sm" mb="md">
          <NativeSelect
            label="From"
            data={choices}
            value={String(from)}
            onChange={(event) => setChosen({ ...chosen, from: Number(event.currentTarget.value) })}
          />
          <NativeSelect
            label="To"
            data={choices}
            value={String(to)}
            onChange={(event) => setChosen({ ...chosen, to: Number(event.currentTarget.value) })}
          />
        </Group>
        <ChangedRows name={name} from={from} to={to} />
      </section>
    </Stack>
  )
}

type VersionLineProps = {
  version: StagingVersion
  isNewest: boolean
  restoring: boolean
  onRestore: () => void
}

function VersionLine({ version, isNewest, restoring, onRestore }: VersionLineProps) {
  return (
    <li className={classes.version}>
      <div>
        <Text fw={650}>
          Version {version.version}
          {version.message !== '' && `: ${version.message}`}
        </Text>
        <Text size="sm" className="second">
          {version.author ?? 'The program'} · <Moment at={version.createdAt} /> · {rowsInWords(version.rows)}
        </Text>
      </div>
      {isNewest ? (
        <Text size="sm" className="second">
          Newest
        </Text>
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={restoring}
          aria-label={`Restore version ${version.version}`}
          onClick={onRestore}
        >
          Restore
        </Button>
      )}
    </li>
  )
}
