import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root'

const parts = [
  'client',
  'server',
  'shared',
  'scripts',
  'testing',
  'bench',
  'locales',
  'content',
  'public',
  'docs/operations.md',
  '.env.example',
  'ecosystem.config.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'webpack.config.ts',
]

export type ProjectCopy = {
  folder: string
  /** Writes a new file; its path is relative to the project. */
  write: (path: string, text: string) => void
  /** Replaces a text that occurs in a file. Throws when it does not, so that no edit is lost. */
  edit: (path: string, from: string, to: string) => void
}

/** Copies the sources of the project into a folder, with the same installed packages. */
export function copyProject(folder: string): ProjectCopy {
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    edit(path, from, to) {
      const text = readFileSync(join(folder, path), 'utf8')
      if (!text.includes(from)) throw new Error(`${path} does not hold: ${from}`)
      writeFileSync(
        join(folder, path),
        text.replace(from, () => to),
      )
    },
  }
}
