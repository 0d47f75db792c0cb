import fs from 'node:fs'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { watchFolders } from '../../../server/content/compile/watch-folders'
import { temporaryFolder } from '../../../testing/release-with-tests'

afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('a folder that cannot be watched', () => {
  const folder = temporaryFolder('watched')
  /** Calls of `onChange` within 5 s. */
  function changesWith(code: string): Array<readonly string[]> {
    jest.useFakeTimers()
    jest.spyOn(fs, 'watch').mockImplementation(() => {
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
