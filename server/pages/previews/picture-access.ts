import { isCollection } from '../../../shared/front-matter'
import type { ContentStore } from '../../content/store/store'
import { SiteError } from '../../errors'
import { previewSecret, readPreview } from './preview-link'

/**
 * Returns a function that says who may see a picture of the content folder, by its path there. A
 * picture beside a published article is public. A picture beside a draft is private: it is shown
 * with the token of a preview of that draft, and without one it throws 404 like a missing picture.
 */
export function createPictureAccess(store: Pick<ContentStore, 'localesOf'>, dataDir: string) {
  const secret = previewSecret(dataDir)
  return function accessOf(path: string, token: string): 'public' | 'private' {
    const [collection = '', id = ''] = path.split('/')
    if (isCollection(collection) && store.localesOf(collection, id).length > 0) return 'public'
    const preview = readPreview(token, secret, Date.now())
    if (preview?.collection === collection && preview.id === id) return 'private'
    throw new SiteError('notFound')
  }
}
