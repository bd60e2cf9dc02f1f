// The local stand-in for signing in on the pages: choose who you are. On AWS there is no such page.
import { stringifySetCookie } from 'cookie';
import { html } from 'hono/html';
import type { HttpReply } from '../../lambdas/middleware/reply.ts';
import { IDENTITY_COOKIE } from './identity.ts';

/** Answers /sign-in, and undefined for every other path. */
export async function signInPage(method: string, url: URL, body: Buffer, people: readonly string[]): Promise<HttpReply | undefined> {
  if (url.pathname !== '/sign-in') return undefined;
  if (method === 'GET') return { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body: await form(people, pathOnly(url.searchParams.get('next'))) };
  if (method !== 'POST') return { statusCode: 405, headers: { allow: 'GET, POST' }, body: '' };
  const fields = new URLSearchParams(body.toString('utf8'));
  const identity = fields.get('identity') ?? '';
  if (!people.includes(identity)) return { statusCode: 400, body: 'unknown person' };
  const cookie = stringifySetCookie({ name: IDENTITY_COOKIE, value: identity, httpOnly: true, sameSite: 'strict', path: '/' });
  return { statusCode: 303, headers: { location: pathOnly(fields.get('next')) }, cookies: [cookie], body: '' };
}

/** Only a path of this server: anything else would send the browser away. */
function pathOnly(next: string | null): string {
  return next !== null && /^\/(?![/\\])[\w/-]*$/.test(next) ? next : '/inbox';
}

async function form(people: readonly string[], next: string): Promise<string> {
  const choice = (person: string) => html`<button name="identity" value="${person}">${person}</button>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sign in (local)</title>
        <style>
          :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
          main { max-width: 24rem; margin: 12vh auto; padding: 0 1rem; }
          button { display: block; width: 100%; min-height: 44px; margin: 0.5rem 0; font: inherit; }
        </style>
      </head>
      <body>
        <main>
          <h1>Who are you?</h1>
          <p>This is the local stand-in for signing in. It proves nothing and exists only on this machine.</p>
          <form method="post" action="/sign-in">
            <input type="hidden" name="next" value="${next}" />
            ${people.map(choice)}
          </form>
        </main>
      </body>
    </html>`;
  return String(await page);
}
