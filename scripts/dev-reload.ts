/**
 * Only in the development bundle: reloads the page when the server, texts or content have changed.
 */
import hot from 'webpack-hot-middleware/client?reload=true&quiet=true'

hot.subscribe((event) => {
  if (event.action === 'reload') location.reload()
})
