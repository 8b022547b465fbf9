import { createMemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { leaveQuestion } from '#web/components/form/leave-guard.ts'

/** A router on an edited page with two pages behind it; the dialog stays open until `answer`. */
async function changedPage() {
  const paths = ['/first', '/second', '/form']
  const router = createMemoryRouter(
    paths.map((path) => ({ path })),
    { initialEntries: paths, initialIndex: 2 },
  )
  const dialogs: ((leaves: boolean) => void)[] = []
  const leaving = leaveQuestion()
  const ask = () => new Promise<boolean>((answer) => dialogs.push(answer))
  router.getBlocker('form', () => true)
  router.subscribe(({ blockers }) => {
    const blocker = blockers.get('form')
    if (blocker?.state === 'blocked') void leaving.put(blocker, ask)
    if (blocker?.state === 'unblocked') leaving.drop()
  })
  const back = async (pages: number) => {
    await router.navigate(-pages)
    await vi.waitFor(() => expect(router.state.blockers.get('form')?.state).toBe('blocked'))
  }
  const at = () => router.state.location.pathname
  const answer = async (leaves: boolean) => {
    dialogs.at(-1)?.(leaves)
    await vi.waitFor(() => expect(router.state.blockers.get('form')?.state).toBe('unblocked'))
  }
  return { router, dialogs, back, at, answer }
}

test('a second Back while the question is open does not ask again; Stay keeps the page', async () => {
  const page = await changedPage()
  await page.back(1)
  await page.back(1)
  expect(page.dialogs).toHaveLength(1)
  await page.answer(false)
  expect(page.at()).toBe('/form')
  await page.back(1)
  expect(page.dialogs).toHaveLength(2)
})

test('Leave goes to the destination of the last attempt', async () => {
  const page = await changedPage()
  await page.back(1)
  await page.back(2)
  expect(page.dialogs).toHaveLength(1)
  await page.answer(true)
  expect(page.at()).toBe('/first')
})

test('an answer given after the page was left another way does nothing', async () => {
  const page = await changedPage()
  await page.back(1)
  page.router.getBlocker('form', () => false)
  await page.router.navigate('/second')
  page.dialogs[0]?.(true)
  await vi.waitFor(() => expect(page.at()).toBe('/second'))
  expect(page.dialogs).toHaveLength(1)
})
