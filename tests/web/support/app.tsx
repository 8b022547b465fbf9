import { screen, waitFor } from '@testing-library/dom'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { RouterProvider } from 'react-router/dom'
import { vi } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { everyPage, type FakeServer, type Handlers, startFakeServer } from './fake-server.ts'
import { cleanup, render } from './page.ts'

export type OpenApp = { server: FakeServer; user: UserEvent }

/**
 * The whole web app at an address, as a browser shows it, with these server replies. A device that is `kept` has in
 * its storage what was there before, as after a reload.
 */
export async function openApp(
  path: string,
  { as, server: handlers = {}, kept = false }: { as?: User; server?: Handlers; kept?: boolean } = {},
): Promise<OpenApp> {
  cleanup()
  if (!kept) {
    localStorage.clear()
    sessionStorage.clear()
  }
  if (as) localStorage.setItem('auth', JSON.stringify({ token: 'a-token', user: as }))
  const server = startFakeServer({ ...everyPage(as), ...handlers })
  // The session is read from storage, like another tab’s sign-in.
  const [{ queryClient }, { openRouter }, { appArea }] = await loading
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  queryClient.clear()
  window.history.replaceState(null, '', path)
  render(<RouterProvider router={openRouter([appArea])} />)
  await waitFor(() => screen.getByRole('main'))
  return { server, user: userEvent.setup({ applyAccept: false, delay: null }) }
}

const loading = Promise.all([
  import('#web/api/client.ts'),
  import('#web/routes.tsx'),
  import('#web/app-routes.ts'),
])
// As the program that starts the app does.
void import('#web/api/session.ts').then(({ followOtherTabs }) => followOtherTabs())

/** The next file that the app passes to the browser’s downloads. */
export function nextDownload(): Promise<{ name: string; text: string }> {
  const { promise, resolve } = Promise.withResolvers<{ name: string; text: string }>()
  const contents: Blob[] = []
  const making = vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    contents.push(content as Blob)
    return 'blob:a-file'
  })
  const clicking = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    making.mockRestore()
    clicking.mockRestore()
    void new Response(contents.at(-1)).text().then((text) => resolve({ name: this.download, text }))
  })
  return promise
}

/** The current address of the app. */
export const address = (): string => window.location.pathname + window.location.search
