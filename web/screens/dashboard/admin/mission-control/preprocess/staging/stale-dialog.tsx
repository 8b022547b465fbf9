import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Waiting } from '#web/components/waiting.tsx'
import { ChangedRows } from './changed-rows.tsx'
import { useVersions } from './staging-calls.ts'
import type { StagedFileDesk } from './use-staged-file.ts'

/** Somebody saved in between: what they changed, and the choice that nobody makes for anybody. */
export function StaleDialog({ desk }: { desk: StagedFileDesk }) {
  const { stale, setStale, saving, loading } = desk
  const versions = useVersions(stale && { root: stale.root, path: stale.path })
  if (!stale) return null
  const { root, path, version: mine } = stale
  const [last] = versions.data?.items ?? []
  // The list may be from before that save.
  const newest = last && last.version > (mine ?? 0) ? last : undefined
  return (
    <Modal opened onClose={() => setStale(undefined)} title="Changed by somebody else too" size="xl">
      <Stack>
        {!newest || mine === undefined ? (
          <Waiting />
        ) : (
          <>
            <Text>
              {newest.author ?? 'The program'} made version {newest.version} ({newest.message}) while you
              edited version {mine}. This is what differs between the two; your own changes are still in the
              editor.
            </Text>
            <ChangedRows name={{ root, path }} from={mine} to={newest.version} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setStale(undefined)}>
            Decide later
          </Button>
          <Button variant="default" loading={loading.isPending} onClick={() => loading.start({ root, path })}>
            Load theirs
          </Button>
          <Button
            loading={saving.isPending}
            disabled={!newest}
            onClick={() => newest && saving.mutate({ ...stale, version: newest.version })}
          >
            Keep mine as the newest
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
