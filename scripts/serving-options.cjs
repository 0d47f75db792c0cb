/**
 * Options of Node for every process that serves the site (decision 124). `package.json`,
 * `deploy/site.service` and `deploy/Dockerfile` repeat them.
 */
module.exports = { servingOptions: ['--max-semi-space-size=8'] }
