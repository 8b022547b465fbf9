import { Link } from 'react-router'
import { useProductName, useSite } from '#web/api/use-site.ts'
import { paths } from '#web/paths.ts'
import { Brand } from './brand.tsx'
import classes from './shell.module.css'

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

export function Footer() {
  const name = useProductName()
  const demo = useSite().data?.demo === true
  return (
    <footer className={`ink ${classes.footer}`}>
      <div className={classes.footerInner}>
        <div className={classes.footerBrand}>
          <Brand />
          <p>Used and OEM auto parts, from the yards that pulled them.</p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <p className={classes.footerTitle}>{title}</p>
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
      <div className={classes.footerEnd}>
        <span>
          © {new Date().getFullYear()} {name}
        </span>
        {demo && <span>Demonstration: the sellers, parts and prices shown here are made up.</span>}
      </div>
    </footer>
  )
}
