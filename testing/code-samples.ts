import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root'

type CodeSample = {
  file: string
  /** Line of the code fence, from 1. */
  line: number
  language: string
  code: string
}

/**
 * Samples that drive a browser run with the browser tests, all others with the integration tests.
 */
export const drivesBrowser = ({ language, code }: CodeSample): boolean =>
  /^(?:js|mjs|javascript|ts)$/.test(language) && /\b(?:playwright|puppeteer|selenium)/.test(code)

/** The fenced code blocks of all articles, in order. */
export function codeSamples(): CodeSample[] {
  const folder = join(root, 'content')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    const samples: CodeSample[] = []
    let open: CodeSample | null = null
    for (const [index, line] of lines.entries()) {
      if (open && /^```\s*$/.test(line)) {
        samples.push({ ...open, code: open.code })
        open = null
      } else if (open) open.code += `${line}\n`
      else {
        const fence = /^```([\w-]+)/.exec(line)
        if (fence) open = { file, line: index + 1, language: fence[1] ?? '', code: '' }
      }
    }
    return samples
  })
}

/** One sample of each code: most translations have the code of the original. */
export const uniqueSamples = (samples: readonly CodeSample[]): CodeSample[] =>
  samples.filter((sample, index) => samples.findIndex(({ code }) => code === sample.code) === index)
