import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, jest } from '@jest/globals'
import { createImageService } from '../../../server/images/image-service'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('a picture that is replaced while it is asked for is refused for a second', async () => {
  const folder = temporaryFolder('service')
  const drawing = (text: string): void =>
    writeFileSync(
      join(folder, 'public', 'a.svg'),
      `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${text}</title></svg>`,
    )
  jest.spyOn(performance, 'now').mockReturnValue(0)
  mkdirSync(join(folder, 'public'))
  drawing('one')
  const service = createImageService({
    folder: join(folder, 'images'),
    prebuiltFolder: null,
    publicFolder: join(folder, 'public'),
    contentFolder: join(folder, 'content'),
    encoderScript: '',
    remote: { allowedHosts: [] },
    log: createLogger('silent'),
  })
  const ask = () =>
    service.getImage(
      {
        variant: { width: null, quality: 80, format: 'source', version: null },
        source: { kind: 'public', path: 'a.svg' },
      },
      'image/svg+xml',
      () => undefined,
    )
  expect((await ask()).bytes.toString()).toContain('one')
  // It is read again 250 ms later.
  drawing('two')
  await expect(ask()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})
