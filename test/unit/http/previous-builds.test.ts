import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { keepBuildAssets, previousBuildsFolder } from '../../../server/http/previous-builds'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('a build whose manifest is missing counts as the oldest', async () => {
  const [folder, dataDir] = [temporaryFolder('build'), temporaryFolder('previous-builds')]
  // A cast because nothing else of a build is used.
  const build = { id: 'current', timestamp: 1, folder } as Parameters<typeof keepBuildAssets>[0]
  mkdirSync(join(folder, 'client', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'client', 'assets', 'main.js'), '')
  const builds = previousBuildsFolder(dataDir)
  for (const [index, id] of ['a', 'b', 'without-manifest'].entries()) {
    mkdirSync(join(builds, id), { recursive: true })
    if (id === 'without-manifest') continue
    writeFileSync(join(builds, id, 'build.json'), '{}')
    utimesSync(join(builds, id, 'build.json'), index + 1, index + 1)
  }
  await keepBuildAssets(build, dataDir, createLogger('silent'))
  expect(readdirSync(builds).sort()).toEqual(['a', 'b', 'current'])
})
