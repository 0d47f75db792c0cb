import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { expect, it } from '@jest/globals'
import { assets } from '../../../server/middleware/assets'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('a file that was deleted since the start closes its connection, and others are served', async () => {
  const folder = temporaryFolder('assets')
  for (const name of ['gone.1234.js', 'kept.1234.js']) writeFileSync(join(folder, name), 'let a')
  const app = express().use(
    ...assets({ folders: { assets: folder }, settings: { DATA_DIR: temporaryFolder('data') } }),
  )
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const bodyOf = async (name: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/${name}`)).text()
  try {
    rmSync(join(folder, 'gone.1234.js'))
    await expect(bodyOf('gone.1234.js')).rejects.toThrow()
    expect(await bodyOf('kept.1234.js')).toBe('let a')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
