import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { OwnPicture } from '#contract/pictures.ts'
import { openApp } from './support/app.tsx'
import {
  breakOff,
  type FakeRequest,
  type Handlers,
  makeListing,
  makeUser,
  newId,
  refuse,
} from './support/fake-server.ts'

const JPEG = '\xff\xd8\xff\xe0 and so on'
const photo = (name: string, content = JPEG) =>
  new File([Uint8Array.from(content, (letter) => letter.charCodeAt(0))], name, { type: 'image/jpeg' })

const makePicture = (changes: Partial<OwnPicture> = {}): OwnPicture => ({
  id: newId(),
  url: '/api/auto-part/image/1?v=1',
  alt: '',
  width: 800,
  height: 600,
  marks: [],
  problem: null,
  ...changes,
})

/** The edit form of a listing with these pictures. */
async function openEdit(pictures: OwnPicture[], server: Handlers = {}) {
  const listing = makeListing({ kind: 'ecommerce', mine: true })
  const app = await openApp(`/dashboard/seller/products/auto-parts/${listing.partslug}/edit`, {
    as: makeUser(),
    server: {
      readPublic: listing,
      readOwn: listing,
      listPictures: { pictures, max: 24 },
      orderPictures: ({ body }) => ({
        pictures: body.ids.flatMap((id: string) => pictures.find((each) => each.id === id) ?? []),
        max: 24,
      }),
      removePicture: { ok: true },
      updateOwn: listing,
      addPicture: () => makePicture(),
      ...server,
    },
  })
  const form = await screen.findByRole('form', { name: 'Edit listing' })
  const tiles = () => within(form).queryAllByRole('button', { name: /^Describe picture/ })
  await waitFor(() => expect(tiles()).toHaveLength(pictures.length))
  return { ...app, listing, form, tiles }
}

const fileInput = (form: HTMLElement) =>
  form.querySelector('input[type=file]:not([capture])') as HTMLInputElement
const sentName = async ({ body }: FakeRequest) => (body.image as File).name

async function moveByKeys(user: UserEvent, label: RegExp, keys: string): Promise<void> {
  screen.getByRole('button', { name: label }).focus()
  await user.keyboard(keys)
}

const save = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Save' }))
const pictureCalls = ['addPicture', 'editPicture', 'orderPictures', 'removePicture'] as const
const sentCalls = (server: { asked: (name: (typeof pictureCalls)[number]) => FakeRequest[] }) =>
  pictureCalls.flatMap((name) => server.asked(name).map(() => name))

test('arrow keys reorder pictures, which is announced and sent with Save; the handle keeps the focus', async () => {
  const pictures = [makePicture(), makePicture(), makePicture()]
  const ids = pictures.map(({ id }) => id)
  const { user, server } = await openEdit(pictures)
  await moveByKeys(user, /^Move picture 3 of 3/, '{ArrowLeft}')
  expect(await screen.findByText('Picture moved to position 2 of 3')).toBeInTheDocument()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move picture 2 of 3' })).toHaveFocus())
  await user.keyboard('{Home}')
  expect(await screen.findByText('Picture moved to position 1 of 3, the cover')).toBeInTheDocument()
  expect(sentCalls(server)).toEqual([])
  await save(user)
  await waitFor(() => expect(server.asked('orderPictures')).toHaveLength(1))
  expect(server.asked('orderPictures')[0]?.body).toEqual({ ids: [ids[2], ids[0], ids[1]] })
})

test('an order made stale by a new picture is sent again with it', async () => {
  const pictures = [makePicture(), makePicture()]
  const added = makePicture()
  const ids = pictures.map(({ id }) => id)
  const { user, server } = await openEdit(pictures)
  server.answer({
    listPictures: { pictures: [...pictures, added], max: 24 },
    orderPictures: ({ body }) =>
      body.ids.length < 3
        ? refuse(409, 'CONFLICT', 'The listing’s pictures changed since you loaded them.')
        : { pictures: [pictures[1] as OwnPicture, pictures[0] as OwnPicture, added], max: 24 },
  })
  await moveByKeys(user, /^Move picture 2 of 2/, '{ArrowLeft}')
  await save(user)
  await waitFor(() => expect(server.asked('orderPictures')).toHaveLength(2))
  expect(server.asked('orderPictures')[1]?.body).toEqual({ ids: [ids[1], ids[0], added.id] })
})

