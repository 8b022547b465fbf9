import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** Spec, section 9. */
const chunkTimeoutMs = 120_000
const missingChunk =
  /dynamically imported module|importing a module script failed|preload css|took longer than/i
const promptId = 'screen-missing'

/**
 * Loads a screen's code. If that fails (a new version removed the old files, or the connection is down), the current page
 * stays, with everything typed into it, and the user can reload or try again.
 */
export async function loadScreen<Screen>(
  load: () => Promise<Screen>,
  pendingAddress: () => string | undefined,
): Promise<Screen> {
  for (;;) {
    try {
      return await withinTime(load())
    } catch (error) {
      if (!(error instanceof Error && missingChunk.test(error.message))) throw error
      await offerReload(pendingAddress)
    }
  }
}

async function withinTime<Screen>(loading: Promise<Screen>): Promise<Screen> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error('The page took longer than 120 s')), chunkTimeoutMs)
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the user tries again; reloading leaves this page. */
function offerReload(pendingAddress: () => string | undefined): Promise<void> {
  return new Promise((tryAgain) => {
    const reload = () => window.location.assign(pendingAddress() ?? window.location.href)
    const retry = () => {
      notifications.hide(promptId)
      tryAgain()
    }
    notifications.show({
      id: promptId,
      color: 'warning',
      autoClose: false,
      allowClose: false,
      withBorder: true,
      role: 'alert',
      title: 'This page could not be loaded',
      message: (
        <Stack gap="sm">
          <Text size="sm">There is a newer version of this site, or the connection is down.</Text>
          <Group gap="sm">
            <Button size="xs" onClick={reload}>
              Reload page
            </Button>
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        </Stack>
      ),
    })
  })
}
