import { expect, test } from 'vitest'
import { helpArticles } from '#contract/pages/site-paths.ts'
import { articles, shownArticles } from './articles.ts'

test('every article has an address, and those about buying are listed only where parts can be bought', () => {
  expect(articles.map(({ name }) => name)).toEqual([...helpArticles])
  expect(shownArticles(true)).toEqual(articles)
  const hidden = articles.filter((article) => !shownArticles(false).includes(article))
  expect(hidden.map(({ name }) => name)).toEqual([
    'buying',
    'does-it-fit',
    'shipping-and-pickup',
    'holds-and-offers',
    'returns',
    'core-charges',
    'fraud-and-your-money',
  ])
})
