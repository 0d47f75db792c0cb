import { z } from 'zod'
import { systems, type System } from '../../../shared/front-matter'
import type { BackendFiles, ReleaseFile } from '../../pages/page-services'
import type { Logger } from '../../telemetry/logger'
import { createUpstreamReader, StatusError } from './upstream-reader'

/** The specification's form has the URL only; a checksum of the wrong form counts as absent. */
const fileSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .catch(undefined),
  size: z.number().int().positive().optional().catch(undefined),
})

/**
 * Reads the newest client of each system from the operator's backend, once for all pages that ask
 * at the same time.
 */
export function createBackendFiles(
  address: string,
  log: Logger,
): { read: () => Promise<BackendFiles>; close: () => void } {
  // All systems at once, so that the waiting times of a slow backend do not add up.
  const reader = createUpstreamReader(address, systems.length)
  let running: Promise<BackendFiles> | null = null

  async function readFile(system: System): Promise<ReleaseFile | null> {
    const path = '/client/sys-client-version/get-latest-version'
    try {
      const { url, sha256, size } = await reader.read(path, { system }, fileSchema)
      return { system, url, ...(sha256 && size ? { sha256, size } : {}) }
    } catch (error) {
      if (error instanceof StatusError && error.status === 404) return null
      throw error
    }
  }

  async function readAll(): Promise<BackendFiles> {
    const files = new Map<System, ReleaseFile | null>()
    const failures: unknown[] = []
    await Promise.all(
      systems.map((system) =>
        readFile(system).then(
          (file) => files.set(system, file),
          (error: unknown) => failures.push(error),
        ),
      ),
    )
    if (failures.length > 0)
      log.warn(
        { err: failures[0], systems: failures.length },
        'files of the client could not be read; those of the content are offered',
      )
    return files
  }

  return {
    read: () => (running ??= readAll().finally(() => (running = null))),
    close: reader.close,
  }
}
