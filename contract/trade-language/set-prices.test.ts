import { describe, expect, it } from 'vitest'
import { readPricedUnit, settleUnit } from './set-prices.ts'

describe('prices that say what they are for', () => {
  it.each([
    ['$150 pair', '$150', 'pair'],
    ['$150/pr', '$150', 'pair'],
    ['$150 / pair', '$150', 'pair'],
    ['$150 (pair)', '$150', 'pair'],
    ['pair $150', '$150', 'pair'],
    ['Pair: 150.00', '150.00', 'pair'],
    ['$150 for the pair', '$150', 'pair'],
    ['$150 for both', '$150', 'pair'],
    ['2 for $150', '$150', 'pair'],
    ['set of 4 $200', '$200', 'set of 4'],
    ['$200 set of 4', '$200', 'set of 4'],
    ['$200/set', '$200', 'set'],
    ['$200 for 4', '$200', 'set of 4'],
    ['juego de 4 $200', '$200', 'set of 4'],
    ['$1,200.00 a set', '$1,200.00', 'set'],
    ['$75 each', '$75', 'each'],
    ['75 ea.', '75', 'each'],
    ['$75/ea', '$75', 'each'],
    ['80 la paire', '80', 'pair'],
  ])('%s', (price, amount, words) => {
    const read = readPricedUnit(price)
    expect([read?.amount, read?.unit.words]).toEqual([amount, words])
  })

  it.each(['$150', '1,299.50', 'call', '$75 obo', '', 'set', '$85.00 USD', '4 doors', '$100 firm'])(
    '%s is none',
    (price) => {
      expect(readPricedUnit(price)).toBeUndefined()
    },
  )

  const settled = (price: string, name: string, quantity?: string, isOfOneSide = false) => {
    const unit = readPricedUnit(price)?.unit
    return unit && settleUnit(unit, { name, quantity, isOfOneSide })
  }

  it.each([
    ['$150 pair', 'Headlights', '1', { said: 'The price is for the pair.' }],
    ['$150 pair', 'Headlights', '4', { said: 'The price is for the pair.', quantity: '2' }],
    ['$200 set', 'Wheels', '4', { said: 'The price is for the set.', quantity: '1' }],
    ['$200 set of 4', 'Wheels', undefined, { said: 'The price is for the set of 4.' }],
    ['$150 pair', 'Headlights (pair)', '2', {}],
    ['$75 each', 'Headlight', '2', {}],
  ])('%s for %s, %s of them', (price, name, quantity, result) => {
    expect(settled(price, name, quantity)).toEqual(result)
  })

  it('refuses a price that is not the price of what the name says', () => {
    expect(settled('$75 each', 'Headlights (pair)')).toMatch(/for each/)
    expect(settled('$150 pair', 'Headlight LH', '1', true)).toMatch(/of one side/)
    expect(settled('$150 pair', 'Headlights', '3')).toMatch(/quantity is 3/)
  })
})
