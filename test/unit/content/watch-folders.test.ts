import fs, {
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { scanTree } from '../../../server/content/compile/scan-tree'
import { watchFolders } from '../../../server/content/compile/watch-folders'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('a folder that cannot be watched', () => {
  const folder = temporaryFolder('watched')
  /** Calls of `onChange` within 5 s. */
  function changesWith(code: string): Array<readonly string[]> {
    jest.useFakeTimers()
    const { watch } = fs
    jest.spyOn(fs, 'watch').mockImplementation((path, listener) => {
      if (path === folder && code === 'ENOENT') return watch(path, listener as () => void)
      throw Object.assign(new Error(code), { code })
    })
    const changes: Array<readonly string[]> = []
    const { close } = watchFolders({
      roots: [folder],
      folders: [`${folder}/a`, `${folder}/b`],
      onChange(folders) {
        changes.push(folders)
        return []
      },
    })
    jest.advanceTimersByTime(5000)
    close()
    jest.advanceTimersByTime(5000)
    return changes
  }

  it.each(['ENOSPC', 'EMFILE'])('because of %s is scanned at intervals', (code) => {
    expect(changesWith(code)).toEqual([[folder], [folder]])
  })

  it('because it was removed is not scanned', () => {
    expect(changesWith('ENOENT')).toEqual([])
  })
})

describe('a folder that is replaced is watched as before', () => {
  const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true })
  /** The folder `content` may be a link to `v1`. */
  it.each<[string, boolean, (folder: string) => void]>([
    [
      'an article, by another that is renamed',
      false,
      (folder) => {
        renameSync(join(folder, 'content/blog/a'), join(folder, 'old'))
        renameSync(join(folder, 'v2/blog/a'), join(folder, 'content/blog/a'))
      },
    ],
    [
      'an article, by another that is copied after the removal',
      false,
      (folder) => {
        rmSync(join(folder, 'content/blog/a'), { recursive: true })
        copy(join(folder, 'v2/blog/a'), join(folder, 'content/blog/a'))
      },
    ],
    [
      'a collection',
      false,
      (folder) => {
        rmSync(join(folder, 'content/blog'), { recursive: true })
        copy(join(folder, 'v2/blog'), join(folder, 'content/blog'))
      },
    ],
    [
      'the root, by a copy',
      false,
      (folder) => {
        renameSync(join(folder, 'content'), join(folder, 'old'))
        copy(join(folder, 'old'), join(folder, 'content'))
      },
    ],
    [
      'the root, by another that a symbolic link leads to',
      true,
      (folder) => {
        symlinkSync('v2', join(folder, 'new'))
        renameSync(join(folder, 'new'), join(folder, 'content'))
      },
    ],
    [
      'the root, behind its symbolic link',
      true,
      (folder) => {
        renameSync(join(folder, 'v1'), join(folder, 'old'))
        renameSync(join(folder, 'v2'), join(folder, 'v1'))
      },
    ],
  ])('%s', async (_name, isLinked, replace) => {
    const folder = realpathSync(temporaryFolder('replaced'))
    for (const version of [isLinked ? 'v1' : 'content', 'v2'])
      mkdirSync(join(folder, version, 'blog/a'), { recursive: true })
    const root = join(folder, 'content')
    if (isLinked) symlinkSync('v1', root)
    const article = join(root, 'blog/a')
    const changed = new Set<string>()
    const scan = (): string[] => scanTree(root, () => false).folders
    const watched = jest.spyOn(fs, 'watch')
    const { close } = watchFolders({
      roots: [root],
      folders: scan(),
      onChange(folders) {
        for (const one of folders) changed.add(one)
        return scan()
      },
    })
    watched.mockClear()
    replace(folder)
    // The article is watched anew, and then scanned once more.
    await eventually(() => {
      expect(watched.mock.calls.map(([path]) => path)).toContain(article)
      expect(changed).toContain(article)
    })
    changed.clear()
    writeFileSync(join(article, 'en.md'), 'A')
    await eventually(() => expect(changed).toContain(article))
    close()
  })
})
