import { memo } from 'react'
import { paths } from '#web/paths.ts'
import { useSiteFacts } from '#web/site/head.tsx'
import { Link } from '#web/site/link.tsx'
import classes from './footer.module.css'
import { Brand } from './header.tsx'

const columns = [
  {
    title: 'Sell',
    links: [
      { label: 'Sign up', to: paths.signup },
      { label: 'Seller plans', to: paths.onboarding },
    ],
  },
  {
    title: 'Help',
    links: [
      { label: 'Your garage', to: paths.garage },
      { label: 'Support articles', to: paths.help },
      { label: 'Technical support', to: paths.support },
    ],
  },
  {
    title: 'Company',
    links: [
      { label: 'About us', to: paths.about },
      { label: 'Contact us', to: paths.contact },
      { label: 'Careers', to: paths.careers },
      { label: 'Press', to: paths.press },
    ],
  },
  {
    title: 'Legal',
    links: [
      { label: 'Terms of service', to: paths.terms },
      { label: 'Privacy policy', to: paths.privacy },
    ],
  },
]

/** Like the header it need not render each time that the frame does. */
export const Footer = memo(() => {
  const { productName: name, demo } = useSiteFacts()
  return (
    <footer className={`ink ${classes.footer}`}>
      <div className={classes.columns}>
        <div className={classes.brand}>
          <Brand />
          <p>Used and OEM auto parts, from the yards that pulled them.</p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <p className={classes.title}>{title}</p>
            <ul>
              {links.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className={classes.end}>
        <span>
          © {new Date().getUTCFullYear()} {name}
        </span>
        {demo && <span>Demo: the sellers, parts, and prices shown here are fictional.</span>}
      </div>
    </footer>
  )
})
