import { describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { findUnresolvedReferences } from '../../scripts/references'
import { root } from '../../testing/root'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('references', () => {
  const unresolved = findUnresolvedReferences(root)
  it.each([
    ['to the specification name a section of docs/specification.md', unresolved.specification],
    ['inside the specification name a section of it', unresolved.insideSpecification],
    ['to a decision name a record', unresolved.decisions],
    ['are written as "spec 4.3" and "decision 12"', unresolved.oldForms],
    ['to files name a file that exists', unresolved.files],
    ['of Markdown links name an existing file and heading', unresolved.links],
  ])('%s', (_, broken) => {
    expect(broken).toEqual([])
  })
})

describe('docs/specification.md', () => {
  it('has the sections that comments refer to', () => {
    const sections = [...textOf('docs/specification.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)]
    expect(sections.map(([, number]) => number).filter((number) => !number?.includes('.'))).toEqual(
      Array.from({ length: 12 }, (_, index) => String(index + 1)),
    )
    expect(sections.length).toBeGreaterThan(80)
  })
})

describe('docs/commands.md', () => {
  it('has every npm script', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(textOf('package.json')))
    const text = textOf('docs/commands.md')
    const isListed = (name: string): boolean =>
      new RegExp(`^- \`npm (?:run )?${name}(?:\`| )`, 'm').test(text)
    expect(Object.keys(scripts).filter((name) => !isListed(name))).toEqual([])
  })
})

describe('decision records', () => {
  const form =
    /^# (\d+) .+\n\nDate: \d{4}-\d\d-\d\d\n\nStatus: (?:accepted|superseded by decision \d+)\b.*\n\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequences\n/
  const index = textOf('docs/decisions/README.md')
  const records = readdirSync(join(root, 'docs', 'decisions')).filter((name) =>
    /^\d{4}-/.test(name),
  )

  it.each(records)(
    '%s has number, date, status, context, decision and consequences, and is in the index',
    (name) => {
      const text = textOf(`docs/decisions/${name}`)
      expect(text).toMatch(form)
      expect(Number(form.exec(text)?.[1])).toBe(Number(name.slice(0, 4)))
      expect(index).toContain(`(${name})`)
    },
  )
})
