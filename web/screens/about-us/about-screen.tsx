import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page, Prose } from '#web/site/page.tsx'

export function Component() {
  const name = useSiteFacts().productName
  return (
    <Page heading="About Us" lead="A marketplace for parts too good to crush." width="text">
      <Head
        title="About Us"
        description="A marketplace for used auto parts too good to crush: yards list what they have, and we bring the buyers."
        canonical={paths.about}
      />
      <Prose>
        <p>
          Every yard has parts on its shelves that someone needs right now. {name} brings the two together:
          yards list what they have, and we bring the buyers.
        </p>
        <p>
          A catalog is easy to build; an audience is not. That’s why we put most of our work and money into
          marketing.
        </p>
        <h2>What we believe about parts</h2>
        <ul>
          <li>Buyers look for the part number and the price first, so we show those largest.</li>
          <li>An honest C sells better than a hopeful A.</li>
          <li>Every reused part is one less part to manufacture.</li>
        </ul>
        <p>
          Want to list yours? <Link to={paths.register}>Register</Link>. The free plan has no listing limit.
          Questions? <Link to={paths.contact}>Contact us</Link>.
        </p>
      </Prose>
    </Page>
  )
}
