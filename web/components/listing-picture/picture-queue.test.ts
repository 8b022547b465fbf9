import { expect, test, vi } from 'vitest'
import type { OwnPicture } from '#contract/pictures.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { PictureQueue, type QueuedPicture } from './picture-queue.ts'
import { PictureProblem } from './shrink-picture.ts'

const file = (name: string) => new File([name], name, { type: 'image/jpeg' })
const pictureOf = (name: string): OwnPicture => ({
  id: name,
  url: `/${name}`,
  alt: '',
  width: 1,
  height: 1,
  marks: [],
  problem: null,
})
const picture = (name: string, listingId = 'a', more: Partial<QueuedPicture> = {}): QueuedPicture => ({
  key: name,
  listingId,
  name,
  open: async () => file(name),
  ...more,
})
const prepare = async (original: File) => ({ file: original, thumb: undefined })

/** Calls that a test answers one by one. */
function sentOneByOne() {
  const calls: { name: string; signal: AbortSignal; reply: () => void; fail: (error: unknown) => void }[] = []
  const send = ({ name }: QueuedPicture, _: File, { signal }: { signal: AbortSignal }) =>
    new Promise<OwnPicture>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      calls.push({ name, signal, reply: () => resolve(pictureOf(name)), fail: reject })
    })
  const names = () => calls.map(({ name }) => name)
  /** Waits until this many were sent. */
  const until = (count: number) => vi.waitFor(() => expect(calls).toHaveLength(count))
  return { calls, names, until, send }
}

const steps = (queue: PictureQueue) => queue.view().uploads.map(({ name, state }) => `${name} ${state.step}`)
const settled = (queue: PictureQueue) =>
  vi.waitFor(() =>
    expect(queue.view().uploads.every(({ state }) => ['done', 'failed'].includes(state.step))).toBe(true),
  )

test('a listing’s pictures upload one after the other, several listings at once', async () => {
  const { calls, names, until, send } = sentOneByOne()
  const queue = new PictureQueue({ most: 2, prepare, send })
  queue.put([picture('a1'), picture('a2'), picture('b1', 'b'), picture('c1', 'c')])
  await until(2)
  expect(names()).toEqual(['a1', 'b1'])
  calls[0]?.reply()
  await until(3)
  expect(names()[2]).toBe('a2')
  calls[1]?.reply()
  await until(4)
  calls[2]?.reply()
  calls[3]?.reply()
  await settled(queue)
  expect(steps(queue)).toEqual(['a1 done', 'a2 done', 'b1 done', 'c1 done'])
})

test('only a few pictures are read at a time, however long the queue is', async () => {
  let open = 0
  let most = 0
  const queue = new PictureQueue({
    most: 3,
    prepare,
    send: async ({ name }) => {
      await new Promise((wake) => setTimeout(wake, 0))
      return pictureOf(name)
    },
    onDone: () => {
      open -= 1
    },
  })
  const opened = (name: string) => async () => {
    open += 1
    most = Math.max(most, open)
    return file(name)
  }
  queue.put(
    Array.from({ length: 200 }, (_, at) =>
      picture(`p${at}`, `listing ${at % 40}`, { open: opened(`p${at}`) }),
    ),
  )
  await settled(queue)
  // For each of three listings, one being sent and the next one.
  expect(most).toBeLessThanOrEqual(6)
  expect(queue.view().uploads.some(({ prepared }) => prepared)).toBe(false)
})

test('a refused picture does not stop the others and is not sent again', async () => {
  const sent: string[] = []
  const queue = new PictureQueue({
    prepare: async (original) => {
      if (original.name === 'bad') throw new PictureProblem('“bad” is empty.')
      return { file: original, thumb: undefined }
    },
    send: async ({ name }) => {
      sent.push(name)
      if (name === 'full')
        throw new ApiError(new Response(null, { status: 422 }), { error: 'A listing has 24 pictures.' })
      return pictureOf(name)
    },
  })
  queue.put([picture('bad'), picture('full'), picture('good')])
  await settled(queue)
  expect(queue.view().uploads.map(({ state }) => state)).toEqual([
    { step: 'failed', why: '“bad” is empty.', again: false },
    { step: 'failed', why: 'A listing has 24 pictures.', again: false },
    { step: 'done', picture: pictureOf('good') },
  ])
  expect(sent).toEqual(['full', 'good'])
})

test('“Try again” sends what failed, as the same prepared file', async () => {
  const files: File[] = []
  let isDown = true
  const opens = vi.fn(async () => file('a1'))
  const queue = new PictureQueue({
    prepare,
    send: async ({ name }, sentFile) => {
      files.push(sentFile)
      if (isDown) throw new NetworkError('No response')
      return pictureOf(name)
    },
  })
  queue.put([picture('a1', 'a', { open: opens })])
  await settled(queue)
  expect(queue.view().uploads[0]?.state).toEqual({
    step: 'failed',
    why: 'No connection to the server.',
    again: true,
  })
  isDown = false
  queue.retry('a1')
  await vi.waitFor(() => expect(steps(queue)).toEqual(['a1 done']))
  expect(opens).toHaveBeenCalledTimes(1)
  expect(files[1]).toBe(files[0])
})

test('a picture added twice is sent once; a removed one is canceled', async () => {
  const { calls, names, until, send } = sentOneByOne()
  const queue = new PictureQueue({ prepare, send })
  queue.put([picture('a1'), picture('a2')])
  queue.put([picture('a1')])
  await until(1)
  queue.drop(['a1'])
  await until(2)
  expect(calls[0]?.signal.aborted).toBe(true)
  calls[1]?.reply()
  await settled(queue)
  expect([names(), steps(queue)]).toEqual([['a1', 'a2'], ['a2 done']])
})

test('while paused, running uploads finish and no new one starts', async () => {
  const { calls, names, until, send } = sentOneByOne()
  const queue = new PictureQueue({ prepare, send })
  queue.put([picture('a1'), picture('a2')])
  await until(1)
  queue.setPaused(true)
  calls[0]?.reply()
  await vi.waitFor(() => expect(steps(queue)).toEqual(['a1 done', 'a2 waiting']))
  expect(names()).toEqual(['a1'])
  queue.setPaused(false)
  await until(2)
  calls[1]?.reply()
  await settled(queue)
})