test('a chosen, a removed and a described picture are sent with Save, in the order shown', async () => {
  const pictures = [makePicture(), makePicture()]
  const ids = pictures.map(({ id }) => id)
  const added = makePicture()
  const { user, server, form, tiles } = await openEdit(pictures, { addPicture: added })
  await user.click(screen.getByRole('button', { name: 'Remove picture 1 of 2' }))
  await user.upload(fileInput(form), [photo('a.jpg')])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move picture 2 of 2' })).toBeEnabled())
  await moveByKeys(user, /^Move picture 2 of 2/, '{Home}')
  expect(tiles()).toHaveLength(2)
  expect(sentCalls(server)).toEqual([])
  expect(within(form).getByText('Unsaved changes')).toBeInTheDocument()

  server.answer({ listPictures: { pictures: [added, pictures[1] as OwnPicture], max: 24 } })
  await save(user)
  expect(await screen.findByText('Listing updated')).toBeInTheDocument()
  expect(server.asked('removePicture').map(({ params }) => params.id)).toEqual([ids[0]])
  expect(await Promise.all(server.asked('addPicture').map(sentName))).toEqual(['a.jpg'])
  expect(server.asked('orderPictures').map(({ body }) => body.ids)).toEqual([[added.id, ids[1]]])
  expect(tiles()).toHaveLength(2)
})

test('leaving or discarding without Save changes no picture', async () => {
  const pictures = [makePicture(), makePicture()]
  const { user, server, form, tiles } = await openEdit(pictures)
  await user.click(screen.getByRole('button', { name: 'Remove picture 1 of 2' }))
  expect(tiles()).toHaveLength(1)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(tiles()).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Remove picture 2 of 2' }))
  await user.upload(fileInput(form), [photo('a.jpg'), photo('b.jpg')])
  expect(tiles()).toHaveLength(3)
  await user.click(within(form).getByRole('button', { name: 'Discard changes' }))
  expect(tiles()).toHaveLength(2)

  await user.click(screen.getByRole('button', { name: 'Remove picture 1 of 2' }))
  await user.click(screen.getAllByRole('link', { name: 'Create Listing' })[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: /^Leave/ }))
  await waitFor(() => expect(form).not.toBeInTheDocument())
  expect(sentCalls(server)).toEqual([])
})

test('a picture is described and its damage marked by keyboard; a mark needs a note', async () => {
  const picture = makePicture()
  const { user, server } = await openEdit([picture], { editPicture: ({ body }) => ({ ...picture, ...body }) })
  await user.click(screen.getByRole('button', { name: 'Describe picture 1 of 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Picture 1 of 1, the cover' })
  await user.click(within(dialog).getByRole('button', { name: 'Add a mark' }))
  const pin = await within(dialog).findByRole('button', { name: /^Mark 1, 50% from the left/ })
  await waitFor(() => expect(pin).toHaveFocus())
  await user.keyboard('{ArrowRight}{ArrowUp}')
  await user.type(within(dialog).getByLabelText('Description'), 'From the left')
  await user.click(within(dialog).getByRole('button', { name: 'Done' }))
  expect(await within(dialog).findByText('Describe what the mark shows')).toBeInTheDocument()
  expect(server.asked('editPicture')).toEqual([])
  await user.type(within(dialog).getByRole('textbox', { name: 'Mark 1' }), 'Scratch{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Describe picture 1 of 1: From the left' })).toBeInTheDocument()
  expect(sentCalls(server)).toEqual([])
  await save(user)
  await waitFor(() => expect(server.asked('editPicture')).toHaveLength(1))
  expect(server.asked('editPicture')[0]).toMatchObject({
    params: { id: picture.id },
    body: { alt: 'From the left', marks: [{ x: 0.52, y: 0.48, note: 'Scratch' }] },
  })
})

test('a broken upload is sent again with its key; a file that isn’t a picture says so', async () => {
  const { user, server, form, tiles } = await openEdit([], { addPicture: breakOff })
  await user.upload(fileInput(form), [photo('a.jpg'), photo('b.jpg', 'no picture at all')])
  expect(await screen.findByText('“b.jpg” is not a picture. Choose a JPEG, PNG or WebP.')).toBeInTheDocument()
  expect(tiles()).toHaveLength(1)
  await save(user)
  expect(await screen.findByText('No connection')).toBeInTheDocument()
  server.answer({ addPicture: () => makePicture() })
  await user.click(screen.getByRole('button', { name: 'Try again: a.jpg' }))
  expect(await screen.findByText('Listing updated')).toBeInTheDocument()
  const keys = server.asked('addPicture').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toEqual([keys[0], keys[0]])
  expect(keys[0]).toMatch(/./)
})

