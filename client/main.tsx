import { hydrateRoot } from 'react-dom/client'
import type { PageView } from '../shared/view'
import { App } from './App'
import { loadPage } from './pages'
import { startLocaleChoice } from './visitor/locale-choice'
import { startPictureStates } from './visitor/picture-states'
import './styles/tokens.css'
import './styles/base.css'
import './styles/picture.css'

/** The page's data block: JSON that the server wrote, so its shape is the server's. */
function readView(): PageView & { assets: Record<string, string> } {
  const block = document.getElementById('view')
  if (!block?.textContent) throw new Error('the page holds no data block')
  return JSON.parse(block.textContent) as PageView & { assets: Record<string, string> }
}

async function start(): Promise<void> {
  const view = readView()
  const page = await loadPage(view.route)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page holds no root')
  hydrateRoot(root, <App scope={{ view, asset: (name) => view.assets[name] ?? '', island: null }} page={page} />, {
    onRecoverableError: (error) => console.error('hydration', error),
  })
  startPictureStates({ document, placeholder: '/picture-missing.svg' })
  startLocaleChoice({ document, locale: view.locale, origins: view.origins, cookieDomain: view.site.cookieDomain })
  document.documentElement.dataset['hydrated'] = ''
}

void start()
