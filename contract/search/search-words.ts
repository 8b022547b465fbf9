import { z } from 'zod'
import { adminErrors, byId, count, endpoints, okReply, pageOf, pageQuery } from '#contract/endpoint.ts'
import { requiredLine } from '#contract/text/text-fields.ts'
import { idsOf } from './parts-search.ts'

/* Buyers' words, edited by administrators, and searches without results. */

/** The kinds of meaning, with their format. */
export const searchWordKinds = {
  part: 'One or more part types, separated by semicolons',
  make: 'A make',
  model: 'Make and model, such as Ford/Mustang',
  side: 'A side, such as left or front left',
  same: 'The same as another word',
  skip: 'Nothing: the search ignores it',
} as const
export type SearchWordKind = keyof typeof searchWordKinds

const kind = z.enum(Object.keys(searchWordKinds) as [SearchWordKind, ...SearchWordKind[]], 'Choose a kind')

const searchWord = z.object({
  id: z.uuid(),
  word: z.string(),
  kind,
  means: z.string(),
  createdAt: z.string(),
})
export type SearchWord = z.infer<typeof searchWord>

const writtenWord = z.object({
  word: requiredLine('The word', 80),
  kind,
  means: z.string().trim().max(500, 'The meaning can have at most 500 characters').default(''),
})
export type WrittenWord = z.infer<typeof writtenWord>

/** An id with which the change can be undone. */
const change = z.uuid()

const counted = z.object({
  count,
  /** There are more than were counted. */
  isAtLeast: z.literal(true).optional(),
})
export type Counted = z.infer<typeof counted>

const wordReach = z.object({
  word: z.string(),
  /** Searches of the last 30 days that found nothing and have the word. */
  emptySearches: counted,
  savedSearches: counted,
  /** Parts for sale whose name has the word. */
  parts: counted,
})
export type WordReach = z.infer<typeof wordReach>

const wordChange = z.object({
  id: change,
  at: z.string(),
  /** An administrator's name; null if the account is gone. */
  by: z.string().nullable(),
  what: z.enum(['added', 'changed', 'removed', 'undone']),
  word: z.string(),
  kind,
  means: z.string(),
  /** The previous meaning of a changed word. */
  before: writtenWord.optional(),
  canUndo: z.boolean(),
})
export type WordChange = z.infer<typeof wordChange>

const emptySearch = z.object({
  words: z.string(),
  times: count,
  firstAt: z.string(),
  lastAt: z.string(),
})
export type EmptySearch = z.infer<typeof emptySearch>

const emptyWords = z.string().min(1).max(200)

export const searchWordEndpoints = endpoints({
  listSearchWords: {
    summary: 'Buyers’ words for parts, makes and models, by word',
    query: z.object({
      /** Part of the word or of its meaning. */
      q: z.string().max(200).default(''),
      kind: z.union([z.literal(''), kind]).default(''),
      ...pageQuery(50),
    }),
    reply: z.object(pageOf(searchWord)),
    errors: adminErrors,
  },
  addSearchWord: {
    summary: 'Add a word',
    body: writtenWord.extend({
      /** A search without results that the word explains; removed from that list. */
      emptySearch: emptyWords.optional(),
    }),
    status: 201,
    reply: searchWord.extend({ change }),
    errors: [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  changeSearchWord: {
    summary: 'Change a word or its meaning; it gets a new id',
    params: byId,
    body: writtenWord,
    reply: searchWord.extend({ change }),
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  removeSearchWord: {
    summary: 'Remove a word',
    params: byId,
    reply: okReply.extend({ change }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  readWordReach: {
    summary: 'What words affect: searches, saved searches and parts for sale that have them',
    query: z.object({
      /** Words of the list. */
      ids: idsOf('ids', 'words', 100).optional(),
      /** A word that need not be in the list. */
      word: z.string().trim().max(80).default(''),
    }),
    reply: z.object({ items: z.array(wordReach) }),
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
  listWordChanges: {
    summary: 'Changes of words in the last 30 days, the newest first',
    query: z.object(pageQuery(50)),
    reply: z.object(pageOf(wordChange)),
    errors: adminErrors,
  },
  undoWordChange: {
    summary: 'Undo a change of a word, if the word has not been changed since',
    params: byId,
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  listEmptySearches: {
    summary: 'Searches that found nothing, the most frequent first',
    query: z.object(pageQuery(50)),
    reply: z.object(pageOf(emptySearch)),
    errors: adminErrors,
  },
  dismissEmptySearch: {
    summary: 'Remove a search from the list; it reappears if someone searches for it again',
    body: z.object({ words: emptyWords }),
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
})
