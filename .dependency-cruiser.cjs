/**
 * Import rules; docs/architecture.md explains them. A room imports only rooms below it in its list,
 * types included, so there is no cycle between rooms.
 */
const serverRooms = [
  '(main|start-site|site|pipeline)\\.ts$',
  'middleware/',
  'http/',
  'ops/',
  'feeds/',
  'api/',
  'pages/',
  'search/',
  'images/',
  'content/',
  'cache/',
  'url/',
  'request/',
  'db/',
  'telemetry/',
  '(env|errors|build-info|load-once|write-ahead-log)\\.ts$',
]
const clientRooms = [
  '(main\\.tsx|view\\.tsx|App\\.tsx)$',
  'console/',
  'pages/',
  'shell/',
  'search/',
  'islands/',
  'components/',
  'chat/',
  'account/',
  'analytics/',
  'navigation/',
  'icons/',
  'platform/',
  '(browser-translator|pages|use-texts|view-context)\\.ts$',
]

const layers = (side, rooms) =>
  rooms.slice(1).map((room, index) => ({
    name: `${side}-layers-${room.replace(/\W.*$/, '')}`,
    comment: `${side}/${room} imports a room above it: move what it needs down, or hand it in`,
    severity: 'error',
    from: { path: `^${side}/${room}` },
    to: { path: `^${side}/(${rooms.slice(0, index + 1).join('|')})` },
  }))

/** Two rules, because a rule sees only files that import (`from`) or are imported (`to`). */
function onlyRooms(side, rooms) {
  const outside = { path: `^${side}/`, pathNot: `^${side}/(${rooms.join('|')})` }
  const comment = `a file of ${side}/ is in one of the rooms of docs/architecture.md`
  return [
    { name: `${side}-rooms`, comment, severity: 'error', from: outside, to: {} },
    { name: `${side}-rooms-imported`, comment, severity: 'error', from: {}, to: outside },
  ]
}

module.exports = {
  forbidden: [
    ...layers('server', serverRooms),
    ...layers('client', clientRooms),
    ...onlyRooms('server', serverRooms),
    ...onlyRooms('client', [...clientRooms, 'styles/']),
    {
      name: 'console-apart-from-pages',
      comment: 'client/console is a bundle of operators: pages of visitors must not contain it',
      severity: 'error',
      from: { path: '^client/', pathNot: '^client/console/' },
      to: { path: '^client/console/' },
    },
    {
      name: 'shared-imports-neither-side',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(server|client)/' },
    },
    {
      name: 'server-not-client',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^client/' },
    },
    {
      name: 'client-not-server',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^server/' },
    },
    {
      name: 'production-not-tools',
      severity: 'error',
      from: { path: '^(server|client|shared)/' },
      to: { path: '^(scripts|test|testing|bench)/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-packages-at-run-time',
      severity: 'error',
      from: { path: '^(server|client|shared)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'packages-are-listed',
      comment: 'an imported package is in package.json, else an update of another may remove it',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^webpack-hot-middleware/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
