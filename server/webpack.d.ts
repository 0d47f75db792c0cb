/** Node's own `require`, left alone by the bundler. */
declare const __non_webpack_require__: NodeJS.Require
