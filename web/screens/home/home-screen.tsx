import { usePageTitle } from '#web/components/page.tsx'
import { Audience } from './audience.tsx'
import { Closing } from './closing.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { JustListed } from './just-listed.tsx'
import { PartSearch } from './part-search.tsx'
import { Plans } from './plans.tsx'
import { Questions } from './questions.tsx'

export function Component() {
  usePageTitle('Home')
  return (
    <>
      <Hero />
      <PartSearch />
      <HowItWorks />
      <JustListed />
      <Audience />
      <Plans />
      <Questions />
      <Closing />
    </>
  )
}
