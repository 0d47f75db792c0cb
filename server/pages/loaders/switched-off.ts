import type { RouteId } from '../../../shared/routes/table'
import type { ContentStore } from '../../content/store/store'

/** Routes that an operator has switched off in site.yaml: no menu, list or search leads there. */
export const switchedOff = (store: Pick<ContentStore, 'site'>): readonly RouteId[] =>
  store.site().pre_sales ? [] : ['pre-sales']