test.each([
  ['is no clash with oneself', {}, 7],
  ['is one with others', { partprice: 99 }, 1],
])('saving again after a picture was refused %s', async (_, changes, version) => {
  const { user, server, form, listing } = await openEdit([], {
    addPicture: () => refuse(422, 'VALIDATION_FAILED', 'This picture is broken.'),
  })
  server.answer({ updateOwn: listing })
  await user.upload(fileInput(form), [photo('a.jpg')])
  await save(user)
  const sentence = 'The listing is saved, but 1 picture was not added. Press Save to try again.'
  expect(await screen.findByText(sentence)).toBeInTheDocument()
  expect(screen.getByText('This picture is broken.')).toBeInTheDocument()
  server.answer({ readOwn: { ...listing, ...changes, version: 7 }, addPicture: () => makePicture() })
  await save(user)
  await waitFor(() => expect(server.asked('updateOwn')).toHaveLength(2))
  expect(server.asked('updateOwn').map(({ body }) => body.version)).toEqual([1, version])
  await waitFor(() => expect(server.asked('addPicture')).toHaveLength(2))
})

test('a dropped and a pasted picture are taken', async () => {
  const { user, server, tiles } = await openEdit([])
  fireEvent(
    window,
    Object.assign(new Event('drop', { cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [photo('dropped.jpg')], items: [] },
    }),
  )
  await waitFor(() => expect(tiles()).toHaveLength(1))
  fireEvent(
    window,
    Object.assign(new Event('paste', { cancelable: true }), {
      clipboardData: { files: [photo('pasted.jpg')] },
    }),
  )
  await waitFor(() => expect(tiles()).toHaveLength(2))
  await save(user)
  await waitFor(() => expect(server.asked('addPicture')).toHaveLength(2))
  expect(await Promise.all(server.asked('addPicture').map(sentName))).toEqual(['dropped.jpg', 'pasted.jpg'])
})

/** The form of a new listing that lacks nothing but pictures. */
async function openCopy(server: Handlers) {
  const original = makeListing({ kind: 'ecommerce', shippingKind: 'free', partshipping: 0, mine: true })
  const app = await openApp(`/dashboard/seller/create-auto-part-listing?from=${original.partslug}`, {
    as: makeUser(),
    server: { readPublic: original, ...server },
  })
  const form = await screen.findByRole('form', { name: 'E-commerce listing' })
  return { ...app, form, send: within(form).getByRole('button', { name: 'Create Listing' }) }
}

test('a new listing is created with its cover, and the other pictures follow in order', async () => {
  const saved = makeListing({ kind: 'ecommerce', mine: true })
  const { user, server, form, send } = await openCopy({
    createPart: saved,
    addPicture: () => makePicture(),
    editPicture: () => makePicture(),
  })
  await user.click(send)
  expect(await screen.findByText('Image is required for an e-commerce listing')).toBeInTheDocument()
  await user.upload(fileInput(form), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move picture 3 of 3' })).toBeEnabled())
  await moveByKeys(user, /^Move picture 3 of 3/, '{Home}')
  await user.click(screen.getByRole('button', { name: 'Describe picture 3 of 3' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText('Description'), 'The plug')
  await user.click(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await user.click(send)
  expect(await screen.findByText('All pictures are added.')).toBeInTheDocument()
  expect(await Promise.all(server.asked('createPart').map(sentName))).toEqual(['c.jpg'])
  const added = server.asked('addPicture')
  expect(await Promise.all(added.map(sentName))).toEqual(['a.jpg', 'b.jpg'])
  expect(added.map(({ params }) => params.id)).toEqual([saved.id, saved.id])
  expect(server.asked('editPicture').map(({ body }) => body)).toEqual([{ alt: 'The plug', marks: [] }])
})

test('a form submitted while pictures are being prepared waits for them', async () => {
  const saved = makeListing({ kind: 'ecommerce', mine: true })
  const { user, server, form, send } = await openCopy({ createPart: saved, addPicture: () => makePicture() })
  fireEvent.change(fileInput(form), { target: { files: [photo('a.jpg'), photo('b.jpg')] } })
  await screen.findByRole('button', { name: 'Describe picture 2 of 2' })
  await user.click(send)
  expect(await screen.findByText('All pictures are added.')).toBeInTheDocument()
  expect(await Promise.all(server.asked('createPart').map(sentName))).toEqual(['a.jpg'])
  expect(server.asked('addPicture')).toHaveLength(1)
})
