import { expect, test } from 'vitest'
import { downloadHeaders } from './job-log.ts'

test.each([
  ['report.csv', 'text/csv; charset=utf-8', `attachment; filename="report.csv"; filename*=UTF-8''report.csv`],
  ['a.JSON', 'application/json; charset=utf-8', `attachment; filename="a.JSON"; filename*=UTF-8''a.JSON`],
  ['page.html', 'application/octet-stream', `attachment; filename="page.html"; filename*=UTF-8''page.html`],
  ['log', 'application/octet-stream', `attachment; filename="log"; filename*=UTF-8''log`],
  [
    'ü"; x=\r\n(1).txt',
    'text/plain; charset=utf-8',
    `attachment; filename="___ x____1_.txt"; filename*=UTF-8''%C3%BC%22%3B%20x%3D%0D%0A%281%29.txt`,
  ],
])('%s', (name, type, disposition) => {
  const headers = downloadHeaders(name)
  expect(headers['content-type']).toBe(type)
  expect(headers['content-disposition']).toBe(disposition)
})
