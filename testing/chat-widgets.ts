/**
 * Stand-ins for the scripts of chat providers, as text that a test serves. They have the calls that
 * the providers document publicly, and show what they do as elements of the page.
 */

/** Adds `frame`, 60 px high while closed and 480 px while open, and `setOpen`. */
const frameOf = (id: string): string => `
  const holder = document.createElement('div')
  const frame = document.createElement('iframe')
  frame.id = '${id}'
  frame.height = 60
  holder.append(frame)
  const setOpen = (open) => { frame.height = open ? 480 : 60 }
`

/**
 * SaleSmartly: `ssq` is a function with `push`. Source: help.salesmartly.com, "SaleSmartly JSSDK"
 * (2.3, 2.4, 2.9, 2.10); `onReady` as in public integrations. Read on 2026-11-22. The page decides
 * when it reports ready, with `window.reportReady()`. Its frame is `#s-chat-plugin`, which is only
 * in the page once it is ready.
 */
export const saleSmartly = `(() => {
  ${frameOf('s-chat-plugin')}
  const listeners = {}
  const tell = (name) => listeners[name]?.()
  window.ssq = () => undefined
  window.ssq.push = (name, listener) => {
    if (listener) listeners[name] = listener
    if (name === 'chatOpen') { setOpen(true); tell('onOpenChat') }
    if (name === 'chatClose') { setOpen(false); tell('onCloseChat') }
  }
  window.reportReady = () => { document.body.append(holder); tell('onReady') }
})()`

/**
 * Easemob: reads `easemobim.config` when it loads, and `bind` refuses to open without a tenant or a
 * configuration. Source: github.com/easemob/kefu-webim, `src/js/plugin/userAPI.js` and `iframe.js`.
 * Read on 2026-11-22.
 */
export const easemob = `(() => {
  ${frameOf('easemob-iframe-1')}
  const easemobim = window.easemobim = window.easemobim || {}
  const config = easemobim.config = easemobim.config || {}
  easemobim.bind = (given) => {
    const { tenantId, configId } = { ...config, ...given }
    if (!tenantId && !configId) return console.error('no tenantId')
    frame.title = [configId, tenantId].filter(Boolean).join()
    document.body.append(holder)
    setOpen(true)
  }
})()`

/** tawk.to. Source: developer.tawk.to/jsapi (maximize, isChatMaximized). Read on 2026-11-22. */
export const tawk = `(() => {
  ${frameOf('tawk-frame')}
  document.body.append(holder)
  window.Tawk_API = { maximize: () => setOpen(true), isChatMaximized: () => frame.height === '480' }
})()`

/** A script without calls that the site knows, with a button in a corner of the page. */
export const ownButton = `(() => {
  const holder = document.createElement('div')
  holder.innerHTML = '<button id="own-button">Chat</button>'
  holder.firstChild.style.cssText = 'position:fixed;right:16px;bottom:16px;width:56px;height:56px'
  document.body.append(holder)
})()`

/** A script that neither shows nor offers anything. */
export const silent = 'window.silent = true'
