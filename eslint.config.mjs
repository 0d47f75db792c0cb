import { basename, relative } from 'node:path'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import redos from 'eslint-plugin-redos'
import tseslint from 'typescript-eslint'

/**
 * House rule: a file is named after what it exports, kebab-case; a React component in PascalCase.
 */
const fileNames = {
  rules: {
    'file-name': {
      meta: { type: 'suggestion', schema: [] },
      create: (context) => ({
        Program(node) {
          const path = relative(context.cwd, context.filename)
          const name = basename(path).replace(/(\.d|\.test|\.spec|\.config)?\.[mc]?[jt]sx?$/, '')
          const component =
            path.endsWith('.tsx') &&
            /^client\/(components|console(?!\/main)|pages|shell|islands|search|navigation)\/|^client\/App/.test(
              path,
            )
          const fits = component
            ? /^[A-Z][A-Za-z0-9]*$/.test(name)
            : /^\.?[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
          if (!fits)
            context.report({
              node,
              message: component
                ? 'a component file is named in PascalCase'
                : 'a file is named in kebab-case',
            })
          if (/^(index|utils?|misc|helpers?)$/.test(name))
            context.report({
              node,
              message: `"${name}" says nothing: name the file after what it exports`,
            })
          if (path.split('/').length > 4)
            context.report({ node, message: 'folders are at most two deep below the top one' })
        },
      }),
    },
  },
}

/**
 * Every regular expression takes linear time. Only the automaton decides that for certain: it knows
 * no look-around, and the other way (`fuzz`) measures times, which differ on a busy machine.
 * Without `ignoreErrors: false` an expression that cannot be decided counts as safe. Results are
 * kept in `node_modules/.cache`.
 */
const linearRegularExpressions = {
  ignoreErrors: false,
  checker: 'automaton',
  // ms for one expression: long, because lint gets only the processor time that the tests leave.
  timeout: 900_000,
  // The automaton decides no expression with larger counts.
  maxRepeatCount: 2500,
  cache: true,
}

/** What runs in production: stricter than tests, bench and scripts. */
const production = ['server/**/*.ts', 'client/**/*.{ts,tsx}', 'shared/**/*.ts']
const countCode = { skipBlankLines: true, skipComments: true }

export default tseslint.config(
  {
    ignores: ['dist/**', 'node_modules/**', 'data/**', 'public/**', 'test-results/**'],
  },
  {
    files: ['**/*.{ts,tsx,mjs,cjs,js,mts,cts}'],
    extends: [tseslint.configs.strict],
    plugins: { site: fileNames },
    rules: {
      'site/file-name': 'error',
      'no-console': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: ['test/**/*.{ts,tsx}', 'testing/**/*.ts', 'bench/**/*.{ts,tsx}', 'scripts/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: production,
    extends: [tseslint.configs.strictTypeCheckedOnly],
    plugins: { redos },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', { max: 250, ...countCode }],
      'max-lines-per-function': ['error', { max: 60, ...countCode }],
      'redos/no-vulnerable': ['error', linearRegularExpressions],
      // A number in a text is written as expected; everything else that is not a string is refused.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => store.close()` is the common form of a callback whose result nothing uses.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        {
          ignoreArrowShorthand: true,
          ignoreVoidOperator: true,
          ignoreVoidReturningFunctions: true,
        },
      ],
      '@typescript-eslint/no-meaningless-void-operator': 'off',
    },
  },
  {
    files: ['test/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(MemberExpression[object.name=/^(?:it|test|describe)$/], MemberExpression[object.property.name="describe"])[property.name=/^(?:only|skip|todo|fixme)$/]',
          message: 'every test runs: focus or skip one on the command line (-t, -g)',
        },
      ],
    },
  },
  // Declaration merging needs interfaces.
  {
    files: ['**/*.d.ts'],
    rules: { '@typescript-eslint/consistent-type-definitions': 'off' },
  },
  {
    files: ['server/middleware/*.ts'],
    rules: { 'max-lines': ['error', { max: 80, ...countCode }] },
  },
  {
    files: ['server/**', 'shared/**'],
    ignores: ['server/env.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'server/env.ts is the only reader of process.env',
        },
      ],
    },
  },
  {
    files: ['server/**'],
    ignores: ['server/url/redirect.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "Literal[value='Location']",
          message: 'server/url/redirect.ts is the only place that writes Location',
        },
      ],
    },
  },
  {
    files: ['client/**/*.{ts,tsx}'],
    plugins: { ...jsxA11y.flatConfigs.strict.plugins, 'react-hooks': reactHooks },
    rules: {
      ...jsxA11y.flatConfigs.strict.rules,
      // A region that scrolls takes the focus, so that the arrow keys scroll it.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: [], roles: ['region'] }],
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='style']",
          message: 'the policy forbids style attributes',
        },
      ],
    },
  },
  { files: ['**/*.{cjs,js}'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
)
