import type { ReactNode } from 'react'
import { footer, name, nav, tagline, type Link } from './bench-content'

export const Anchor = ({ href, label }: Link) => <a href={href}>{label}</a>
export const Icon = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M3 10l5 5 9-11" />
  </svg>
)

/** Header and footer of both benchmark pages. */
export function BenchFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header>
        <Anchor href="/" label={name} />
        <nav>
          <ul>
            {nav.map((link) => (
              <li key={link.href}>
                <Anchor {...link} />
              </li>
            ))}
          </ul>
        </nav>
        <button type="button">Dark</button>
      </header>
      {children}
      <footer>
        {footer.map(({ title, links }) => (
          <div key={title}>
            <h3>{title}</h3>
            <ul>
              {links.map((link) => (
                <li key={link.href}>
                  <Anchor {...link} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p>
          {name}: {tagline}
        </p>
      </footer>
    </>
  )
}
