import 'i18next'
import type { Resources } from './generated-namespaces'

// English texts are the source: a key that they lack fails the type check.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: Resources
  }
}
