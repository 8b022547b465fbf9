import { Link } from 'react-router'
import { useProductName } from '#web/api/site.ts'
import { Page } from '#web/components/page/page.tsx'
import { Prose } from '#web/components/page/prose.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const name = useProductName()
  return (
    <Page title="About Us" lead="A marketplace for parts that are too good to crush." width="text">
      <Prose>
        <p>
          Every yard has shelves of parts that somebody, somewhere, has been looking for since Tuesday. {name}{' '}
          exists so that the two meet: the yard lists what it has, and we bring the people who look.
        </p>
        <p>
          We see ourselves as a marketing house first. A catalog is easy to build; an audience is not. So that
          is where our work and our money go.
        </p>
        <h2>What we believe about parts</h2>
        <ul>
          <li>The part number and the price are what people look for. They stand largest.</li>
          <li>An honest C sells better than a hopeful A.</li>
          <li>A part that goes back into a car is a part that need not be made.</li>
        </ul>
        <p>
          Want to list yours? <Link to={paths.register}>Register</Link>; the free plan has no limit of parts.
          Questions? <Link to={paths.contact}>Contact us</Link>.
        </p>
      </Prose>
    </Page>
  )
}
