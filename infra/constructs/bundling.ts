// How a function's code becomes one file: everything in it, nothing expected of the runtime but Node itself.
// The smoke test builds with these same options, so that what was imported there is what is deployed.
import { join, resolve } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, type BuildOptions } from 'esbuild';
import type { FunctionName } from '../routes.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** CommonJS dependencies call `require`, which an ES module does not have. */
const REQUIRE_BANNER = `import{createRequire as requireFor}from'node:module';const require=requireFor(import.meta.url);`;

/** No `external`: the AWS SDK of the runtime changes under us. No `keepNames`: names that matter are explicit strings. */
export const ESBUILD_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  banner: { js: REQUIRE_BANNER },
  logLevel: 'warning',
} as const satisfies BuildOptions;

export type Constants = Readonly<Record<string, string>>;

/** Writes `index.mjs` into `folder`. `constants` replace global names, each with JSON text. */
export function bundleFunction(name: FunctionName, folder: string, constants: Constants = {}): void {
  buildSync({
    ...ESBUILD_OPTIONS,
    mainFields: [...ESBUILD_OPTIONS.mainFields],
    absWorkingDir: ROOT,
    entryPoints: [join('lambdas/functions', name, 'lambda.ts')],
    outfile: join(folder, 'index.mjs'),
    define: { ...constants },
  });
}

export function functionCode(name: FunctionName, constants: Constants = {}): Code {
  return Code.fromAsset(join(ROOT, 'lambdas/functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // CDK wants an image to fall back on; the local build never falls back, it succeeds or throws.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(folder: string): boolean {
          bundleFunction(name, folder, constants);
          return true;
        },
      },
    },
  });
}
