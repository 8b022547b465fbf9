import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openApp } from './support/app.tsx'
import { makeUser, newId, refuse } from './support/fake-server.ts'

const photo = (name: string) =>
  new File([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...name].map(Number))], name, { type: 'image/jpeg' })

const why = 'None of your live listings has the stock number that this name begins with.'

test('pictures find their parts by name; one of several is chosen for all with the stock number', async () => {
  const [starter, left, right] = [newId(), newId(), newId()]
  const part = (id: string, title: string, stock: string) => ({ id, title, stock })
  const doors = [part(left, 'Door, left', 'B-7'), part(right, 'Door, right', 'B-7')]
  const { user, server } = await openApp('/dashboard/seller/add-pictures', {
    as: makeUser(),
    server: {
      matchPictures: ({ body }) => ({
        matches: body.names.map((name: string) => {
          if (name.startsWith('A-1')) {
            return { name, stock: 'A-1', listings: [part(starter, 'Starter', 'A-1')], why: null }
          }
          if (!name.startsWith('B-7')) return { name, stock: null, listings: [], why }
          return { name, stock: 'B-7', listings: doors, why: '2 of your listings have the stock number B-7.' }
        }),
      }),
      addPicture: ({ params, body }) => {
        const isFull = (body.image as File).name === 'B-7_2.jpg'
        if (isFull) return refuse(422, 'VALIDATION_FAILED', 'A listing can have at most 24 pictures.')
        return { id: params.id ?? '', url: '/p', alt: '', width: 1, height: 1, marks: [], problem: null }
      },
    },
  })
  await screen.findByRole('button', { name: 'Choose a folder' })
  const input = document.querySelector('input[accept*=zip]') as HTMLInputElement
  const names = ['A-1.jpg', 'A-1_2.jpg', 'B-7_1.jpg', 'B-7_2.jpg', 'IMG_1.jpg', 'notes.txt']
  await user.upload(input, names.map(photo))

  expect(await screen.findByText('2 pictures for 1 part.')).toBeInTheDocument()
  expect(
    screen.getByText(
      'Left out: 2 with several parts to choose from, 1 without a part, 1 file that isn’t a picture.',
    ),
  ).toBeInTheDocument()
  expect(screen.getByText(why)).toBeInTheDocument()
  await user.selectOptions(screen.getByLabelText('Part of B-7_1.jpg'), 'Door, right')
  expect(screen.getByLabelText('Part of B-7_2.jpg')).toHaveDisplayValue('Door, right')

  await user.click(screen.getByRole('button', { name: 'Upload 4 pictures' }))
  expect(await screen.findByText(/^3 pictures added to 2 parts\. 1 picture failed/)).toBeInTheDocument()
  const sent = server
    .asked('addPicture')
    .map(({ params, body }) => `${(body.image as File).name} ${params.id}`)
    .toSorted()
  expect(sent).toEqual([
    `A-1.jpg ${starter}`,
    `A-1_2.jpg ${starter}`,
    `B-7_1.jpg ${right}`,
    `B-7_2.jpg ${right}`,
  ])
  const failed = screen.getByText('B-7_2.jpg').closest('tr') as HTMLElement
  expect(within(failed).getByText('A listing can have at most 24 pictures.')).toBeInTheDocument()
  await waitFor(() => expect(document.title).toMatch(/^Add Pictures/))
})
