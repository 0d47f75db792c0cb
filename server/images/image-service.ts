import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { imageLimits } from '../../shared/constants'
import type { BitmapFormat, SourceFormat } from '../../shared/images'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import { chooseFormat } from './choose-format'
import { encoderVersion } from './encode-job'
import { createEncodeQueue, type EncodeQueue } from './encode-queue'
import { createEncoderPool, type EncoderPool } from './encoder-pool'
import { createRemoteFetch, type FetchRemoteOptions } from './fetch-remote'
import { openImageDatabase } from './image-database'
import { createLocalSources, inspectImage, type SourceImage } from './local-sources'
import type { ImageTarget, VariantRequest } from './parse-target'
import { createRemoteSources } from './remote-sources'
import { createVariantStore, type VariantStore } from './variant-store'

type ImageServiceOptions = {
  /** Where encoded images are stored. */
  folder: string
  /** Images that the build encoded, or null. */
  prebuiltFolder: string | null
  /** Folders with source images: `public/`, and the content folder. */
  publicFolder: string
  contentFolder: string
  /** Path of the built encoder process. */
  encoderScript: string
  remote: FetchRemoteOptions
  log: Logger
  maxDiskBytes?: number
  maxConcurrentEncodes?: number
}

/** An image that is ready to be sent. */
export type ImageAnswer = {
  bytes: Buffer
  format: SourceFormat
  /** Changes with the bytes; serves as the ETag. */
  key: string
  /** Whether the URL names the version of the content, so that it can be cached for good. */
  immutable: boolean
  /** False when the image was stored already. */
  wasEncoded: boolean
}
export type ImageService = ReturnType<typeof createImageService>

/** Calls a listener when the client of a request has gone. */
type OnClientGone = (listener: () => void) => void
type EncodedImage = Omit<ImageAnswer, 'immutable'>

/** Folder of the encoded images of a server. */
export const imageFolder = (dataDir: string): string => join(dataDir, 'images')

/**
 * Key of a variant: a hash of the source and of how it is encoded. All widths beyond that of the
 * source have the same key, because images are never enlarged.
 */
export function variantKey(
  source: Pick<SourceImage, 'hash' | 'width'>,
  variant: { width: number | null; format: BitmapFormat; quality: number },
): string {
  const width = Math.min(variant.width ?? source.width, source.width)
  return createHash('sha256')
    .update([source.hash, width, variant.format, variant.quality, encoderVersion].join(' '))
    .digest('hex')
    .slice(0, 32)
}

/**
 * Reads a source. Throws 503 when the file was replaced after its hash was computed: the variant
 * would be stored under the key of the old file.
 */
async function readUnchanged(source: SourceImage): Promise<Buffer> {
  const bytes = await source.read()
  if (inspectImage(bytes).hash !== source.hash)
    throw new SiteError('imagesBusy', undefined, { 'Retry-After': '1' })
  return bytes
}

/** Returns a function that reads a variant from the store, or encodes it and stores it. */
function createVariantEncoder({
  store,
  queue,
  pool,
}: {
  store: VariantStore
  queue: EncodeQueue
  pool: EncoderPool
}) {
  return async function variantOf(
    source: SourceImage,
    { width: requestedWidth, quality }: VariantRequest,
    format: BitmapFormat,
    onClientGone: OnClientGone,
  ): Promise<EncodedImage> {
    const width = Math.min(requestedWidth ?? source.width, source.width)
    const key = variantKey(source, { width, format, quality })
    const stored = await store.read(key)
    if (stored) return { bytes: stored, format, key, wasEncoded: false }

    const timeoutMs =
      source.format === 'svg' ? imageLimits.vectorTimeoutMs : imageLimits.encodeTimeoutMs
    const encode = async (): Promise<Buffer> => {
      const job = {
        width: width === source.width ? null : width,
        format,
        quality,
        bytes: await readUnchanged(source),
      }
      const encoded = await pool.encode(job, timeoutMs)
      await store.write(key, encoded)
      return encoded
    }
    const { result, leave } = queue.join(key, () => store.read(key), encode)
    onClientGone(leave)
    return { bytes: await result, format, key, wasEncoded: true }
  }
}

/** The image proxy without HTTP: finds source images, encodes variants and stores them. */
export function createImageService(options: ImageServiceOptions) {
  const { folder, log } = options
  const db = openImageDatabase(folder)
  const store = createVariantStore({
    db,
    folder,
    prebuiltFolder: options.prebuiltFolder,
    maxDiskBytes: options.maxDiskBytes ?? imageLimits.maxDiskBytes,
    maxMemoryBytes: imageLimits.maxMemoryBytes,
    log,
  })
  const queue = createEncodeQueue({
    db,
    maxConcurrent: options.maxConcurrentEncodes ?? cpus().length,
    maxWaiting: imageLimits.maxQueued,
    maxWaitMs: imageLimits.maxQueueWaitMs,
  })
  const pool = createEncoderPool({ encoderScript: options.encoderScript, log })
  const variantOf = createVariantEncoder({ store, queue, pool })
  const findSource = {
    public: createLocalSources(options.publicFolder),
    content: createLocalSources(options.contentFolder),
    remote: createRemoteSources({ db, store, fetchRemote: createRemoteFetch(options.remote) }),
  }
  store
    .removeLeftovers()
    .catch((error: unknown) => log.warn({ err: error }, 'old image files could not be removed'))

  return {
    /**
     * Returns the image that a target names, in a format that `accept` allows. `onClientGone`
     * registers a listener; an encode that no request waits for is not started.
     * Rejects with a SiteError: 400, 403, 404, 413, 415, 502, 503 or 504.
     */
    async getImage(
      { variant, source: location }: ImageTarget,
      accept: string,
      onClientGone: OnClientGone,
    ): Promise<ImageAnswer> {
      const source = await (location.kind === 'remote'
        ? findSource.remote(location.url)
        : findSource[location.kind](location.path))
      const format = chooseFormat(variant.format, source.format, accept)
      const immutable = variant.version !== null && source.hash.startsWith(variant.version)
      if (format !== 'svg')
        return { ...(await variantOf(source, variant, format, onClientGone)), immutable }
      const bytes = await readUnchanged(source)
      return { bytes, format, key: source.hash.slice(0, 32), immutable, wasEncoded: false }
    },
    /** Images of this process that wait or are being encoded. */
    pendingCount: queue.pendingCount,
    async close(): Promise<void> {
      await pool.close()
      db.close()
    },
  }
}
