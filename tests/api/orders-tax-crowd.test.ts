import { testMarket } from '#tests/support/small-market.ts'

await testMarket({
  title: '30 purchases with sales tax: every cent has one owner, also those of the states',
  settings: { STRIPE_TAX: 'on' },
  setup: { taxStates: ['TX'] },
  purchases: 30,
})
