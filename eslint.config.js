import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', 'cdk.out', 'coverage', 'reports', '.countersign', '.stryker-tmp', 'test/architecture/planted'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.js', '*.cjs', '*.mjs'] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      // Index signatures are read by name in quotes, so that a typo is a type error elsewhere.
      '@typescript-eslint/dot-notation': 'off',
      'no-console': 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: true }],
    },
  },
  { files: ['bin/**', 'bench/**', 'infra/local/**'], rules: { 'no-console': 'off' } },
  { files: ['test/**'], rules: { 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off', '@typescript-eslint/no-unsafe-assignment': 'off', '@typescript-eslint/no-unsafe-member-access': 'off', '@typescript-eslint/no-unsafe-argument': 'off', '@typescript-eslint/no-unsafe-return': 'off', '@typescript-eslint/no-unsafe-call': 'off', '@typescript-eslint/no-explicit-any': 'off', '@typescript-eslint/unbound-method': 'off', '@typescript-eslint/no-meaningless-void-operator': 'off', '@typescript-eslint/no-confusing-void-expression': 'off', '@typescript-eslint/no-misused-spread': 'off', '@typescript-eslint/no-unnecessary-condition': 'off', 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
