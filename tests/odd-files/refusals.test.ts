import { expect, test } from 'vitest'
import { bytesOf, refusedFiles } from './made-files.ts'
import { readOnPage, readOnServer } from './odd-file.ts'

/* A file that is not a table of parts is refused with a sentence about what it is and what to do. */

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => error,
  )

test.each(refusedFiles)('$name', async ({ make, name, sentence, onPage }) => {
  const bytes = await bytesOf(make())
  expect(await failureOf(readOnServer(bytes))).toMatchObject({
    name: 'AppError',
    message: expect.stringMatching(sentence),
  })
  expect(await failureOf(readOnPage(bytes, name))).toMatchObject({
    name: 'FileProblem',
    message: expect.stringMatching(onPage ?? sentence),
  })
})
