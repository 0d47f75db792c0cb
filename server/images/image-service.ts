import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { imageLimits } from '../../shared/constants'
import type { BitmapFormat, SourceFormat } from '../../shared/images'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import { chooseFormat } from './choose-format'
import { encoderVersion } from './encode-job'
import { createEncodeQueue } from './encode-queue'
import { createEncoderPool } from './encoder-pool'
import { createRemoteFetch, type FetchRemoteOptions } from './fetch-remote'
import { openImageDatabase } from './image-database'
import { createLocalFiles, examine, type KnownSource } from './local-files'
import type { ImageTarget, WantedVariant } from './parse-target'
import { createRemoteSources } from './remote-sources'
import { createVariantStore } from './variant-store'

export type ImageServiceOptions = {
  /** Where results lie; pictures that the build made, or null. */
  folder: string
  builtIn: string | null
  public: string
  content: string
  /** Built file of the encoder process. */
  script: string
  remote: FetchRemoteOptions
  log: Logger
  diskBytes?: number
  slots?: number
}
/** A picture ready to be sent. `key` changes with its bytes; `immutable`: the address names the content's version. */
export type ImageAnswer = {
  bytes: Buffer
  format: SourceFormat
  key: string
  immutable: boolean
  made: boolean
}
export type ImageService = ReturnType<typeof createImageService>

/** Name of a result: what it is made from and how. Widths beyond the source's own are one result. */
export function variantKey(
  source: Pick<KnownSource, 'hash' | 'width'>,
  variant: { width: number | null; format: BitmapFormat; quality: number },
): string {
  const width = Math.min(variant.width ?? source.width, source.width)
  return createHash('sha256')
    .update([source.hash, width, variant.format, variant.quality, encoderVersion].join(' '))
    .digest('hex')
    .slice(0, 32)
}

/** Finds sources, makes variants and keeps them; knows nothing of HTTP. */
export function createImageService(options: ImageServiceOptions) {
  const { folder, log, slots = cpus().length } = options
  const db = openImageDatabase(folder)
  const store = createVariantStore({
    db,
    folder,
    builtIn: options.builtIn,
    diskBytes: options.diskBytes ?? imageLimits.diskBytes,
    memoryBytes: imageLimits.memoryBytes,
    log,
  })
  const queue = createEncodeQueue({
    db,
    slots,
    waiting: imageLimits.queue,
    maxWait: imageLimits.queueWait,
  })
  const pool = createEncoderPool({ script: options.script, log })
  const find = {
    public: createLocalFiles(options.public),
    content: createLocalFiles(options.content),
    remote: createRemoteSources({ db, store, fetchRemote: createRemoteFetch(options.remote) }),
  }
  store
    .tidy()
    .catch((error: unknown) => log.warn({ err: error }, 'the picture store was not tidied'))

  async function bytesOf(source: KnownSource): Promise<Buffer> {
    const bytes = await source.read()
    // Replaced between look and read: the result would be stored under the wrong name.
    if (examine(bytes).hash !== source.hash)
      throw new SiteError('imagesBusy', undefined, { 'Retry-After': '1' })
    return bytes
  }

  /** A variant as a bitmap: stored, being made by another, or made now. */
  async function bitmap(
    source: KnownSource,
    variant: WantedVariant,
    format: BitmapFormat,
    gone: (leave: () => void) => void,
  ): Promise<Omit<ImageAnswer, 'immutable'>> {
    const width = Math.min(variant.width ?? source.width, source.width)
    const wanted = {
      width: width === source.width ? null : width,
      format,
      quality: variant.quality,
    }
    const key = variantKey(source, { ...wanted, width })
    const known = await store.read(key)
    if (known) return { bytes: known, format, key, made: false }
    const job = queue.join(
      key,
      () => store.read(key),
      async () => {
        const bytes = await pool.encode(
          { ...wanted, bytes: await bytesOf(source) },
          source.format === 'svg' ? imageLimits.vectorTimeout : imageLimits.encodeTimeout,
        )
        await store.keep(key, bytes)
        return bytes
      },
    )
    gone(job.leave)
    return { bytes: await job.done, format, key, made: true }
  }

  return {
    /**
     * The picture that a target asks for, in a format that `accept` takes. `gone` is handed what to call when nobody
     * waits for it any more. Rejects with a SiteError: 400, 403, 404, 413, 415, 502, 503 or 504.
     */
    async answer(
      { variant, source: place }: ImageTarget,
      accept: string,
      gone: (leave: () => void) => void,
    ): Promise<ImageAnswer> {
      const source = await (place.kind === 'remote'
        ? find.remote(place.url)
        : find[place.kind](place.path))
      const format = chooseFormat(variant.format, source.format, accept)
      const immutable = variant.version !== null && source.hash.startsWith(variant.version)
      if (format === 'svg')
        return {
          bytes: await bytesOf(source),
          format,
          key: source.hash.slice(0, 32),
          immutable,
          made: false,
        }
      return { ...(await bitmap(source, variant, format, gone)), immutable }
    },
    /** Pictures that wait or are being made in this process. */
    waiting: queue.waiting,
    async close(): Promise<void> {
      await pool.close()
      db.close()
    },
  }
}

/** Where a server keeps its pictures. */
export const imageFolder = (dataDir: string): string => join(dataDir, 'images')
