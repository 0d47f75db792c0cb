/** Part of the development bundle only: reloads the page when server, texts or content have changed. */
import hot from 'webpack-hot-middleware/client?reload=true&quiet=true'

hot.subscribe((event) => {
  if (event.action === 'reload') location.reload()
})
