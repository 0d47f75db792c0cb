/**
 * The options of Node for every process that serves the site (decision 124). `package.json`,
 * `deploy/site.service` and `deploy/Dockerfile` repeat them, because they cannot read this file.
 */
module.exports = { nodeOptions: ['--max-semi-space-size=8'] }
