import { basename, join } from 'node:path'
import CompressionPlugin from 'compression-webpack-plugin'
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import webpack, { type Configuration, type RuleSetRule } from 'webpack'
import { constants, type BrotliOptions } from 'node:zlib'
import { AssetManifestPlugin, EntryManifestPlugin } from './scripts/asset-manifest-plugin'
import { NamesAsChunkIdsPlugin } from './scripts/names-as-chunk-ids-plugin'

export type BuildOptions = {
  root: string
  /** Output folder: `dist/{id}`. */
  folder: string
  mode: 'production' | 'development'
}

const scriptRule = (isDevelopment: boolean, isBrowser: boolean): RuleSetRule => ({
  test: /\.tsx?$/,
  exclude: /node_modules/,
  use: {
    loader: 'swc-loader',
    options: {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: {
          react: {
            runtime: 'automatic',
            development: isDevelopment,
            refresh: isDevelopment && isBrowser,
          },
        },
      },
    },
  },
})

/** Names classes `CardList-title`: file and class repeat, so they compress better than hashes. */
const cssOptions = (onlyClassNames: boolean) => ({
  importLoaders: 0,
  modules: {
    auto: /\.module\.css$/,
    getLocalIdent: ({ resourcePath }: { resourcePath: string }, _: string, name: string): string =>
      `${basename(resourcePath, '.module.css')}-${name}`,
    exportOnlyLocals: onlyClassNames,
    namedExport: false,
    exportLocalsConvention: 'as-is',
  },
})

const commonConfig = ({ root, mode }: BuildOptions): Configuration => ({
  context: root,
  mode,
  resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
  performance: { hints: false },
  stats: 'errors-warnings',
  // Results are kept on disk, so a build compiles, minifies and compresses only what has changed.
  // Development keeps them in memory.
  ...(mode === 'production' && {
    cache: {
      type: 'filesystem',
      cacheDirectory: join(root, 'node_modules', '.cache', 'webpack'),
      buildDependencies: { config: [__filename] },
    },
  }),
})

/** Production files are compressed by the build, not for each request. */
const precompression = (): Configuration['plugins'] => [
  new CompressionPlugin({
    filename: '[path][base].gz',
    algorithm: 'gzip',
    test: /\.(js|css|svg)$/,
    threshold: 512,
  }),
  new CompressionPlugin<BrotliOptions>({
    filename: '[path][base].br',
    algorithm: 'brotliCompress',
    compressionOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } },
    test: /\.(js|css|svg)$/,
    threshold: 512,
  }),
]

/**
 * What the bundles of visitors and of the console have in common. Names of chunks, scripts and
 * styles alike, begin with `prefix`.
 */
