// A system Chromium where one is found. Tests that need it are skipped with a loud line where none is.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

export const chromiumPath = [process.env['CHROMIUM_PATH'], ...PLACES].find((path) => path !== undefined && existsSync(path));

if (chromiumPath === undefined) console.warn('\n*** NO CHROMIUM FOUND: the browser tests are skipped. Install one, or set CHROMIUM_PATH. ***\n');

export async function openBrowser(viewport = { width: 1280, height: 900 }): Promise<BrowserContext> {
  return chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'countersign-chromium-')), {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    headless: true,
    viewport,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
