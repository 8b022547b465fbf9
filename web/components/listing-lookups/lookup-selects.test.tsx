import { MantineProvider } from '@mantine/core'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { loadState } from './lookup-selects.tsx'

const lookup = { isPending: false, isError: false, isFetching: false, refetch: vi.fn() }

test('options that failed to load are no options that do not exist: there is a Retry', () => {
  const { nothingFoundMessage, description } = loadState({ ...lookup, isError: true }, 'No such model')
  expect(nothingFoundMessage).toBe('Could not be loaded')
  const html = renderToString(<MantineProvider>{description}</MantineProvider>)
  expect(html).toMatch(/<button[^>]*>Retry<\/button>/)
})

test('while they come the list says so, and then what it does not hold', () => {
  expect(loadState({ ...lookup, isPending: true }, 'No such model')).toEqual({
    nothingFoundMessage: 'Loading…',
  })
  expect(loadState(lookup, 'No such model')).toEqual({ nothingFoundMessage: 'No such model' })
})