function browserConfig(options: BuildOptions, hasRefresh: boolean, prefix = ''): Configuration {
  const isDevelopment = options.mode === 'development'
  const name = isDevelopment ? '[name]' : '[name].[contenthash:10]'
  return {
    ...commonConfig(options),
    target: ['web', 'es2022'],
    output: {
      path: join(options.folder, 'client', 'assets'),
      publicPath: '/assets/',
      filename: `${name}.js`,
      chunkFilename: `${prefix}${name}.js`,
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    devtool: isDevelopment ? 'cheap-module-source-map' : false,
    module: {
      rules: [
        scriptRule(isDevelopment, hasRefresh),
        {
          test: /\.css$/,
          sideEffects: true,
          use: [MiniCssExtractPlugin.loader, { loader: 'css-loader', options: cssOptions(false) }],
        },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: `${name}.css`,
        chunkFilename: `${prefix}${name}.css`,
        ignoreOrder: true,
      }),
      ...(isDevelopment ? [] : (precompression() ?? [])),
    ],
    optimization: {
      minimizer: [
        new TerserPlugin({ minify: TerserPlugin.swcMinify }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
    },
  }
}

/** The files for visitors: the entry, the framework and one chunk per page, with hashed names. */
export function clientConfig(options: BuildOptions): Configuration {
  const isDevelopment = options.mode === 'development'
  const base = browserConfig(options, isDevelopment)
  return {
    ...base,
    name: 'client',
    entry: { main: [...(isDevelopment ? ['./scripts/dev-reload.ts'] : []), './client/main.tsx'] },
    plugins: [
      ...(base.plugins ?? []),
      new NamesAsChunkIdsPlugin(),
      new AssetManifestPlugin({ root: options.root, file: join(options.folder, 'assets.json') }),
      ...(isDevelopment ? [new webpack.HotModuleReplacementPlugin()] : []),
    ],
    optimization: {
      ...base.optimization,
      splitChunks: {
        cacheGroups: {
          framework: {
            test: /node_modules[\\/](react|react-dom|scheduler|react-i18next)[\\/]/,
            name: 'framework',
            chunks: 'all',
            enforce: true,
          },
        },
      },
    },
  }
}

/**
 * The owner's console, one chunk per view. It is compiled separately, so that nothing of it changes
 * the files of visitors.
 */
export function consoleConfig(options: BuildOptions): Configuration {
  const base = browserConfig(options, false, 'console-')
  return {
    ...base,
    name: 'console',
    entry: { console: './client/console/main.tsx' },
    output: { ...base.output, uniqueName: 'console' },
    plugins: [
      ...(base.plugins ?? []),
      new EntryManifestPlugin({
        entry: 'console',
        file: join(options.folder, 'console-assets.json'),
      }),
    ],
  }
}

/** The React pages as a bundle for the server. Style sheets only provide their class names. */
export function viewConfig(options: BuildOptions): Configuration {
  return {
    ...commonConfig(options),
    name: 'view',
    target: 'node22',
    entry: { view: './client/view.tsx' },
    output: {
      path: join(options.folder, 'server'),
      filename: '[name].js',
      library: { type: 'commonjs2' },
    },
    devtool: false,
    module: {
      rules: [
        scriptRule(false, false),
        {
          test: /\.css$/,
          use: [{ loader: 'css-loader', options: cssOptions(true) }],
        },
      ],
    },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { minimize: false },
  }
}

/** Not bundled, because they are loaded only when tracing is enabled. */
const openTelemetryExternals = Object.fromEntries(
  ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-node'].map((name) => [
    `@opentelemetry/${name}`,
    `commonjs @opentelemetry/${name}`,
  ]),
)

/**
 * Server, content process, worker threads and operators' commands. Not bundled are native modules,
 * the logger, and what most processes never load; everything else is, because a bundle starts
 * faster.
 */
export function serverConfig(options: BuildOptions): Configuration {
  return {
    ...commonConfig(options),
    name: 'server',
    target: 'node22',
    entry: {
      main: './server/main.ts',
      content: './server/content/compile/process.ts',
      'compile-worker': './server/content/compile/compile-worker.ts',
      search: './server/search/search-process.ts',
      encoder: './server/images/encoder-process.ts',
      'sqlite-worker': './server/db/sqlite-worker.ts',
      'background-worker': './server/cache/background-worker.ts',
      'xliff-worker': './server/ops/xliff/xliff-worker.ts',
      store: './server/ops/store-command.ts',
      doctor: './server/ops/doctor/doctor-command.ts',
    },
    output: {
      path: join(options.folder, 'server'),
      filename: '[name].js',
      library: { type: 'commonjs2' },
    },
    externals: {
      'better-sqlite3': 'commonjs better-sqlite3',
      // Loaded only with REDIS_URL.
      ioredis: 'commonjs ioredis',
      pg: 'commonjs pg',
      pino: 'commonjs pino',
      ...openTelemetryExternals,
      sharp: 'commonjs sharp',
      undici: 'commonjs undici',
    },
    node: { __dirname: false, __filename: false },
    devtool: false,
    // `createRequire` keeps its meaning of Node: at run time it finds packages that are not
    // bundled.
    module: { rules: [scriptRule(false, false)], parser: { javascript: { createRequire: false } } },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    ignoreWarnings: [{ module: /node_modules[\\/](express|rate-limiter-flexible)[\\/]/ }],
    optimization: { minimize: false },
  }
}

export default (options: BuildOptions): Configuration[] => [
  clientConfig(options),
  consoleConfig(options),
  viewConfig(options),
  serverConfig(options),
]
