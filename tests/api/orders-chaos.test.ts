import { testMarket } from '#tests/support/small-market.ts'

await testMarket({
  title:
    '60 purchases of 18 parts, with webhooks doubled, shuffled and lost: every cent and every part has one owner',
  purchases: 60,
})
