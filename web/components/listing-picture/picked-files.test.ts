import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { chosenFiles, droppedFiles, picturesAmong } from './picked-files.ts'
import { roomFor } from './picture-desk-state.ts'

const file = (name: string) => new File([name], name)

async function zip(name: string, paths: readonly string[]): Promise<File> {
  const writer = new ZipWriter(new BlobWriter())
  for (const path of paths) await writer.add(path, new TextReader(`content of ${path}`))
  return new File([await writer.close()], name)
}

const keysOf = (files: readonly { key: string }[]) => files.map(({ key }) => key)
const pathsOf = (files: readonly { path: string }[]) => files.map(({ path }) => path)

test('pictures are sorted by number, without system files', async () => {
  const names = ['A-10.jpg', 'A_3.jpeg', 'A-2.PNG', 'A.jpg', 'notes.txt', '.DS_Store', 'Thumbs.db', 'b.heic']
  const { pictures, others } = await picturesAmong(chosenFiles(names.map(file)))
  expect(pathsOf(pictures)).toEqual(['A.jpg', 'A-2.PNG', 'A_3.jpeg', 'A-10.jpg', 'b.heic'])
  expect(others).toBe(1)
})

test('a ZIP is unpacked file by file, with its folders, and is a folder itself', async () => {
  const packed = await zip('yard.zip', [
    'yard/A-1/2.jpg',
    'yard/A-1/1.jpg',
    '__MACOSX/yard/._1.jpg',
    'yard/list.csv',
  ])
  const { pictures, others } = await picturesAmong(chosenFiles([packed, file('B-7.jpg')]))
  expect(pathsOf(pictures)).toEqual(['B-7.jpg', 'yard/yard/A-1/1.jpg', 'yard/yard/A-1/2.jpg'])
  expect(others).toBe(1)
  const first = await pictures[1]?.open()
  expect([first?.name, await first?.text()]).toEqual(['1.jpg', 'content of yard/A-1/1.jpg'])
})

test('files of the same name are distinguished by their content', async () => {
  const front = await zip('front.zip', ['A-1.jpg'])
  const inFront = await picturesAmong(chosenFiles([front]))
  const again = await picturesAmong(chosenFiles([new File([front], 'front.zip')]))
  expect(keysOf(again.pictures)).toEqual(keysOf(inFront.pictures))
  const back = new File([await (await zip('x', ['A-1.jpg', 'A-2.jpg'])).arrayBuffer()], 'front.zip')
  expect(keysOf((await picturesAmong(chosenFiles([back]))).pictures)[0]).toBe(keysOf(inFront.pictures)[0])
  const same = (text: string) => new File([text], 'A-1.jpg', { lastModified: 1 })
  const [one, other] = keysOf(chosenFiles([same('front'), same('the back')]))
  expect(one).not.toBe(other)
  expect(keysOf(chosenFiles([same('front')]))).toEqual([one])
})

test('a damaged ZIP is named', async () => {
  await expect(picturesAmong(chosenFiles([file('yard.zip')]))).rejects.toThrow(
    '“yard.zip” can’t be read. Pack it again as a ZIP.',
  )
})

test('dropped folders are read completely, in however many batches the browser lists them', async () => {
  const entry = (path: string) => ({
    isFile: true,
    isDirectory: false,
    fullPath: path,
    file: (found: (file: File) => void) => found(file(path)),
  })
  const parts = [[entry('/yard/A/1.jpg')], [entry('/yard/A/2.jpg')], []]
  const folder = {
    isFile: false,
    isDirectory: true,
    createReader: () => ({ readEntries: (found: (part: unknown) => void) => found(parts.shift()) }),
  }
  const items = [{ webkitGetAsEntry: () => folder }, { webkitGetAsEntry: () => entry('/B.jpg') }]
  const found = await droppedFiles({ items, files: [] } as unknown as DataTransfer)
  expect(pathsOf(found)).toEqual(['yard/A/1.jpg', 'yard/A/2.jpg', 'B.jpg'])
})

test('pictures beyond the 24th are named, not silently dropped', () => {
  const [a, b, c] = [file('a.jpg'), file('b.jpg'), file('c.jpg')]
  expect(roomFor([a, b], 22)).toEqual({ taken: [a, b], notice: undefined })
  expect(roomFor([a, b], 23)).toEqual({
    taken: [a],
    notice: 'A listing has up to 24 pictures. “b.jpg” was not added.',
  })
  expect(roomFor([a, b, c], 24).notice).toContain('“a.jpg” and 2 more were not added')
})
